package store

import (
	"errors"

	"winnow/core/review"
)

// conflict is a review.ErrConflict that says in a sentence what happened.
type conflict string

func (c conflict) Error() string        { return string(c) }
func (c conflict) Is(target error) bool { return target == review.ErrConflict }

// since is a review.ErrConflict that says what happened to a segment, and by
// whom if that is known: an import and a machine have no name.
type since struct {
	segment string // id
	what    string // "got another note"
	field   string // of the mark, as the journal writes it: the one that changed; "" for boundaries and topics
	who     string
}

func (s *since) Error() string {
	text := "segment " + review.Short(s.segment) + " " + s.what
	if s.who != "" {
		text += " by " + s.who
	}
	return text + " since"
}

func (s *since) Is(target error) bool { return target == review.ErrConflict }

// otherMessages is what an import does to a segment that goes on.
const otherMessages = "got other messages"

// whatHappened says what made one mark into another.
func whatHappened(before, now review.Mark) since {
	switch {
	case now.Stale && !before.Stale:
		return since{what: otherMessages}
	case now.Verdict.Judged() && (now.Verdict != before.Verdict || now.Reviewer != before.Reviewer || now.ReviewedAt != before.ReviewedAt):
		return since{what: "was " + participle(now.Verdict), who: now.Reviewer}
	case now.Verdict != before.Verdict:
		return since{what: "was set back to pending", field: "$.verdict"}
	case now.Note != before.Note:
		return since{what: "got another note", field: "$.note"}
	case now.Tags != before.Tags:
		return since{what: "got other tags", field: "$.tags"}
	case now.Masked != before.Masked:
		return since{what: "got other training marks", field: "$.masked"}
	}
	return since{what: "was changed", field: "$"}
}

func participle(v review.Verdict) string {
	if v == review.Unsure {
		return "marked unsure"
	}
	return string(v)
}

// Who changed a field of a segment's mark, or its boundaries or topic, last
// after an entry. What is in force goes before what was undone since, and what
// only took the entry back or gave it again is passed by.
const (
	whoMarkedSQL = `SELECT j.curator FROM journal_changes c JOIN journal j ON j.id = c.entry
		WHERE c.segment_id = ?1 AND c.entry > ?2 AND j.target <> ?2 AND json_extract(c.before, ?3) IS NOT json_extract(c.after, ?3)
		ORDER BY j.target = 0 AND j.undone IN (0, 3) DESC, j.id DESC LIMIT 1`
	whoCutSQL = `SELECT j.curator FROM journal j JOIN journal_recuts r ON r.entry = iif(j.target = 0, j.id, j.target)
		WHERE j.id > ?2 AND j.target <> ?2 AND j.action <> 'aside' AND (instr(r.before, ?1) > 0 OR instr(r.after, ?1) > 0)
		ORDER BY j.target = 0 AND j.undone IN (0, 3) DESC, j.id DESC LIMIT 1`
)

// named says in a refusal to undo an entry, or to redo it, who did what stands
// in the way. Other errors stay as they are.
func (t *tx) named(entry int64, refused error) error {
	s, ok := errors.AsType[*since](refused)
	if !ok || s.who != "" || s.what == otherMessages {
		return refused
	}
	text, args := whoCutSQL, []any{s.segment, entry}
	if s.field != "" {
		text, args = whoMarkedSQL, append(args, s.field)
	}
	if _, err := t.Rows(text, args...).Maybe(&s.who); err != nil {
		return err
	}
	return refused
}
