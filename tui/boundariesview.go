package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

const (
	bandStrip   = 2  // below the messages: a rule, and what the cut does
	leastBands  = 12 // lines of the body from which there is room for the rule
	minTopicRow = 16 // a segment's name is not cut further for what stands beside it
)

// boundaryHeader says which session is cut, and into what.
func (a *App) boundaryHeader(w int) string {
	b := a.boundaries
	title := b.title
	if title == "" && len(b.rows) > 0 {
		title = fileTitle(&b.rows[0])
	}
	parts := []draw.Part{{Text: " " + a.Ink.Name.On("winnow"), Worth: 9, Short: " ", Yield: 3}, {Text: a.Ink.Text.On("boundaries"), Worth: 8}}
	if len(b.bands) > 0 {
		parts = append(parts,
			draw.Part{Text: a.Ink.Text.On(draw.Plural(b.messages(), "message")), Worth: 5},
			draw.Part{Text: a.Ink.Text.On(draw.Plural(len(b.bands), "segment")), Worth: 7})
	}
	room := w - ansi.StringWidth(draw.JoinParts(parts)) - 2
	if title != "" {
		parts = append(parts, draw.Part{Text: a.Ink.Muted.On(draw.Fit(title, max(minPlace, min(room, ansi.StringWidth(title))), a.G.More)), Worth: 4})
	}
	return a.FitParts(parts, w)
}

// stripHeight returns the lines below the messages.
func (a *App) stripHeight() int {
	n := 1
	if a.bodyHeight() >= leastBands {
		n = bandStrip
	}
	if a.boundaries.machine.shown {
		n++
	}
	return n
}

// bandRows returns how many lines of segments and messages are on the screen.
func (a *App) bandRows() int { return a.bodyHeight() - a.stripHeight() }

// boundaryLines draws the session.
func (a *App) boundaryLines(w, height int) []string {
	b := a.boundaries
	if len(b.bands) == 0 {
		return a.Centred(w, height, a.noBandsText(w))
	}
	c := a.messageColumns(w)
	lines := make([]string, 0, height)
	last := min(b.top+a.bandRows(), b.lines())
	for line := b.top; line < last; line++ {
		i, n := b.at(line)
		switch {
		case n == 0:
			lines = append(lines, a.nameRow(w, i, false))
		case line == b.top:
			lines = append(lines, a.nameRow(w, i, true))
		default:
			lines = append(lines, a.messageRow(c, i, n))
		}
	}
	for len(lines) < a.bandRows() {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return append(lines, a.stripLines(w)...)[:height]
}

func (a *App) noBandsText(w int) []string {
	if err := a.boundaries.failed; err != nil {
		return a.failedText(w, "The segments could not be read.", err)
	}
	return []string{a.Ink.Muted.On("loading")}
}

// bandInk is the colour of a segment's band: two that take turns.
func (a *App) bandInk(k *draw.Inks, i int) draw.Ink {
	if i%2 == 0 {
		return k.Key
	}
	return k.Tool
}

// nameRow draws the line that names segment i; goesOn if the segment begins
// above the screen.
func (a *App) nameRow(w, i int, goesOn bool) string {
	b := a.boundaries
	s := &b.bands[i].Segment
	band, glyph, machine := a.bandInk(&a.Ink, i), a.G.Band[0], ""
	if b.machine.shown {
		machine = a.machineGlyph(&a.Ink, i, s.Start, true)
	}
	if goesOn {
		glyph = a.G.Band[1]
		machine = strings.Repeat(" ", ansi.StringWidth(machine))
	}
	left := " " + band.On(glyph) + machine
	left += " " + a.Ink.Verdict(s).On(a.G.State(s)) + " "
	topic, topicInk := clean.Line(draw.Head(s.Topic)), a.Ink.Name
	if topic == "" {
		topic, topicInk = a.topicToBe(s), a.Ink.Muted
	}
	notes := a.bandNotes(s, goesOn)
	room := w - ansi.StringWidth(left) - 1
	width := ansi.StringWidth(topic)
	for len(notes) > 0 && room-min(width, minTopicRow)-notesWidth(notes) < 4 {
		notes = notes[:len(notes)-1]
	}
	rest := room - notesWidth(notes)
	topic = draw.Fit(topic, min(width, max(1, rest-2)), a.G.More)
	rest -= ansi.StringWidth(topic) + 2
	line := left + topicInk.On(topic) + " " + band.On(strings.Repeat(a.G.Rule, max(0, rest))) + " "
	for j, n := range notes {
		if j > 0 {
			line += a.Ink.Muted.On(" " + a.G.Dot + " ")
		}
		line += n.ink.On(n.text)
	}
	return draw.Fit(line, w, "")
}

// topicWithin is how far from its beginning the prompt is looked for that a
// segment without a topic is named by.
const topicWithin = 16

// topicToBe is what a segment without a topic will be called, as far as the
// lines that were read tell.
func (a *App) topicToBe(s *review.Segment) string {
	t := &a.boundaries.texts
	for n := s.Start; n <= min(s.End, s.Start+topicWithin); n++ {
		if h, _ := t.head(n); h.Role == chat.User && t.texts[n].Kind == "" && t.texts[n].Text != "" {
			return t.texts[n].Text
		}
	}
	return "no topic yet"
}

// bandNote is a piece of what stands beside a segment's name.
type bandNote struct {
	text string
	ink  draw.Ink
}

func notesWidth(notes []bandNote) int {
	n := 0
	for i := range notes {
		n += ansi.StringWidth(notes[i].text)
		if i > 0 {
			n += len(" . ")
		}
	}
	return n
}

// bandNotes are what there is to say of a segment, what matters most first.
func (a *App) bandNotes(s *review.Segment, goesOn bool) []bandNote {
	notes := []bandNote{{draw.Plural(s.End-s.Start+1, "message"), a.Ink.Text}}
	if s.Stale || s.Verdict.Judged() {
		notes = append(notes, bandNote{a.state(s), a.Ink.Verdict(s)})
	}
	if m := &a.boundaries.machine; !goesOn && m.differsAt(s.Start) {
		notes = append(notes, bandNote{"the machine goes on", a.Ink.Warn})
	}
	return append(notes, bandNote{cutByWords[s.CutBy], a.Ink.Muted})
}

// cutByWords say who cut a segment.
var cutByWords = map[review.CutBy]string{
	review.CutModel: "cut by a model", review.CutOffline: "cut offline", review.CutCurator: "cut by hand",
	review.CutSingle: "short session", review.CutProvisional: "not cut yet",
}

// stripLines say below the messages what the cut does.
func (a *App) stripLines(w int) []string {
	b := a.boundaries
	var lines []string
	if a.bodyHeight() >= leastBands {
		lines = append(lines, a.Rule(w))
	}
	if b.machine.shown {
		k := a.Ink.Warn
		if b.machine.asked != 0 || b.machine.more+b.machine.fewer == 0 {
			k = a.Ink.Muted
		}
		lines = append(lines, draw.Fit(" "+k.On(b.machine.text()), w, a.G.More))
	}
	return append(lines, draw.Fit(" "+a.effectsText(), w, a.G.More))
}

// effectsText says what keeping the draft does to what was decided.
func (a *App) effectsText() string {
	b := a.boundaries
	switch {
	case b.keeping:
		return a.Ink.Muted.On("keeping")
	case b.lost:
		return a.Ink.Fail.On("cut otherwise meanwhile: " + a.keyFor(keys.Reload) + " shows it, without your changes")
	case b.effects == "":
		return a.Ink.Muted.On("nothing is changed")
	}
	text := a.Ink.Name.On(b.effects)
	if warning := b.torn(); warning != "" {
		text = a.Ink.Fail.On(warning) + a.Ink.Muted.On(" "+a.G.Dot+" ") + text
	}
	was, is := len(b.rows), len(b.bands)
	switch {
	case is > was:
		text += a.Ink.Muted.On(" " + a.G.Dot + " " + draw.Plural(is-was, "segment") + " more")
	case is < was:
		text += a.Ink.Muted.On(" " + a.G.Dot + " " + draw.Plural(was-is, "segment") + " fewer")
	}
	return text
}

// oneLine returns recorded text of any length as one line.
func oneLine(text string) string { return clean.Line(draw.Head(text)) }
