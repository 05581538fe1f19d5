package segment

import (
	"fmt"
	"slices"
	"sort"

	"winnow/core/review"
)

// Draft is a session's segments under a curator's hands: nothing of it is
// stored. Messages are named by their numbers in the session.
type Draft struct {
	old    []review.Segment
	pieces []Piece
	edits  []edit
}

// edit is what takes a change back: the pieces that stood where put now stand.
type edit struct {
	at, put int
	before  []Piece
}

// NewDraft begins with the stored segments of a session, all of them in order.
// It keeps rows.
func NewDraft(rows []review.Segment) *Draft {
	d := &Draft{old: rows, pieces: make([]Piece, len(rows))}
	for i := range rows {
		d.pieces[i] = PieceOf(&rows[i])
	}
	return d
}

// Pieces returns the segments as they are to be, without prints. They are valid
// until the next change.
func (d *Draft) Pieces() []Piece { return d.pieces }

// At returns the index in Pieces of the one that message n is in, -1 if n is
// none of the session.
func (d *Draft) At(n int) int {
	i := sort.Search(len(d.pieces), func(i int) bool { return d.pieces[i].End >= n })
	if n < 1 || i == len(d.pieces) {
		return -1
	}
	return i
}

// in is At, with an error for people.
func (d *Draft) in(n int) (int, error) {
	i := d.At(n)
	switch {
	case len(d.pieces) == 0:
		return 0, fmt.Errorf("the session has no messages")
	case i < 0:
		return 0, fmt.Errorf("there is no message %d: the session has 1 to %d", n, d.pieces[len(d.pieces)-1].End)
	}
	return i, nil
}

// Split makes message at the first one of a segment. The new one has no topic.
func (d *Draft) Split(at int) error {
	i, err := d.in(at)
	if err != nil {
		return err
	}
	p := d.pieces[i]
	switch {
	case at == 1:
		return fmt.Errorf("message 1 begins the session: nothing is above it")
	case at == p.Start:
		return fmt.Errorf("message %d begins a segment already", at)
	}
	first, second := d.piece(p.Start, at-1), d.piece(at, p.End)
	if d.given(&p) || d.stored(p.Start, at-1) == nil {
		first.Topic, first.Named = p.Topic, p.Named
	}
	d.put(i, 1, first, second)
	return nil
}

// given reports whether a curator gave a piece its topic in this draft: no
// stored segment with messages of it has that.
func (d *Draft) given(p *Piece) bool {
	if !p.Named {
		return false
	}
	i := sort.Search(len(d.old), func(i int) bool { return d.old[i].End >= p.Start })
	for ; i < len(d.old) && d.old[i].Start <= p.End; i++ {
		if d.old[i].Named && d.old[i].Topic == p.Topic {
			return false
		}
	}
	return true
}

// piece is one that a curator makes; in the place of a stored segment it is
// that again, with its topic.
func (d *Draft) piece(start, end int) Piece {
	p := Piece{Cut: Cut{Start: start, End: end}, By: review.CutCurator}
	if r := d.stored(start, end); r != nil {
		p.By, p.Topic, p.Named = r.CutBy, r.Topic, r.Named
	}
	return p
}

// stored returns the stored segment in a place, nil if none is there.
func (d *Draft) stored(start, end int) *review.Segment {
	i := sort.Search(len(d.old), func(i int) bool { return d.old[i].Start >= start })
	if i == len(d.old) || d.old[i].Start != start || d.old[i].End != end {
		return nil
	}
	return &d.old[i]
}

// Merge joins the segment that message at is in with the one above it. It has
// the upper one's topic, unless a curator named the other only.
func (d *Draft) Merge(at int) error {
	i, err := d.in(at)
	if err != nil {
		return err
	}
	if i == 0 {
		return fmt.Errorf("message %d is in the first segment: nothing is above it", at)
	}
	upper, lower := &d.pieces[i-1], &d.pieces[i]
	p := d.piece(upper.Start, lower.End)
	switch {
	case lower.Named && !upper.Named:
		p.Topic, p.Named = lower.Topic, true
	case upper.Topic != "":
		p.Topic, p.Named = upper.Topic, upper.Named
	}
	d.put(i-1, 2, p)
	return nil
}

// Move lets the segment that begins at message boundary begin at message to. It
// has another first prompt then, so that only a curator's topic stays on it.
func (d *Draft) Move(boundary, to int) error {
	i, err := d.in(boundary)
	if err != nil {
		return err
	}
	if boundary == 1 {
		return fmt.Errorf("message 1 begins the session: nothing is above it")
	}
	if d.pieces[i].Start != boundary {
		return fmt.Errorf("no segment begins at message %d: this one begins at %d", boundary, d.pieces[i].Start)
	}
	upper, lower := d.pieces[i-1], d.pieces[i]
	from, last := upper.Start+1, lower.End
	switch {
	case from == last:
		return fmt.Errorf("the boundary above message %d can't move: both segments have one message; merge them", boundary)
	case to < from || to > last:
		return fmt.Errorf("the boundary above message %d can't go to %d: from %d to %d both segments keep a message", boundary, to, from, last)
	case to == boundary:
		return nil
	}
	first, second := d.piece(upper.Start, to-1), d.piece(to, lower.End)
	first.Topic, first.Named = upper.Topic, upper.Named
	if lower.Named {
		second.Topic, second.Named = lower.Topic, true
	}
	d.put(i-1, 2, first, second)
	return nil
}

// Rename gives the segment that message at is in a topic, as one line. ""
// takes a topic back that was given in this draft; any other it replaces by
// the one that the text gives.
func (d *Draft) Rename(at int, topic string) error {
	i, err := d.in(at)
	if err != nil {
		return err
	}
	p := d.pieces[i]
	topic = fold(topic)
	named := topic != ""
	if p.Named == named && p.Topic == topic {
		return nil
	}
	if r := d.stored(p.Start, p.End); !named && p.Named && r != nil && !r.Named {
		topic = r.Topic
	}
	p.Topic, p.Named = topic, named
	d.put(i, 1, p)
	return nil
}

// put replaces n pieces by others.
func (d *Draft) put(at, n int, pieces ...Piece) {
	d.edits = append(d.edits, edit{at, len(pieces), slices.Clone(d.pieces[at : at+n])})
	d.pieces = slices.Replace(d.pieces, at, at+n, pieces...)
}

// Undo takes the last change back. It reports whether there was one.
func (d *Draft) Undo() bool {
	last := len(d.edits) - 1
	if last < 0 {
		return false
	}
	e := d.edits[last]
	d.edits = d.edits[:last]
	d.pieces = slices.Replace(d.pieces, e.at, e.at+e.put, e.before...)
	return true
}

// Outcome tells what becomes of the stored segments. Rows that are new have no
// digests.
func (d *Draft) Outcome() Outcome { return Reconcile(d.old, d.pieces, true) }
