package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/review"
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
	parts := []part{{text: " " + a.ink.name.on("winnow"), worth: 9, short: " ", yield: 3}, {text: a.ink.text.on("boundaries"), worth: 8}}
	if len(b.bands) > 0 {
		parts = append(parts,
			part{text: a.ink.text.on(plural(b.messages(), "message")), worth: 5},
			part{text: a.ink.text.on(plural(len(b.bands), "segment")), worth: 7})
	}
	room := w - ansi.StringWidth(joinParts(parts)) - 2
	if title != "" {
		parts = append(parts, part{text: a.ink.muted.on(fit(title, max(minPlace, min(room, ansi.StringWidth(title))), a.g.more)), worth: 4})
	}
	return a.fitParts(parts, w)
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
		return a.centred(w, height, a.noBandsText(w))
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
	return []string{a.ink.muted.on("loading")}
}

// bandInk is the colour of a segment's band: two that take turns.
func (a *App) bandInk(k *inks, i int) ink {
	if i%2 == 0 {
		return k.key
	}
	return k.tool
}

// nameRow draws the line that names segment i; goesOn if the segment begins
// above the screen.
func (a *App) nameRow(w, i int, goesOn bool) string {
	b := a.boundaries
	s := &b.bands[i].Segment
	band, glyph, machine := a.bandInk(&a.ink, i), a.g.band[0], ""
	if b.machine.shown {
		machine = a.machineGlyph(&a.ink, i, s.Start, true)
	}
	if goesOn {
		glyph = a.g.band[1]
		machine = strings.Repeat(" ", ansi.StringWidth(machine))
	}
	left := " " + band.on(glyph) + machine
	left += " " + a.ink.verdict(s).on(a.g.of(s)) + " "
	topic, topicInk := clean.Line(head(s.Topic)), a.ink.name
	if topic == "" {
		topic, topicInk = a.topicToBe(s), a.ink.muted
	}
	notes := a.bandNotes(s, goesOn)
	room := w - ansi.StringWidth(left) - 1
	width := ansi.StringWidth(topic)
	for len(notes) > 0 && room-min(width, minTopicRow)-notesWidth(notes) < 4 {
		notes = notes[:len(notes)-1]
	}
	rest := room - notesWidth(notes)
	topic = fit(topic, min(width, max(1, rest-2)), a.g.more)
	rest -= ansi.StringWidth(topic) + 2
	line := left + topicInk.on(topic) + " " + band.on(strings.Repeat(a.g.rule, max(0, rest))) + " "
	for j, n := range notes {
		if j > 0 {
			line += a.ink.muted.on(" " + a.g.dot + " ")
		}
		line += n.ink.on(n.text)
	}
	return fit(line, w, "")
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
	ink  ink
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
	notes := []bandNote{{plural(s.End-s.Start+1, "message"), a.ink.text}}
	if s.Stale || s.Verdict.Judged() {
		notes = append(notes, bandNote{a.state(s), a.ink.verdict(s)})
	}
	if m := &a.boundaries.machine; !goesOn && m.differsAt(s.Start) {
		notes = append(notes, bandNote{"the machine goes on", a.ink.warn})
	}
	return append(notes, bandNote{cutByWords[s.CutBy], a.ink.muted})
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
		lines = append(lines, a.rule(w))
	}
	if b.machine.shown {
		k := a.ink.warn
		if b.machine.asked != 0 || b.machine.more+b.machine.fewer == 0 {
			k = a.ink.muted
		}
		lines = append(lines, fit(" "+k.on(b.machine.text()), w, a.g.more))
	}
	return append(lines, fit(" "+a.effectsText(), w, a.g.more))
}

// effectsText says what keeping the draft does to what was decided.
func (a *App) effectsText() string {
	b := a.boundaries
	switch {
	case b.keeping:
		return a.ink.muted.on("keeping")
	case b.lost:
		return a.ink.fail.on("cut otherwise meanwhile: " + a.keyFor(nameReload) + " shows it, without your changes")
	case b.effects == "":
		return a.ink.muted.on("nothing is changed")
	}
	text := a.ink.name.on(b.effects)
	if warning := b.torn(); warning != "" {
		text = a.ink.fail.on(warning) + a.ink.muted.on(" "+a.g.dot+" ") + text
	}
	was, is := len(b.rows), len(b.bands)
	switch {
	case is > was:
		text += a.ink.muted.on(" " + a.g.dot + " " + plural(is-was, "segment") + " more")
	case is < was:
		text += a.ink.muted.on(" " + a.g.dot + " " + plural(was-is, "segment") + " fewer")
	}
	return text
}

// oneLine returns recorded text of any length as one line.
func oneLine(text string) string { return clean.Line(head(text)) }
