package review

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// counts is what was counted of the filter, and the question for it.
type counts struct {
	rows.Counts

	want   bool // it is to be counted anew
	asking string
	asked  int                // number of the last question
	stop   context.CancelFunc // gives it up; nil: none is under way
}

// askCounts counts what passes the filter if that is not known or may have
// changed. The question for another filter is cancelled; one for the same is
// waited for, or a long one would never be answered while others write.
func (r *Room) askCounts() tea.Cmd {
	t := &r.counts
	if !t.want || !r.begun || t.stop != nil && t.asking == r.Filter.Key {
		return nil
	}
	t.giveUp()
	if r.Filter.Node == nil {
		t.want = false
		return nil // the totals are known
	}
	if r.writes.Open() {
		return nil // it would be asked again
	}
	t.want, t.asking = false, r.Filter.Key
	t.asked++
	ctx, stop := context.WithCancel(r.Ctx)
	t.stop = stop
	number, epoch, s := t.asked, r.writes.Epoch(), r.Filter
	return r.askNow(func(_ context.Context, lib rows.Library) work.Show {
		defer stop()
		counted, err := rows.Count(ctx, lib, s)
		return Showing(func() {
			if number == t.asked && t.stop != nil {
				t.stop = nil
				r.tookCounts(counted, epoch, err)
			}
		})
	})
}

// giveUp gives up the question that is under way.
func (t *counts) giveUp() {
	if t.stop != nil {
		t.stop()
		t.stop = nil
	}
}

// tookCounts takes counts that were asked for in an epoch of the writes. Those from before
// a verdict are used until better ones come.
func (r *Room) tookCounts(c rows.Counts, epoch int, err error) {
	t := &r.counts
	switch {
	case err != nil:
		r.Fail("counting", err)
		return
	case epoch != r.writes.Epoch() || r.writes.Writing():
		t.want = true // a verdict was given meanwhile
		if t.Key == c.Key {
			return
		}
	}
	t.Counts = c
}

// Passing counts what passes the filter; known is false until that is known.
func (r *Room) Passing() (c review.Counts, known bool) {
	if r.Filter.Node == nil {
		return r.Totals.Counts(), true
	}
	return r.counts.Passing, r.counts.Key == r.Filter.Key
}

// Base counts what passes the filter but for its status: what the work is
// measured by.
func (r *Room) Base() (c review.Counts, known bool) {
	if r.Filter.Base == nil {
		return r.Totals.Counts(), true
	}
	return r.counts.Base, r.counts.Key == r.Filter.Key
}

// recount moves n segments in the counts from their old verdict to another: they
// follow a verdict at once, and are put right when the database was asked. A row that
// undo brought into the list was perhaps never counted. It returns how many more pass
// the filter than before.
func (r *Room) recount(n int, from, to review.Verdict) (more int) {
	if from == to || n <= 0 {
		return 0
	}
	if r.Totals.ByVerdict != nil {
		r.Totals.ByVerdict[from] -= n
		r.Totals.ByVerdict[to] += n
	}
	t := &r.counts
	if r.Filter.Node == nil || t.Key != r.Filter.Key {
		return 0
	}
	t.Base.Move(from, -n)
	t.Base.Move(to, +n)
	if was, _ := review.Passes(r.Filter.Node, from); was {
		t.Passing.Move(from, -n)
		more -= n
	}
	if is, _ := review.Passes(r.Filter.Node, to); is {
		t.Passing.Move(to, +n)
		more += n
	}
	t.Passing.Segments = max(0, t.Passing.Segments+more)
	return more
}

// recountRow is recount for a row, whose score is known.
func (r *Room) recountRow(row *review.Segment, to review.Verdict) {
	if more := r.recount(1, row.Verdict, to); row.Score != nil {
		c := &r.counts.Passing
		bar := &c.Histogram[review.Band(*row.Score)]
		*bar, c.Scored = max(0, *bar+more), max(0, c.Scored+more)
	}
}
