package segment

import (
	"winnow/core/chat"
	"winnow/core/review"
)

// Piece is a segment as it is to be.
type Piece struct {
	Cut
	By    review.CutBy // who made its boundaries
	Named bool         // the topic is a curator's
	// Print and Tally tell its content. A zero Print, with a zero Tally, is
	// right for a piece in the place of an old row of the same body, whose
	// content it has, and for a preview.
	Print chat.Print
	Tally review.Tally
	Body  int64 // the stored messages it lies in; 0: those of the old rows
}

// Outcome is what becomes of a session's segments.
type Outcome struct {
	// Rows are all segments as they are to be, in order. Changed ones differ
	// from what is stored; one without an id is new.
	Rows    []Row
	Retired []review.Segment // rows that leave, as they were, in order

	heirs []heir // of each of Retired
}

// heir is what reminds of a row that left.
type heir struct {
	row   int  // index in Outcome.Rows; -1: nothing does
	shown bool // the verdict is the one that the row reminds of
}

// Reconcile decides which of a session's segments stay when it is cut anew. old
// are all its rows, pieces all that are to be, both in order.
//
// A row stays if a piece has its place (in the same body) or its content:
// between the places that stay, the rows and pieces of equal content are
// matched in order. Such a row keeps all that anybody decided or measured. Of
// rows with equal content and different marks, one is matched only if as many
// such pieces are there, or the rows around it say which one it is. With hand,
// for what a curator cut, nothing but places count, so that a preview without
// prints says what will be.
//
// A row that finds no piece leaves. What a curator left on it goes to the new
// piece that shares most of its messages, which is stale then.
//
// Pieces that are not in the place of an old row need a Print. So do those
// after the first of them, if the row there has an Nth above 1 or the plain
// fingerprint of another piece with a Print: without one a row keeps its number,
// and others are numbered around it.
func Reconcile(old []review.Segment, pieces []Piece, hand bool) Outcome {
	m := newMatching(old, pieces, hand)
	m.unmoved()
	if !hand {
		m.contents()
	}
	o := Outcome{Rows: make([]Row, len(pieces))}
	for i := range pieces {
		if from := m.rowOf[i]; from >= 0 {
			o.Rows[i] = kept(&old[from], &pieces[i], i, hand)
		} else {
			o.Rows[i] = m.fresh(i)
		}
	}
	o.inherit(m)
	number(o.Rows, pieces)
	for i := range o.Rows {
		from := m.rowOf[i]
		o.Rows[i].Changed = from < 0 || differs(&old[from], &o.Rows[i].Segment)
	}
	return o
}

// kept is an old row in the place of a piece.
func kept(old *review.Segment, p *Piece, index int, hand bool) Row {
	s := *old
	s.Start, s.End, s.Index = p.Start, p.End, index
	if p.Body != 0 {
		s.Body = p.Body
	}
	if hand {
		s.Topic, s.Named = p.Topic, p.Named
		return Row{Segment: s}
	}
	if !s.Named && p.Named {
		s.Topic, s.Named = p.Topic, true
	}
	switch s.CutBy {
	case review.CutProvisional, review.CutSingle, review.CutOffline:
		if !s.Named && p.Topic != "" {
			s.Topic = p.Topic
		}
		if p.By != "" && (s.CutBy != review.CutOffline || p.By == review.CutModel) {
			s.CutBy = p.By
		}
	}
	return Row{Segment: s}
}

// fresh is a new row for a piece.
func (m *matching) fresh(i int) Row {
	p := &m.pieces[i]
	s := review.Segment{
		Body: p.Body, Index: i, Start: p.Start, End: p.End, Nth: 1, Topic: p.Topic, Named: p.Named,
		CutBy: p.By, Verdict: review.Pending, Tally: p.Tally,
	}
	if m.hand {
		s.CutBy = review.CutCurator
	}
	if len(m.old) > 0 {
		o := &m.old[0]
		s.SessionID, s.AgentID, s.SessionFile = o.SessionID, o.AgentID, o.SessionFile
		if s.Body == 0 {
			s.Body = o.Body
		}
	}
	return Row{Segment: s}
}

// number gives rows whose prints are known their digests: of those with equal
// roles and contents, the n-th in the session gets the n-th fingerprint.
func number(rows []Row, pieces []Piece) {
	taken := map[string]bool{} // by rows that nothing but their row is known of
	for i := range rows {
		if pieces[i].Print.IsZero() && rows[i].Fingerprint != "" {
			taken[rows[i].Fingerprint] = true
		}
	}
	count := make(map[string]int, len(rows))
	for i := range rows {
		p := &pieces[i].Print
		if p.IsZero() {
			continue
		}
		n := count[p.Fingerprint] + 1
		fingerprint := p.Nth(n)
		for taken[fingerprint] {
			n++
			fingerprint = p.Nth(n)
		}
		count[p.Fingerprint] = n
		rows[i].Nth, rows[i].Fingerprint, rows[i].Detail = n, fingerprint, p.Detail
	}
}

// differs reports whether a row that stays is not as it was.
func differs(a, b *review.Segment) bool {
	return a.Start != b.Start || a.End != b.End || a.Index != b.Index || a.Body != b.Body || a.Nth != b.Nth ||
		a.Digest != b.Digest || a.CutBy != b.CutBy || a.Topic != b.Topic || a.Named != b.Named
}
