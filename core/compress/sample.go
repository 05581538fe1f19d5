package compress

import (
	"cmp"
	"context"
	"iter"

	"winnow/core/chat"
	"winnow/core/compress/compat"
)

// Origin says where a message of a sample comes from.
type Origin uint8

// The origins.
const (
	Recorded Origin = iota
	Summary         // it stands for messages that are left out
	Cleared         // it is the result of a tool without its content
	Noticed         // it is a message of the system with a notice
)

// String returns "recorded", "summary", "cleared" or "noticed".
func (o Origin) String() string {
	return [...]string{"recorded", "summary", "cleared", "noticed"}[o%4]
}

// Piece is a range of messages in a sample: those from From on and before To,
// counted from 0.
type Piece struct {
	From, To int
	// Stand stands for them, by its Origin; nil: they are there themselves.
	Stand  *chat.Message
	Origin Origin
	// Train says that answers among them are trained. What stands for messages
	// never is.
	Train bool
	// Off says that something is left out in front of them: their answers were
	// given in another context, and are no data of the policy that gave them.
	Off bool
}

// Sample is a conversation as it is trained on: pieces that follow each other
// without a gap, from the first message on.
type Sample struct {
	Pieces []Piece
	Tokens int
}

// Row is a message of a sample.
type Row struct {
	Message    chat.Message
	Origin     Origin
	Train, Off bool
}

// Rows returns what a sample consists of, given the messages it was made of.
func (s *Sample) Rows(messages []chat.Message) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for i := range s.Pieces {
			p := &s.Pieces[i]
			if p.Stand != nil {
				if !yield(Row{Message: *p.Stand, Origin: p.Origin, Off: p.Off}) {
					return
				}
				continue
			}
			for k := p.From; k < p.To; k++ {
				m := &messages[k]
				if !yield(Row{Message: *m, Train: p.Train && m.Role == chat.Assistant, Off: p.Off}) {
					return
				}
			}
		}
	}
}

// Expand returns the messages that a sample stands for, given those that it was
// made of.
func (s *Sample) Expand(messages []chat.Message) []chat.Message {
	if len(s.Pieces) == 0 {
		return nil
	}
	return messages[:s.Pieces[len(s.Pieces)-1].To]
}

// whole is the sample of the messages as they are.
func (s *session) whole() Sample {
	return Sample{Pieces: []Piece{{To: len(s.messages), Train: true}}, Tokens: s.total}
}

// folded is the one sample that has texts for regions.
func (s *session) folded(regions []Region) Sample { return s.sample(regions, 0) }

// sample lays texts over the messages. Answers train from a message on.
func (s *session) sample(regions []Region, trained int) Sample {
	sample, at := Sample{Tokens: s.after(regions)}, 0
	noticed := s.noticed(regions)
	keep := func(to int) {
		for _, end := range [...]int{noticed, noticed + 1, trained, to} {
			if end = min(end, to); end <= at {
				continue
			}
			p := Piece{From: at, To: end, Train: at >= trained, Off: len(regions) > 0 && at >= regions[0].From}
			if at == noticed {
				p.Stand, p.Origin, p.Train = s.withNotice(at), Noticed, false
			}
			sample.Pieces, at = append(sample.Pieces, p), end
		}
	}
	for k := range regions {
		g := &regions[k]
		keep(g.From)
		origin := Summary
		if g.Cleared {
			origin = Cleared
		}
		sample.Pieces = append(sample.Pieces, Piece{From: g.From, To: g.To, Stand: s.stand(g), Origin: origin, Off: k > 0})
		at = g.To
	}
	keep(len(s.messages))
	return sample
}

// layers makes the samples of layers of regions: with Fold that of the only one;
// else the messages up to the first cut as they were, and what is after each cut,
// up to the next one, in its context.
func (s *session) layers(layers [][]Region) []Sample {
	if s.o.Form == Fold {
		return []Sample{s.folded(layers[0])}
	}
	samples := []Sample{s.upTo(cutOf(layers[0])).whole()}
	for k, regions := range layers {
		end := len(s.messages)
		if k+1 < len(layers) {
			end = cutOf(layers[k+1])
		}
		samples = append(samples, s.upTo(end).sample(regions, cutOf(regions)))
	}
	return samples
}

// cutOf is the first message that a sample with regions trains, if answers train
// once.
func cutOf(regions []Region) int { return regions[len(regions)-1].To }

// split returns the layers of the samples with texts: of what follows the last
// region, and as many of what is in front as it takes for them to fit.
func (s *session) split(ctx context.Context, r *Result) (layers [][]Region) {
	cut := cutOf(r.Regions)
	front := s.upTo(cut)
	if front.total > s.o.Target && cut < len(s.messages) && (r.After <= s.o.Target || s.fitsWithoutTail()) {
		inner := front.shorten(ctx)
		switch {
		case inner.Outcome != Compressed:
		case cutOf(inner.Regions) < cut:
			layers = front.split(ctx, &inner)
		default: // it would train nothing
			inner.Findings = nil
		}
		r.add(&inner)
	}
	return append(layers, r.Regions)
}

// fitsWithoutTail reports whether only the end of a session keeps it from fitting:
// what is in front of that may fit.
func (s *session) fitsWithoutTail() bool {
	n := s.least()
	for _, a := range s.atoms {
		if a.to > s.tail {
			n -= a.cost
		}
	}
	return n <= s.o.Target
}

// add adds to a result what was found and asked for what is in front.
func (r *Result) add(front *Result) {
	r.Calls, r.Errors = r.Calls+front.Calls, r.Errors+front.Errors
	r.Reason = cmp.Or(r.Reason, front.Reason)
	r.Findings = append(front.Findings, r.Findings...)
}

// Metrics are what the published program would tell of a result: of the last
// sample as the only one.
func (r *Result) Metrics(messages int, target int) compat.Metrics {
	m := compat.Unmeasured()
	m.OriginalTokens, m.CompressedTokens = r.Before, r.After
	m.OriginalTurns, m.CompressedTurns = messages, messages
	m.TokensSaved = r.Before - r.After
	if r.Outcome == Compressed {
		m.Ratio = float64(r.After) / float64(max(r.Before, 1))
		for i, g := range r.Regions {
			if i == 0 {
				m.Start = g.From
			}
			m.End = g.To
			m.Turns += g.To - g.From
			if !g.Cleared {
				m.TurnsRemoved += g.To - g.From - 1
			}
		}
		m.CompressedTurns -= m.TurnsRemoved
	}
	m.WasCompressed = r.Outcome == Compressed
	m.SkippedUnder = r.Outcome == UnderTarget
	m.StillOverLimit = r.After > target
	m.Calls, m.Errors = r.Calls, r.Errors
	return m
}
