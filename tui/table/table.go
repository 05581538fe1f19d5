// Package table draws screens that are made of tables, one below the other: sections
// with a title, columns and rows, and a cursor that goes from row to row through all of
// them. The cursor stays on its row when everything is read again.
package table

import (
	"slices"

	"winnow/tui/draw"
	"winnow/tui/keys"
)

// Section is a table: its title, its columns and rows.
type Section struct {
	Title, Note string
	Columns     []Column
	Rows        []Row
	Empty       string // what stands there without rows; "": then it is left out
	// Above is drawn between the title and the rows: it is no row.
	Above []string
	Bare  bool // the columns have no heads
	line  int  // where its title is
}

// Column is a column of a section. When there is no room for all of them, the one with
// the lowest worth goes first, and so does one that is empty.
type Column struct {
	Head  string
	Width int // in cells, with a space; of one that grows, the least
	Grow  int // its share of the room that is left
	Right bool
	Worth int
}

// Cell is a text, safe to be shown, and its ink; nil is that of texts.
type Cell struct {
	Text string
	Ink  func(*draw.Inks) draw.Ink
	Tail bool // its end is shown where there is no room for all of it
}

// Muted is a cell that matters less.
func Muted(t string) Cell { return Cell{Text: t, Ink: draw.MutedInk} }

// Warned is a cell that tells what is wrong.
func Warned(t string) Cell { return Cell{Text: t, Ink: func(k *draw.Inks) draw.Ink { return k.Warn }} }

// Inked is a cell in an ink.
func Inked(t string, ink func(*draw.Inks) draw.Ink) Cell { return Cell{Text: t, Ink: ink} }

// Col is a column with all there is to say of it.
func Col(head string, width, grow int, right bool, worth int) Column {
	return Column{head, width, grow, right, worth}
}

// Row is a row of a section, and what keys do with it.
type Row struct {
	Key          string // tells it from others, however often it is read
	Cells        []Cell // one for each column
	Look         func() // nil: there is nothing to go to
	Of           any    // what else the screen knows it by
	Copied, What string // what y copies
}

// spot is where a row is.
type spot struct{ section, row, line int }

// line is a line of the screen: a row of a section, or one of these.
type line struct{ section, row int }

const (
	titleLine = -1 - iota
	headLine
	emptyLine
	gapLine
	aboveLine // and below: the lines above the rows
)

// Page is the sections of a screen, with its cursor.
type Page struct {
	*draw.Pen
	Width, Height int
	Sections      []Section

	lines []line
	rows  []spot // that the cursor goes to
	cur   int
	top   int
	at    string // key of the row under the cursor
}

// Put lays sections out, without those that have nothing to show. The cursor stays on
// its row.
func (p *Page) Put(sections []Section) {
	p.Sections, p.lines, p.rows = nil, nil, nil
	for i := range sections {
		if sec := sections[i]; len(sec.Rows)+len(sec.Above) > 0 || sec.Empty != "" {
			p.add(sec)
		}
	}
	i := slices.IndexFunc(p.rows, func(at spot) bool { return p.row(at).Key == p.at })
	if i < 0 {
		i = p.cur
	}
	p.Pick(i)
}

func (p *Page) add(sec Section) {
	n := len(p.Sections)
	if n > 0 {
		p.lines = append(p.lines, line{n, gapLine})
	}
	sec.line = len(p.lines)
	if sec.Title != "" {
		p.lines = append(p.lines, line{n, titleLine})
	}
	for i := range sec.Above {
		p.lines = append(p.lines, line{n, aboveLine - i})
	}
	switch {
	case len(sec.Rows) == 0 && sec.Empty != "":
		p.lines = append(p.lines, line{n, emptyLine})
	case len(sec.Rows) > 0 && !sec.Bare:
		p.lines = append(p.lines, line{n, headLine})
	}
	for i := range sec.Rows {
		p.rows = append(p.rows, spot{n, i, len(p.lines)})
		p.lines = append(p.lines, line{n, i})
	}
	p.Sections = append(p.Sections, sec)
}

func (p *Page) row(at spot) *Row { return &p.Sections[at.section].Rows[at.row] }

// Selected returns the row under the cursor, or nil.
func (p *Page) Selected() *Row {
	if p.cur >= len(p.rows) {
		return nil
	}
	return p.row(p.rows[p.cur])
}

// AtEnd reports whether the cursor is near the last row.
func (p *Page) AtEnd() bool { return p.cur+p.Height >= len(p.rows) }

// Move moves the cursor.
func (p *Page) Move(m keys.Motion) { p.Pick(p.cur + m.Step(p.Height)) }

// Pick puts the cursor on a row and brings it on the screen, the first one of a section
// with its title.
func (p *Page) Pick(i int) {
	if p.cur = max(0, min(i, len(p.rows)-1)); len(p.rows) == 0 {
		p.at, p.top = "", 0
		return
	}
	p.at = p.Selected().Key
	at := p.rows[p.cur]
	first := at.line
	if at.row == 0 {
		first = p.Sections[at.section].line
	}
	height := p.Height - len(p.whole(p.Width))
	p.top = max(min(p.top, first), at.line-height+1)
	p.top = max(0, min(p.top, len(p.lines)-height))
}

// NextSection goes to the first row of the next section.
func (p *Page) NextSection() {
	for i := p.cur; i < len(p.rows); i++ {
		if p.rows[i].section != p.rows[p.cur].section {
			p.pickSection(i)
			return
		}
	}
}

// PreviousSection goes to the first row of the section, or of the one before.
func (p *Page) PreviousSection() {
	if len(p.rows) == 0 {
		return
	}
	of := p.rows[p.cur].section
	if p.rows[p.cur].row == 0 && p.cur > 0 {
		of = p.rows[p.cur-1].section
	}
	p.pickSection(slices.IndexFunc(p.rows, func(at spot) bool { return at.section == of }))
}

// pickSection puts the cursor on the first row of a section, and brings as many of its
// rows on the screen as there is room for.
func (p *Page) pickSection(i int) {
	p.Pick(i)
	last := p.rows[i].line + len(p.Sections[p.rows[i].section].Rows) - 1
	height := p.Height - len(p.whole(p.Width))
	p.top = max(p.top, min(p.Sections[p.rows[i].section].line, last-height+1))
}

// Click selects the row at a line of the screen; it reports whether it was selected.
func (p *Page) Click(y int) (again bool) {
	i := slices.IndexFunc(p.rows, func(at spot) bool { return at.line == p.top+y })
	if i < 0 {
		return false
	}
	if again = i == p.cur; !again {
		p.Pick(i)
	}
	return again
}

// Copied is what the row under the cursor is called elsewhere.
func (p *Page) Copied() (text, what string) {
	if r := p.Selected(); r != nil {
		return r.Copied, r.What
	}
	return "", ""
}

// widths shares w cells out; 0 is a column that is left out.
func (sec *Section) widths(w int) []int {
	shares := make([]int, len(sec.Columns))
	order := make([]int, 0, len(shares))
	for i := range sec.Columns {
		if slices.ContainsFunc(sec.Rows, func(r Row) bool { return r.Cells[i].Text != "" }) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return sec.Columns[j].Worth - sec.Columns[i].Worth })
	grow := 0
	for _, i := range order {
		if c := &sec.Columns[i]; c.Width <= w {
			shares[i] = c.Width
			w -= c.Width
			grow += c.Grow
		}
	}
	for i, c := range sec.Columns {
		if shares[i] > 0 && c.Grow > 0 {
			more := w * c.Grow / grow
			shares[i] += more
			w, grow = w-more, grow-c.Grow
		}
	}
	return shares
}
