package review

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/list"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// Ask sends a question for rows; an older one is forgotten.
func (r *Room) Ask(req rows.Request) tea.Cmd {
	if h := &r.wait; h.finding && r.asking && h.around && req.Want != rows.WantAround {
		h.awaited = true // the answer that keys wait for will not come, but this one
	}
	r.wait.around = req.Want == rows.WantAround
	r.asked++
	r.asking = true
	req.Seq, req.Epoch = r.asked, r.writes.Epoch()
	req.Query.Filter, req.Query.Order, req.Query.Seed, req.Key = r.Filter.Node, r.Order, r.seed, r.Filter.Key
	r.clusters.into(&req.Query)
	r.orders.into(&req, r.Filter.Node)
	if req.Want == rows.WantAgain {
		req.KeptIDs = slices.Clone(r.Kept)
	}
	if s := r.List.Selected(); s != nil && req.Keep == "" {
		req.Keep = s.ID
	}
	r.stopAsking()
	ctx, stop := context.WithCancel(r.Ctx)
	r.stopAsking = stop
	return r.askNow(func(_ context.Context, lib rows.Library) work.Show {
		m := rows.Load(ctx, lib, req)
		return func() tea.Cmd { return r.handlePages(&m) }
	})
}

// askOrder asks for the selected row and its surroundings in the order that is
// wanted now.
func (r *Room) askOrder() tea.Cmd {
	s := r.List.Selected()
	if s == nil {
		return r.Ask(rows.Request{Want: rows.WantStart})
	}
	return r.Ask(rows.Request{Want: rows.WantOrder, Found: rows.PageOf(r.Order, *s)})
}

// AskReload asks for the rows around the selected one as they are now.
func (r *Room) AskReload() tea.Cmd {
	if r.List.Key != r.Filter.Key || r.List.Hasty { // in place of those of another filter, or that were found first
		return r.askNear(r.app.Typing(keys.InFilter) && r.List.Cur == 0) // a hand may be on another row
	}
	if !r.inOrder() {
		return r.askOrder() // the borders of its pages say nothing in another order
	}
	s, ok := r.List.SeamNear()
	if !ok {
		return r.Ask(rows.Request{Want: rows.WantStart})
	}
	return r.Ask(rows.Request{Want: rows.WantAgain, Seam: s})
}

// inOrder reports whether the rows are in the order that is wanted.
func (r *Room) inOrder() bool {
	return r.List.Order == r.Order && (r.Order != review.Random || r.List.Seed == r.seed) &&
		(r.Order != review.Uncertain || r.orders.known && r.List.Doubt == r.orders.at(r.Filter.Node).Threshold)
}

// askNeeded asks for the rows that are needed next, if any. It is called
// after every message and asks one question at a time.
func (r *Room) askNeeded() tea.Cmd {
	if r.asking || r.stalled || r.writes.Open() {
		return nil
	}
	failed := r.ready && r.List.Key != r.Filter.Key // to bring the rows of the filter
	if r.reload || failed || r.List.Hasty || len(r.List.Pages) > 0 && !r.inOrder() {
		r.reload = false
		return r.AskReload()
	}
	switch r.List.Wants() {
	case 1:
		return r.Ask(rows.Request{Want: rows.WantMore, Query: review.Query{After: r.List.Pages[len(r.List.Pages)-1].Last, Limit: list.PageSize}})
	case -1:
		return r.Ask(rows.Request{Want: rows.WantBefore, Query: review.Query{After: r.List.Pages[0].First, Back: true, Limit: list.PageSize}})
	}
	return nil
}

// handlePages puts rows in place. Rows that were read while a verdict was being
// written may lack it, and are asked for again.
func (r *Room) handlePages(m *rows.Loaded) tea.Cmd {
	if m.Seq != r.asked {
		return nil
	}
	r.asking = false
	if m.Err != nil {
		r.Fail("the list could not be read", m.Err)
		r.stalled, r.unread = true, m.Err // asking again at once would ask forever
		if r.ready && m.Want != rows.WantAround && !r.wait.awaited {
			return nil // keys wait for something else
		}
		return r.Nowhere()
	}
	if cmd, hidden := r.showHidden(m); hidden {
		return cmd
	}
	r.orders.took(m)
	first := !r.ready
	r.stalled, r.ready, r.unread = false, true, nil
	if m.Epoch != r.writes.Epoch() || r.writes.Writing() {
		r.reload = true
		if m.Want == rows.WantMore || m.Want == rows.WantBefore || m.Want == rows.WantAgain {
			return nil
		}
	}
	w, before := &r.List, r.selection()
	switch m.Want {
	case rows.WantMore, rows.WantBefore:
		w.Extend(m.Pages[0], m.Want == rows.WantBefore)
		return nil
	case rows.WantStart:
		m.Keep = ""
	case rows.WantAround, rows.WantOrder:
		m.Keep = m.Found.Segments[0].ID
	case rows.WantAgain, rows.WantNear:
		if s := w.Selected(); s != nil {
			m.Keep = s.ID // the selection may have moved since
		}
		m.PutKept(w.Rows)
	}
	if m.Want != rows.WantAgain {
		r.Kept = nil
	}
	if m.Want == rows.WantAround || m.Want == rows.WantOrder {
		r.keepRow(m.Keep) // it was asked for, whether it passes or not
	}
	w.Replace(m.Pages, m.AtTop, m.AtEnd, m.Keep)
	w.Order, w.Seed, w.Key, w.Hasty, w.Doubt = m.Query.Order, m.Query.Seed, m.Key, m.Query.Hasty, m.Query.Threshold
	switch m.Want {
	case rows.WantNear:
		if m.Resume {
			r.resumed(m)
		}
	case rows.WantStart:
		w.Pick(0)
	case rows.WantEnd:
		w.Pick(len(w.Rows) - 1)
	}
	if m.Note != "" {
		r.Add(m.Note)
	}
	switch {
	case m.Want == rows.WantAgain:
		r.tellJudged(&before.Segment)
		cmd := r.inherit(before)
		r.replaced(&before.Segment)
		return cmd
	case m.Want == rows.WantAround, r.wait.awaited:
		return r.Arrived()
	case first:
		cmd := r.begin(m.Resume)
		if r.W > 0 {
			return r.thenKeys(cmd)
		}
		return cmd
	}
	return nil
}
