package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/work"
)

// foundNext answers where the next pending segment is.
type foundNext struct {
	page    review.Page // of one row, or of none
	wrapped bool        // it is above where the search began
	held    bool        // there are some, but others read them
	err     error
}

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
	switch s := r.list.Selected(); {
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
	w := &r.list
	if i := w.nextPending(w.Cur + 1); i >= 0 {
		w.Pick(i)
		return nil
	}
	if w.AtEnd && w.AtTop {
		i := w.nextPending(0)
		switch {
		case i < 0 && r.rechecks:
			r.Add(r.allJudged())
			return r.app.EndRecheck()
		case i < 0 && (r.hidesPending() || len(r.wait.keys) > 0): // a closed cluster may have some, or an import has brought some
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

// search asks the library for the next pending segment, behind the writes that
// are under way.
func (r *Room) search() tea.Cmd {
	w, c := &r.list, &r.claims
	q := review.Query{Filter: filter.All(r.sieve.node, filter.ByStatus(string(review.Pending))), Order: w.order, Seed: w.seed, Threshold: w.doubt, Quotas: r.orders.quotas}
	if !w.AtEnd && len(w.pages) > 0 {
		q.After = w.pages[len(w.pages)-1].last
	}
	r.wait.finding = true
	claims, reads := c.lib, r.readsNow()
	if c.failed {
		claims = nil
	}
	if c.asking = claims != nil; c.asking {
		c.reads, c.at, c.next = reads, r.now(), ""
	}
	return r.askAfter(func(ctx context.Context, lib Library) work.Show {
		var m foundNext
		m.page, m.held, m.err = firstFree(ctx, lib, claims, q, reads)
		if m.err == nil && len(m.page.Segments) == 0 && q.After.ID != "" {
			q.After = review.Cursor{}
			m.page, m.held, m.err = firstFree(ctx, lib, claims, q, reads)
			m.wrapped = true
		}
		return func() tea.Cmd { return r.handleNext(m) }
	})
}

// handleNext goes to the segment that was found.
func (r *Room) handleNext(m foundNext) tea.Cmd {
	r.claims.asking = false
	switch {
	case m.err != nil:
		r.Fail("no next segment", m.err)
		return r.nowhere()
	case len(m.page.Segments) == 0 && m.held:
		return r.exhausted("others read all that is pending")
	case len(m.page.Segments) == 0:
		if s := r.list.Selected(); s != nil && s.Verdict == review.Pending {
			return r.exhausted("no other segment is pending")
		}
		return r.exhausted(r.allJudged())
	}
	r.claims.atOnce = m.page.Segments[0].ID
	note := ""
	if m.wrapped {
		note = "from the top again"
	}
	return r.goTo(&m.page.Segments[0], note)
}

// goTo selects a segment, wherever it is, and presses the keys that waited for
// it. note is added to the message if rows have to be read first.
func (r *Room) goTo(s *review.Segment, note string) tea.Cmd {
	if i := r.list.index(s.ID); i >= 0 {
		r.list.Pick(i)
		return r.arrived()
	}
	return r.ask(pageRequest{want: wantAround, found: pageOf(r.order, *s), note: note})
}
