package runs

import (
	"context"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
)

// layout is how a stored session is to be cut: pieces that cover all its
// messages. Those that stand where a row stands already are as the row is;
// only the others are hashed, counted and named.
type layout struct {
	s      *review.StoredSession
	rows   []review.Segment // of s
	text   *text
	pieces []segment.Piece
	at     []int // for each piece the row with its place, -1 if there is none
	// state is the hash state of the last piece, if no row has its place.
	state []byte
}

// write returns what gives the session its new segments, and how those came
// about. hand says that a curator made the pieces.
func (l *layout) write(ctx context.Context, hand bool) (*CutWrite, *segment.Outcome, error) {
	w := &CutWrite{Session: l.s.ID, Body: l.s.Body, Messages: l.s.Messages, Known: l.rows}
	l.match()
	if err := l.derive(ctx); err != nil {
		return nil, nil, err
	}
	if hand {
		if err := l.rename(ctx); err != nil {
			return nil, nil, err
		}
	}
	var err error
	if w.Trail, err = l.trail(ctx); err != nil {
		return nil, nil, err
	}
	out := segment.Reconcile(l.rows, l.pieces, hand)
	for i := range out.Rows {
		if !out.Rows[i].Changed {
			continue
		}
		sw := review.SegmentWrite{Segment: out.Rows[i].Segment}
		sw.SessionID, sw.AgentID, sw.SessionFile, sw.Body = l.s.ID, l.s.AgentID, l.s.File, l.s.Body
		if i == len(out.Rows)-1 {
			sw.HashState = l.lastState()
		}
		w.Segments = append(w.Segments, sw)
	}
	for i := range out.Retired {
		w.Retire = append(w.Retire, out.Retired[i].ID)
	}
	return w, &out, nil
}

// changes reports whether a write does anything to segments.
func (w *CutWrite) changes() bool { return len(w.Segments)+len(w.Retire) > 0 }

// match finds the rows that have the places of pieces.
func (l *layout) match() {
	l.at = make([]int, len(l.pieces))
	r := 0
	for i := range l.pieces {
		p := &l.pieces[i]
		for r < len(l.rows) && l.rows[r].Start < p.Start {
			r++
		}
		l.at[i] = -1
		if r < len(l.rows) && l.rows[r].Start == p.Start && l.rows[r].End == p.End {
			l.at[i] = r
		}
	}
}

// derive hashes, counts and names the pieces that are new, and hashes those
// rows after them whose number among equal ones may change: those that are not
// the first of their content, and those that a new piece comes before.
func (l *layout) derive(ctx context.Context) error {
	first := slices.Index(l.at, -1)
	if first < 0 {
		return nil
	}
	need := make([]bool, len(l.pieces))
	for i, row := range l.at {
		need[i] = row < 0 || i > first && l.rows[row].Nth > 1
	}
	if err := l.hash(ctx, need); err != nil {
		return err
	}
	made := map[string]bool{}
	for i := range l.pieces {
		if need[i] {
			made[l.pieces[i].Print.Fingerprint] = true
		}
	}
	for i, row := range l.at {
		need[i] = !need[i] && i > first && made[l.rows[row].Fingerprint]
	}
	return l.hash(ctx, need)
}

// rename gives the pieces whose topics a curator took back others.
func (l *layout) rename(ctx context.Context) (err error) {
	for i, row := range l.at {
		p := &l.pieces[i]
		if row >= 0 && l.rows[row].Topic != "" && !p.Named && p.Topic == "" {
			if p.Topic, err = l.text.title(ctx, p.Start, p.End); err != nil {
				return err
			}
		}
	}
	return nil
}

// hash hashes some of the pieces, neighbours in one go.
func (l *layout) hash(ctx context.Context, which []bool) error {
	for first := 0; first < len(which); first++ {
		if !which[first] {
			continue
		}
		last := first
		for last+1 < len(which) && which[last+1] {
			last++
		}
		if err := l.hashRun(ctx, first, last); err != nil {
			return err
		}
		first = last
	}
	return nil
}

// hashRun hashes pieces first..last.
func (l *layout) hashRun(ctx context.Context, first, last int) error {
	p := segment.NewPrinting(l.pieces[first:last+1], l.s.Messages, l.s.Messages-l.held())
	err := l.text.each(ctx, l.pieces[first].Start, l.pieces[last].End, p.Add)
	if p.State != nil {
		l.state = p.State
	}
	return err
}

// held is the number of messages at the end that may still change. They lie
// in the last segment, whose hash state is without them.
func (l *layout) held() int {
	last := &l.pieces[len(l.pieces)-1]
	return min(l.s.Held, last.End-last.Start+1)
}

// lastState is the hash state of the last segment.
func (l *layout) lastState() []byte {
	if l.at[len(l.at)-1] >= 0 {
		return l.s.Segments[len(l.rows)-1].HashState
	}
	return l.state
}

// trail returns that of the session if it changes: if the last segment begins
// among the messages that are held back, those before it are let go.
func (l *layout) trail(ctx context.Context) (*review.Trail, error) {
	held := l.held()
	if held == l.s.Held {
		return nil, nil
	}
	follow, packed := l.s.Trail, []byte(nil)
	err := l.text.each(ctx, l.s.Messages-l.s.Held+1, l.s.Messages-held, func(m *chat.Message) error {
		packed = chat.AppendMessage(packed[:0], m)
		follow.Follow(m, packed)
		return nil
	})
	next := l.s.Trail
	next.Held, next.Settled = held, follow.Settled
	return &next, err
}
