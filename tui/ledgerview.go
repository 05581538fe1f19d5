package tui

import (
	"fmt"
	"strings"

	"winnow/core/clean"
	"winnow/core/ledger"
	"winnow/core/session"
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
	parts := []part{{text: " " + a.ink.name.on("winnow"), worth: 9, short: " ", yield: 3}, {text: a.ink.text.on("ledger"), worth: 8}}
	if t.Sources > 0 {
		parts = append(parts, part{text: a.ink.text.on(plural(t.Sources, "file")), worth: 6})
	}
	if t.Trouble > 0 {
		parts = append(parts, part{text: a.ink.fail.on(a.g.warn+grouped(t.Trouble)) + a.ink.muted.on(" with a problem"), worth: 7})
	}
	parts = append(parts, a.placeParts(w, 2)...)
	return a.fitParts(parts, w)
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
		lines[i] = fit(lines[i], w, a.g.more)
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
	c := sourceColumns{number: tight}
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
		return grouped(n)
	}
	return short(n)
}

// sourceListLines draws the sources, and below them what there is to say of
// the selected one.
func (a *App) sourceListLines(w, height int) []string {
	p := &a.ledger.sources
	if len(p.rows) == 0 {
		return a.centred(w, height, a.noSourcesText(w, p))
	}
	rows := p.visible()
	pending := false
	for i := range rows {
		pending = pending || rows[i].Lines.Pending > 0
	}
	c := sourceColumnsFor(w, pending)
	lines := []string{c.heads(&a.ink)}
	for i := range rows {
		k, mark := &a.ink, " "
		if p.top+i == p.cur {
			k, mark = &a.sel, a.sel.key.on(a.g.mark)
		}
		lines = append(lines, a.sourceRow(k, mark, c, &rows[i]))
	}
	if height < leastStrip {
		return lines
	}
	for len(lines) < height-stripHeight {
		lines = append(lines, "")
	}
	s := p.selected()
	return append(lines, a.rule(w), " "+a.ink.text.on(tail(a.pathOf(s.Path), w-2, a.g.more)), " "+a.fate(s, ""))
}

func (a *App) noSourcesText(w int, p *pager[ledger.Source, ledger.Key]) []string {
	switch {
	case p.failed != nil:
		return a.failedText(w, "The sources could not be listed.", p.failed)
	case !p.ready:
		return []string{a.ink.muted.on("loading")}
	}
	lines := []string{a.ink.name.on("Nothing was imported yet."), ""}
	lines = append(lines, a.wrap(a.ink.text, "Every file that is imported is listed here, with what became of its lines.", w)...)
	return append(append(lines, ""), a.importText()...)
}

func (c sourceColumns) heads(k *inks) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", rowHead))
	if c.format > 0 {
		b.WriteString(fit("format", c.format, ""))
	}
	for _, col := range c.numbers(&ledger.Source{}) {
		b.WriteString(right(col.name, col.width))
	}
	return k.muted.on(b.String() + "  file")
}

// numberColumn is a column of counts.
type numberColumn struct {
	name  string
	width int
	n     int64
	ink   func(*inks) ink
}

func (c sourceColumns) numbers(s *ledger.Source) []numberColumn {
	text := func(k *inks) ink { return k.text }
	muted := func(k *inks) ink { return k.muted }
	return []numberColumn{
		{"read", c.read, s.Lines.Read, text}, {"skipped", c.skipped, s.Lines.Skipped, muted},
		{"bad", c.bad, s.Lines.Bad, func(k *inks) ink { return k.fail }},
		{"unfinished", c.pending, s.Lines.Pending, func(k *inks) ink { return k.warn }},
		{"sessions", c.sessions, int64(s.Sessions), text},
	}
}

func (a *App) sourceRow(k *inks, mark string, c sourceColumns, s *ledger.Source) string {
	var b strings.Builder
	b.WriteString(mark)
	if s.Trouble() {
		b.WriteString(k.fail.on(a.g.warn))
	} else {
		b.WriteString(k.text.on(" "))
	}
	b.WriteString(k.text.on(" "))
	if c.format > 0 {
		format := clean.Line(head(s.Format))
		if format == "" {
			format = a.g.none
		}
		b.WriteString(k.muted.on(fit(format, c.format-1, a.g.more) + " "))
	}
	for _, col := range c.numbers(s) {
		ink := col.ink(k)
		if col.n == 0 {
			ink = k.muted
			if col.name == "sessions" && s.Copies+s.Joined == 0 {
				ink = k.fail
			}
		}
		b.WriteString(ink.on(right(c.number(int(col.n)), col.width)))
	}
	b.WriteString(k.text.on("  " + fit(tail(a.pathOf(s.Path), c.path, a.g.more), c.path, "") + " "))
	return b.String()
}

// pathOf returns a path as it is shown.
func (a *App) pathOf(path string) string {
	if a.shortPath != nil {
		path = a.shortPath(path)
	}
	return clean.Line(head(path))
}

// fate says in words what became of a source. original is what it holds a copy
// of, "" if that is not known.
func (a *App) fate(s *ledger.Source, original string) string {
	text := a.linesText(s)
	switch {
	case s.Sessions == 0 && s.Reason != "":
		return a.ink.fail.on("no session: ") + a.ink.text.on(clean.Line(head(s.Reason))) + a.ink.muted.on(" "+a.g.dot+" "+text)
	case s.Sessions+s.Copies+s.Joined == 0:
		return a.ink.fail.on("no session") + a.ink.muted.on(" "+a.g.dot+" "+text)
	}
	return a.ink.text.on(a.heldText(s, original)) + a.ink.muted.on(" "+a.g.dot+" "+text)
}

// heldText counts the sessions of a source and those kept elsewhere. original
// is what the first part belongs to, or without parts the first copy.
func (a *App) heldText(s *ledger.Source, original string) string {
	var parts []string
	if s.Sessions > 0 || s.Copies+s.Joined == 0 {
		parts = append(parts, plural(s.Sessions, "session"))
	}
	switch {
	case s.Joined == 1 && original != "":
		parts = append(parts, "joined with "+a.pathOf(original))
	case s.Joined > 0:
		text := grouped(s.Joined) + " joined with others"
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
		parts = append(parts, grouped(s.Copies)+" copies, the first of "+a.pathOf(original))
	case s.Copies > 1:
		parts = append(parts, grouped(s.Copies)+" copies")
	}
	return strings.Join(parts, ", ")
}

// linesText says what became of the lines: the parts add up to the whole.
func (a *App) linesText(s *ledger.Source) string {
	c := s.Lines
	parts := []string{grouped(int(c.Read)) + " read"}
	for _, p := range []struct {
		n    int64
		word string
	}{{c.Skipped, "skipped"}, {c.Bad, "bad"}, {c.Pending, "unfinished"}} {
		if p.n > 0 {
			parts = append(parts, grouped(int(p.n))+" "+p.word)
		}
	}
	return plural(int(c.Lines()), "line") + ": " + strings.Join(parts, ", ") + " " + a.g.dot + " " + bytesText(s.Size)
}

// bytesText renders a size: 999 B, 1.2 kB, 35 MB.
func bytesText(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	v, u := float64(n)/1000, 0
	for v >= 999.5 && u < len(units)-1 {
		v, u = v/1000, u+1
	}
	if v < 9.95 {
		return fmt.Sprintf("%.1f %cB", v, units[u])
	}
	return fmt.Sprintf("%.0f %cB", v, units[u])
}

func (a *App) rule(w int) string { return a.ink.border.on(strings.Repeat(a.g.rule, w)) }

// severityInk returns the ink of a line's fate.
func severityInk(k *inks, s session.Severity) ink {
	switch s {
	case session.Bad:
		return k.fail
	case session.Pending:
		return k.warn
	}
	return k.muted
}

// severityWord names what became of a line as everywhere else.
func severityWord(s session.Severity) string {
	if s == session.Pending {
		return "unfinished"
	}
	return clean.Line(head(string(s)))
}

// ledgerTold says how much of a line's bytes is below the screen.
func (a *App) ledgerTold() []string {
	if b := a.ledger.bytes; b != nil {
		return a.linesBelow(b.below())
	}
	return nil
}
