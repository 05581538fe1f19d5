package segment

import (
	"winnow/core/review"
)

// Cut takes back all messages after number n, and with them the segments that
// lie wholly after it, which are returned in order: they can be planned where
// the messages go. A segment that is cut through is two now. What is marked
// there goes to the larger part; of equal ones, and if whole is set, to the
// first. Training marks stay with their messages. The second part is among those returned if it has a mark.
//
// The messages from..n must be added again, so that they are hashed: from is
// where the last segment left begins, n+1 if none is. The rows that the last
// snapshot made must be known (Stored), and no rows may wait to be matched.
func (c *Cover) Cut(n int, whole bool) (from int, behind []review.Segment) {
	keep, behind := c.behind(n)
	rows := c.done
	c.end, c.plan, c.prints = n, nil, nil
	if keep == 0 {
		c.done = nil
		return n + 1, behind
	}
	c.done = rows[:keep-1]
	row := rows[keep-1]
	from, c.end = row.Start, row.Start-1
	if row.End > n {
		if marked(&row.Segment) && row.ID != "" {
			c.retired = append(c.retired, row.Segment)
		}
		first, second := c.divide(&row.Segment, n, whole)
		row = Row{Segment: first}
		if second != nil {
			behind = append([]review.Segment{*second}, behind...)
		}
	}
	c.refill(row, n)
	return from, behind
}

// After returns what Cut(n, false) would.
func (c *Cover) Behind(n int) []review.Segment {
	keep, behind := c.behind(n)
	if keep > 0 && c.done[keep-1].End > n {
		if _, second := c.divide(&c.done[keep-1].Segment, n, false); second != nil {
			behind = append([]review.Segment{*second}, behind...)
		}
	}
	return behind
}

// after closes the open segment and returns the number of segments that begin
// at message n or before it, and the others.
func (c *Cover) behind(n int) (keep int, behind []review.Segment) {
	c.settle()
	c.shut()
	for keep = len(c.done); keep > 0 && c.done[keep-1].Start > n; keep-- {
	}
	for i := range c.done[keep:] {
		behind = append(behind, c.done[keep+i].Segment)
	}
	return keep, behind
}

// refill makes a row the open segment, whose messages up to n come again.
func (c *Cover) refill(row Row, n int) {
	c.open, c.begun, c.until = row, true, n
	c.open.Changed = true // its hash state is stored
	c.grown = row.End != n
	c.moved, c.sealed = !c.grown, !c.grown && !growable(&row.Segment)
	c.hasher.Reset()
	c.tally, c.topic = review.Tally{}, row.Topic
}

// divide cuts a row through after message n. second is nil if nothing is
// known of the second part but its messages.
func (c *Cover) divide(old *review.Segment, n int, whole bool) (first review.Segment, second *review.Segment) {
	first = *old
	if marked(old) {
		next := successor(old)
		if whole { // what is behind comes again
			c.spoil(&next, n+1)
		} else {
			c.lose(&next, n)
		}
		first = review.Segment{Start: old.Start, End: old.End, Index: old.Index, Verdict: review.Pending, Nth: 1}
		above, below := maskedIn(old, old.Start, n), maskedIn(old, n+1, old.End)
		switch {
		case whole:
			first = next
		case n-old.Start+1 >= old.End-n:
			first = next
			first.Masked = above
			if len(below) > 0 {
				second = &review.Segment{
					Start: n + 1, End: old.End, Index: old.Index, CutBy: review.CutProvisional, Verdict: review.Pending, Nth: 1, Masked: below,
				}
			}
		default:
			first.Masked, next.Masked = above, below
			next.Start, next.CutBy = n+1, review.CutProvisional
			c.lose(&next, 0)
			second = &next
		}
	}
	first.CutBy = review.CutProvisional
	return first, second
}

// marked reports whether a curator left anything on a segment.
func marked(s *review.Segment) bool {
	return s.Verdict.Judged() || s.Note != "" || len(s.Tags) > 0 || len(s.Masked) > 0 || s.Stale
}

// Plan tells which segments the messages to come are in: each begins at its
// Start. One with an id has the content that it had; one without is new.
func (c *Cover) Plan(rows []review.Segment) { c.plan = append(c.plan, rows...) }

// Reopen makes message n one that changes, with all after it: as Cut(n-1),
// but the segments after stay where they are. The messages from..n-1 must be
// added again, then the changed one, then those after it.
func (c *Cover) Reopen(n int) (from int) {
	from, behind := c.Cut(n-1, true)
	if len(behind) > 0 && behind[0].Start == n { // its content is about to change
		old := behind[0]
		if marked(&old) {
			if old.ID != "" {
				c.retired = append(c.retired, old)
			}
			behind[0] = successor(&old)
			c.spoil(&behind[0], n)
		} else {
			behind[0].End, behind[0].CutBy = n-1, review.CutProvisional // nothing of it is as it was
		}
	}
	c.Plan(behind)
	return from
}
