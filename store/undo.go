package store

import (
	"context"
	"errors"
	"fmt"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// Values of journal.undone.
const (
	inForce = 0
	undone  = 1 // can be given again
	cutOff  = 2 // undone, and can't be given again: a newer action stands in its place, or redoing it was refused
	aside   = 3 // undoing it was refused: passed by from then on
)

const (
	lastAction = "SELECT id FROM journal WHERE curator = ? AND undone = 0 AND target = 0 ORDER BY id DESC LIMIT 1"
	// The one undone last: UndoEntry takes actions back in any order. The walk
	// through what was undone is not begun where nothing can be given again.
	nextUndone = "SELECT j.id FROM journal u CROSS JOIN journal j ON j.id = u.target " +
		"WHERE u.curator = ?1 AND u.action = 'undo' AND j.curator = ?1 AND j.undone = 1 AND j.target = 0 " +
		"AND EXISTS (SELECT 1 FROM journal o WHERE o.curator = ?1 AND o.undone = 1 AND o.target = 0) ORDER BY u.id DESC LIMIT 1"
)

// Undo takes back the latest action of a curator that is in force, and returns
// the entry that says so. review.ErrNothing if there is none;
// review.ErrConflict, with the reason, if one of its segments was changed by
// somebody since, holds other messages than the verdict that would come back
// was given on, or has left. Undoing a cut brings back the segments that it
// replaced, with their ids and all that was on them, if those that it left are
// there and as it left them.
//
// An action is refused once: the refusal sets it aside, which the journal
// notes, and the next Undo takes back the one before it.
func (s *Store) Undo(ctx context.Context, curator string) (review.Entry, error) {
	return s.step(ctx, curator, review.ActUndo, lastAction, undone)
}

// Redo gives the action that was undone last again, unless a newer action
// stands in its place (review.ErrNothing). Conflicts are as for Undo: what was
// refused once is passed by from then on.
func (s *Store) Redo(ctx context.Context, curator string) (review.Entry, error) {
	return s.step(ctx, curator, review.ActRedo, nextUndone, inForce)
}

// step walks one step through a curator's actions.
func (s *Store) step(ctx context.Context, curator string, action review.Action, find string, state int) (review.Entry, error) {
	e := review.Entry{Curator: curator, At: s.now(), Action: action}
	var refused error
	err := s.write(ctx, sqlite.Curator, string(action), func(t *tx) error {
		found, err := t.Rows(find, curator).Maybe(&e.Target)
		if err != nil {
			return err
		}
		if !found || curator == "" {
			return fmt.Errorf("%w to %s for %q", review.ErrNothing, action, curator)
		}
		apply, err := s.reversal(t, &e)
		if err != nil {
			if refused = t.named(e.Target, err); !errors.Is(refused, review.ErrConflict) {
				return refused
			}
			return t.setAside(&e)
		}
		return t.reverse(&e, state, apply)
	})
	if err == nil {
		err = s.fail(string(action), refused)
	}
	if err != nil {
		return review.Entry{}, err
	}
	s.tidy(len(e.Changes) + len(e.Proposals) + len(e.Memories))
	return e, nil
}

// reverse writes an undo or redo and what it changes. state is what its target is
// in from then on.
func (t *tx) reverse(e *review.Entry, state int, apply func() error) error {
	err := t.appendEntry(e, stamp.Of(e.At))
	if err == nil {
		err = t.do("UPDATE journal SET undone = ? WHERE id = ?", state, e.Target)
	}
	if err == nil {
		err = apply()
	}
	return err
}

// reversal finds what an undo or redo of an entry's target changes, and how. It
// is a review.ErrConflict if what the target left, or found, is not there.
func (s *Store) reversal(t *tx, e *review.Entry) (apply func() error, err error) {
	r, err := t.recutOf(e.Target)
	if err != nil {
		return nil, err
	}
	if r != nil {
		c, err := s.restoring(t, e, r)
		if err != nil {
			return nil, err
		}
		return c.apply, nil
	}
	e.Changes = nil
	if err := eachChange(t.Rows(changesSQL, e.Target), nil, func(c review.Change) { e.Changes = append(e.Changes, c) }); err != nil {
		return nil, err
	}
	if e.Action == review.ActUndo {
		for i := range e.Changes {
			c := &e.Changes[i]
			c.Before, c.After = c.After, c.Before
		}
	}
	edits, err := t.unediting(e)
	if err != nil {
		return nil, err
	}
	if edits != nil {
		return edits.reverseEdits, nil
	}
	if apply, err := t.uncompressing(e); err != nil || apply != nil {
		return apply, err
	}
	if apply, err := t.forgetting(e); err != nil || apply != nil {
		return apply, err
	}
	if apply, err := t.unpromoting(e); err != nil || apply != nil {
		return apply, err
	}
	now, err := t.unchanged(e.Changes, sameContent)
	return func() error { return t.apply(e, now) }, err
}

// setAside takes the target of a refused undo or redo out of the curator's
// way.
func (t *tx) setAside(refused *review.Entry) error {
	note := review.Entry{Curator: refused.Curator, At: refused.At, Action: review.ActAside, Target: refused.Target}
	state := aside
	if refused.Action == review.ActRedo {
		state = cutOff
	}
	return t.reverse(&note, state, func() error { return nil })
}

// contentCheck tells whether a segment will hold what a change is about, and
// whether it must, as a verdict would come onto it.
type contentCheck func(c *review.Change, row *judgedRow) (same, must bool, err error)

// sameContent is the check of a change that leaves the content as it is.
func sameContent(c *review.Change, row *judgedRow) (same, must bool, err error) {
	return row.content == c.Content, c.After.Verdict.Judged(), nil
}

// unchanged checks that all rows are as the changes found them, and that no
// verdict would come back onto other content than it was given on. It notes
// the content that is there now, and returns the rows.
func (t *tx) unchanged(changes []review.Change, check contentCheck) (map[string]*judgedRow, error) {
	ids := make([]string, len(changes))
	for i := range changes {
		ids[i] = changes[i].Segment
	}
	rows, err := t.judged(ids)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		c := &changes[i]
		row, ok := rows[c.Segment]
		if !ok {
			return nil, &since{segment: c.Segment, what: "was replaced"}
		}
		same, must, err := check(c, row)
		if err != nil {
			return nil, err
		}
		found := c.Before
		if row.mark.WasBody == 0 { // what it was given on is given up
			found.WasBody, found.WasStart, found.WasEnd = 0, 0, 0
		}
		switch known := c.Content != (chat.Digest{}); {
		case row.mark != found:
			happened := whatHappened(c.Before, row.mark)
			happened.segment = c.Segment
			return nil, &happened
		case must && known && !same:
			return nil, &since{segment: c.Segment, what: otherMessages}
		}
		c.Content = row.content
	}
	return rows, nil
}
