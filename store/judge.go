package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/review"
)

// Judge applies a judgement to all its segments and writes its journal entry,
// in one transaction. An unknown id refuses the whole (review.ErrNotFound), as
// does a segment that no longer holds what was seen of it (review.ErrConflict).
//
// A verdict makes a stale segment fresh; Pending takes a verdict back. What
// would change nothing (the same verdict by the same curator) is left out; if
// nothing is left, the entry has no ID and no changes and is not kept.
func (s *Store) Judge(ctx context.Context, j review.Judgement) (review.Entry, error) {
	e := review.Entry{Curator: j.Curator, At: s.now(), Action: review.ActJudge}
	if j.Verdict == "" {
		e.Action = review.ActNote
	}
	if err := checkJudgement(&j); err != nil {
		return review.Entry{}, s.fail("judge", err)
	}
	err := s.write(ctx, s.curator, "judge", func(t *tx) error {
		rows, err := t.judged(j.IDs)
		if err != nil {
			return err
		}
		e.Changes = nil
		for _, id := range j.IDs {
			row, ok := rows[id]
			if !ok {
				return fmt.Errorf("segment %q: %w", id, review.ErrNotFound)
			}
			if seen, ok := j.Seen[id]; ok && seen != row.content {
				return conflict("segment " + review.Short(id) + " changed while you were reading it: look again")
			}
			if after := decide(row.mark, &j, e.At); after != row.mark {
				e.Changes = append(e.Changes, review.Change{Segment: id, Before: row.mark, After: after, Content: row.content})
			}
		}
		e.Changes = firstOfEach(e.Changes)
		if len(e.Changes) == 0 {
			return nil
		}
		return t.act(&e)
	})
	if err != nil {
		return review.Entry{}, err
	}
	s.tidy(len(e.Changes))
	return e, nil
}

func checkJudgement(j *review.Judgement) error {
	switch {
	case j.Curator == "":
		return errors.New("a verdict needs a curator: name one with --reviewer")
	case j.Verdict == "" && j.Note == nil:
		return errors.New("a judgement without verdict and note")
	case j.Verdict != "" && j.Verdict != review.Pending && !j.Verdict.Judged():
		return fmt.Errorf("unknown verdict %q", j.Verdict)
	}
	return nil
}

// decide returns the mark a judgement leaves.
func decide(before review.Mark, j *review.Judgement, at time.Time) review.Mark {
	after := before
	if j.Note != nil {
		after.Note = *j.Note
	}
	switch {
	case j.Verdict == "":
	case j.Verdict == before.Verdict && !before.Stale && (j.Verdict == review.Pending || before.Reviewer == j.Curator):
		// The same again: only the note may differ.
	case j.Verdict == review.Pending:
		after = review.Mark{Verdict: review.Pending, Note: after.Note}
	default:
		after = review.Mark{Verdict: j.Verdict, Note: after.Note, Reviewer: j.Curator, ReviewedAt: at}
	}
	return after
}

// firstOfEach drops repeated segments.
func firstOfEach(changes []review.Change) []review.Change {
	seen := make(map[string]bool, len(changes))
	kept := changes[:0]
	for _, c := range changes {
		if !seen[c.Segment] {
			seen[c.Segment] = true
			kept = append(kept, c)
		}
	}
	return kept
}

// act appends a curator's action to the journal and applies its changes. What
// was undone before can't be redone any more.
func (t *tx) act(e *review.Entry) error {
	const cut = "UPDATE journal SET undone = 2 WHERE curator = ? AND undone = 1 AND target = 0"
	if _, err := t.exec(cut, e.Curator); err != nil {
		return err
	}
	if err := t.appendEntry(e, stamp(e.At)); err != nil {
		return err
	}
	return t.apply(e)
}

// apply writes the marks that an entry leaves. Rows that get the same mark
// are written by one statement, in the order they lie in: one statement for
// each, or another order, takes three times as long for ten thousand.
func (t *tx) apply(e *review.Entry) error {
	groups := map[review.Mark][]string{}
	var order []review.Mark
	for _, c := range e.Changes {
		if groups[c.After] == nil {
			order = append(order, c.After)
		}
		groups[c.After] = append(groups[c.After], c.Segment)
	}
	const text = `UPDATE task_segments SET verdict = ?, note = ?, reviewer = ?, reviewed_at = ?, stale = ?, was = ?, was_by = ?, was_at = ?,
		updated_at = ? WHERE rowid IN (SELECT s.rowid FROM json_each(?) j CROSS JOIN task_segments s ON s.id = j.value)`
	for _, m := range order {
		ids, err := json.Marshal(groups[m])
		if err != nil {
			return err
		}
		if _, err := t.exec(text, append(markArgs(m), stamp(e.At), string(ids))...); err != nil {
			return err
		}
	}
	return nil
}

// judgedRow is what a curator's action must know of a segment.
type judgedRow struct {
	mark    review.Mark
	content chat.Digest
}

// judged returns segments by id. Unknown ids are left out.
func (t *tx) judged(ids []string) (map[string]judgedRow, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	const text = "SELECT id, fingerprint, detail, " + markColumns + " FROM task_segments WHERE id IN (SELECT value FROM json_each(?))"
	rows, err := t.query(text, string(list))
	if err != nil {
		return nil, err
	}
	all := make(map[string]judgedRow, len(ids))
	var id string
	var row judgedRow
	dest := append([]any{&id, &row.content.Fingerprint, &row.content.Detail}, markDest(&row.mark)...)
	err = each(rows, func() error {
		err := rows.Scan(dest...)
		all[id] = row
		return err
	})
	return all, err
}
