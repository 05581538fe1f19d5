package tui

import (
	"strings"

	"winnow/core/clean"
	"winnow/core/ledger"
	"winnow/core/session"
	"winnow/tui/draw"
	"winnow/tui/list"
)

const (
	stripHeight  = 3  // below the sources: a rule, the path, what became of it
	leastStrip   = 14 // lines of the body from which there is room for it
	sourceTitle  = 2  // above the lines of a source: its path, its counts
	wideNumbers  = 110
	formatWidth  = 12 // "claude-code" and a space
	minPathWidth = 22 // columns fall away before a path gets shorter
)

// ledgerHeader says which files there are.
func (a *App) ledgerHeader(w int) string {
	t := a.ledger.totals
	parts := []draw.Part{{Text: " " + a.Ink.Name.On("winnow"), Worth: 9, Short: " ", Yield: 3}, {Text: a.Ink.Text.On("ledger"), Worth: 8}}
	if t.Sources > 0 {
		parts = append(parts, draw.Part{Text: a.Ink.Text.On(draw.Plural(t.Sources, "file")), Worth: 6})
	}
	if t.Trouble > 0 {
		parts = append(parts, draw.Part{Text: a.Ink.Fail.On(a.G.Warn+draw.Grouped(t.Trouble)) + a.Ink.Muted.On(" with a problem"), Worth: 7})
	}
	parts = append(parts, a.placeParts(w, 2)...)
	return a.FitParts(parts, w)
}

// ledgerLines draws the level that is open.
func (a *App) ledgerLines(w, height int) []string {
	var lines []string
	switch l := a.ledger; {
	case l.bytes != nil:
		lines = a.bytesLines(w, height)
	case l.source != nil:
		lines = a.sourceLines(w, height)
	default:
		lines = a.sourceListLines(w, height)
	}
	for i := range lines {
		lines[i] = draw.Fit(lines[i], w, a.G.More)
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return lines[:height]
}

// sourceRows returns how many sources are on screen.
func (a *App) sourceRows() int {
	h := a.bodyHeight() - 1 // the heads of the columns
	if a.bodyHeight() >= leastStrip {
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
		c.number, n = counted, 9
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

// counted renders a count in at most eight cells.
func counted(n int) string {
	if n < 10_000_000 {
		return draw.Grouped(n)
	}
	return draw.Short(n)
}

// sourceListLines draws the sources, and below them what there is to say of
// the selected one.
func (a *App) sourceListLines(w, height int) []string {
	p := &a.ledger.sources
	if len(p.Rows) == 0 {
		return a.Centred(w, height, a.noSourcesText(w, p))
	}
	rows := p.Visible()
	pending := false
	for i := range rows {
		pending = pending || rows[i].Lines.Pending > 0
	}
	c := sourceColumnsFor(w, pending)
	lines := []string{c.heads(&a.Ink)}
	for i := range rows {
		k, mark := a.Row(p.Top+i == p.Cur)
		lines = append(lines, a.sourceRow(k, mark, c, &rows[i]))
	}
	if height < leastStrip {
		return lines
	}
	for len(lines) < height-stripHeight {
		lines = append(lines, "")
	}
	s := p.Selected()
	return append(lines, a.Rule(w), " "+a.Ink.Text.On(draw.Tail(a.pathOf(s.Path), w-2, a.G.More)), " "+a.fate(s, ""))
}

func (a *App) noSourcesText(w int, p *list.Paged[ledger.Source, ledger.Key]) []string {
	switch {
	case p.Failed != nil:
		return a.failedText(w, "The sources could not be listed.", p.Failed)
	case !p.Ready:
		return []string{a.Ink.Muted.On("loading")}
	}
	lines := []string{a.Ink.Name.On("Nothing was imported yet."), ""}
	lines = append(lines, a.Wrap(a.Ink.Text, "Every file that is imported is listed here, with what became of its lines.", w)...)
	return append(append(lines, ""), a.ToImport()...)
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

func (a *App) sourceRow(k *draw.Inks, mark string, c sourceColumns, s *ledger.Source) string {
	var b strings.Builder
	b.WriteString(mark)
	if s.Trouble() {
		b.WriteString(k.Fail.On(a.G.Warn))
	} else {
		b.WriteString(k.Text.On(" "))
	}
	b.WriteString(k.Text.On(" "))
	if c.format > 0 {
		format := clean.Line(draw.Head(s.Format))
		if format == "" {
			format = a.G.None
		}
		b.WriteString(k.Muted.On(draw.Fit(format, c.format-1, a.G.More) + " "))
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
	b.WriteString(k.Text.On("  " + draw.Fit(draw.Tail(a.pathOf(s.Path), c.path, a.G.More), c.path, "") + " "))
	return b.String()
}

// pathOf returns a path as it is shown.
func (a *App) pathOf(path string) string {
	if a.shortPath != nil {
		path = a.shortPath(path)
	}
	return clean.Line(draw.Head(path))
}

// fate says in words what became of a source. original is what it holds a copy
// of, "" if that is not known.
func (a *App) fate(s *ledger.Source, original string) string {
	text := a.linesText(s)
	switch {
	case s.Sessions == 0 && s.Reason != "":
		return a.Ink.Fail.On("no session: ") + a.Ink.Text.On(clean.Line(draw.Head(s.Reason))) + a.Ink.Muted.On(" "+a.G.Dot+" "+text)
	case s.Sessions+s.Copies+s.Joined == 0:
		return a.Ink.Fail.On("no session") + a.Ink.Muted.On(" "+a.G.Dot+" "+text)
	}
	return a.Ink.Text.On(a.heldText(s, original)) + a.Ink.Muted.On(" "+a.G.Dot+" "+text)
}

// heldText counts the sessions of a source and those kept elsewhere. original
// is what the first part belongs to, or without parts the first copy.
func (a *App) heldText(s *ledger.Source, original string) string {
	var parts []string
	if s.Sessions > 0 || s.Copies+s.Joined == 0 {
		parts = append(parts, draw.Plural(s.Sessions, "session"))
	}
	switch {
	case s.Joined == 1 && original != "":
		parts = append(parts, "joined with "+a.pathOf(original))
	case s.Joined > 0:
		text := draw.Grouped(s.Joined) + " joined with others"
		if original != "" {
			text += ", the first with " + a.pathOf(original)
		}
		parts = append(parts, text)
	}
	switch of := original != "" && s.Joined == 0; {
	case s.Copies == 1 && of:
		parts = append(parts, "a copy of "+a.pathOf(original))
	case s.Copies == 1:
		parts = append(parts, "1 copy")
	case s.Copies > 1 && of:
		parts = append(parts, draw.Grouped(s.Copies)+" copies, the first of "+a.pathOf(original))
	case s.Copies > 1:
		parts = append(parts, draw.Grouped(s.Copies)+" copies")
	}
	return strings.Join(parts, ", ")
}

// linesText says what became of the lines: the parts add up to the whole.
func (a *App) linesText(s *ledger.Source) string {
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
	return draw.Plural(int(c.Lines()), "line") + ": " + strings.Join(parts, ", ") + " " + a.G.Dot + " " + draw.Bytes(s.Size)
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

// ledgerTold says how much of a line's bytes is below the screen.
func (a *App) ledgerTold() []string {
	if b := a.ledger.bytes; b != nil {
		return a.Below(b.below())
	}
	return nil
}
