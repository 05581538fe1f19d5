package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"winnow/core/review"
)

// Values of journal.undone.
const (
	inForce = 0
	undone  = 1 // can be given again
	cutOff  = 2 // undone, and a newer action stands in its place
)

const (
	lastAction = "SELECT id, at, curator, action, target, undone FROM journal WHERE curator = ? AND undone = 0 AND target = 0 ORDER BY id DESC LIMIT 1"
	nextUndone = "SELECT id, at, curator, action, target, undone FROM journal WHERE curator = ? AND undone = 1 AND target = 0 ORDER BY id LIMIT 1"
)

// Undo takes back the latest action of a curator that is in force, and returns
// the entry that says so. review.ErrNothing if there is none;
// review.ErrConflict, with the reason, if one of its segments was changed by
// somebody since or has left.
func (s *Store) Undo(ctx context.Context, curator string) (review.Entry, error) {
	return s.step(ctx, curator, review.ActUndo, lastAction, undone)
}

// Redo gives the action that was undone last again, unless a newer action
// stands in its place (review.ErrNothing). Conflicts are as for Undo.
func (s *Store) Redo(ctx context.Context, curator string) (review.Entry, error) {
	return s.step(ctx, curator, review.ActRedo, nextUndone, inForce)
}

// step walks one step through a curator's actions.
func (s *Store) step(ctx context.Context, curator string, action review.Action, find string, state int) (review.Entry, error) {
	e := review.Entry{Curator: curator, At: s.now(), Action: action}
	err := s.write(ctx, s.curator, string(action), func(t *tx) error {
		var target review.Entry
		err := t.row(find, []any{curator}, &target.ID, timeInto{&target.At}, &target.Curator, &target.Action, &target.Target, undoneInto{&target.Undone})
		if errors.Is(err, sql.ErrNoRows) || curator == "" {
			return fmt.Errorf("%w to %s for %q", review.ErrNothing, action, curator)
		}
		if err != nil {
			return err
		}
		rows, err := t.query(changesSQL, target.ID)
		if err != nil {
			return err
		}
		if e.Changes, err = scanChanges(rows); err != nil {
			return err
		}
		e.Target = target.ID
		if action == review.ActUndo {
			for i := range e.Changes {
				c := &e.Changes[i]
				c.Before, c.After = c.After, c.Before
			}
		}
		if err := t.unchanged(e.Changes); err != nil {
			return err
		}
		if err := t.appendEntry(&e, stamp(e.At)); err != nil {
			return err
		}
		if _, err := t.exec("UPDATE journal SET undone = ? WHERE id = ?", state, target.ID); err != nil {
			return err
		}
		return t.apply(&e)
	})
	if err != nil {
		return review.Entry{}, err
	}
	s.tidy(len(e.Changes))
	return e, nil
}

// conflict is a review.ErrConflict that says in a sentence what happened.
type conflict string

func (c conflict) Error() string        { return string(c) }
func (c conflict) Is(target error) bool { return target == review.ErrConflict }

// unchanged checks that all rows are as the changes found them.
func (t *tx) unchanged(changes []review.Change) error {
	ids := make([]string, len(changes))
	for i := range changes {
		ids[i] = changes[i].Segment
	}
	marks, err := t.marks(ids)
	if err != nil {
		return err
	}
	for i := range changes {
		c := &changes[i]
		now, ok := marks[c.Segment]
		if !ok {
			return conflict("segment " + review.Short(c.Segment) + " was replaced since")
		}
		if now != c.Before {
			return conflict("segment " + review.Short(c.Segment) + " " + whatHappened(c.Before, now) + " since")
		}
	}
	return nil
}

// whatHappened says in words what made one mark into another.
func whatHappened(before, now review.Mark) string {
	switch {
	case now.Stale && !before.Stale:
		return "got other messages"
	case now.Verdict.Judged() && (now.Verdict != before.Verdict || now.Reviewer != before.Reviewer || now.ReviewedAt != before.ReviewedAt):
		return fmt.Sprintf("was %s by %s", participle(now.Verdict), now.Reviewer)
	case now.Verdict != before.Verdict:
		return "was set back to pending"
	case now.Note != before.Note:
		return "got another note"
	}
	return "was changed"
}

func participle(v review.Verdict) string {
	if v == review.Unsure {
		return "marked unsure"
	}
	return string(v)
}
