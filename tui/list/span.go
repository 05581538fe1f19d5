package list

import "winnow/tui/keys"

// Span is the part of a list that is in memory: a run of rows without gaps, the
// selected one among them, and which of them are on screen.
type Span[T any] struct {
	Rows         []T
	AtTop, AtEnd bool // nothing precedes or follows the rows
	Cur, Top     int  // index of the selected row, and of the first one on screen
	Height       int  // rows on screen
}

// Selected returns the selected row, or nil.
func (r *Span[T]) Selected() *T {
	if r.Cur < 0 || r.Cur >= len(r.Rows) {
		return nil
	}
	return &r.Rows[r.Cur]
}

// Visible returns the rows on screen.
func (r *Span[T]) Visible() []T {
	from := min(r.Top, len(r.Rows))
	return r.Rows[from:min(from+r.Height, len(r.Rows))]
}

// Put puts all the rows there are in place.
func (r *Span[T]) Put(rows []T) {
	r.Rows, r.AtTop, r.AtEnd = rows, true, true
	r.Pick(r.Cur)
}

// Resize sets the number of rows on screen.
func (r *Span[T]) Resize(height int) {
	r.Height = max(1, height)
	r.Scroll()
}

// Pick selects a row by index, as far as rows are there, and brings it on screen.
func (r *Span[T]) Pick(i int) {
	r.Cur = max(0, min(i, len(r.Rows)-1))
	r.Scroll()
}

// Click selects the row on a line of the screen; again says that it was already.
func (r *Span[T]) Click(line int) (again bool) {
	at := r.Top + line
	if line < 0 || line >= len(r.Visible()) {
		return false
	}
	again = at == r.Cur
	r.Pick(at)
	return again
}

// Scroll moves the screen as little as needed to show the selected row, and
// leaves no gap below the last one.
func (r *Span[T]) Scroll() {
	r.Top = min(r.Top, r.Cur)
	r.Top = max(r.Top, r.Cur-r.Height+1)
	r.Top = max(0, min(r.Top, len(r.Rows)-r.Height))
}

// Move does a motion; ok is false if rows have to be read for it, which want
// tells.
func (r *Span[T]) Move(m keys.Motion) (want Want, ok bool) {
	switch {
	case m == keys.ToStart && !r.AtTop:
		return Start, false
	case m == keys.ToEnd && !r.AtEnd:
		return End, false
	}
	r.Pick(r.Cur + m.Step(r.Height))
	return 0, true
}

// Wants tells which way rows are needed soon: -1 up, 1 down, 0 neither.
func (r *Span[T]) Wants() int {
	margin := max(Ahead, 2*r.Height)
	switch {
	case len(r.Rows) == 0:
		return 0
	case !r.AtEnd && len(r.Rows)-r.Cur < margin:
		return 1
	case !r.AtTop && r.Cur < margin:
		return -1
	}
	return 0
}

const (
	// PageSize is more than any screen shows, so that a page flip needs one
	// page at most.
	PageSize = 200
	// Ahead is how near to an end the next page is asked for: three screens
	// of forty rows, or four seconds of a held key.
	Ahead = 120
)
