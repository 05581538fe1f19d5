package ledger

import (
	"cmp"
	"fmt"
	"strings"

	"winnow/core/clean"
	"winnow/core/ledger"
	"winnow/core/session"
	"winnow/tui/draw"
	"winnow/tui/list"
)

const (
	rowHead      = 3  // mark, sign of trouble, space
	stripHeight  = 3  // below the sources: a rule, the path, what became of it
	leastStrip   = 14 // lines of the body from which there is room for it
	sourceTitle  = 2  // above the lines of a source: its path, its counts
	wideNumbers  = 110
	formatWidth  = 12 // "claude-code" and a space
	minPathWidth = 22 // columns fall away before a path gets shorter
)

// Header says which files there are.
func (l *Screen) Header(int) []draw.Part {
	t := l.totals.Got
	parts := []draw.Part{{Text: l.Ink.Text.On("ledger"), Worth: 8}}
	if t.Sources > 0 {
		parts = append(parts, draw.Part{Text: l.Ink.Text.On(draw.Plural(t.Sources, "file")), Worth: 6})
	}
	if t.Trouble > 0 {
		parts = append(parts, draw.Part{Text: l.Ink.Fail.On(l.G.Warn+draw.Grouped(t.Trouble)) + l.Ink.Muted.On(" with a problem"), Worth: 7})
	}
	return parts
}

// Lines draws the level that is open.
func (l *Screen) Lines(w, height int) []string {
	var lines []string
	switch {
	case l.bytes != nil:
		lines = l.bytesLines(w)
	case l.source != nil:
		lines = l.sourceLines(w, height)
	default:
		lines = l.sourceListLines(w, height)
	}
	return l.Filled(lines, w, height)
}

// sourceRows returns how many sources are on screen.
func (l *Screen) sourceRows() int {
	h := l.height - 1 // the heads of the columns
	if l.height >= leastStrip {
		h -= stripHeight
	}
	return h
}

// sourceColumns are the widths of a source row's parts in cells; 0 is left
// out.
type sourceColumns struct {
	format, read, skipped, bad, pending, sessions, path int
	number                                              func(int) string
}

func sourceColumnsFor(w int, pending bool) sourceColumns {
	c := sourceColumns{number: draw.Tight}
	n := 6
	if w >= wideNumbers {
		c.number, n = draw.Counted, 9
	}
	rest := w - rowHead - 1
	take := func(into *int, n int) {
		if rest-n >= minPathWidth {
			rest -= n
			*into = n
		}
	}
	take(&c.bad, n)
	take(&c.sessions, max(n, 10))
	take(&c.skipped, max(n, 9))
	take(&c.format, formatWidth)
	take(&c.read, n)
	if pending {
		take(&c.pending, 12)
	}
	c.path = max(0, rest-2)
	return c
}

// sourceListLines draws the sources, and below them what there is to say of
// the selected one.
func (l *Screen) sourceListLines(w, height int) []string {
	p := &l.sources
	if len(p.Rows) == 0 {
		return l.Centred(w, height, l.noSourcesText(w, p))
	}
	rows := p.Visible()
	pending := false
	for i := range rows {
		pending = pending || rows[i].Lines.Pending > 0
	}
	c := sourceColumnsFor(w, pending)
	lines := []string{c.heads(&l.Ink)}
	for i := range rows {
		k, mark := l.Row(p.Top+i == p.Cur)
		lines = append(lines, l.sourceRow(k, mark, c, &rows[i]))
	}
	if height < leastStrip {
		return lines
	}
	for len(lines) < height-stripHeight {
		lines = append(lines, "")
	}
	s := p.Selected()
	return append(lines, l.Rule(w), " "+l.Ink.Text.On(draw.Tail(l.ShortPath(s.Path), w-2, l.G.More)), " "+l.fate(s, ""))
}

func (l *Screen) noSourcesText(w int, p *list.Paged[ledger.Source, ledger.Key]) []string {
	switch {
	case p.Failed() != nil:
		return l.Unread(w, "The sources could not be listed.", p.Failed())
	case !p.Ready():
		return []string{l.Ink.Muted.On("loading")}
	}
	lines := []string{l.Ink.Name.On("Nothing is imported yet."), ""}
	lines = append(lines, l.Wrap(l.Ink.Text, "Every imported file is listed here, with what became of its lines.", w)...)
	return append(append(lines, ""), l.ToImport()...)
}

func (c sourceColumns) heads(k *draw.Inks) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", rowHead))
	if c.format > 0 {
		b.WriteString(draw.Fit("format", c.format, ""))
	}
	for _, col := range c.numbers(&ledger.Source{}) {
		b.WriteString(draw.Right(col.name, col.width))
	}
	return k.Muted.On(b.String() + "  file")
}

// numberColumn is a column of counts.
type numberColumn struct {
	name  string
	width int
	n     int64
	ink   func(*draw.Inks) draw.Ink
}

func (c sourceColumns) numbers(s *ledger.Source) []numberColumn {
	text := func(k *draw.Inks) draw.Ink { return k.Text }
	muted := func(k *draw.Inks) draw.Ink { return k.Muted }
	return []numberColumn{
		{"read", c.read, s.Lines.Read, text}, {"skipped", c.skipped, s.Lines.Skipped, muted},
		{"bad", c.bad, s.Lines.Bad, func(k *draw.Inks) draw.Ink { return k.Fail }},
		{"unfinished", c.pending, s.Lines.Pending, func(k *draw.Inks) draw.Ink { return k.Warn }},
		{"sessions", c.sessions, int64(s.Sessions), text},
	}
}

func (l *Screen) sourceRow(k *draw.Inks, mark string, c sourceColumns, s *ledger.Source) string {
	var b strings.Builder
	b.WriteString(mark)
	if s.Trouble() {
		b.WriteString(k.Fail.On(l.G.Warn))
	} else {
		b.WriteString(k.Text.On(" "))
	}
	b.WriteString(k.Text.On(" "))
	if c.format > 0 {
		format := cmp.Or(clean.Line(draw.Head(s.Format)), l.G.None)
		b.WriteString(k.Muted.On(draw.Fit(format, c.format-1, l.G.More) + " "))
	}
	for _, col := range c.numbers(s) {
		ink := col.ink(k)
		if col.n == 0 {
			ink = k.Muted
			if col.name == "sessions" && s.Copies+s.Joined == 0 {
				ink = k.Fail
			}
		}
		b.WriteString(ink.On(draw.Right(c.number(int(col.n)), col.width)))
	}
	b.WriteString(k.Text.On("  " + draw.Fit(draw.Tail(l.ShortPath(s.Path), c.path, l.G.More), c.path, "") + " "))
	return b.String()
}

// fate says in words what became of a source. original is what it holds a copy
// of, "" if that is not known.
func (l *Screen) fate(s *ledger.Source, original string) string {
	text := l.linesText(s)
	switch {
	case s.Sessions == 0 && s.Reason != "":
		return l.Ink.Fail.On("no session: ") + l.Ink.Text.On(clean.Line(draw.Head(s.Reason))) + l.Ink.Muted.On(" "+l.G.Dot+" "+text)
	case s.Sessions+s.Copies+s.Joined == 0:
		return l.Ink.Fail.On("no session") + l.Ink.Muted.On(" "+l.G.Dot+" "+text)
	}
	return l.Ink.Text.On(l.heldText(s, original)) + l.Ink.Muted.On(" "+l.G.Dot+" "+text)
}

// heldText counts the sessions of a source and those kept elsewhere. original
// is what the first part belongs to, or without parts the first copy.
func (l *Screen) heldText(s *ledger.Source, original string) string {
	var parts []string
	if s.Sessions > 0 || s.Copies+s.Joined == 0 {
		parts = append(parts, draw.Plural(s.Sessions, "session"))
	}
	switch {
	case s.Joined == 1 && original != "":
		parts = append(parts, "joined with "+l.ShortPath(original))
	case s.Joined > 0:
		text := draw.Grouped(s.Joined) + " joined with others"
		if original != "" {
			text += ", the first with " + l.ShortPath(original)
		}
		parts = append(parts, text)
	}
	switch of := original != "" && s.Joined == 0; {
	case s.Copies == 1 && of:
		parts = append(parts, "a copy of "+l.ShortPath(original))
	case s.Copies == 1:
		parts = append(parts, "1 copy")
	case s.Copies > 1 && of:
		parts = append(parts, draw.Grouped(s.Copies)+" copies, the first of "+l.ShortPath(original))
	case s.Copies > 1:
		parts = append(parts, draw.Grouped(s.Copies)+" copies")
	}
	return strings.Join(parts, ", ")
}

// linesText says what became of the lines: the parts add up to the whole.
func (l *Screen) linesText(s *ledger.Source) string {
	c := s.Lines
	parts := []string{draw.Grouped(int(c.Read)) + " read"}
	for _, p := range []struct {
		n    int64
		word string
	}{{c.Skipped, "skipped"}, {c.Bad, "bad"}, {c.Pending, "unfinished"}} {
		if p.n > 0 {
			parts = append(parts, draw.Grouped(int(p.n))+" "+p.word)
		}
	}
	return draw.Plural(int(c.Lines()), "line") + ": " + strings.Join(parts, ", ") + " " + l.G.Dot + " " + draw.Bytes(s.Size)
}

// severityInk returns the ink of a line's fate.
func severityInk(k *draw.Inks, s session.Severity) draw.Ink {
	switch s {
	case session.Bad:
		return k.Fail
	case session.Pending:
		return k.Warn
	}
	return k.Muted
}

// severityWord names what became of a line as everywhere else.
func severityWord(s session.Severity) string {
	if s == session.Pending {
		return "unfinished"
	}
	return clean.Line(draw.Head(string(s)))
}

// Footer says how much of a line's bytes is below the screen.
func (l *Screen) Footer() []string {
	if l.bytes == nil {
		return nil
	}
	return l.Below(l.bytes.below())
}

// Copied is the path of the file under the cursor, or the place of a line.
func (l *Screen) Copied() (text, what string) {
	if l.source == nil {
		if s := l.sources.Selected(); s != nil {
			return s.Path, "the path of " + l.ShortPath(s.Path)
		}
		return "", ""
	}
	path := l.source.Path
	if i := l.source.lines.Selected(); i != nil && (!l.source.onTop || l.bytes != nil) {
		return fmt.Sprintf("%s:%d", path, i.Line), fmt.Sprintf("the place of line %d", i.Line)
	}
	return path, "the path of " + l.ShortPath(path)
}

// Click selects a source; a second click looks into it.
func (l *Screen) Click(_, y int) {
	if l.source == nil && l.sources.Click(y-1) { // less the heads of the columns
		l.Act("look")
	}
}
