package export

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

// Header says how far what is shown is known.
func (s *Screen) Header(int) []draw.Part {
	t := s.program.Totals()
	parts := []draw.Part{
		{Text: s.Ink.Text.On("export"), Worth: 8},
		{Text: s.Ink.Approved.On(draw.Grouped(t.ByVerdict["approved"])) + s.Ink.Muted.On(" approved of "+draw.Plural(t.Segments, "segment")), Worth: 6},
	}
	state := "checking"
	switch {
	case s.asking && s.checking() > 0:
		state += " " + draw.Grouped(s.checking())
	case s.asking:
	case s.outdated():
		state = "changed since: " + s.Key(keys.Reload)
	default:
		return parts
	}
	return append(parts, draw.Part{Text: s.Ink.Warn.On(state), Worth: 7})
}

// checking is how many segments were looked through so far.
func (s *Screen) checking() int {
	if r := s.soFar; r != nil {
		return r.Candidates
	}
	return 0
}

// arrange makes the lines of the outcome for the size of the screen, and brings
// what is under the cursor of either side on screen.
func (s *Screen) arrange() {
	s.lines = s.forecastFor(outcomeWidth(s.width))
	height := s.height
	if s.replace {
		height--
	}
	if n := len(s.lines.lines); s.sees() {
		s.line = max(0, min(s.line, n-1))
		s.off = max(0, min(max(s.off, s.line-height+1), s.line, n-height))
	}
	if s.width < twoSides {
		height-- // the summary
	}
	_, room := s.formRoom(formWidth(s.width), height)
	s.top = max(0, min(max(s.top, s.cur-room+1), s.cur, len(s.rows)-room))
}

// sees reports whether the outcome is on screen.
func (s *Screen) sees() bool { return s.onOutcome || s.width >= twoSides }

// Lines draws both sides, or the one that has the keys where there is no room for
// two.
func (s *Screen) Lines(w, height int) []string {
	question := s.replaceLines(w)
	height -= len(question)
	fw := formWidth(w)
	var lines []string
	switch {
	case w >= twoSides:
		left, right := s.formLines(fw, height), s.outcomeLines(outcomeWidth(w), height)
		wall := s.Ink.Border.On(s.G.Wall)
		if s.onOutcome {
			wall = s.Ink.Key.On(s.G.Wall)
		}
		for i := range left {
			lines = append(lines, left[i]+wall+" "+right[i])
		}
	case s.onOutcome:
		lines = s.outcomeLines(w, height)
	default:
		lines = append(s.formLines(w, height-1), draw.Fit(s.summary(), w, s.G.More))
	}
	return append(lines, question...)
}

// summary tells the outcome in a line, where it is not in sight.
func (s *Screen) summary() string {
	switch {
	case s.check.Err != nil:
		return " " + s.Ink.Fail.On(clean.Line(draw.Head(s.check.Err.Error())))
	case !s.check.Came:
		return " " + s.Ink.Muted.On("checking")
	}
	return " " + s.Ink.Name.On(draw.Plural(s.check.Got.report.Written, "sample")+" of "+draw.Grouped(s.check.Got.report.Candidates)) + s.Ink.Muted.On("  "+s.Key("other-side")+" shows more")
}

// formRoom returns what the option under the cursor is for, in lines of w cells,
// and how many options have room beside it.
func (s *Screen) formRoom(w, height int) (help []string, room int) {
	help = strings.Split(ansi.Wrap(s.optionHelp(s.selected()), max(8, w-3), ""), "\n")
	room = height - len(help) - 1
	if room < min(len(s.rows), 6) {
		help, room = nil, height
	}
	return help, min(room, len(s.rows))
}

// formLines draws the options, and what the one under the cursor is for.
func (s *Screen) formLines(w, height int) []string {
	help, room := s.formRoom(w, height)
	var lines []string
	for i := s.top; i < s.top+room; i++ {
		lines = append(lines, s.optionLine(i, w))
	}
	if help != nil {
		lines = append(lines, "")
		for _, l := range help {
			lines = append(lines, "  "+s.Ink.Muted.On(l))
		}
	}
	return s.Filled(lines, w, height)
}

// optionLine draws an option.
func (s *Screen) optionLine(i, w int) string {
	o, on := &s.rows[i], i == s.cur
	k, mark := s.RowIn(on, !s.onOutcome)
	value, ink := clean.Line(draw.Head(s.form.get(o))), k.Text
	if _, set := s.form.Values[o.name]; !set {
		ink = k.Muted
	}
	switch {
	case o.name == optTarget && value == "":
		value, ink = s.Key("change")+" names it", k.Warn
	case o.name == optTarget:
		value = draw.Tail(value, w-labelWidth-3, s.G.More)
	case o.name == optFilter:
		of, pretty := s.Filter()
		if value == none || of == nil {
			pretty = "all segments"
		}
		value = pretty
	}
	if on && !s.onOutcome && len(o.choices) > 1 {
		value = "< " + value + " >"
	}
	return mark + k.Text.On(" "+draw.Fit(o.name, labelWidth, "")) + ink.On(draw.Fit(value, w-labelWidth-2, s.G.More))
}

// optionHelp says what an option is for; a format says it itself.
func (s *Screen) optionHelp(o *option) string {
	if o.name != optFormat {
		return o.help
	}
	e, err := export.Find(s.form.word(optFormat))
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
func (s *Screen) outcomeLines(w, height int) []string {
	lines := s.lines.lines
	switch {
	case s.check.Err != nil:
		return s.Centred(w, height, s.Unread(w, "It could not be checked.", s.check.Err))
	case len(lines) == 0:
		text := "checking"
		if n := s.checking(); n > 0 {
			text += " " + draw.Plural(n, "segment")
		}
		return s.Centred(w, height, []string{s.Ink.Muted.On(text)})
	}
	var out []string
	for i := s.off; i < min(len(lines), s.off+height); i++ {
		k, mark := s.Row(i == s.line && s.onOutcome)
		out = append(out, mark+s.outLine(k, &lines[i], w-1))
	}
	return s.Filled(out, w, height)
}

// outLine draws a line of the outcome in w cells.
func (s *Screen) outLine(k *draw.Inks, l *outLine, w int) string {
	var b strings.Builder
	n := 0
	for _, p := range l.pieces {
		text := p.text
		if p.bar > 0 {
			text = strings.Repeat(s.G.Bars[len(s.G.Bars)-2], max(1, int(p.bar*float64(min(w-n-1, mostOutBar)))))
			if w-n-1 < draw.LeastBar {
				text = ""
			}
		}
		if ansi.StringWidth(text) > w-n {
			text = draw.Cut(text, w-n, s.G.More)
		}
		b.WriteString(p.ink(k).On(text))
		n += ansi.StringWidth(text)
	}
	b.WriteString(k.Text.On(strings.Repeat(" ", max(0, w-n))))
	return b.String()
}

// replaceLines asks whether a target may be replaced.
func (s *Screen) replaceLines(w int) []string {
	if !s.replace {
		return nil
	}
	path := s.form.word(optTarget)
	return []string{draw.Fit(" "+s.Ink.Warn.On(draw.Tail(clean.Line(draw.Head(path)), max(8, w-36), s.G.More)+" already exists. Replace it?"), w, s.G.More)}
}

// Move moves the cursor of the side that has the keys.
func (s *Screen) Move(m keys.Motion) {
	at, n := &s.cur, len(s.rows)
	if s.onOutcome {
		at, n = &s.line, len(s.lines.lines)
	}
	*at = max(0, min(*at+m.Step(s.height), n-1))
}

// folding is what enter unfolds under the cursor of the outcome, "" for nothing.
func (s *Screen) folding() string {
	if lines := s.lines.lines; s.line < len(lines) {
		return lines[s.line].fold
	}
	return ""
}

// unfold unfolds what is under the cursor, or folds it.
func (s *Screen) unfold() {
	key := s.folding()
	if s.unfolded[key] = !s.unfolded[key]; s.unfolded[key] {
		s.off = max(s.off, s.line-s.height/3) // so that some of it is seen
	}
	s.lines = forecast{}
}

// Footer says how much of the outcome is below the screen.
func (s *Screen) Footer() []string {
	if s.replace || !s.sees() {
		return nil
	}
	return s.Below(len(s.lines.lines) - s.off - s.height)
}
