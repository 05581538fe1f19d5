package main

import (
	"context"
	"errors"

	"winnow/core/review"
	"winnow/store"
)

// screenJournal is the journal of a database as the screen wants it.
type screenJournal struct{ *store.Store }

// UndoEntry implements tui.Journal.
func (j screenJournal) UndoEntry(ctx context.Context, curator string, entry int64) (review.Entry, error) {
	e, err := j.Store.UndoEntry(ctx, curator, entry)
	if errors.Is(err, review.ErrConflict) {
		err = refusal{err}
	}
	return e, err
}

// refusal is a conflict in the words that a screen shows.
type refusal struct{ error }

func (r refusal) Error() string { return plainText(r.error) }
func (r refusal) Unwrap() error { return r.error }
