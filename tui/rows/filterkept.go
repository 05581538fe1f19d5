package rows

import (
	"context"

	"winnow/core/review"
)

// loadKept reads the rows that stay in the list although the filter would not
// let them through any more. One that is gone is left out.
func (a *Loaded) loadKept(ctx context.Context, lib Library) {
	if len(a.KeptIDs) == 0 || a.Err != nil {
		return
	}
	here := a.ids()
	a.Kept = map[string]review.Segment{}
	for _, id := range a.KeptIDs {
		if here[id] {
			continue
		}
		if s, err := lib.Segment(ctx, id); err == nil && s.ID == id {
			a.Kept[id] = s
		}
	}
}

// ids are those of all rows that are in the pages.
func (a *Loaded) ids() map[string]bool {
	here := map[string]bool{}
	for i := range a.Pages {
		for j := range a.Pages[i].Segments {
			here[a.Pages[i].Segments[j].ID] = true
		}
	}
	return here
}

// PutKept puts the kept rows back into pages that lack them, where they stood
// in the rows before: after the same row. One that stood outside of what the
// pages cover is left out.
func (a *Loaded) PutKept(before []review.Segment) {
	if len(a.Kept) == 0 {
		return
	}
	here := a.ids()
	var front []review.Segment // those before the first row
	after := map[string][]review.Segment{}
	anchor, waiting := "", []review.Segment(nil)
	settle := func() {
		if anchor != "" {
			after[anchor] = waiting
		} else if a.AtTop {
			front = waiting
		}
		waiting = nil
	}
	for i := range before {
		id := before[i].ID
		if here[id] {
			settle()
			anchor = id
		} else if s, ok := a.Kept[id]; ok {
			waiting = append(waiting, s)
		}
	}
	if a.AtEnd {
		settle()
	}
	a.Pages = withRows(a.Pages, front, after, a.Query.Order)
}

// withRows returns pages with rows put in front of all, and after others. The
// borders of the pages stay what they were.
func withRows(pages []review.Page, front []review.Segment, after map[string][]review.Segment, o review.Order) []review.Page {
	out := make([]review.Page, 0, len(pages)+1)
	for _, p := range pages {
		if len(p.Segments) == 0 {
			continue
		}
		rows := front
		front = nil
		for _, s := range p.Segments {
			rows = append(append(rows, s), after[s.ID]...)
		}
		p.Segments = rows
		out = append(out, p)
	}
	if n := len(front); n > 0 { // nothing passes but what was kept
		out = append(out, review.Page{
			Segments: front, First: review.CursorOf(o, &front[0]), Last: review.CursorOf(o, &front[n-1]),
		})
	}
	return out
}
