package review

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/list"
)

// want says which rows are asked for.
type want int

const (
	WantStart  want = iota // the first page, instead of what is there
	WantEnd                // the last page, likewise
	wantMore               // the page below the rows
	wantBefore             // the page above them
	wantAgain              // the rows around a seam, as they are now
	wantAround             // a row that was found, and its surroundings
	wantOrder              // the selected row and its surroundings in another order
	wantNear               // what stands where a row stood that another filter may not let through
)

// PageRequest is a question for rows. It goes out with its answer, so that
// the answer to a question nobody asks any more is known as such.
type PageRequest struct {
	Want    want
	seq     int           // number of the question
	epoch   int           // of the verdicts given; see App.epoch
	query   review.Query  // order and filter; for wantMore and wantBefore with its cursor
	key     string        // of the filter
	seam    seam          // for wantAgain
	near    review.Cursor // for wantNear: where the row stood
	resume  bool          // for wantNear: it is where the curator left
	keptIDs []string      // for wantAgain: rows that stay whether they pass or not
	keep    string        // id of the row that was selected
	found   review.Page   // for wantAround and wantOrder: the row
	note    string        // shown once the rows are
	doubts  Doubts        // tell where scores are uncertain; nil: the query does
	doubt   review.Doubt  // what they told
}

// PagesLoaded answers a pageRequest.
type PagesLoaded struct {
	PageRequest
	Pages        []review.Page
	Kept         map[string]review.Segment // those of keptIDs that are not in the pages
	AtTop, AtEnd bool
	err          error
}

// loadPages asks the library for rows.
func loadPages(ctx context.Context, lib Library, req PageRequest) tea.Cmd {
	return func() tea.Msg {
		a := PagesLoaded{PageRequest: req}
		if a.err = a.findDoubt(ctx); a.err != nil {
			return a
		}
		req = a.PageRequest // with what was found out
		switch req.Want {
		case WantStart, WantEnd:
			q := req.query
			q.Limit, q.Back = list.PageSize, req.Want == WantEnd
			a.load(ctx, lib, q)
		case wantMore, wantBefore:
			a.load(ctx, lib, req.query)
		case wantAgain:
			a.loadSeam(ctx, lib, req.seam, nil)
			a.loadKept(ctx, lib)
		case wantNear:
			if req.resume && !a.whereLeft(ctx, lib) {
				q := req.query
				q.Limit = list.PageSize
				a.load(ctx, lib, q)
				break
			}
			a.loadNear(ctx, lib)
		case wantAround, wantOrder:
			s := seam{before: req.found.First, after: req.found.Last, up: list.PageSize, down: list.PageSize}
			a.loadSeam(ctx, lib, s, &req.found)
		}
		return a
	}
}

func (a *PagesLoaded) load(ctx context.Context, lib Library, q review.Query) {
	page, err := lib.Segments(ctx, q)
	a.Pages, a.err = []review.Page{page}, err
	whole := q.After.ID == ""
	a.AtTop = q.Back && !page.More || !q.Back && whole
	a.AtEnd = !q.Back && !page.More || q.Back && whole
}

// loadSeam asks for the rows on both sides of a seam; found lies on it.
func (a *PagesLoaded) loadSeam(ctx context.Context, lib Library, s seam, found *review.Page) {
	a.AtTop, a.AtEnd = s.up == 0, s.down == 0
	if s.up > 0 {
		q := a.query
		q.After, q.Back, q.Limit = s.before, true, s.up
		page, err := lib.Segments(ctx, q)
		if err != nil {
			a.err = err
			return
		}
		a.Pages, a.AtTop = append(a.Pages, page), !page.More
		switch {
		case len(page.Segments) > 0:
			s.after = page.Last // what came in between is not read twice
		case found != nil:
			s.after = review.Cursor{}
		}
	}
	if s.down > 0 {
		q := a.query
		q.After, q.Back, q.Limit = s.after, false, s.down
		page, err := lib.Segments(ctx, q)
		if err != nil {
			a.err = err
			return
		}
		if found != nil && !putFound(&page, found) {
			a.Pages = append(a.Pages, *found)
		}
		a.Pages, a.AtEnd = append(a.Pages, page), !page.More
	}
}

// putFound puts a row as it was found where a page has it: the page tells what is
// alike of it. It is false if the page does not have it.
func putFound(page, found *review.Page) bool {
	s := &found.Segments[0]
	i := slices.IndexFunc(page.Segments, func(o review.Segment) bool { return o.ID == s.ID })
	if i < 0 {
		return false
	}
	page.Segments = slices.Clone(page.Segments) // the library's
	page.Segments[i] = *s
	return true
}

// loadNear asks for the rows on both sides of a place, and the one on it if it
// passes.
func (a *PagesLoaded) loadNear(ctx context.Context, lib Library) {
	q := a.query
	q.After, q.Back, q.Limit = a.near, true, list.PageSize
	above, err := lib.Segments(ctx, q)
	if err != nil {
		a.err = err
		return
	}
	q.After, q.Back, q.Limit = above.Last, false, 2*list.PageSize
	below, err := lib.Segments(ctx, q)
	a.Pages, a.err = []review.Page{above, below}, err
	a.AtTop, a.AtEnd = !above.More, !below.More
}

// Ask sends a question for rows; an older one is forgotten.
func (r *Room) Ask(req PageRequest) tea.Cmd {
	if h := &r.Wait; h.Finding && r.Asking && h.around && req.Want != wantAround {
		h.awaited = true // the answer that keys wait for will not come, but this one
	}
	r.Wait.around = req.Want == wantAround
	r.asked++
	r.Asking = true
	req.seq, req.epoch = r.asked, r.writes.Epoch()
	req.query.Filter, req.query.Order, req.query.Seed, req.key = r.Sieve.Node, r.Order, r.Seed, r.Sieve.Key
	r.Clusters.into(&req.query)
	r.orders.into(&req, r.Sieve.Node)
	if req.Want == wantAgain {
		req.keptIDs = slices.Clone(r.Kept)
	}
	if s := r.List.Selected(); s != nil && req.keep == "" {
		req.keep = s.ID
	}
	r.stopAsking()
	ctx, stop := context.WithCancel(r.Ctx)
	r.stopAsking = stop
	return loadPages(ctx, r.Lib, req)
}

// askOrder asks for the selected row and its surroundings in the order that is
// wanted now.
func (r *Room) askOrder() tea.Cmd {
	s := r.List.Selected()
	if s == nil {
		return r.Ask(PageRequest{Want: WantStart})
	}
	return r.Ask(PageRequest{Want: wantOrder, found: pageOf(r.Order, *s)})
}

// pageOf returns a page of one row.
func pageOf(o review.Order, s review.Segment) review.Page {
	at := review.CursorOf(o, &s)
	return review.Page{Segments: []review.Segment{s}, First: at, Last: at}
}

// AskReload asks for the rows around the selected one as they are now.
func (r *Room) AskReload() tea.Cmd {
	if r.List.Key != r.Sieve.Key || r.List.Hasty {
		return r.askExact()
	}
	if !r.inOrder() {
		return r.askOrder() // the borders of its pages say nothing in another order
	}
	s, ok := r.List.seamNear()
	if !ok {
		return r.Ask(PageRequest{Want: WantStart})
	}
	return r.Ask(PageRequest{Want: wantAgain, seam: s})
}

// inOrder reports whether the rows are in the order that is wanted.
func (r *Room) inOrder() bool {
	return r.List.Order == r.Order && (r.Order != review.Random || r.List.seed == r.Seed) &&
		(r.Order != review.Uncertain || r.orders.known && r.List.doubt == r.orders.at(r.Sieve.Node).Threshold)
}

// askNeeded asks for the rows that are needed next, if any. It is called
// after every message and asks one question at a time.
func (r *Room) askNeeded() tea.Cmd {
	if r.Asking || r.Stalled || r.writes.Open() {
		return nil
	}
	failed := r.Ready && r.List.Key != r.Sieve.Key // to bring the rows of the filter
	if r.Reload || failed || r.List.Hasty || len(r.List.Pages) > 0 && !r.inOrder() {
		r.Reload = false
		return r.AskReload()
	}
	switch r.List.Wants() {
	case 1:
		return r.Ask(PageRequest{Want: wantMore, query: review.Query{After: r.List.Pages[len(r.List.Pages)-1].last, Limit: list.PageSize}})
	case -1:
		return r.Ask(PageRequest{Want: wantBefore, query: review.Query{After: r.List.Pages[0].first, Back: true, Limit: list.PageSize}})
	}
	return nil
}

// tookPages puts rows in place. Rows that were read while a verdict was being
// written may lack it, and are asked for again.
func (r *Room) tookPages(m PagesLoaded) tea.Cmd {
	if m.seq != r.asked {
		return nil
	}
	r.Asking = false
	if m.err != nil {
		r.Fail("the list could not be read", m.err)
		r.Stalled, r.unread = true, m.err // asking again at once would ask forever
		if r.Ready && m.Want != wantAround && !r.Wait.awaited {
			return nil // keys wait for something else
		}
		return r.Nowhere()
	}
	if cmd, hidden := r.showHidden(&m); hidden {
		return cmd
	}
	r.orders.took(&m)
	first := !r.Ready
	r.Stalled, r.Ready, r.unread = false, true, nil
	if m.epoch != r.writes.Epoch() || r.writes.Writing() {
		r.Reload = true
		if m.Want == wantMore || m.Want == wantBefore || m.Want == wantAgain {
			return nil
		}
	}
	w, before := &r.List, r.selection()
	switch m.Want {
	case wantMore, wantBefore:
		w.extend(m.Pages[0], m.Want == wantBefore)
		return nil
	case WantStart:
		m.keep = ""
	case wantAround, wantOrder:
		m.keep = m.found.Segments[0].ID
	case wantAgain, wantNear:
		if s := w.Selected(); s != nil {
			m.keep = s.ID // the selection may have moved since
		}
		m.PutKept(w.Rows)
	}
	if m.Want != wantAgain {
		r.Kept = nil
	}
	if m.Want == wantAround || m.Want == wantOrder {
		r.keepRow(m.keep) // it was asked for, whether it passes or not
	}
	w.replace(m.Pages, m.AtTop, m.AtEnd, m.keep)
	w.Order, w.seed, w.Key, w.Hasty, w.doubt = m.query.Order, m.query.Seed, m.key, m.query.Hasty, m.query.Threshold
	switch m.Want {
	case wantNear:
		if m.resume {
			r.resumed(&m)
		}
	case WantStart:
		w.Pick(0)
	case WantEnd:
		w.Pick(len(w.Rows) - 1)
	}
	if m.note != "" {
		r.Add(m.note)
	}
	switch {
	case m.Want == wantAgain:
		r.tellJudged(&before.Segment)
		cmd := r.inherit(before)
		r.replaced(&before.Segment)
		return cmd
	case m.Want == wantAround, r.Wait.awaited:
		return r.Arrived()
	case first:
		if cmd := r.begin(m.resume); r.Wait.Finding || r.W == 0 {
			return cmd
		} else {
			return tea.Batch(cmd, r.Arrived())
		}
	}
	return nil
}
