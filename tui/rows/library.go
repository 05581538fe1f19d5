package rows

import (
	"context"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/review"
)

// Library is what the screens need of the database. Every method may take
// long and is called from commands only, never from the update loop.
type Library interface {
	// Segments returns one page of segments.
	Segments(ctx context.Context, q review.Query) (review.Page, error)
	// Segment returns one segment by id or unique prefix.
	Segment(ctx context.Context, id string) (review.Segment, error)
	// Session returns one session by id or unique prefix.
	Session(ctx context.Context, id string) (review.Session, error)
	// Children returns the sessions that come from a session, in their order.
	Children(ctx context.Context, id string) ([]review.Child, error)
	// Totals counts everything.
	Totals(ctx context.Context) (review.Totals, error)
	// Count counts what a filter lets through; nil is everything.
	Count(ctx context.Context, n filter.Node) (review.Counts, error)
	// Values returns values of a field that begin with or hold prefix, with the
	// number of segments within a filter that have them, the most frequent ones
	// first; limit at most.
	Values(ctx context.Context, f filter.Field, prefix string, within filter.Node, limit int) ([]filter.Candidate, error)
	// IDs returns the ids of all segments that a query asks for, in its order.
	IDs(ctx context.Context, q review.Query) ([]string, error)
	// Standing returns what curators say of segments, in any order; those that
	// are not there are left out.
	Standing(ctx context.Context, ids []string) ([]review.Standing, error)
	// TextShare tells how many messages are in the text index, of all there
	// are.
	TextShare(ctx context.Context) (done, all int64, err error)
	// Heads returns the index entries of messages from..to, inclusive.
	Heads(ctx context.Context, body int64, from, to int) ([]review.Head, error)
	// Messages returns messages from..to, inclusive, with their text.
	Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
	// EachMessage calls f for messages from..to, inclusive, in order, and holds
	// none of them. An error of f ends it and is returned.
	EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	// Judge applies a judgement and its journal entry.
	Judge(ctx context.Context, j review.Judgement) (review.Entry, error)
	// Undo takes the curator's last action back; review.ErrNothing if there
	// is none, review.ErrConflict if somebody changed its rows since.
	Undo(ctx context.Context, curator string) (review.Entry, error)
	// Redo gives it again.
	Redo(ctx context.Context, curator string) (review.Entry, error)
	// Version changes whenever anybody, in this process or another, has
	// changed the database.
	Version(ctx context.Context) (int64, error)
}
