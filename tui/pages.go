package tui

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
	wantStart  want = iota // the first page, instead of what is there
	wantEnd                // the last page, likewise
	wantMore               // the page below the rows
	wantBefore             // the page above them
	wantAgain              // the rows around a seam, as they are now
	wantAround             // a row that was found, and its surroundings
	wantOrder              // the selected row and its surroundings in another order
	wantNear               // what stands where a row stood that another filter may not let through
)

// pageRequest is a question for rows. It goes out with its answer, so that
// the answer to a question nobody asks any more is known as such.
type pageRequest struct {
	want    want
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

// pagesLoaded answers a pageRequest.
type pagesLoaded struct {
	pageRequest
	pages        []review.Page
	kept         map[string]review.Segment // those of keptIDs that are not in the pages
	atTop, atEnd bool
	err          error
}

// loadPages asks the library for rows.
func loadPages(ctx context.Context, lib Library, req pageRequest) tea.Cmd {
	return func() tea.Msg {
		a := pagesLoaded{pageRequest: req}
		if a.err = a.findDoubt(ctx); a.err != nil {
			return a
		}
		req = a.pageRequest // with what was found out
		switch req.want {
		case wantStart, wantEnd:
			q := req.query
			q.Limit, q.Back = list.PageSize, req.want == wantEnd
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

func (a *pagesLoaded) load(ctx context.Context, lib Library, q review.Query) {
	page, err := lib.Segments(ctx, q)
	a.pages, a.err = []review.Page{page}, err
	whole := q.After.ID == ""
	a.atTop = q.Back && !page.More || !q.Back && whole
	a.atEnd = !q.Back && !page.More || q.Back && whole
}

// loadSeam asks for the rows on both sides of a seam; found lies on it.
func (a *pagesLoaded) loadSeam(ctx context.Context, lib Library, s seam, found *review.Page) {
	a.atTop, a.atEnd = s.up == 0, s.down == 0
	if s.up > 0 {
		q := a.query
		q.After, q.Back, q.Limit = s.before, true, s.up
		page, err := lib.Segments(ctx, q)
		if err != nil {
			a.err = err
			return
		}
		a.pages, a.atTop = append(a.pages, page), !page.More
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
			a.pages = append(a.pages, *found)
		}
		a.pages, a.atEnd = append(a.pages, page), !page.More
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
func (a *pagesLoaded) loadNear(ctx context.Context, lib Library) {
	q := a.query
	q.After, q.Back, q.Limit = a.near, true, list.PageSize
	above, err := lib.Segments(ctx, q)
	if err != nil {
		a.err = err
		return
	}
	q.After, q.Back, q.Limit = above.Last, false, 2*list.PageSize
	below, err := lib.Segments(ctx, q)
	a.pages, a.err = []review.Page{above, below}, err
	a.atTop, a.atEnd = !above.More, !below.More
}

// ask sends a question for rows; an older one is forgotten.
func (r *Room) ask(req pageRequest) tea.Cmd {
	if h := &r.wait; h.finding && r.asking && h.around && req.want != wantAround {
		h.awaited = true // the answer that keys wait for will not come, but this one
	}
	r.wait.around = req.want == wantAround
	r.asked++
	r.asking = true
	req.seq, req.epoch = r.asked, r.writes.Epoch()
	req.query.Filter, req.query.Order, req.query.Seed, req.key = r.sieve.node, r.order, r.seed, r.sieve.key
	r.clusters.into(&req.query)
	r.orders.into(&req, r.sieve.node)
	if req.want == wantAgain {
		req.keptIDs = slices.Clone(r.kept)
	}
	if s := r.list.Selected(); s != nil && req.keep == "" {
		req.keep = s.ID
	}
	r.stopAsking()
	ctx, stop := context.WithCancel(r.ctx)
	r.stopAsking = stop
	return loadPages(ctx, r.lib, req)
}

// askOrder asks for the selected row and its surroundings in the order that is
// wanted now.
func (r *Room) askOrder() tea.Cmd {
	s := r.list.Selected()
	if s == nil {
		return r.ask(pageRequest{want: wantStart})
	}
	return r.ask(pageRequest{want: wantOrder, found: pageOf(r.order, *s)})
}

// pageOf returns a page of one row.
func pageOf(o review.Order, s review.Segment) review.Page {
	at := review.CursorOf(o, &s)
	return review.Page{Segments: []review.Segment{s}, First: at, Last: at}
}

// askReload asks for the rows around the selected one as they are now.
func (r *Room) askReload() tea.Cmd {
	if r.list.key != r.sieve.key || r.list.hasty {
		return r.askExact()
	}
	if !r.inOrder() {
		return r.askOrder() // the borders of its pages say nothing in another order
	}
	s, ok := r.list.seamNear()
	if !ok {
		return r.ask(pageRequest{want: wantStart})
	}
	return r.ask(pageRequest{want: wantAgain, seam: s})
}

// inOrder reports whether the rows are in the order that is wanted.
func (r *Room) inOrder() bool {
	return r.list.order == r.order && (r.order != review.Random || r.list.seed == r.seed) &&
		(r.order != review.Uncertain || r.orders.known && r.list.doubt == r.orders.at(r.sieve.node).Threshold)
}

// askNeeded asks for the rows that are needed next, if any. It is called
// after every message and asks one question at a time.
func (r *Room) askNeeded() tea.Cmd {
	if r.asking || r.stalled || r.writes.Open() {
		return nil
	}
	failed := r.ready && r.list.key != r.sieve.key // to bring the rows of the filter
	if r.reload || failed || r.list.hasty || len(r.list.pages) > 0 && !r.inOrder() {
		r.reload = false
		return r.askReload()
	}
	switch r.list.Wants() {
	case 1:
		return r.ask(pageRequest{want: wantMore, query: review.Query{After: r.list.pages[len(r.list.pages)-1].last, Limit: list.PageSize}})
	case -1:
		return r.ask(pageRequest{want: wantBefore, query: review.Query{After: r.list.pages[0].first, Back: true, Limit: list.PageSize}})
	}
	return nil
}

// tookPages puts rows in place. Rows that were read while a verdict was being
// written may lack it, and are asked for again.
func (r *Room) tookPages(m pagesLoaded) tea.Cmd {
	if m.seq != r.asked {
		return nil
	}
	r.asking = false
	if m.err != nil {
		r.Fail("the list could not be read", m.err)
		r.stalled, r.unread = true, m.err // asking again at once would ask forever
		if r.ready && m.want != wantAround && !r.wait.awaited {
			return nil // keys wait for something else
		}
		return r.nowhere()
	}
	if cmd, hidden := r.showHidden(&m); hidden {
		return cmd
	}
	r.orders.took(&m)
	first := !r.ready
	r.stalled, r.ready, r.unread = false, true, nil
	if m.epoch != r.writes.Epoch() || r.writes.Writing() {
		r.reload = true
		if m.want == wantMore || m.want == wantBefore || m.want == wantAgain {
			return nil
		}
	}
	w, before := &r.list, r.selection()
	switch m.want {
	case wantMore, wantBefore:
		w.extend(m.pages[0], m.want == wantBefore)
		return nil
	case wantStart:
		m.keep = ""
	case wantAround, wantOrder:
		m.keep = m.found.Segments[0].ID
	case wantAgain, wantNear:
		if s := w.Selected(); s != nil {
			m.keep = s.ID // the selection may have moved since
		}
		m.putKept(w.Rows)
	}
	if m.want != wantAgain {
		r.kept = nil
	}
	if m.want == wantAround || m.want == wantOrder {
		r.keepRow(m.keep) // it was asked for, whether it passes or not
	}
	w.replace(m.pages, m.atTop, m.atEnd, m.keep)
	w.order, w.seed, w.key, w.hasty, w.doubt = m.query.Order, m.query.Seed, m.key, m.query.Hasty, m.query.Threshold
	switch m.want {
	case wantNear:
		if m.resume {
			r.resumed(&m)
		}
	case wantStart:
		w.Pick(0)
	case wantEnd:
		w.Pick(len(w.Rows) - 1)
	}
	if m.note != "" {
		r.Add(m.note)
	}
	switch {
	case m.want == wantAgain:
		r.tellJudged(&before.Segment)
		cmd := r.inherit(before)
		r.replaced(&before.Segment)
		return cmd
	case m.want == wantAround, r.wait.awaited:
		return r.arrived()
	case first:
		if cmd := r.begin(m.resume); r.wait.finding || r.w == 0 {
			return cmd
		} else {
			return tea.Batch(cmd, r.arrived())
		}
	}
	return nil
}
