package compress

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
)

// Library is what the screen needs of the database. It may take long and is called
// from commands only.
type Library interface {
	// Segments returns a page of segments.
	Segments(ctx context.Context, q review.Query) (review.Page, error)
	// Look returns what there is to know of a segment.
	Look(ctx context.Context, segment string) (Look, error)
	// Mark tells two states of what Look reads apart, and takes little: while it stays,
	// Look returns the same.
	Mark(ctx context.Context, segment string) (string, error)
	// Waiting tells which of the proposals of what a query asks for may be accepted
	// at once.
	Waiting(ctx context.Context, q review.Query) (Waiting, error)
	// Plan tells what a model would be sent to compress a segment.
	Plan(ctx context.Context, segment string, w Way) (Plan, error)
}

// Look is what there is to know of a segment to review its compression.
type Look struct {
	Segment      review.Segment
	Conversation proposal.Conversation
	Proposal     *proposal.Proposal // nil for none
	Options      compress.Options   // as they are configured
	Model        string             // that may be asked, "" for none
	Folder       string             // in which the session worked, "" for none known
}

// Way is how a proposal is made.
type Way struct {
	Strategy string // "clear", "extract" or "llm"
	Form     string // "split" or "fold"
	Target   int    // tokens
}

// Waiting are proposals that nobody has judged.
type Waiting struct {
	IDs         []string       // of segments whose proposals may be accepted at once
	Sums        map[string]Sum // of these proposals as they were counted, by segment
	Found, Over int            // those that may not, and why
}

// Sum tells what a proposal says apart from what another one says.
type Sum [sha256.Size]byte

// SumOf is the sum of a proposal.
func SumOf(p *proposal.Proposal) Sum {
	said, _ := json.Marshal(p) // it is texts and numbers
	return sha256.Sum256(said)
}

// Put takes a proposal up that may be accepted at once.
func (w *Waiting) Put(p *proposal.Proposal) {
	if w.Sums == nil {
		w.Sums = map[string]Sum{}
	}
	w.IDs = append(w.IDs, p.Segment)
	w.Sums[p.Segment] = SumOf(p)
}

// Plan is what a model would be sent.
type Plan struct {
	Host, Model      string
	Messages, Tokens int
}
