package review

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// advance goes on after a verdict.
func (r *Room) advance() tea.Cmd {
	if r.stay {
		return nil
	}
	return r.next(false)
}

// begin selects the segment to begin with: the first one, unless it is judged
// and others are not, or somebody else reads it. A judged one where the curator
// left stays.
func (r *Room) begin(left bool) tea.Cmd {
	switch s := r.List.Selected(); {
	case s == nil || !r.showsPending() || left && s.Verdict.Judged() && s.ID == r.resume.ID:
		r.claims.pressed = r.now()
		if s != nil && r.showsPending() {
			r.wait.stuck, r.wait.since = s.ID, r.now()
		}
		return nil
	case r.claims.lib != nil:
		return r.beginFree()
	case !s.Verdict.Judged():
		return nil
	}
	return r.nextRow(false)
}

// next selects the next pending segment that nobody else reads; under a filter
// that hides those, the next one that passes. aloud says so if there is none.
func (r *Room) next(aloud bool) tea.Cmd {
	if c := &r.claims; c.lib != nil && !c.failed {
		return r.nextFree(aloud)
	}
	return r.nextRow(aloud)
}

// nextRow selects the next pending segment: below the selected one, else from
// the top on. Rows in memory are enough nearly always.
func (r *Room) nextRow(aloud bool) tea.Cmd {
	if !r.showsPending() {
		return r.pass()
	}
	w := &r.List
	if i := w.NextPending(w.Cur + 1); i >= 0 {
		w.Pick(i)
		return nil
	}
	if w.AtEnd && w.AtTop {
		i := w.NextPending(0)
		switch {
		case i < 0 && r.rechecks:
			r.Add(r.allJudged())
			return r.app.EndRecheck()
		case i < 0 && (r.hidesPending() || r.Waiting() > 0): // a closed cluster may have some, or an import has brought some
			return r.search()
		case i < 0:
			return r.exhausted(r.allJudged())
		case i == w.Cur && aloud:
			r.Add("no other segment is pending")
		case i != w.Cur:
			w.Pick(i)
			r.Add("from the top again")
		}
		return nil
	}
	return r.search()
}

// search asks the library for the next pending segment, after the writes that
// are under way.
func (r *Room) search() tea.Cmd {
	w, c := &r.List, &r.claims
	q := review.Query{Filter: filter.All(r.Filter.Node, filter.ByStatus(string(review.Pending))), Order: w.Order, Seed: w.Seed, Threshold: w.Doubt, Quotas: r.orders.quotas}
	if !w.AtEnd && len(w.Pages) > 0 {
		q.After = w.Pages[len(w.Pages)-1].Last
	}
	r.wait.finding = true
	claims, reads := c.lib, r.readsNow()
	if c.failed {
		claims = nil
	}
	if c.asking = claims != nil; c.asking {
		c.reads, c.at, c.next = reads, r.now(), ""
	}
	return r.askAfter(func(ctx context.Context, lib rows.Library) work.Show {
		page, held, err := firstFree(ctx, lib, claims, q, reads)
		note := ""
		if err == nil && len(page.Segments) == 0 && q.After.ID != "" {
			q.After, note = review.Cursor{}, "from the top again"
			page, held, err = firstFree(ctx, lib, claims, q, reads)
		}
		return func() tea.Cmd { return r.foundNext(page.Segments, held, note, err) }
	})
}

// foundNext goes to the segment that was found, if any was. held says that there are
// some, but others read them.
func (r *Room) foundNext(found []review.Segment, held bool, note string, err error) tea.Cmd {
	r.claims.asking = false
	s := r.List.Selected()
	switch {
	case err != nil:
		r.Fail("no next segment", err)
		return r.Nowhere()
	case len(found) > 0:
		r.claims.atOnce = found[0].ID
		return r.GoTo(&found[0], note)
	case held:
		return r.exhausted("others are reading all the rest")
	case s != nil && s.Verdict == review.Pending:
		return r.exhausted("no other segment is pending")
	}
	return r.exhausted(r.allJudged())
}

// GoTo selects a segment, wherever it is, and presses the keys that waited for
// it. note is added to the message if rows have to be read first.
func (r *Room) GoTo(s *review.Segment, note string) tea.Cmd {
	if i := r.List.Index(s.ID); i >= 0 {
		r.List.Pick(i)
		return r.Arrived()
	}
	return r.Ask(rows.Request{Want: rows.WantAround, Found: rows.PageOf(r.Order, *s), Note: note})
}
