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
func (a *App) advance() tea.Cmd {
	if a.stay {
		return nil
	}
	return a.next(false)
}

// begin selects the segment to begin with: the first one, unless it is judged
// and others are not, or somebody else reads it. A judged one where the curator
// left stays.
func (a *App) begin(left bool) tea.Cmd {
	switch s := a.list.Selected(); {
	case s == nil || !a.showsPending() || left && s.Verdict.Judged() && s.ID == a.keeping.resume.ID:
		a.claims.pressed = a.now()
		if s != nil && a.showsPending() {
			a.wait.stuck, a.wait.since = s.ID, a.now()
		}
		return nil
	case a.claims.lib != nil:
		return a.beginFree()
	case !s.Verdict.Judged():
		return nil
	}
	return a.nextRow(false)
}

// next selects the next pending segment that nobody else reads; under a filter
// that hides those, the next one that passes. aloud says so if there is none.
func (a *App) next(aloud bool) tea.Cmd {
	if c := &a.claims; c.lib != nil && !c.failed {
		return a.nextFree(aloud)
	}
	return a.nextRow(aloud)
}

// nextRow selects the next pending segment: below the selected one, else from
// the top on. Rows in memory are enough nearly always.
func (a *App) nextRow(aloud bool) tea.Cmd {
	if !a.showsPending() {
		return a.pass()
	}
	w := &a.list
	if i := w.nextPending(w.Cur + 1); i >= 0 {
		w.Pick(i)
		return nil
	}
	if w.AtEnd && w.AtTop {
		i := w.nextPending(0)
		switch {
		case i < 0 && a.recheck != nil:
			a.add(a.allJudged())
			cmd, _ := a.endRecheck()
			return cmd
		case i < 0 && (a.hidesPending() || len(a.wait.keys) > 0): // a closed cluster may have some, or an import has brought some
			return a.search()
		case i < 0:
			return a.exhausted(a.allJudged())
		case i == w.Cur && aloud:
			a.add("no other segment is pending")
		case i != w.Cur:
			w.Pick(i)
			a.add("from the top again")
		}
		return nil
	}
	return a.search()
}

// search asks the library for the next pending segment, behind the writes that
// are under way.
func (a *App) search() tea.Cmd {
	w, c := &a.list, &a.claims
	q := review.Query{Filter: filter.All(a.sieve.node, filter.ByStatus(string(review.Pending))), Order: w.order, Seed: w.seed, Threshold: w.doubt, Quotas: a.orders.quotas}
	if !w.AtEnd && len(w.pages) > 0 {
		q.After = w.pages[len(w.pages)-1].last
	}
	a.wait.finding = true
	claims, reads := c.lib, a.readsNow()
	if c.failed {
		claims = nil
	}
	if c.asking = claims != nil; c.asking {
		c.reads, c.at, c.next = reads, a.now(), ""
	}
	return a.askAfter(func(ctx context.Context, lib Library) work.Show {
		var m foundNext
		m.page, m.held, m.err = firstFree(ctx, lib, claims, q, reads)
		if m.err == nil && len(m.page.Segments) == 0 && q.After.ID != "" {
			q.After = review.Cursor{}
			m.page, m.held, m.err = firstFree(ctx, lib, claims, q, reads)
			m.wrapped = true
		}
		return func() tea.Cmd { return a.handleNext(m) }
	})
}

// handleNext goes to the segment that was found.
func (a *App) handleNext(m foundNext) tea.Cmd {
	a.claims.asking = false
	switch {
	case m.err != nil:
		a.fail("no next segment", m.err)
		return a.nowhere()
	case len(m.page.Segments) == 0 && m.held:
		return a.exhausted("others read all that is pending")
	case len(m.page.Segments) == 0:
		if s := a.list.Selected(); s != nil && s.Verdict == review.Pending {
			return a.exhausted("no other segment is pending")
		}
		return a.exhausted(a.allJudged())
	}
	a.claims.atOnce = m.page.Segments[0].ID
	note := ""
	if m.wrapped {
		note = "from the top again"
	}
	return a.goTo(&m.page.Segments[0], note)
}

// goTo selects a segment, wherever it is, and presses the keys that waited for
// it. note is added to the message if rows have to be read first.
func (a *App) goTo(s *review.Segment, note string) tea.Cmd {
	if i := a.list.index(s.ID); i >= 0 {
		a.list.Pick(i)
		return a.arrived()
	}
	return a.ask(pageRequest{want: wantAround, found: pageOf(a.order, *s), note: note})
}
