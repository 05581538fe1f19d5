// Package runs is what is done with stored sessions, some at a time, until nothing is
// left: cutting them into segments, scoring those, finding similar ones, making
// messages searchable. What a curator does to the boundaries of a session is here as
// well, for it goes the same way.
//
// Each run has an interface for what it needs of the store. The package imports
// neither core/hub nor the store; what needs imported sessions is tested in core/hub.
package runs

import (
	"context"
	"time"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/review"
)

// CutQuery asks for sessions to be cut, in the order of (session_file, id).
type CutQuery struct {
	All    bool        // also those that are cut already
	Filter filter.Node // lets a session through if it does one of its segments; nil: all
	Quiet  Quiet       // passes over what is being written
	After  CutRef
	Limit  int // at least 1
}

// CutRef names a session to be cut. The zero value begins a list.
type CutRef struct {
	ID, File string
	Messages int
	Tokens   int // estimated
}

// Quiet is when a source must not have changed, as the one who writes it may not be done.
// The zero value is never. A time after Until is that of another clock, and says nothing.
type Quiet struct{ Since, Until time.Time }

// CutWrite gives the messages of a session other segments. All of it happens in
// one transaction, or nothing.
type CutWrite struct {
	Session string // id
	// Body, Messages and Known are what the cuts were made of: the session's
	// messages, and all its segments in order. If any of it is otherwise by
	// now (a curator judged, an import added messages), the write is a
	// review.ErrConflict.
	Body     int64
	Messages int
	Known    []review.Segment

	Segments []review.SegmentWrite // rows that differ from Known; ID "" is a new one
	Retire   []string              // ids of Known that leave
	Trail    *review.Trail         // Held and Settled as they are to be; nil: as they are

	// PutsBack says that a machine's write undoes what a machine cut: the session
	// is to be cut as far as its segments say.
	PutsBack bool

	// Curator and Action journal the write as what a curator did, which can
	// be undone. A machine's has neither: only what was judged and leaves is
	// journaled. It also marks the session as segmented.
	Curator string
	Action  review.Action
}

// CutStore is what cutting sessions needs of the store.
type CutStore interface {
	// SessionsToCut returns up to q.Limit sessions after q.After.
	SessionsToCut(ctx context.Context, q CutQuery) ([]CutRef, error)
	// CountToCut counts what SessionsToCut would list: sessions, messages,
	// and estimated tokens.
	CountToCut(ctx context.Context, q CutQuery) (sessions, messages, tokens int, err error)
	// SessionByID returns a session with its segments, or review.ErrNotFound.
	SessionByID(ctx context.Context, id string) (*review.StoredSession, error)
	// EachRecorded calls f for messages from..to (inclusive) of a body as they
	// were recorded, in order; a message is valid during the call. EachMessage
	// does for messages as they are now, with what curators edited: a cutter is
	// shown nothing that they took out.
	EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	// WriteCuts applies a write. The entry has no ID for a machine's. It
	// fills in the ids of the segments it inserts (w.Segments[i].ID).
	WriteCuts(ctx context.Context, w *CutWrite) (review.Entry, error)
	// WriteAllCuts applies a machine's writes of different sessions in one
	// transaction. If any of them fails, nothing is written.
	WriteAllCuts(ctx context.Context, list []*CutWrite) error
}
