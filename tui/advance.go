package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
)

// foundNext answers where the next pending segment is.
type foundNext struct {
	page    review.Page // of one row, or of none
	wrapped bool        // it is above where the search began
	err     error
}

// advance goes on after a verdict.
func (a *App) advance() tea.Cmd {
	if a.stay {
		return nil
	}
	if !a.showsPending() {
		a.list.move(1) // under a filter that hides pending ones
		return nil
	}
	return a.next(false)
}

// begin selects the segment to begin with: the first one, unless it is judged
// and others are not.
func (a *App) begin() tea.Cmd {
	if s := a.list.selected(); s == nil || !s.Verdict.Judged() || !a.showsPending() {
		return nil
	}
	return a.next(false)
}

// next selects the next pending segment: below the selected one, else from
// the top on. Rows in memory are enough nearly always; else the library is
// asked, behind the writes that are under way. aloud says so if there is none.
func (a *App) next(aloud bool) tea.Cmd {
	w := &a.list
	if i := w.nextPending(w.cur + 1); i >= 0 {
		w.selectRow(i)
		return nil
	}
	if w.atEnd && w.atTop {
		i := w.nextPending(0)
		switch {
		case i < 0:
			a.add("nothing is pending: all is judged")
		case i == w.cur && aloud:
			a.add("no other segment is pending")
		case i != w.cur:
			w.selectRow(i)
			a.add("from the top again")
		}
		return nil
	}
	q := review.Query{Filter: filter.All(a.sieve.node, filter.ByStatus(string(review.Pending))), Order: w.order, Seed: w.seed, Limit: 1}
	if !w.atEnd && len(w.pages) > 0 {
		q.After = w.pages[len(w.pages)-1].last
	}
	a.finding = true
	return a.enqueue("", func(ctx context.Context, lib Library) outcome {
		page, err := lib.Segments(ctx, q)
		m := foundNext{page: page, err: err}
		if err == nil && len(page.Segments) == 0 && q.After.ID != "" {
			q.After = review.Cursor{}
			m.page, m.err = lib.Segments(ctx, q)
			m.wrapped = true
		}
		return m
	})
}

// tookNext goes to the segment that was found.
func (a *App) tookNext(m foundNext) tea.Cmd {
	switch {
	case m.err != nil:
		a.fail("no next segment", m.err)
		return a.nowhere()
	case len(m.page.Segments) == 0:
		a.add("nothing is pending: all is judged")
		return a.nowhere()
	}
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
		a.list.selectRow(i)
		return a.arrived()
	}
	return a.ask(pageRequest{want: wantAround, found: pageOf(a.order, *s), note: note})
}
