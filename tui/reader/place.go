package reader

import "slices"

// part is a part of a block, from top to bottom.
type part uint8

const (
	gapPart  part = iota // the empty row before it
	headPart             // its headline
	bodyPart             // its text
	tailPart             // how much of the text is left out
)

// place is a row of the segment: in message n, block b, of its text the row
// that holds at. With a nil form at is an offset in the plain text, else it
// is a place in that form. Places stay valid whatever happens to the layout:
// resolve finds the row that shows them now.
type place struct {
	n, b int
	part part
	at   int
	form *form
}

// begins reports whether a message begins with the row.
func (p place) begins() bool { return p.b == 0 && p.part == headPart }

// anchor holds the view: the place stands on a row of the screen, counted
// from 0 at its top, as long as the segment reaches that far on both sides.
type anchor struct {
	place place
	row   int
	// call says that the place is a tool result, and stands as low as it takes to
	// have its call on the screen, too, if that is not far.
	call bool
}

// lastBlock is more than a message has blocks, or the screen rows: it stands for the
// last one.
const lastBlock = 1 << 30

// shape is a block as it shows now.
type shape struct {
	*block
	gap    bool // an empty row before it
	state  foldState
	fits   bool // all there is stands on its headline
	text   flow // of the body
	indent int
}

func (s *shape) hasBody() bool { return s.block.text != "" && s.state >= preview }

// has reports whether a part shows. Of headline and text each block has one.
func (s *shape) has(p part) bool {
	switch p {
	case gapPart:
		return s.gap
	case headPart:
		return s.headline()
	case bodyPart:
		return s.hasBody()
	}
	return s.hasBody() && s.text.limit >= 0
}

// begin returns the first row of a block from a part on.
func (s *shape) begin(n, b int, from part) (place, bool) {
	for p := from; p <= tailPart; p++ {
		if s.has(p) {
			return s.place(n, b, p), true
		}
	}
	return place{}, false
}

// end returns the last row of a block before a part.
func (s *shape) end(n, b int, before part) (place, bool) {
	for p := before; p > gapPart; {
		if p--; s.has(p) {
			end := s.place(n, b, p)
			if p == bodyPart {
				end.at = s.text.last()
			}
			return end, true
		}
	}
	return place{}, false
}

// place returns the first row of a part.
func (s *shape) place(n, b int, p part) place {
	if p != bodyPart {
		return place{n: n, b: b, part: p}
	}
	return place{n: n, b: b, part: p, form: s.text.form}
}

// shape returns block b of message n as it shows now, and the document it is
// part of. b must be one of its blocks.
func (r *Reader) shape(d *document, b int) shape {
	blk := &d.blocks[b]
	s := shape{block: blk, gap: blk.gap && (b > 0 || d.n > r.seg.Start), fits: r.fits(d, b)}
	s.state = r.fold(d, b, s.fits)
	s.indent = r.indentOf(blk)
	if !s.hasBody() {
		return s
	}
	f := r.formOf(d, b, s.state)
	s.text = flow{r: r, blk: blk, form: f, width: max(1, r.widthOf(blk)-r.hang()), limit: -1}
	if s.state == preview {
		s.text.cut(previewRows)
	}
	return s
}

// resolve returns the row that shows a place now.
func (r *Reader) resolve(p place) place {
	p.n = max(r.seg.Start, min(p.n, r.seg.End))
	if n := r.lineOf(p.n); n != p.n {
		p = place{n: n, part: headPart}
	}
	d := r.document(p.n)
	if p.b >= len(d.blocks) {
		return r.lastOf(d, len(d.blocks)-1)
	}
	s := r.shape(d, p.b)
	switch {
	case s.has(p.part):
	case p.part == tailPart:
		return r.lastOf(d, p.b)
	case p.part == bodyPart:
		p.part = headPart
	default:
		p, _ = s.begin(p.n, p.b, p.part)
	}
	if p.part != bodyPart {
		return s.place(p.n, p.b, p.part)
	}
	if p.form != s.text.form {
		p.at = s.text.form.at(p.form.plainAt(p.at, len(s.block.text)), len(s.block.text))
		p.form = s.text.form
	}
	p.at = s.text.floor(p.at)
	if s.text.limit >= 0 && p.at >= s.text.limit {
		return s.place(p.n, p.b, tailPart)
	}
	return p
}

// plainly returns a place that holds on to no rendered form.
func (r *Reader) plainly(p place) place {
	if p.form == nil {
		return p
	}
	if d := r.document(p.n); p.b < len(d.blocks) {
		p.at = p.form.plainAt(p.at, len(d.blocks[p.b].text))
	}
	p.form = nil
	return p
}

// next returns the row below a resolved place.
func (r *Reader) next(p place) (place, bool) {
	d := r.document(p.n)
	s := r.shape(d, p.b)
	if p.part == bodyPart {
		if at, ok := s.text.next(p.at); ok && (s.text.limit < 0 || at < s.text.limit) {
			p.at = at
			return p, true
		}
	}
	if below, ok := s.begin(p.n, p.b, p.part+1); ok {
		return below, true
	}
	if p.b+1 < len(d.blocks) {
		return r.firstOf(d, p.b+1), true
	}
	if n := r.after(p.n); n <= r.seg.End {
		return r.firstOf(r.document(n), 0), true
	}
	return p, false
}

// prev returns the row above a resolved place.
func (r *Reader) prev(p place) (place, bool) {
	d := r.document(p.n)
	s := r.shape(d, p.b)
	if p.part == bodyPart {
		if at, ok := s.text.prev(p.at); ok {
			p.at = at
			return p, true
		}
	}
	if above, ok := s.end(p.n, p.b, p.part); ok {
		return above, true
	}
	if p.b > 0 {
		return r.lastOf(d, p.b-1), true
	}
	if p.n > r.seg.Start {
		d = r.document(r.before(p.n))
		return r.lastOf(d, len(d.blocks)-1), true
	}
	return p, false
}

func (r *Reader) firstOf(d *document, b int) place {
	s := r.shape(d, b)
	p, _ := s.begin(d.n, b, gapPart)
	return p
}

func (r *Reader) lastOf(d *document, b int) place {
	s := r.shape(d, b)
	p, _ := s.end(d.n, b, tailPart+1)
	return p
}

// walk returns the row at p and those that steps lead to from there, at most so
// many.
func walk(p place, most int, step func(place) (place, bool)) []place {
	rows := []place{p}
	for len(rows) < most {
		next, ok := step(rows[len(rows)-1])
		if !ok {
			break
		}
		rows = append(rows, next)
	}
	return rows
}

// frame returns the rows on the screen, at most h. If the segment ends above
// the lower edge, rows from above fill the screen.
func (r *Reader) frame(h int) []place {
	if r.seg.ID == "" || h <= 0 {
		return nil
	}
	at, row := r.resolve(r.anchor.place), r.anchor.row
	if r.anchor.call {
		row = r.rowsToCall(at, h)
	}
	above := walk(at, min(row, h-1)+1, r.prev)
	top := above[len(above)-1]
	rows := walk(top, h, r.next)
	if len(rows) == h {
		return rows
	}
	above = walk(top, h-len(rows)+1, r.prev)
	slices.Reverse(above)
	return append(above, rows[1:]...)
}

// shown returns the rows on the screen, none without a segment.
func (r *Reader) shown() []place { return r.frame(r.rows()) }
