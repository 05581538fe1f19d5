package pipeline

import (
	"slices"

	"winnow/tui/draw"
)

// section is a table: its title, its columns and rows.
type section struct {
	title, note string
	columns     []column
	rows        []row
	empty       string // what stands there without rows; "": then it is left out
	line        int    // where its title is
}

// column is a column of a section. When there is no room for all of them, the one with
// the lowest worth goes first, and so does one that is empty.
type column struct {
	head  string
	width int // in cells, with a space; of one that grows, the least
	grow  int // its share of the room that is left
	right bool
	worth int
}

// cell is a text, safe to be shown, and its ink; nil is that of texts.
type cell struct {
	text string
	ink  func(*draw.Inks) draw.Ink
}

// row is a row of a section, and what keys do with it.
type row struct {
	key          string // tells it from others, however often it is read
	cells        []cell // one for each column
	look         func() // nil: enter does nothing
	kind, of     string // what is tried again; of is "" for all of a kind
	job          string // that x stops
	copied, what string // what y copies
}

// sections are all of them, from the top: a new one is a function and a row here.
var sections = []func(*Screen) section{
	(*Screen).jobs, (*Screen).steps, (*Screen).waiting, (*Screen).agents, (*Screen).uploads, (*Screen).earlier,
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
)

// layOut makes the lines of what was read. The cursor stays on its row.
func (s *Screen) layOut() {
	s.sections, s.lines, s.rows = nil, nil, nil
	if !s.state.Came {
		return
	}
	for _, of := range sections {
		sec := of(s)
		if len(sec.rows) == 0 && sec.empty == "" {
			continue
		}
		n := len(s.sections)
		if n > 0 {
			s.lines = append(s.lines, line{n, gapLine})
		}
		sec.line = len(s.lines)
		s.lines = append(s.lines, line{n, titleLine})
		if len(sec.rows) == 0 {
			s.lines = append(s.lines, line{n, emptyLine})
		} else {
			s.lines = append(s.lines, line{n, headLine})
		}
		for i := range sec.rows {
			s.rows = append(s.rows, spot{n, i, len(s.lines)})
			s.lines = append(s.lines, line{n, i})
		}
		s.sections = append(s.sections, sec)
	}
	i := slices.IndexFunc(s.rows, func(at spot) bool { return s.sections[at.section].rows[at.row].key == s.at })
	if i < 0 {
		i = s.cur
	}
	s.pick(i)
}

// widths shares w cells out; 0 is a column that is left out.
func (sec *section) widths(w int) []int {
	shares := make([]int, len(sec.columns))
	order := make([]int, 0, len(shares))
	for i := range sec.columns {
		if slices.ContainsFunc(sec.rows, func(r row) bool { return r.cells[i].text != "" }) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return sec.columns[j].worth - sec.columns[i].worth })
	grow := 0
	for _, i := range order {
		if c := &sec.columns[i]; c.width <= w {
			shares[i] = c.width
			w -= c.width
			grow += c.grow
		}
	}
	for i, c := range sec.columns {
		if shares[i] > 0 && c.grow > 0 {
			more := w * c.grow / grow
			shares[i] += more
			w, grow = w-more, grow-c.grow
		}
	}
	return shares
}
