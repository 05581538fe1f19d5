package reader

import (
	"winnow/tui/reader/lines"
	"winnow/tui/reader/markdown"
)

// flow is the text of a block, broken into rows of a width on demand. Places
// in it are offsets in a text or indexes of rendered rows.
type flow struct {
	r     *Reader
	blk   *block
	form  *form
	width int
	limit int // the place after the rows shown, -1: all are
}

type wrapKey struct {
	blk          *block
	form         *form
	start, width int
}

// wrapsKept is the number of wrapped lines kept: several screens full.
const wrapsKept = 4096

func (f *flow) source() string {
	if f.form != nil && f.form.text != "" {
		return f.form.text
	}
	return f.blk.text
}

func (f *flow) isRows() bool { return f.form != nil && f.form.text == "" }

// line is a line of a text, broken into rows.
type line struct {
	rows       []int // where they begin
	start, end int
	next       int // the start of the next line, -1 without one
}

// lineMemo is the line last looked at: walking asks for the same one for
// every row in it.
type lineMemo struct {
	key wrapKey
	line
}

// line returns the line that holds at.
func (f *flow) line(at int) line {
	memo := &f.r.lastLine
	if k := memo.key; k.blk == f.blk && k.form == f.form && k.width == f.width && memo.start <= at && (at < memo.end || at == memo.start) {
		return memo.line
	}
	s := f.source()
	l := line{start: lines.Start(s, at)}
	l.end, l.next = lines.End(s, l.start)
	key := wrapKey{f.blk, f.form, l.start, f.width}
	var ok bool
	if l.rows, ok = f.r.wraps[key]; !ok {
		if len(f.r.wraps) >= wrapsKept {
			clear(f.r.wraps)
		}
		l.rows = markdown.Wrap(s, l.start, l.end, f.width)
		f.r.wraps[key] = l.rows
	}
	*memo = lineMemo{key, l}
	return l
}

// floor returns the place of the row that holds at.
func (f *flow) floor(at int) int {
	if f.isRows() {
		return max(0, min(at, len(f.form.Rows)-1))
	}
	rows := f.line(max(0, min(at, len(f.source())))).rows
	return rows[lines.Row(rows, at)]
}

func (f *flow) next(at int) (int, bool) {
	if f.isRows() {
		return at + 1, at+1 < len(f.form.Rows)
	}
	l := f.line(at)
	if i := lines.Row(l.rows, at); i+1 < len(l.rows) {
		return l.rows[i+1], true
	}
	return l.next, l.next >= 0
}

func (f *flow) prev(at int) (int, bool) {
	if f.isRows() {
		return at - 1, at > 0
	}
	l := f.line(at)
	if i := lines.Row(l.rows, at); i > 0 {
		return l.rows[i-1], true
	}
	above, ok := lines.Before(f.source(), l.start)
	if !ok {
		return 0, false
	}
	rows := f.line(above).rows
	return rows[len(rows)-1], true
}

// last returns the place of the last row that shows.
func (f *flow) last() int {
	if f.isRows() {
		return len(f.form.Rows) - 1
	}
	at := len(f.source())
	if f.limit >= 0 {
		at = f.limit - 1
	}
	rows := f.line(at).rows
	return rows[lines.Row(rows, at)]
}

// row returns the bounds of the row at a place in the text.
func (f *flow) row(at int) (start, end, line int) {
	l := f.line(at)
	i := lines.Row(l.rows, at)
	end = l.end
	if i+1 < len(l.rows) {
		end = l.rows[i+1]
	}
	return l.rows[i], end, l.start
}

// cut leaves all but the first rows out, if more than one more would follow:
// the row that says so takes a row itself.
func (f *flow) cut(rows int) {
	at, ok := 0, true
	for range rows {
		if at, ok = f.next(at); !ok {
			return
		}
	}
	if _, more := f.next(at); more {
		f.limit = at
	}
}
