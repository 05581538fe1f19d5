package segment

import (
	"slices"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
)

// match compares the open segment, hashed by h, with the next row of an
// earlier reading, which ends at the same message. After the first difference
// nothing is matched any more: numbers mean other messages there.
func (c *Cover) match(h *chat.Hasher) {
	old := c.old[0]
	if h.Nth(old.Nth) != old.Fingerprint || h.Digest().Detail != old.Detail {
		c.abandon()
		return
	}
	c.old = c.old[1:]
	c.twins.find(&old, h)
	c.open = Row{Segment: old, Changed: true} // same content at a new place
	c.grown = false
	c.sealed = c.Matching() || !growable(&old)
}

// abandon retires the rows of an earlier reading that found no match. What
// stands in their place reminds of the first verdict among them, and has all
// that was noted on them.
func (c *Cover) abandon() {
	var heir *review.Segment
	for i := range c.old {
		o := &c.old[i]
		if o.Verdict.Judged() && (heir == nil || !heir.Verdict.Judged()) {
			heir = o
		} else if heir == nil && bequeaths(o) {
			heir = o
		}
	}
	if heir != nil && c.begun && c.grown {
		next := successor(heir)
		next.Start, next.Index, next.CutBy = c.open.Start, c.open.Index, review.CutProvisional
		next.Note, next.Tags, next.Masked = "", nil, nil
		for i := range c.old {
			noted(&next, &c.old[i])
		}
		c.open = Row{Segment: next, Changed: true}
	}
	c.retired = append(c.retired, c.old...)
	left := c.old
	c.old = nil
	c.doubt(left)
}

// successor is the row that takes the place of one whose content changed. It
// keeps what the curator wrote and remembers the verdict.
func successor(old *review.Segment) review.Segment {
	next := review.Segment{
		Start: old.Start, End: old.End, Index: old.Index, CutBy: old.CutBy, Topic: old.Topic, Named: old.Named, Nth: 1,
		Note: old.Note, Tags: old.Tags, Masked: old.Masked, Verdict: review.Pending,
	}
	remind(&next, old)
	return next
}

// spoil notes that message n of the body that is read on in is about to become
// another one. What a verdict was given on is then known on one side of it only:
// the longer one.
func (c *Cover) spoil(s *review.Segment, n int) {
	if c.body == 0 || s.WasBody != c.body || n < s.WasStart || n > s.WasEnd {
		return
	}
	if before, behind := n-s.WasStart, s.WasEnd-n; before >= behind {
		s.WasEnd = n - 1
	} else {
		s.WasStart = n + 1
	}
	if s.WasStart > s.WasEnd {
		s.WasBody, s.WasStart, s.WasEnd = 0, 0, 0
	}
}

// lose notes that the messages after n leave the body that is read on in.
func (c *Cover) lose(s *review.Segment, n int) {
	if c.body == 0 || s.WasBody != c.body || s.WasEnd <= n {
		return
	}
	if s.WasEnd = n; s.WasStart > n {
		s.WasBody, s.WasStart, s.WasEnd = 0, 0, 0
	}
}

// twins tells which rows of an earlier reading have equal content and different
// marks. If one of them finds no match, nobody knows which of them left.
type twins struct {
	rows  map[string]*review.Segment // by fingerprint; empty if each is the first of its kind
	kin   map[string]int             // by id the kind of a row, of those that were matched
	mixed []bool                     // by kind
}

func twinsOf(old []review.Segment) twins {
	if !slices.ContainsFunc(old, func(s review.Segment) bool { return s.Nth > 1 }) {
		return twins{}
	}
	t := twins{rows: make(map[string]*review.Segment, len(old)), kin: map[string]int{}}
	for i := range old {
		t.rows[old[i].Fingerprint] = &old[i]
	}
	return t
}

// find notes the twins of a row whose content h hashed.
func (t *twins) find(row *review.Segment, h *chat.Hasher) {
	if _, known := t.kin[row.ID]; known || len(t.rows) == 0 {
		return
	}
	mixed := false
	for n := 1; ; n++ {
		other := t.rows[h.Nth(n)]
		if other == nil && n > row.Nth {
			break
		}
		if other != nil && other.Detail == row.Detail {
			t.kin[other.ID] = len(t.mixed)
			mixed = mixed || !sameMarks(row, other)
		}
	}
	t.mixed = append(t.mixed, mixed)
}

// doubt takes the verdicts back of rows that were matched, though one of those
// that left may be meant as well.
func (c *Cover) doubt(left []review.Segment) {
	gone := map[int]bool{}
	for i := range left {
		if kind, ok := c.twins.kin[left[i].ID]; ok && c.twins.mixed[kind] {
			gone[kind] = true
		}
	}
	if len(gone) == 0 {
		return
	}
	doubted := func(r *Row) bool {
		if kind, ok := c.twins.kin[r.ID]; !ok || !gone[kind] {
			return false
		}
		old := r.Segment
		c.retired = append(c.retired, old)
		r.ID, r.Verdict, r.Reviewer, r.Changed = "", review.Pending, "", true
		r.ReviewedAt, r.CreatedAt, r.UpdatedAt = time.Time{}, time.Time{}, time.Time{}
		remind(&r.Segment, &old)
		return true
	}
	for i := range c.done {
		doubted(&c.done[i])
	}
	if c.begun && doubted(&c.open) {
		c.sealed = !growable(&c.open.Segment)
	}
}
