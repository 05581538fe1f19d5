package review

import (
	"context"
	"errors"
	"maps"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/rows"
)

// tally is what was counted of the filter, and the question for it.
type tally struct {
	key     string        // of the filter that was counted
	passing review.Counts // what passes it
	base    review.Counts // what passes it but for its status
	// done and all are messages in the text index and messages there are, for
	// a filter with text.
	done, all int64

	Want   bool // it is to be counted anew
	asking string
	asked  int // number of the last question, which is under way if busy
	busy   bool
	stop   context.CancelFunc
}

// countsLoaded answers what a filter lets through.
type countsLoaded struct {
	number, epoch int
	tally         tally
	err           error
}

// AskCounts counts what passes the filter if that is not known or may have
// changed. The question for another filter is cancelled; one for the same is
// waited for, or a long one would never be answered while others write.
func (r *Room) AskCounts() tea.Cmd {
	t := &r.Tally
	if !t.Want || !r.Begun || t.busy && t.asking == r.Sieve.Key {
		return nil
	}
	if t.busy {
		t.stop()
		t.busy = false
	}
	if r.Sieve.Node == nil {
		t.Want = false
		return nil // the totals are known
	}
	if r.writes.Open() {
		return nil // it would be asked again
	}
	t.Want, t.busy, t.asking = false, true, r.Sieve.Key
	t.asked++
	ctx, stop := context.WithCancel(r.Ctx)
	t.stop = stop
	m := countsLoaded{number: t.asked, epoch: r.writes.Epoch()}
	lib, s := r.Lib, r.Sieve
	return func() tea.Msg {
		defer stop()
		m.tally, m.err = count(ctx, lib, s)
		return m
	}
}

func count(ctx context.Context, lib rows.Library, s sieve) (t tally, err error) {
	t.key = s.Key
	if s.finds {
		if t.done, t.all, err = lib.TextShare(ctx); err != nil {
			return t, err
		}
	}
	if t.passing, err = lib.Count(ctx, s.Node); err != nil {
		return t, err
	}
	t.passing.ByVerdict = maps.Clone(t.passing.ByVerdict) // ours to change
	switch {
	case s.base == nil: // the totals say it
	case filter.Print(s.base) == s.Key:
		t.base = t.passing
		t.base.ByVerdict = maps.Clone(t.passing.ByVerdict)
	default:
		t.base, err = lib.Count(ctx, s.base)
		t.base.ByVerdict = maps.Clone(t.base.ByVerdict)
	}
	return t, err
}

// tookCounts takes the counts, unless the filter is another one by now. Those
// from before a verdict are used until better ones come.
func (r *Room) tookCounts(m countsLoaded) tea.Cmd {
	t := &r.Tally
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
		if t.key == m.tally.key {
			return nil
		}
	}
	t.key, t.passing, t.base, t.done, t.all = m.tally.key, m.tally.passing, m.tally.base, m.tally.done, m.tally.all
	return nil
}

// Passing counts what passes the filter; known is false until that is known.
func (r *Room) Passing() (c review.Counts, known bool) {
	if r.Sieve.Node == nil {
		return ofTotals(&r.Totals), true
	}
	return r.Tally.passing, r.Tally.key == r.Sieve.Key
}

// Base counts what passes the filter but for its status: what the work is
// measured by.
func (r *Room) Base() (c review.Counts, known bool) {
	if r.Sieve.base == nil {
		return ofTotals(&r.Totals), true
	}
	return r.Tally.base, r.Tally.key == r.Sieve.Key
}

func ofTotals(t *review.Totals) review.Counts {
	return review.Counts{Segments: t.Segments, ByVerdict: t.ByVerdict, Stale: t.Stale, Scored: t.Scored, Histogram: t.Histogram}
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
	t := &r.Tally
	if r.Sieve.Node == nil || t.key != r.Sieve.Key {
		return
	}
	move(&t.base, from, -1)
	move(&t.base, to, +1)
	was, _ := Passes(r.Sieve.Node, from)
	is, _ := Passes(r.Sieve.Node, to)
	if was {
		move(&t.passing, from, -1)
	}
	if is {
		move(&t.passing, to, +1)
	}
	if was != is {
		n := 1
		if was {
			n = -1
		}
		t.passing.Segments = max(0, t.passing.Segments+n)
		if s.Score != nil {
			bar := &t.passing.Histogram[review.Band(*s.Score)]
			*bar = max(0, *bar+n)
			t.passing.Scored = max(0, t.passing.Scored+n)
		}
	}
}

func move(c *review.Counts, v review.Verdict, n int) {
	if c.ByVerdict != nil {
		c.ByVerdict[v] = max(0, c.ByVerdict[v]+n)
	}
}
