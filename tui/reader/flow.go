package reader

// flow is the text of a block, broken into rows of a width on demand. Places
// in it are offsets in a text or indexes of rendered rows.
type flow struct {
	r     *Reader
	blk   *block
	form  *form
	width int
	limit int // the place behind the rows shown, -1: all are
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

// line returns the rows of the line that holds at, its end and the start of
// the next line, -1 if there is none.
func (f *flow) line(at int) (rows []int, end, next int) {
	s := f.source()
	start := lineStart(s, at)
	end, next = lineEnd(s, start)
	key := wrapKey{f.blk, f.form, start, f.width}
	rows, ok := f.r.wraps[key]
	if !ok {
		if len(f.r.wraps) >= wrapsKept {
			clear(f.r.wraps)
		}
		rows = wrapLine(nil, s, start, end, f.width)
		f.r.wraps[key] = rows
	}
	return rows, end, next
}

// floor returns the place of the row that holds at.
func (f *flow) floor(at int) int {
	if f.isRows() {
		return max(0, min(at, len(f.form.rows)-1))
	}
	rows, _, _ := f.line(max(0, min(at, len(f.source()))))
	return rows[rowOf(rows, at)]
}

func (f *flow) next(at int) (int, bool) {
	if f.isRows() {
		return at + 1, at+1 < len(f.form.rows)
	}
	rows, _, next := f.line(at)
	if i := rowOf(rows, at); i+1 < len(rows) {
		return rows[i+1], true
	}
	return next, next >= 0
}

func (f *flow) prev(at int) (int, bool) {
	if f.isRows() {
		return at - 1, at > 0
	}
	rows, _, _ := f.line(at)
	if i := rowOf(rows, at); i > 0 {
		return rows[i-1], true
	}
	above, ok := prevLine(f.source(), rows[0])
	if !ok {
		return 0, false
	}
	rows, _, _ = f.line(above)
	return rows[len(rows)-1], true
}

func (f *flow) last() int {
	if f.isRows() {
		return len(f.form.rows) - 1
	}
	rows, _, _ := f.line(len(f.source()))
	return rows[len(rows)-1]
}

// row returns the bounds of the row at a place in the text.
func (f *flow) row(at int) (start, end, line int) {
	rows, lineEnd, _ := f.line(at)
	i := rowOf(rows, at)
	if i+1 < len(rows) {
		lineEnd = rows[i+1]
	}
	return rows[i], lineEnd, rows[0]
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
