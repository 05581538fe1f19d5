package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/export"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

const (
	// twoSides is the width from which the options and what they would do stand
	// side by side; below, tab goes from one to the other.
	twoSides = 72
	// leastForm and mostForm bound the options' side, labelWidth is that of
	// their names.
	leastForm, mostForm, labelWidth = 33, 64, 12
	// mostOutBar is the longest bar of the outcome: it tells which is more, the
	// numbers how much.
	mostOutBar = 30
)

// formWidth is the width of the options' side; all of it where there is no
// room for two.
func formWidth(w int) int {
	if w < twoSides {
		return w
	}
	return max(leastForm, min(w*2/5, mostForm))
}

// outcomeWidth is the width of the other side.
func outcomeWidth(w int) int {
	if w < twoSides {
		return w
	}
	return w - formWidth(w) - 2 // the wall and a space
}

// exportHeader says how far what is shown is known.
func (a *App) exportHeader(w int) string {
	s := a.export
	parts := []draw.Part{{Text: " " + a.Ink.Name.On("winnow"), Worth: 9, Short: " ", Yield: 3}, {Text: a.Ink.Text.On("export"), Worth: 8}}
	c := a.totals.ByVerdict
	parts = append(parts, draw.Part{Text: a.Ink.Approved.On(draw.Grouped(c["approved"])) + a.Ink.Muted.On(" approved of "+draw.Plural(a.totals.Segments, "segment")), Worth: 6})
	switch {
	case s.asking && s.checking() > 0:
		parts = append(parts, draw.Part{Text: a.Ink.Warn.On("checking " + draw.Grouped(s.checking())), Worth: 7})
	case s.asking:
		parts = append(parts, draw.Part{Text: a.Ink.Warn.On("checking"), Worth: 7})
	case s.outdated():
		parts = append(parts, draw.Part{Text: a.Ink.Warn.On("changed since: " + a.keyFor(keys.Reload)), Worth: 7})
	}
	parts = append(parts, a.placeParts(w, 2)...)
	return a.FitParts(parts, w)
}

// checking is how many segments were looked through so far.
func (s *exportScreen) checking() int {
	if r := s.soFar; r != nil {
		return r.Candidates
	}
	return 0
}

// exportLines draws both sides, or the one that has the keys where there is no
// room for two.
func (a *App) exportLines(w, height int) []string {
	s := a.export
	question := a.replaceLines(w)
	height -= len(question)
	fw := formWidth(w)
	var lines []string
	switch {
	case w >= twoSides:
		left, right := a.formLines(fw, height), a.outcomeLines(outcomeWidth(w), height)
		wall := a.Ink.Border.On(a.G.Wall)
		if s.onOutcome {
			wall = a.Ink.Key.On(a.G.Wall)
		}
		for i := range left {
			lines = append(lines, left[i]+wall+" "+right[i])
		}
	case s.onOutcome:
		lines = a.outcomeLines(w, height)
	default:
		lines = append(a.formLines(w, height-1), draw.Fit(a.summary(), w, a.G.More))
	}
	return append(lines, question...)
}

// summary tells the outcome in a line, where it is not in sight.
func (a *App) summary() string {
	s := a.export
	switch {
	case s.failed != nil:
		return " " + a.Ink.Fail.On(clean.Line(draw.Head(s.failed.Error())))
	case !s.came:
		return " " + a.Ink.Muted.On("checking")
	}
	return " " + a.Ink.Name.On(draw.Plural(s.report.Written, "sample")+" of "+draw.Grouped(s.report.Candidates)) + a.Ink.Muted.On("  "+a.keyIn("other-side", keys.InExport)+" tells more")
}

// formLines draws the options, and what the one under the cursor is for.
func (a *App) formLines(w, height int) []string {
	s := a.export
	help := strings.Split(ansi.Wrap(a.optionHelp(s.selected()), max(8, w-3), ""), "\n")
	room := height - len(help) - 1
	if room < min(len(s.rows), 6) {
		help, room = nil, height
	}
	room = min(room, len(s.rows))
	s.top = max(0, min(max(s.top, s.cur-room+1), s.cur, len(s.rows)-room))
	var lines []string
	for i := s.top; i < s.top+room; i++ {
		lines = append(lines, a.optionLine(i, w))
	}
	if help != nil {
		lines = append(lines, draw.Fit("", w, ""))
		for _, l := range help {
			lines = append(lines, draw.Fit("  "+a.Ink.Muted.On(l), w, a.G.More))
		}
	}
	for len(lines) < height {
		lines = append(lines, draw.Fit("", w, ""))
	}
	return lines[:height]
}

// optionLine draws an option.
func (a *App) optionLine(i, w int) string {
	s := a.export
	o, k, mark := &s.rows[i], &a.Ink, " "
	on := i == s.cur
	if on {
		mark = a.Ink.Border.On(a.G.Mark)
		if !s.onOutcome {
			k, mark = &a.Sel, a.Sel.Key.On(a.G.Mark)
		}
	}
	value, ink := clean.Line(draw.Head(s.form.get(o))), k.Text
	if _, set := s.form.values[o.name]; !set {
		ink = k.Muted
	}
	switch {
	case o.name == optTarget && value == "":
		value, ink = a.keyIn("change", keys.InExport)+" names it", k.Warn
	case o.name == optTarget:
		value = draw.Tail(value, w-labelWidth-3, a.G.More)
	case o.name == optFilter && value != none && a.sieve.node != nil:
		value = a.sieve.pretty
	case o.name == optFilter:
		value = "all segments"
	}
	if on && !s.onOutcome && len(o.choices) > 1 {
		value = "< " + value + " >"
	}
	return mark + k.Text.On(" "+draw.Fit(o.name, labelWidth, "")) + ink.On(draw.Fit(value, w-labelWidth-2, a.G.More))
}

// optionHelp says what an option is for; a format says it itself.
func (a *App) optionHelp(o *exportOption) string {
	if o.name != optFormat {
		return o.help
	}
	e, err := export.Find(a.exportForm.word(optFormat))
	if err != nil {
		return err.Error()
	}
	text := sentence(e.Description)
	if e.Losses != "" {
		text += " Cannot carry: " + sentence(e.Losses)
	}
	return text
}

// sentence ends a text with a full stop.
func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }

// outcomeLines draws what the options would do.
func (a *App) outcomeLines(w, height int) []string {
	s := a.export
	lines := a.outcomeFor(w)
	switch {
	case s.failed != nil:
		return a.Centred(w, height, a.failedText(w, "It could not be checked.", s.failed))
	case len(lines) == 0:
		text := "checking"
		if n := s.checking(); n > 0 {
			text += " " + draw.Plural(n, "segment")
		}
		return a.Centred(w, height, []string{a.Ink.Muted.On(text)})
	}
	s.line = max(0, min(s.line, len(lines)-1))
	s.off = max(0, min(max(s.off, s.line-height+1), s.line, len(lines)-height))
	var out []string
	for i := s.off; i < min(len(lines), s.off+height); i++ {
		k, mark := a.Row(i == s.line && s.onOutcome)
		out = append(out, mark+a.outLine(k, &lines[i], w-1))
	}
	for len(out) < height {
		out = append(out, draw.Fit("", w, ""))
	}
	return out
}

// outLine draws a line of the outcome in w cells.
func (a *App) outLine(k *draw.Inks, l *outLine, w int) string {
	var b strings.Builder
	n := 0
	for _, p := range l.pieces {
		text := p.text
		if p.bar > 0 {
			text = strings.Repeat(a.G.Bars[len(a.G.Bars)-2], max(1, int(p.bar*float64(min(w-n-1, mostOutBar)))))
			if w-n-1 < leastBar {
				text = ""
			}
		}
		if ansi.StringWidth(text) > w-n {
			text = draw.Cut(text, w-n, a.G.More)
		}
		b.WriteString(p.ink(k).On(text))
		n += ansi.StringWidth(text)
	}
	b.WriteString(k.Text.On(strings.Repeat(" ", max(0, w-n))))
	return b.String()
}

// replaceLines asks whether a target may be replaced.
func (a *App) replaceLines(w int) []string {
	if !a.export.replace || a.help != nil {
		return nil
	}
	path := a.exportForm.word(optTarget)
	return []string{draw.Fit(" "+a.Ink.Warn.On(draw.Tail(clean.Line(draw.Head(path)), max(8, w-36), a.G.More)+" exists already. Replace it?"), w, a.G.More)}
}

// moveExport moves the cursor of the side that has the keys.
func (a *App) moveExport(m keys.Motion) {
	s := a.export
	at, n := &s.cur, len(s.rows)
	if s.onOutcome {
		at, n = &s.line, len(a.outcomeFor(outcomeWidth(a.w)))
	}
	h := a.bodyHeight()
	*at += map[keys.Motion]int{
		keys.LineDown: 1, keys.LineUp: -1, keys.HalfDown: max(1, h/2), keys.HalfUp: -max(1, h/2), keys.PageDown: max(1, h-1), keys.PageUp: -max(1, h-1), keys.ToStart: -n, keys.ToEnd: n,
	}[m]
	*at = max(0, min(*at, n-1))
}

// below is how many lines of the outcome are below the screen.
func (s *exportScreen) below(height int) int { return max(0, len(s.lines.lines)-s.off-height) }

// folding is what enter unfolds under the cursor of the outcome, "" for nothing.
func (a *App) folding() string {
	lines := a.outcomeFor(outcomeWidth(a.w))
	if at := a.export.line; at < len(lines) {
		return lines[at].fold
	}
	return ""
}

// unfoldOutcome unfolds what is under the cursor, or folds it.
func (a *App) unfoldOutcome() {
	s := a.export
	key := a.folding()
	if s.unfolded[key] = !s.unfolded[key]; s.unfolded[key] {
		s.off = max(s.off, s.line-a.bodyHeight()/3) // so that some of it is seen
	}
	s.lines = forecast{}
}

// exportTold says how much of the outcome is below the screen.
func (a *App) exportTold() []string {
	if a.export.replace {
		return nil
	}
	return a.Below(a.export.below(a.bodyHeight()))
}
