// Package rows is how a list of segments is asked for, kept in memory and drawn: a
// window on any number of them, the questions that fill it, the columns of a row.
//
// It imports tui/draw and tui/list and core, and knows no screen. Its tests are those
// of tui, on the list that is made of it.
package rows

import (
	"maps"
	"slices"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/list"
)

// Window is the part of a list that is in memory: a run of rows without
// gaps, the selected one among them. It grows at its ends page by page and
// forgets what is far from the selection, so that a list of any length costs
// the same.
//
// Rows are found again by the borders of pages, not by their numbers, which
// change whenever somebody imports. At least one border is known at any time:
// an end of the list, or the seam between two pages.
type Window struct {
	list.Span[review.Segment]
	Pages []pageMeta // of rows, in order
	Order review.Order
	Seed  uint64                 // of a random order
	Doubt float64                // the threshold of Uncertain
	Key   string                 // of the filter that they passed
	Hasty bool                   // found first, and not in their order yet
	Loose bool                   // clusters were to be collapsed, and are not yet
	Alike map[int64]review.Alike // clusters of which several pass the filter
	Brief brief                  // of the selected row
	// Before are the rows that precede those in memory, of Of in all; 0 in all if
	// the store does not tell.
	Before, Of int
}

// pageMeta is what is kept of a page beside its rows.
type pageMeta struct {
	N           int
	First, Last review.Cursor
}

// KeepPages is how many pages are kept at most: a row takes about a kilobyte with
// its analysis.
const KeepPages = 6

func metaOf(p review.Page) pageMeta { return pageMeta{len(p.Segments), p.First, p.Last} }

// IDs returns those of the rows, in order.
func (w *Window) IDs() []string {
	ids := make([]string, len(w.Rows))
	for i := range ids {
		ids[i] = w.Rows[i].ID
	}
	return ids
}

// Index returns where the segment is, or -1.
func (w *Window) Index(id string) int {
	return slices.IndexFunc(w.Rows, func(s review.Segment) bool { return s.ID == id })
}

// MoveBy selects the row n further down (up if negative), as far as rows are.
func (w *Window) MoveBy(n int) { w.Pick(w.Cur + n) }

// Replace takes pages in order as the new rows. The row keep stays selected
// on the same line of the screen; if it is gone, its nearest neighbour of
// before does.
func (w *Window) Replace(pages []review.Page, atTop, atEnd bool, keep string) {
	old, line := w.Rows, w.Cur-w.Top
	w.Rows, w.Pages = nil, nil
	w.Alike, w.Loose = map[int64]review.Alike{}, false
	seen := map[string]bool{}
	for _, p := range pages {
		maps.Copy(w.Alike, p.Alike)
		w.Loose = w.Loose || p.Loose
		kept := 0
		for _, s := range p.Segments {
			if !seen[s.ID] { // rows that came in between the two halves are in both
				seen[s.ID] = true
				w.Rows = append(w.Rows, s)
				kept++
			}
		}
		if kept > 0 {
			m := metaOf(p)
			m.N = kept
			w.Pages = append(w.Pages, m)
		}
	}
	w.AtTop, w.AtEnd = atTop, atEnd
	w.place(pages)
	w.Cur = max(0, w.find(keep, old))
	w.Top = max(0, w.Cur-line)
	w.Scroll()
}

// place takes from pages where in the list their rows stand.
func (w *Window) place(pages []review.Page) {
	w.Before, w.Of = 0, 0
	before := 0
	for _, p := range pages {
		if p.Of > 0 && len(p.Segments) > 0 {
			w.Before, w.Of = max(0, p.Before-before), p.Of
			return
		}
		before += len(p.Segments)
	}
}

// Where says which row of the list is selected, of how many: "12/278"; "" if that is
// not known.
func (w *Window) Where() string {
	if w.Of == 0 || w.Selected() == nil {
		return ""
	}
	at := w.Before + w.Cur + 1
	return draw.Grouped(at) + "/" + draw.Grouped(max(at, w.Of))
}

// PutBack puts a segment in the place of the rows that hold messages of it, else
// before the selected row, and selects it.
func (w *Window) PutBack(s review.Segment) {
	holds := func(r review.Segment) bool {
		return r.SessionID == s.SessionID && r.Start <= s.End && s.Start <= r.End
	}
	at := slices.IndexFunc(w.Rows, holds)
	if at < 0 {
		at = w.Cur
	}
	var rows []review.Segment
	from := 0
	for i := range w.Pages {
		to, before := from+w.Pages[i].N, len(rows)
		for k := from; k < to; k++ {
			if k == at {
				w.Cur = len(rows)
				rows = append(rows, s)
			}
			if !holds(w.Rows[k]) {
				rows = append(rows, w.Rows[k])
			}
		}
		w.Pages[i].N = len(rows) - before
		from = to
	}
	w.Rows = rows
	w.Scroll()
}

// find returns the index of id, else of the row that stood nearest to it in
// old, first looking down.
func (w *Window) find(id string, old []review.Segment) int {
	if i := w.Index(id); i >= 0 {
		return i
	}
	at := slices.IndexFunc(old, func(s review.Segment) bool { return s.ID == id })
	if at < 0 {
		return 0
	}
	if g, ok := w.Alike[old[at].Cluster]; ok && old[at].Cluster != 0 {
		if i := w.Index(g.Front); i >= 0 {
			return i // it stands for the one that is hidden now
		}
	}
	here := make(map[string]int, len(w.Rows))
	for i := range w.Rows {
		here[w.Rows[i].ID] = i
	}
	for n := range old { // those from there on, then those before
		i := at + n
		if i >= len(old) {
			i = len(old) - 1 - n
		}
		if now, ok := here[old[i].ID]; ok {
			return now
		}
	}
	return 0
}

// Extend adds a page below the rows, or above them if back.
func (w *Window) Extend(p review.Page, back bool) {
	if w.Alike == nil {
		w.Alike = map[int64]review.Alike{}
	}
	maps.Copy(w.Alike, p.Alike)
	n, end := len(p.Segments), !p.More || len(p.Segments) == 0
	switch {
	case n == 0:
	case back:
		w.Before, w.Of = p.Before, p.Of
	default:
		if w.Of = p.Of; w.Of > 0 { // the pages before may not have known where they stand
			w.Before = max(0, p.Before-len(w.Rows))
		}
	}
	var of []pageMeta
	if n > 0 {
		of = []pageMeta{metaOf(p)}
	}
	if back {
		w.Rows, w.Pages = slices.Concat(p.Segments, w.Rows), append(of, w.Pages...)
		w.Cur, w.Top, w.AtTop = w.Cur+n, w.Top+n, end
	} else {
		w.Rows, w.Pages, w.AtEnd = append(w.Rows, p.Segments...), append(w.Pages, of...), end
	}
	w.forget(!back)
	w.Scroll()
}

// forget drops a page at the far end when there are too many.
func (w *Window) forget(atTop bool) {
	if len(w.Pages) <= KeepPages {
		return
	}
	if n := w.Pages[0].N; atTop && w.Top >= n {
		w.Rows = slices.Clone(w.Rows[n:]) // a slice would keep the old rows alive
		w.Pages = w.Pages[1:]
		w.Cur, w.Top, w.AtTop = w.Cur-n, w.Top-n, false
		w.Before += n
		return
	}
	last := w.Pages[len(w.Pages)-1]
	if left := len(w.Rows) - last.N; !atTop && w.Top+w.Height <= left {
		w.Rows = slices.Clone(w.Rows[:left])
		w.Pages = w.Pages[:len(w.Pages)-1]
		w.AtEnd = false
	}
}

// seam is a border between two rows of the list by which rows are asked for
// again: the rows after one cursor, and those before the other. A zero cursor is the
// end of the list on that side, where there is nothing to ask for.
type seam struct {
	after, before review.Cursor
	up, down      int // rows wanted on either side
}

// SeamNear returns the border nearest to the selected row.
func (w *Window) SeamNear() (seam, bool) {
	if len(w.Pages) == 0 {
		return seam{down: list.PageSize}, true
	}
	const far = 1 << 30
	best, distance, start := -1, far, 0
	for i := 0; i <= len(w.Pages); i++ { // border i is before page i
		known := i > 0 && i < len(w.Pages) || i == 0 && w.AtTop || i == len(w.Pages) && w.AtEnd
		if d := start - w.Cur; known && max(d, -d) < distance {
			best, distance = i, max(d, -d)
		}
		if i < len(w.Pages) {
			start += w.Pages[i].N
		}
	}
	if best < 0 {
		return seam{}, false
	}
	s := seam{up: distance + list.PageSize, down: distance + list.PageSize}
	if best > 0 {
		s.after = w.Pages[best-1].Last
	} else {
		s.up = 0
	}
	if best < len(w.Pages) {
		s.before = w.Pages[best].First
	} else {
		s.down = 0
	}
	return s, true
}

// NextPending returns the index of the first pending row from index i on, or
// -1.
func (w *Window) NextPending(i int) int {
	for ; i < len(w.Rows); i++ {
		if w.Rows[i].Verdict == review.Pending {
			return i
		}
	}
	return -1
}
