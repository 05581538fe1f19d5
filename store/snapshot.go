package store

import (
	"context"
	"errors"
	"fmt"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/filter"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/filtersql"
)

// Snapshot is the database as it was at one moment. It is safe for concurrent
// use, but its reads wait for each other: all are on one connection, in one
// transaction. Others write meanwhile as ever; only the write-ahead log cannot
// be emptied, and grows by what they write until Close.
type Snapshot struct{ s *Store }

// errSnapshotOver says that a read was interrupted, and with it the transaction.
var errSnapshotOver = errors.New("the state that was read is given up: begin again")

// Snapshot returns the database as it is now. It must be closed.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	one, err := s.db.Snapshot(ctx, errSnapshotOver)
	if err != nil {
		return nil, s.fail("read one state", err)
	}
	state := &Store{path: s.path, curator: s.curator, clock: s.clock, db: one, loadStep: loadStep, found: &filtersql.Found{Texts: map[filter.Text]filtersql.Rows{}}}
	state.facets = facets.New(feed{state}, state.background.Go)
	return &Snapshot{state}, nil
}

// Segments returns one page of segments in the natural order.
func (n *Snapshot) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	if o, _ := q.Order.Sorting(); o.Order != review.Natural || q.Hasty {
		return review.Page{}, n.s.fail("list segments", fmt.Errorf("a snapshot has the order %q only", review.Natural))
	}
	return n.s.Segments(ctx, q)
}

// Session is Store.Session.
func (n *Snapshot) Session(ctx context.Context, id string) (review.Session, error) {
	return n.s.Session(ctx, id)
}

// Messages is Store.Messages.
func (n *Snapshot) Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	return n.s.Messages(ctx, body, from, to)
}

// RecordedMessages is Store.RecordedMessages.
func (n *Snapshot) RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	return n.s.RecordedMessages(ctx, body, from, to)
}

// Edits is Store.Edits.
func (n *Snapshot) Edits(ctx context.Context, body int64, from, to int) ([]edit.Edit, error) {
	return n.s.Edits(ctx, body, from, to)
}

// EditedBy is Store.EditedBy.
func (n *Snapshot) EditedBy(ctx context.Context, body int64, from, to int) ([]review.EditedBy, error) {
	return n.s.EditedBy(ctx, body, from, to)
}

// Contexts is Store.Contexts.
func (n *Snapshot) Contexts(ctx context.Context, body int64, from, to int) ([]review.Context, error) {
	return n.s.Contexts(ctx, body, from, to)
}

// Proposals is Store.Proposals.
func (n *Snapshot) Proposals(ctx context.Context, ids []string) ([]proposal.Proposal, error) {
	return n.s.Proposals(ctx, ids)
}

// Close ends it.
func (n *Snapshot) Close() error { return n.s.fail("end a snapshot", n.s.db.Close()) }
