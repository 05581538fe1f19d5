package rows

import (
	"context"
	"slices"

	"winnow/core/review"
	"winnow/tui/list"
)

// Want says which rows are asked for.
type Want int

const (
	WantStart  Want = iota // the first page, instead of what is there
	WantEnd                // the last page, likewise
	WantMore               // the page below the rows
	WantBefore             // the page above them
	WantAgain              // the rows around a seam, as they are now
	WantAround             // a row that was found, and its surroundings
	WantOrder              // the selected row and its surroundings in another order
	WantNear               // what stands where a row stood that another filter may not let through
)

// Request is a question for rows. It goes out with its answer, so that
// the answer to a question nobody asks any more is known as such.
type Request struct {
	Want    Want
	Seq     int           // number of the question
	Epoch   int           // of the verdicts given; see work.Queue.Epoch
	Query   review.Query  // order and filter; for WantMore and WantBefore with its cursor
	Key     string        // of the filter
	Seam    seam          // for WantAgain
	Near    review.Cursor // for WantNear: where the row stood
	Resume  bool          // for WantNear: it is where the curator left
	KeptIDs []string      // for WantAgain: rows that stay whether they pass or not
	Keep    string        // id of the row that was selected
	Found   review.Page   // for WantAround and WantOrder: the row
	Note    string        // shown once the rows are
	Doubts  Doubts        // tell where scores are uncertain; nil: the query does
	Doubt   review.Doubt  // what they told
}

// Loaded answers a Request.
type Loaded struct {
	Request
	Pages        []review.Page
	Kept         map[string]review.Segment // those of KeptIDs that are not in the pages
	AtTop, AtEnd bool
	Err          error
}

// Load asks the library for rows.
func Load(ctx context.Context, lib Library, req Request) Loaded {
	a := Loaded{Request: req}
	if a.Err = a.findDoubt(ctx); a.Err != nil {
		return a
	}
	switch start := (seam{down: list.PageSize}); req.Want {
	case WantStart:
		a.load(ctx, lib, start)
	case WantEnd:
		a.load(ctx, lib, seam{up: list.PageSize})
	case WantMore:
		a.load(ctx, lib, seam{after: req.Query.After, down: req.Query.Limit})
	case WantBefore:
		a.load(ctx, lib, seam{before: req.Query.After, up: req.Query.Limit})
	case WantAgain:
		a.load(ctx, lib, req.Seam)
		a.loadKept(ctx, lib)
	case WantNear:
		if req.Resume && !a.whereLeft(ctx, lib) {
			a.load(ctx, lib, start)
			break
		}
		a.load(ctx, lib, seam{before: a.Near, up: list.PageSize, down: 2 * list.PageSize})
	case WantAround, WantOrder:
		a.load(ctx, lib, seam{before: req.Found.First, after: req.Found.Last, up: list.PageSize, down: list.PageSize})
	}
	return a
}

// load asks for the rows on both sides of a seam. A row that was found lies on it.
func (a *Loaded) load(ctx context.Context, lib Library, s seam) {
	found := len(a.Found.Segments) > 0
	ask := func(after review.Cursor, back bool, limit int) (page review.Page) {
		q := a.Query
		q.After, q.Back, q.Limit = after, back, limit
		page, a.Err = lib.Segments(ctx, q)
		return page
	}
	a.AtTop, a.AtEnd = s.up == 0, s.down == 0
	if s.up > 0 {
		page := ask(s.before, true, s.up)
		a.Pages, a.AtTop = append(a.Pages, page), !page.More
		switch {
		case len(page.Segments) > 0:
			s.after = page.Last // what came in between is not read twice
		case found:
			s.after = review.Cursor{}
		}
	}
	if s.down > 0 && a.Err == nil {
		page := ask(s.after, false, s.down)
		if found && !putFound(&page, &a.Found) {
			a.Pages = append(a.Pages, a.Found)
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

// PageOf returns a page of one row.
func PageOf(o review.Order, s review.Segment) review.Page {
	at := review.CursorOf(o, &s)
	return review.Page{Segments: []review.Segment{s}, First: at, Last: at}
}

// Doubts tells where scores are uncertain.
type Doubts interface {
	// Doubt returns the threshold that verdicts speak for, or the configured
	// one.
	Doubt(ctx context.Context) (review.Doubt, error)
}

// findDoubt asks for the threshold, if it is to be asked for.
func (a *Loaded) findDoubt(ctx context.Context) (err error) {
	if a.Doubts == nil {
		return nil
	}
	a.Doubt, err = a.Doubts.Doubt(ctx)
	a.Query.Threshold = a.Doubt.Threshold
	return err
}

// whereLeft finds the place in the list where the curator left; ok is false if
// only its order by file could tell, and it is in another one.
func (a *Loaded) whereLeft(ctx context.Context, lib Library) (ok bool) {
	if s, err := lib.Segment(ctx, a.Near.ID); err == nil && s.ID == a.Near.ID {
		a.Near = review.CursorOf(a.Query.Order, &s)
		return true
	}
	return a.Query.Order == review.Natural
}
