// Package shortened lays compressions that were proposed over what segments would be
// written as: the rows of each sample, what of them is trained, and what is told of it.
// It is pure: core/export makes samples of the rows.
package shortened

import (
	"slices"
	"time"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/export/lineage"
	"winnow/core/proposal"
	"winnow/core/review"
)

// Which says which compressions an export applies.
type Which string

// The choices.
const (
	Accepted Which = ""         // those that a curator accepted
	Proposed Which = "proposed" // those that nobody has judged, too
	None     Which = "none"
)

// Names lists the choices, the default first.
func Names() []string { return []string{"accepted", string(Proposed), string(None)} }

// Asks reports whether the proposal of a segment is wanted. That of one which
// changed since is, as its status tells whether it is missed.
func (w Which) Asks(c review.Compression) bool {
	switch c {
	case review.CompressionAccepted, review.CompressionOutdated:
		return w != None
	case review.CompressionProposed:
		return w == Proposed
	}
	return false
}

// Takes reports whether a proposal is applied, if it fits.
func (w Which) Takes(p *proposal.Proposal) bool {
	return w != None && p.Layers != nil && (p.Status == proposal.Accepted || w == Proposed && p.Status == proposal.Proposed)
}

// Row is a message of a sample.
type Row struct {
	At    int           // place in the conversation, of what stands for messages that of the first
	Stand *chat.Message // stands for messages by its Origin, nil: it is one of the conversation
	compress.Origin
	Train bool // if it is trained at all
	Off   bool // something is left out in front of it
}

// Sample is one of the samples of a compression.
type Sample struct {
	Rows []Row
	Told lineage.Compression
}

// Lay makes the samples of a proposal, which fits the conversation. What is after the
// last answer of one is left out, where another sample goes on.
func Lay(p *proposal.Proposal, c *proposal.Conversation) ([]Sample, error) {
	laid, err := p.Lay(*c, compress.Options{Price: compress.Free{}})
	if err != nil {
		return nil, err
	}
	samples := make([]Sample, len(laid))
	for i := range laid {
		s := &samples[i]
		s.Rows = rows(laid[i].Pieces)
		if i+1 < len(laid) {
			s.Rows = ended(s.Rows, c.Messages)
		}
		s.Told = told(p, c, i, laid)
	}
	return samples, nil
}

func rows(pieces []compress.Piece) (list []Row) {
	for i := range pieces {
		p := &pieces[i]
		if p.Stand != nil {
			list = append(list, Row{At: p.From, Stand: p.Stand, Origin: p.Origin, Off: p.Off})
			continue
		}
		for at := p.From; at < p.To; at++ {
			list = append(list, Row{At: at, Train: p.Train, Off: p.Off})
		}
	}
	return list
}

// ended cuts off what is after the last answer.
func ended(list []Row, messages []chat.Message) []Row {
	for i, r := range slices.Backward(list) {
		if r.Stand == nil && messages[r.At].Role == chat.Assistant {
			return list[:i+1]
		}
	}
	return list
}

// told is what is told of the i-th sample.
func told(p *proposal.Proposal, c *proposal.Conversation, i int, all []compress.Sample) lineage.Compression {
	t := lineage.Compression{
		Sample: i, Samples: len(all), Before: p.Before, After: p.After, Target: p.Target, Over: p.Over,
		Strategy: p.Made.Strategy, Form: p.Made.Form, Counter: p.Made.Counter, Model: p.Made.Model, Prompt: p.Made.Prompt,
		Hindsight: p.Made.Hindsight, Changed: p.Changed, Status: string(p.Status), Dropped: p.Dropped, Judge: p.Judge,
	}
	if !p.Judged.IsZero() {
		t.Judged = p.Judged.UTC().Format(time.RFC3339)
	}
	layer := p.Layers[0]
	if len(all) > 1 {
		if i == 0 { // it is as recorded
			return t
		}
		layer = p.Layers[i-1]
	}
	for k := range layer {
		g := &layer[k]
		left := lineage.Left{Messages: g.To - g.From, Tokens: g.Tokens, Cost: g.Cost, By: compress.Summary.String(), Role: string(g.Role)}
		if g.Cleared {
			left.By, left.Role = compress.Cleared.String(), string(chat.Tool)
		}
		for _, m := range c.Messages[g.From:g.To] {
			if left.To = m.N; left.From == 0 {
				left.From = m.N
			}
		}
		t.Left = append(t.Left, left)
	}
	return t
}
