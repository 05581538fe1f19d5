package review

import (
	"context"
	"errors"
	"maps"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/rows"
)

// counts is what was counted of the filter, and the question for it.
type counts struct {
	rows.Counts

	Want   bool // it is to be counted anew
	asking string
	asked  int // number of the last question, which is under way if busy
	busy   bool
	stop   context.CancelFunc
}

// countsLoaded answers what a filter lets through.
type countsLoaded struct {
	number, epoch int
	counted       rows.Counts
	err           error
}

// AskCounts counts what passes the filter if that is not known or may have
// changed. The question for another filter is cancelled; one for the same is
// waited for, or a long one would never be answered while others write.
func (r *Room) AskCounts() tea.Cmd {
	t := &r.Counts
	if !t.Want || !r.Begun || t.busy && t.asking == r.Filter.Key {
		return nil
	}
	if t.busy {
		t.stop()
		t.busy = false
	}
	if r.Filter.Node == nil {
		t.Want = false
		return nil // the totals are known
	}
	if r.writes.Open() {
		return nil // it would be asked again
	}
	t.Want, t.busy, t.asking = false, true, r.Filter.Key
	t.asked++
	ctx, stop := context.WithCancel(r.Ctx)
	t.stop = stop
	m := countsLoaded{number: t.asked, epoch: r.writes.Epoch()}
	lib, s := r.Lib, r.Filter
	return func() tea.Msg {
		defer stop()
		m.counted, m.err = rows.Count(ctx, lib, s)
		return m
	}
}

// handleCounts takes the counts, unless the filter is another one by now. Those
// from before a verdict are used until better ones come.
func (r *Room) handleCounts(m countsLoaded) tea.Cmd {
	t := &r.Counts
	if m.number != t.asked || !t.busy {
		return nil
	}
	t.busy = false
	switch {
	case m.err != nil:
		if !errors.Is(m.err, context.Canceled) {
			r.Fail("counting", m.err)
		}
		return nil
	case m.epoch != r.writes.Epoch() || r.writes.Writing():
		t.Want = true // a verdict was given meanwhile
		if t.Key == m.counted.Key {
			return nil
		}
	}
	t.Counts = m.counted
	return nil
}

// Passing counts what passes the filter; known is false until that is known.
func (r *Room) Passing() (c review.Counts, known bool) {
	if r.Filter.Node == nil {
		return rows.CountsOf(&r.Totals), true
	}
	return r.Counts.Passing, r.Counts.Key == r.Filter.Key
}

// Base counts what passes the filter but for its status: what the work is
// measured by.
func (r *Room) Base() (c review.Counts, known bool) {
	if r.Filter.Base == nil {
		return rows.CountsOf(&r.Totals), true
	}
	return r.Counts.Base, r.Counts.Key == r.Filter.Key
}

// recount moves a segment in the counts from its old verdict to another: they
// Follow a verdict at once, and are put right when the database was asked. A
// row that undo brought into the list was perhaps never counted.
func (r *Room) recount(s *review.Segment, from, to review.Verdict) {
	if from == to {
		return
	}
	if r.Totals.ByVerdict != nil {
		r.Totals.ByVerdict = maps.Clone(r.Totals.ByVerdict)
		r.Totals.ByVerdict[from]--
		r.Totals.ByVerdict[to]++
	}
	t := &r.Counts
	if r.Filter.Node == nil || t.Key != r.Filter.Key {
		return
	}
	rows.Move(&t.Base, from, -1)
	rows.Move(&t.Base, to, +1)
	was, _ := rows.Passes(r.Filter.Node, from)
	is, _ := rows.Passes(r.Filter.Node, to)
	if was {
		rows.Move(&t.Passing, from, -1)
	}
	if is {
		rows.Move(&t.Passing, to, +1)
	}
	if was != is {
		n := 1
		if was {
			n = -1
		}
		t.Passing.Segments = max(0, t.Passing.Segments+n)
		if s.Score != nil {
			bar := &t.Passing.Histogram[review.Band(*s.Score)]
			*bar = max(0, *bar+n)
			t.Passing.Scored = max(0, t.Passing.Scored+n)
		}
	}
}
