package runs

import (
	"context"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/outcome"
	"winnow/core/review"
)

// ScoreQuery asks for segments to be scored, in the order of their messages:
// (body, start).
type ScoreQuery struct {
	// Judge asks also for those that were measured, but never judged by a
	// model.
	Judge  bool
	All    bool        // whatever they are
	Filter filter.Node // lets segments through, nil: all
	Quiet  Quiet       // passes over sessions that are being written
	After  ScoreRef
	Limit  int // at least 1
	// Request is how the tokens of a segment count.
	Request RequestSize
}

// RequestSize says how many tokens are sent about a segment: its own, up to
// Most of them (0: all), and Plus more. The zero value is a segment's own.
type RequestSize struct{ Most, Plus int }

// Tokens is how many are sent about a segment of so many.
func (r RequestSize) Tokens(own int) int {
	if r.Most > 0 {
		own = min(own, r.Most)
	}
	return own + r.Plus
}

// ScoreRef is a segment to be scored. The zero value begins a list.
type ScoreRef struct {
	ID         string
	File       string // session_file
	Body       int64
	Start, End int
	chat.Digest
	Tokens   int    // estimated
	Analysis string // that it has, "" for none
}

// ScoreWrite gives a segment its analysis.
type ScoreWrite struct {
	ID          string
	chat.Digest // of the content that was read
	Analysis    *metric.Analysis
	// Over is the analysis that may be replaced, "" for none. One that is
	// judged replaces any.
	Over    string
	Written bool // set by the store
	// Found are the outcomes of its tool messages: they are stored where none
	// are known.
	Found []Found
}

// Found is the outcome of a tool message.
type Found struct {
	At int // messages before it in its segment
	outcome.Finding
}

// Judge is a model that judges segments. It is safe for concurrent use.
type Judge interface {
	// Judge returns in.Measured with the judged metrics, a type of task and a
	// summary: its Scorer is metric.Judged. An error says that nothing came of
	// it, or that ctx ended.
	Judge(ctx context.Context, in metric.Input) (metric.Analysis, error)
}

// ScoreStore is what scoring needs of the store.
type ScoreStore interface {
	// SegmentsToScore returns up to q.Limit segments after q.After.
	SegmentsToScore(ctx context.Context, q ScoreQuery) ([]ScoreRef, error)
	// CountToScore counts what SegmentsToScore would list: segments,
	// messages, and estimated tokens as q.Request counts them.
	CountToScore(ctx context.Context, q ScoreQuery) (segments, messages, tokens int, err error)
	// Segment returns a segment by its id, or review.ErrNotFound.
	Segment(ctx context.Context, id string) (review.Segment, error)
	// EachMessage calls f for messages from..to (inclusive) of a body, in
	// order; a message is valid during the call. review.ErrNotFound says that
	// the body is given up.
	EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	// WriteScores stores analyses in one transaction and sets Written of those
	// that are. A segment that has another content by now, or another analysis
	// than may be replaced, or left, is passed over.
	WriteScores(ctx context.Context, list []ScoreWrite) error
}
