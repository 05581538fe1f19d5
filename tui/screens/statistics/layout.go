package statistics

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/tui/keys"
)

// twoColumns is the width from which tables stand in two columns.
const twoColumns = 140

// layout says what stands on which line. It is made anew when the tables
// or the width change; drawing and moving look things up in it.
type layout struct {
	width   int // of the screen
	column  int // of a column
	columns [][]line
	places  []place // of rows, in the order of the cursor
	lines   int     // of the longest column
}

// line is a line of a column: of a row, or with row < 0 what else a table
// has.
type line struct{ section, row, part int }

// What a table has besides its rows.
const (
	titleLine = -1 - iota
	headLine
	gapLine
)

// place is where a row stands.
type place struct {
	column, line, height int
	lead                 int // lines above it that belong to it
}

// layOut makes the layout for the width, if it is not the one that is there.
func (s *Screen) layOut() {
	l, w := &s.layout, s.width
	if l.width == w {
		return
	}
	*l = layout{width: w, column: w}
	if w >= twoColumns {
		l.column = (w - 3) / 2 // the wall with a space on either side
	}
	blocks := make([][]line, len(s.sections))
	total := 0
	for i := range s.sections {
		blocks[i] = s.sections[i].lines(i, l.column)
		total += len(blocks[i])
	}
	l.columns = [][]line{nil}
	for _, b := range blocks {
		at := len(l.columns) - 1
		if have := len(l.columns[at]); w >= twoColumns && at == 0 && have > 0 && have+len(b)/2 >= total/2 {
			l.columns = append(l.columns, nil)
			at++
		}
		l.columns[at] = append(l.columns[at], b...)
	}
	for c, lines := range l.columns {
		l.lines = max(l.lines, len(lines)-1) // no gap after the last table
		lead := 0
		for i, line := range lines {
			switch {
			case line.row < 0:
				lead++
			case line.part > 0:
				l.places[len(l.places)-1].height++
			default:
				l.places = append(l.places, place{column: c, line: i, height: 1, lead: lead})
				lead = 0
			}
			if line.row == gapLine {
				lead = 0
			}
		}
	}
}

// lines lists the lines of a table in a column of some width.
func (sec *section) lines(section, w int) []line {
	lines := []line{{section, titleLine, 0}}
	heads := sec.head == ""
	for i := range sec.rows {
		r := &sec.rows[i]
		if !r.whole && !heads { // behind what is said of the table
			lines, heads = append(lines, line{section, headLine, 0}), true
		}
		parts := 1
		if r.whole {
			parts = len(wrapped(r.name, w))
		}
		for p := range parts {
			lines = append(lines, line{section, i, p})
		}
	}
	return append(lines, line{section, gapLine, 0})
}

// wrapped breaks a text into lines of a column.
func wrapped(text string, w int) []string {
	return strings.Split(ansi.Wrap(text, max(1, w-3), ""), "\n")
}

// Move moves the cursor.
func (s *Screen) Move(m keys.Motion) {
	switch m {
	case keys.HalfDown, keys.HalfUp, keys.PageDown, keys.PageUp:
		s.skip(m.Step(s.height))
	default:
		s.cur += m.Step(s.height)
	}
	s.cur = max(0, min(s.cur, len(s.layout.places)-1))
}

// skip moves by lines within the column, and from its end on to the next one.
func (s *Screen) skip(lines int) {
	if len(s.layout.places) == 0 {
		return
	}
	from := s.layout.places[s.cur]
	at := s.layout.nearest(from.column, from.line+lines)
	if at == s.cur {
		at += map[bool]int{true: 1, false: -1}[lines > 0]
	}
	s.cur = at
}

// nearest returns the row of a column that is the nearest to a line.
func (l *layout) nearest(column, line int) int {
	best, least := 0, 1<<30
	for i, p := range l.places {
		if d := max(p.line-line, line-p.line); p.column == column && d < least {
			best, least = i, d
		}
	}
	return best
}

// otherColumn goes to the row beside the cursor.
func (s *Screen) otherColumn() {
	from := s.layout.places[s.cur]
	s.cur = s.layout.nearest(1-from.column, from.line)
}

// scroll brings the row under the cursor, and the heads above it, into sight.
func (s *Screen) scroll() {
	height := s.height
	if len(s.layout.places) == 0 {
		s.top = 0
		return
	}
	p := s.layout.places[s.cur]
	s.top = max(s.top, p.line+p.height-height)
	s.top = min(s.top, p.line-min(p.lead, max(0, height-p.height)))
	s.top = max(0, min(s.top, s.layout.lines-height))
}

// Click selects a row; a second click narrows the filter to it.
func (s *Screen) Click(x, y int) {
	column, line := 0, s.top+y
	if x > s.layout.column {
		column = 1
	}
	for row, p := range s.layout.places {
		if p.column != column || line < p.line || line >= p.line+p.height {
			continue
		}
		if row == s.cur {
			s.Act("narrow")
			return
		}
		s.cur = row
	}
}
