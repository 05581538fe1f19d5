// Package proposal has compressions that a person is to accept: what may be left
// out of a segment, what stands for it, and who said yes to it.
//
// A Proposal is made of the messages that a segment would be written as, and is
// of no others: once these change it is stale. It is a layer over them, which
// Lay makes samples of; the messages themselves stay as they are. The package is
// pure: it asks no database and draws nothing.
package proposal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"winnow/core/chat"
	"winnow/core/compress"
)

// Status says what became of a proposal.
type Status string

// The statuses. One that is Failed has a reason and nothing to accept: the
// segment is over the target and nothing came that may be used.
const (
	Proposed Status = "proposed"
	Accepted Status = "accepted"
	Rejected Status = "rejected"
	Failed   Status = "failed"
)

// Statuses are all of them.
var Statuses = [...]Status{Proposed, Accepted, Rejected, Failed}

// Conversation is what a segment would be written as before anything is left
// out.
type Conversation struct {
	// Messages are those of the segment, after what is put in front of them: what
	// the system says in the session, the path before a fork.
	Messages []chat.Message
	Own      int    // the first of the segment's own
	Tools    string // JSON of the tools, "" for none
}

// Sum identifies messages by all that they say: 32 hex digits.
func (c *Conversation) Sum() string {
	h := sha256.New()
	var sum chat.Sum
	var buf []byte
	for i := range c.Messages {
		sum, buf = chat.AppendSum(buf[:0], &c.Messages[i])
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Proposal is a compression of one segment.
type Proposal struct {
	Segment string      `json:"segment"` // id
	Content chat.Digest `json:"content"` // what the segment held when this was made
	Sum     string      `json:"sum"`     // of the conversation
	Status  Status      `json:"status"`

	Outcome compress.Outcome `json:"outcome"`
	Reason  string           `json:"reason,omitzero"` // why it failed
	Target  int              `json:"target"`          // tokens of a sample
	Summary int              `json:"summary"`         // tokens of a text
	Tail    int              `json:"tail,omitzero"`   // messages that stay at the end
	// Layers are the regions of the samples that have any, see
	// compress.Result.Layers; nil where it failed.
	Layers   [][]compress.Region `json:"layers,omitzero"`
	Before   int                 `json:"before"`  // tokens of the conversation
	After    int                 `json:"after"`   // of the last sample
	Samples  int                 `json:"samples"` // how many it makes
	Dropped  int                 `json:"dropped"` // answers that no sample trains
	Over     bool                `json:"over"`    // a sample costs more than the target
	Findings []compress.Finding  `json:"findings,omitzero"`
	Made     compress.Made       `json:"made"`
	Changed  bool                `json:"changed,omitzero"` // a person wrote a text or moved an end

	By     string    `json:"by"`              // who had it made
	At     time.Time `json:"at"`              // when
	Judge  string    `json:"judge,omitzero"`  // who accepted or rejected it
	Judged time.Time `json:"judged,omitzero"` // when
}

// Make compresses a conversation. An Outcome of compress.UnderTarget says that
// there is nothing to propose. By and At are the caller's to set. With
// compress.Fold, formats that cannot leave out an answer take what comes of it, too:
// summaries are the user's there.
func Make(ctx context.Context, segment string, content chat.Digest, c Conversation, o compress.Options) Proposal {
	if o.Tools == "" {
		o.Tools = c.Tools
	}
	o.NoMask = o.NoMask || o.Form == compress.Fold
	r := compress.Compress(ctx, c.Messages, o)
	p := Proposal{Segment: segment, Content: content, Sum: c.Sum(), Target: o.Target, Summary: o.Summary, Tail: o.Tail}
	p.take(&r)
	return p
}

// take tells of a result.
func (p *Proposal) take(r *compress.Result) {
	p.Status = Proposed
	if r.Outcome != compress.Compressed {
		p.Status = Failed
	}
	p.Outcome, p.Reason, p.Layers = r.Outcome, r.Reason, r.Layers
	p.Before, p.After, p.Samples = r.Before, r.After, len(r.Samples)
	p.Dropped, p.Over, p.Findings, p.Made = r.Dropped, r.Over, r.Findings, r.Made
	p.Judge, p.Judged = "", time.Time{}
}

// Fits reports whether a proposal was made of exactly these messages.
func (p *Proposal) Fits(c Conversation) bool { return p.Sum == c.Sum() }

// ErrStale says that the messages are no longer those that a proposal was made
// of.
var ErrStale = errors.New("the messages have changed since")

// errNothing says that a proposal failed.
var errNothing = errors.New("nothing is left out that could be changed")

// Lay makes the samples of a conversation, counted by the price in the options.
func (p *Proposal) Lay(c Conversation, o compress.Options) ([]compress.Sample, error) {
	if !p.Fits(c) {
		return nil, ErrStale
	}
	if p.Layers == nil {
		return nil, errNothing
	}
	r, err := compress.Lay(c.Messages, p.Layers, p.options(c, o))
	return r.Samples, err
}

// Rewrite returns the proposal with another text for a region, which a person
// wrote, and counted and checked anew. It is to be judged anew, too.
func (p *Proposal) Rewrite(c Conversation, o compress.Options, at compress.Place, text string) (Proposal, error) {
	return p.changed(c, func() (compress.Result, error) {
		return compress.Write(c.Messages, p.Layers, at, text, p.options(c, o))
	})
}

// Move returns the proposal with other ends for a region: it stands for the
// messages from one on and before another, as indices of the conversation. Texts
// that the program wrote are written anew.
func (p *Proposal) Move(c Conversation, o compress.Options, at compress.Place, from, to int) (Proposal, error) {
	return p.changed(c, func() (compress.Result, error) {
		return compress.Move(c.Messages, p.Layers, at, from, to, p.options(c, o))
	})
}

// Nudge is Move by steps, each as long as messages that never part: the first
// end of the region, or with last the last one, goes on by so many steps, back
// where that is negative.
func (p *Proposal) Nudge(c Conversation, o compress.Options, at compress.Place, last bool, by int) (Proposal, error) {
	if at.Layer < 0 || at.Layer >= len(p.Layers) || at.Region < 0 || at.Region >= len(p.Layers[at.Layer]) {
		return Proposal{}, errNothing
	}
	g := &p.Layers[at.Layer][at.Region]
	from, to := g.From, g.To
	end := &from
	if last {
		end = &to
	}
	ends := compress.Ends(c.Messages)
	*end = stepped(ends, *end, by)
	return p.Move(c, o, at, from, to)
}

// stepped is the place so many steps from one in a sorted list, its first or last
// one where there are fewer.
func stepped(ends []int, at, by int) int {
	i := 0
	for i < len(ends)-1 && ends[i] < at {
		i++
	}
	return ends[min(max(i+by, 0), len(ends)-1)]
}

func (p *Proposal) changed(c Conversation, f func() (compress.Result, error)) (Proposal, error) {
	if !p.Fits(c) {
		return Proposal{}, ErrStale
	}
	if p.Layers == nil {
		return Proposal{}, errNothing
	}
	r, err := f()
	if err != nil {
		return Proposal{}, err
	}
	next := *p
	made := next.Made
	next.take(&r)
	next.Made.Model, next.Made.Prompt = made.Model, made.Prompt
	next.Changed = true
	return next, nil
}

// options are those that a proposal was made with, as far as it tells, counted
// by the price that is given.
func (p *Proposal) options(c Conversation, o compress.Options) compress.Options {
	if o.Tools == "" {
		o.Tools = c.Tools
	}
	o.Target, o.Summary, o.Form = p.Target, p.Summary, compress.Split
	if p.Made.Form == compress.Fold.String() {
		o.Form, o.NoMask = compress.Fold, true
	}
	switch p.Made.Strategy {
	case compress.Clear{}.Name():
		o.By = compress.Clear{}
	case compress.Model{}.Name():
		o.By = compress.Model{Model: p.Made.Model}
	default:
		o.By = compress.Extract{Foresight: !p.Made.Hindsight}
	}
	return o
}
