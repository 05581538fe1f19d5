package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/stamp"
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
	switch {
	case j.Judges():
	case j.Note != nil:
		e.Action = review.ActNote
	case j.Retags():
		e.Action = review.ActTag
	default:
		e.Action = review.ActMask
	}
	if err := checkJudgement(&j); err != nil {
		return review.Entry{}, s.fail("judge", err)
	}
	err := s.write(ctx, sqlite.Curator, "judge", func(t *tx) error {
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
			after, err := decide(row, &j, j.VerdictOf(id), e.At)
			if err != nil {
				return fmt.Errorf("segment %s: %w", review.Short(id), err)
			}
			if after != row.mark {
				e.Changes = append(e.Changes, review.Change{Segment: id, Before: row.mark, After: after, Content: row.content})
			}
		}
		e.Changes = firstOfEach(e.Changes)
		if len(e.Changes) == 0 {
			return nil
		}
		if err := t.newAction(&e); err != nil {
			return err
		}
		return t.apply(&e, rows)
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
	case !j.Judges() && j.Note == nil && !j.Retags() && !j.Marks():
		return errors.New("a judgement without verdict, note, tags or training marks")
	case j.Marks() && len(j.IDs) != 1:
		return fmt.Errorf("training marks are for one segment, not for %d", len(j.IDs))
	}
	for _, tag := range j.TagsOn {
		if err := review.CheckTag(tag); err != nil {
			return err
		}
	}
	for _, v := range append(slices.Collect(maps.Values(j.Verdicts)), j.Verdict) {
		if v != "" && v != review.Pending && !v.Judged() {
			return fmt.Errorf("unknown verdict %q", v)
		}
	}
	return nil
}

// decide returns the mark a judgement leaves.
func decide(row *judgedRow, j *review.Judgement, verdict review.Verdict, at time.Time) (review.Mark, error) {
	before := row.mark
	after := before
	if j.Note != nil {
		after.Note = *j.Note
	}
	if j.Retags() {
		tags, err := review.ParseTags(before.Tags)
		if err != nil {
			return before, fmt.Errorf("its tags: %w: run winnow doctor", err)
		}
		after.Tags = review.TagText(review.TagsWith(tags, j.TagsOn, j.TagsOff))
	}
	if j.Marks() {
		var err error
		if after.Masked, err = masked(row, j); err != nil {
			return before, err
		}
	}
	switch {
	case verdict == "":
	case verdict == before.Verdict && !before.Stale && (verdict == review.Pending || before.Reviewer == j.Curator):
		// The same again: only what was written beside it may differ.
	case verdict == review.Pending:
		after = review.Mark{Verdict: review.Pending, Note: after.Note, Tags: after.Tags, Masked: after.Masked}
	default:
		after = review.Mark{Verdict: verdict, Note: after.Note, Tags: after.Tags, Masked: after.Masked, Reviewer: j.Curator, ReviewedAt: at}
	}
	return after, nil
}

// masked is what a judgement makes of the training marks of a row.
func masked(row *judgedRow, j *review.Judgement) (string, error) {
	had, err := review.ParseMask(row.mark.Masked)
	if err != nil {
		return "", fmt.Errorf("its training marks: %w: run winnow doctor", err)
	}
	for _, n := range slices.Concat(j.MaskOff, j.MaskOn) {
		if n < 1 || int64(n) > int64(row.counts.messages) {
			return "", fmt.Errorf("message %d of a segment of %d", n, row.counts.messages)
		}
	}
	s := review.Segment{Masked: had}
	return review.MaskText(s.MaskedWith(j.MaskOff, j.MaskOn)), nil
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

// newAction appends a curator's action to the journal. What was undone before
// can't be redone any more.
func (t *tx) newAction(e *review.Entry) error {
	const cut = "UPDATE journal SET undone = 2 WHERE curator = ? AND undone = 1 AND target = 0"
	if err := t.do(cut, e.Curator); err != nil {
		return err
	}
	return t.appendEntry(e, stamp.Of(e.At))
}
