package store

import (
	"context"
	"errors"
	"fmt"

	"winnow/core/review"
	"winnow/store/sqlite"
)

const entrySQL = "SELECT " + entryColumns + " FROM journal WHERE id = ?"

// UndoEntry takes back one action of a curator, whatever they did since, and
// returns the entry that says so; Redo gives it again. review.ErrNotFound if
// there is no such entry; review.ErrConflict, with the reason, if it is not
// theirs, can't be undone, or something newer stands on it. A refusal changes
// nothing: Undo still comes to the entry in its turn.
func (s *Store) UndoEntry(ctx context.Context, curator string, id int64) (review.Entry, error) {
	e := review.Entry{Curator: curator, At: s.now(), Action: review.ActUndo, Target: id}
	err := s.write(ctx, sqlite.Curator, "undo", func(t *tx) error {
		if err := t.undoable(curator, id); err != nil {
			return err
		}
		apply, err := s.reversal(t, &e)
		if errors.Is(err, review.ErrConflict) {
			err = t.named(id, err)
		}
		if err == nil || errors.Is(err, review.ErrConflict) {
			// What changed to and fro since is as the entry left it, and yet not
			// the entry's.
			err = t.newerThan(id, err)
		}
		if err != nil {
			return err
		}
		return t.reverse(&e, undone, apply)
	})
	if err != nil {
		return review.Entry{}, err
	}
	s.tidy(len(e.Changes) + len(e.Proposals) + len(e.Memories))
	return e, nil
}

// undoable checks that an entry is one that its curator may take back.
func (t *tx) undoable(curator string, id int64) error {
	var e review.Entry
	var state int
	found, err := t.Rows(entrySQL, id).Maybe(&e.ID, timeIn(&e.At), &e.Curator, &e.Action, &e.Target, &state, &e.Note)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("entry %d: %w", id, review.ErrNotFound)
	case e.Curator == "":
		return conflict(fmt.Sprintf("entry %d is an import's", id))
	case e.Curator != curator || curator == "":
		return conflict(fmt.Sprintf("entry %d is by %s: everybody undoes their own", id, e.Curator))
	case e.Action == review.ActUndo:
		return conflict(fmt.Sprintf("entry %d is an undo: redo gives entry %d again", id, e.Target))
	case e.Target != 0:
		return conflict(fmt.Sprintf("entry %d is no action of its own: undo entry %d", id, e.Target))
	case state == undone || state == cutOff:
		return conflict(fmt.Sprintf("entry %d is undone already", id))
	}
	return nil
}

// newerSQL finds the newest action in force that changed what an entry
// changed: its segments, memories, runs, or boundaries of its session.
const newerSQL = `SELECT j.id, j.curator FROM journal j WHERE j.target = 0 AND j.undone IN (0, 3) AND j.id IN (
	SELECT d.entry FROM journal_edits d JOIN journal_edits o ON o.body = d.body AND o.n = d.n AND o.part = d.part WHERE o.entry = ?1 AND d.entry > ?1
	UNION SELECT d.entry FROM journal_memories d JOIN journal_memories o ON o.memory_id = d.memory_id WHERE o.entry = ?1 AND d.entry > ?1
	UNION SELECT d.entry FROM journal_promotions d JOIN journal_promotions o ON o.run_id = d.run_id WHERE o.entry = ?1 AND d.entry > ?1
	UNION SELECT d.entry FROM journal_proposals d JOIN journal_proposals o ON o.segment_id = d.segment_id WHERE o.entry = ?1 AND d.entry > ?1
	UNION SELECT c.entry FROM journal_changes c JOIN journal_changes o ON o.segment_id = c.segment_id WHERE o.entry = ?1 AND c.entry > ?1
	UNION SELECT r.entry FROM journal_recuts r JOIN journal_recuts o ON o.session_id = r.session_id WHERE o.entry = ?1 AND r.entry > ?1)
ORDER BY j.id DESC LIMIT 1`

// newerThan returns the error that says which newer entry stands on one, beside
// what is in the way of the undo already; if none does, only that.
func (t *tx) newerThan(id int64, why error) error {
	var other int64
	var curator string
	found, err := t.Rows(newerSQL, id).Maybe(&other, &curator)
	if err != nil {
		return err
	}
	if !found {
		return why
	}
	by := "by " + curator
	if curator == "" {
		by = "of an import"
	}
	text := fmt.Sprintf("entry %d %s changed it since", other, by)
	if why != nil {
		text = fmt.Sprintf("%v: %s", why, text)
	}
	return conflict(text)
}
