package segment

import (
	"fmt"
	"slices"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
)

// Sums tell the messages of a session apart that differ in anything that can
// be trained on: 16 bytes each.
type Sums struct {
	list []chat.Sum
	buf  []byte
}

// Add adds the next message.
func (s *Sums) Add(m *chat.Message) {
	var sum chat.Sum
	sum, s.buf = chat.AppendSum(s.buf, m)
	s.list = append(s.list, sum)
}

// Same returns where the messages of was are in now, by their numbers, which count
// from 1: as many as are there in the same order.
func Same(was, now *Sums) (to map[int]int) {
	to = make(map[int]int, len(was.list))
	for _, p := range common(was.list, now.list) {
		to[p[0]+1] = p[1] + 1
	}
	return to
}

// Carry returns where the segments of a session are after it was rewritten:
// cuts that cover all its messages now. rows are its segments before, was and
// now its messages. A segment begins where one began, and after where one
// ended, as far as those messages are there still. gone tells the rows of which
// no message is, wherever, and to the numbers that messages have now by those
// that they had.
func Carry(rows []review.Segment, was, now *Sums) (cuts []Cut, gone []bool, to map[int]int) {
	to = Same(was, now)
	begins := make([]bool, len(now.list)+2)
	there := make(map[chat.Sum]bool, len(now.list))
	for _, m := range now.list {
		there[m] = true
	}
	gone = make([]bool, len(rows))
	for i := range rows {
		gone[i] = !slices.ContainsFunc(was.list[rows[i].Start-1:rows[i].End], func(m chat.Sum) bool { return there[m] })
		begins[to[rows[i].Start]] = true // [0] is for those that are gone
		if end := to[rows[i].End]; end > 0 {
			begins[end+1] = true
		}
	}
	for n := range len(now.list) {
		if len(cuts) == 0 || begins[n+1] {
			cuts = append(cuts, Cut{Start: n + 1})
		}
		cuts[len(cuts)-1].End = n + 1
	}
	return cuts, gone, to
}

// Remask gives the rows of a rewritten session that found no match the training
// marks that were on their messages. to is that of Carry.
func (o *Outcome) Remask(rows []review.Segment, to map[int]int) {
	for i := range rows {
		for _, place := range rows[i].Masked {
			if n := to[rows[i].Start+place-1]; n > 0 {
				o.mask(n)
			}
		}
	}
}

// Bare returns the segment without anything that a curator left on it.
func Bare(s review.Segment) review.Segment {
	s.Verdict, s.Reviewer, s.ReviewedAt = review.Pending, "", time.Time{}
	s.Note, s.Tags, s.Masked, s.Named = "", nil, nil, false
	s.Stale, s.Was, s.WasBy, s.WasAt = false, "", "", time.Time{}
	s.WasBody, s.WasStart, s.WasEnd = 0, 0, 0
	return s
}

// Astray reports whether rows of an earlier reading found no match.
func (c *Cover) Astray() bool { return c.Matching() || len(c.retired) > 0 }

// CarriedCover goes on with a rewritten session whose segments were reconciled
// with those before. state, tail and tallies are as for ResumeCover.
func CarriedCover(o Outcome, state []byte, tail []chat.Message, tallies []review.Tally) (*Cover, error) {
	rows := make([]review.Segment, len(o.Rows))
	for i := range o.Rows {
		rows[i] = o.Rows[i].Segment
		rows[i].Body = 0 // the store makes it
	}
	c, err := ResumeCover(rows, state, tail, tallies)
	if err != nil {
		return nil, fmt.Errorf("carried over: %w", err)
	}
	for i := range c.done {
		c.done[i].Changed = true
	}
	c.open.Changed = true
	c.retired = o.Retired
	return c, nil
}
