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

// anchor holds the view: the place stands on a row of the screen, counted
// from 0 at its top, as long as the segment reaches that far on both sides.
type anchor struct {
	place place
	row   int
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

func (s *shape) first() part {
	switch {
	case s.gap:
		return gapPart
	case s.headline():
		return headPart
	}
	return bodyPart
}

func (s *shape) hasBody() bool { return s.block.text != "" && s.state >= preview }

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
	s.text = flow{r: r, blk: blk, form: f, width: max(1, r.width()-s.indent-r.hang()), limit: -1}
	if s.state == preview {
		s.text.cut(previewRows)
	}
	return s
}

// last returns the last place of a shape.
func (s *shape) last(n, b int) place {
	p := place{n: n, b: b, part: headPart}
	switch {
	case s.hasBody() && s.text.limit >= 0:
		p.part = tailPart
	case s.hasBody():
		p.part, p.at, p.form = bodyPart, s.text.last(), s.text.form
	case !s.headline():
		p.part = bodyPart
	}
	return p
}

// resolve returns the row that shows a place now.
func (r *Reader) resolve(p place) place {
	p.n = max(r.seg.Start, min(p.n, r.seg.End))
	d := r.document(p.n)
	if p.b >= len(d.blocks) {
		b := len(d.blocks) - 1
		s := r.shape(d, b)
		return s.last(p.n, b)
	}
	s := r.shape(d, p.b)
	if p.part == gapPart && !s.gap {
		p.part = headPart
	}
	if p.part == headPart && !s.headline() {
		p.part, p.at, p.form = bodyPart, 0, nil
	}
	if p.part == tailPart && (!s.hasBody() || s.text.limit < 0) {
		return s.last(p.n, p.b)
	}
	if p.part != bodyPart {
		return place{n: p.n, b: p.b, part: p.part}
	}
	if !s.hasBody() {
		return place{n: p.n, b: p.b, part: headPart}
	}
	if p.form != s.text.form {
		p.at = s.text.form.at(p.form.plainAt(p.at, len(s.block.text)), len(s.block.text))
		p.form = s.text.form
	}
	p.at = s.text.floor(p.at)
	if s.text.limit >= 0 && p.at >= s.text.limit {
		return place{n: p.n, b: p.b, part: tailPart}
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
	switch p.part {
	case gapPart:
		if s.headline() {
			return place{n: p.n, b: p.b, part: headPart}, true
		}
		return place{n: p.n, b: p.b, part: bodyPart, form: s.text.form}, true
	case headPart:
		if s.hasBody() {
			return place{n: p.n, b: p.b, part: bodyPart, form: s.text.form}, true
		}
	case bodyPart:
		at, ok := s.text.next(p.at)
		if ok && s.text.limit >= 0 && at >= s.text.limit {
			return place{n: p.n, b: p.b, part: tailPart}, true
		}
		if ok {
			p.at = at
			return p, true
		}
	}
	if p.b+1 < len(d.blocks) {
		return r.firstOf(d, p.b+1), true
	}
	if p.n < r.seg.End {
		return r.firstOf(r.document(p.n+1), 0), true
	}
	return p, false
}

// prev returns the row above a resolved place.
func (r *Reader) prev(p place) (place, bool) {
	d := r.document(p.n)
	s := r.shape(d, p.b)
	switch p.part {
	case tailPart:
		if at, ok := s.text.prev(s.text.limit); ok {
			return place{n: p.n, b: p.b, part: bodyPart, at: at, form: s.text.form}, true
		}
	case bodyPart:
		if at, ok := s.text.prev(p.at); ok {
			p.at = at
			return p, true
		}
		if s.headline() {
			return place{n: p.n, b: p.b, part: headPart}, true
		}
		if s.gap {
			return place{n: p.n, b: p.b, part: gapPart}, true
		}
	case headPart:
		if s.gap {
			return place{n: p.n, b: p.b, part: gapPart}, true
		}
	}
	b := p.b - 1
	if b < 0 {
		if p.n <= r.seg.Start {
			return p, false
		}
		d = r.document(p.n - 1)
		b = len(d.blocks) - 1
	}
	above := r.shape(d, b)
	return above.last(d.n, b), true
}

func (r *Reader) firstOf(d *document, b int) place {
	s := r.shape(d, b)
	p := place{n: d.n, b: b, part: s.first()}
	if p.part == bodyPart {
		p.form = s.text.form
	}
	return p
}

// back walks up to rows rows up and returns how far it came.
func (r *Reader) back(p place, rows int) (place, int) { return walk(p, rows, r.prev) }

// forward walks up to rows rows down and returns how far it came.
func (r *Reader) forward(p place, rows int) (place, int) { return walk(p, rows, r.next) }

// walk takes up to rows steps and returns how many it took.
func walk(p place, rows int, step func(place) (place, bool)) (place, int) {
	for i := range rows {
		next, ok := step(p)
		if !ok {
			return p, i
		}
		p = next
	}
	return p, rows
}

// frame returns the rows on the screen, at most h. If the segment ends above
// the lower edge, rows from above fill the screen.
func (r *Reader) frame(h int) []place {
	if r.seg.ID == "" || h <= 0 {
		return nil
	}
	p := r.resolve(r.anchor.place)
	top, _ := r.back(p, min(r.anchor.row, h-1))
	rows := make([]place, 1, h)
	rows[0] = top
	for len(rows) < h {
		below, ok := r.next(rows[len(rows)-1])
		if !ok {
			break
		}
		rows = append(rows, below)
	}
	missing := h - len(rows)
	if missing == 0 {
		return rows
	}
	filled := make([]place, 0, h)
	for above := top; missing > 0; missing-- {
		var ok bool
		if above, ok = r.prev(above); !ok {
			break
		}
		filled = append(filled, above)
	}
	slices.Reverse(filled)
	return append(filled, rows...)
}
