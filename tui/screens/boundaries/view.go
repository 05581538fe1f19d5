package boundaries

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

const (
	// leastBands are the lines of the body from which there is room below the messages
	// for a rule, and a part of the body for what the cut does.
	leastBands, effectsShare = 12, 4
	minTopicRow              = 16 // a segment's name is not cut further for what stands beside it
)

// minTitle is the room that the name of a session always gets.
const minTitle = 14

// Header says which session is cut, and into what. Where the segments come from
// is no matter here: what is left of the line is filled.
func (b *Screen) Header(w int) []draw.Part {
	title := b.now.Got.title
	if title == "" && len(b.rows) > 0 {
		title = b.program.FileTitle(&b.rows[0])
	}
	parts := []draw.Part{{Text: b.Ink.Text.On("boundaries"), Worth: 8}}
	if len(b.bands) > 0 {
		parts = append(parts,
			draw.Part{Text: b.Ink.Text.On(draw.Plural(b.messages(), "message")), Worth: 5},
			draw.Part{Text: b.Ink.Text.On(draw.Plural(len(b.bands), "segment")), Worth: 7})
	}
	room := w - ansi.StringWidth(" winnow  "+draw.JoinParts(parts)) - 2
	if title != "" {
		n := max(minTitle, min(room, ansi.StringWidth(title)))
		parts = append(parts, draw.Part{Text: b.Ink.Muted.On(draw.Fit(title, n, b.G.More)), Worth: 4})
		room -= n + 2
	}
	return append(parts, draw.Part{Text: strings.Repeat(" ", max(0, room)), Worth: 3})
}

// bandRows returns how many lines of segments and messages are on the screen.
func (b *Screen) bandRows() int { return b.body - len(b.strip) }

// Lines draws the session.
func (b *Screen) Lines(w, height int) []string {
	if len(b.bands) == 0 {
		return b.Centred(w, height, b.noBandsText(w))
	}
	c := b.messageColumns(w)
	lines := make([]string, 0, height)
	last := min(b.top+b.bandRows(), b.lines())
	for line := b.top; line < last; line++ {
		i, n := b.at(line)
		switch {
		case n == 0:
			lines = append(lines, b.nameRow(w, i, false))
		case line == b.top:
			lines = append(lines, b.nameRow(w, i, true))
		default:
			lines = append(lines, b.messageRow(c, i, n))
		}
	}
	for len(lines) < b.bandRows() {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return append(lines, b.strip...)
}

func (b *Screen) noBandsText(w int) []string {
	if err := b.now.Err; err != nil {
		return b.Unread(w, "The segments could not be read.", err)
	}
	return []string{b.Ink.Muted.On("loading")}
}

// bandInk is the colour of a segment's band: two that take turns.
func (b *Screen) bandInk(k *draw.Inks, i int) draw.Ink {
	if i%2 == 0 {
		return k.Key
	}
	return k.Tool
}

// nameRow draws the line that names segment i; goesOn if the segment begins
// above the screen.
func (b *Screen) nameRow(w, i int, goesOn bool) string {
	s := &b.bands[i].Segment
	band, glyph, machine := b.bandInk(&b.Ink, i), b.G.Band[0], ""
	if b.machine.shown {
		machine = b.machineGlyph(&b.Ink, i, s.Start, true)
	}
	if goesOn {
		glyph = b.G.Band[1]
		machine = strings.Repeat(" ", ansi.StringWidth(machine))
	}
	left := " " + band.On(glyph) + machine
	left += " " + b.Ink.Verdict(s).On(b.G.State(s)) + " "
	topic, topicInk := clean.Line(draw.Head(s.Topic)), b.Ink.Name
	if topic == "" {
		topic, topicInk = b.topicToBe(s), b.Ink.Muted
	}
	notes := b.bandNotes(s, goesOn)
	room := w - ansi.StringWidth(left) - 1
	width := ansi.StringWidth(topic)
	for len(notes) > 0 && room-min(width, minTopicRow)-notesWidth(notes) < 4 {
		notes = notes[:len(notes)-1]
	}
	rest := room - notesWidth(notes)
	topic = draw.Fit(topic, min(width, max(1, rest-2)), b.G.More)
	rest -= ansi.StringWidth(topic) + 2
	line := left + topicInk.On(topic) + " " + band.On(strings.Repeat(b.G.Rule, max(0, rest))) + " "
	for j, n := range notes {
		if j > 0 {
			line += b.Ink.Muted.On(" " + b.G.Dot + " ")
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
func (b *Screen) topicToBe(s *review.Segment) string {
	t := &b.texts
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
func (b *Screen) bandNotes(s *review.Segment, goesOn bool) []bandNote {
	notes := []bandNote{{draw.Plural(s.End-s.Start+1, "message"), b.Ink.Text}}
	if s.Stale || s.Verdict.Judged() {
		notes = append(notes, bandNote{b.program.State(s), b.Ink.Verdict(s)})
	}
	if m := &b.machine; !goesOn && m.differsAt(s.Start) {
		notes = append(notes, bandNote{"no machine cut here", b.Ink.Warn})
	}
	return append(notes, bandNote{cutByWords[s.CutBy], b.Ink.Muted})
}

// cutByWords say who cut a segment.
var cutByWords = map[review.CutBy]string{
	review.CutModel: "cut by a model", review.CutOffline: "cut offline", review.CutCurator: "cut by hand",
	review.CutSingle: "short session", review.CutProvisional: "not cut yet",
}

// stripLines say below the messages what the cut does.
func (b *Screen) stripLines(w int) []string {
	var lines []string
	if b.body >= leastBands {
		lines = append(lines, b.Rule(w))
	}
	if b.machine.shown {
		k := b.Ink.Warn
		if b.machine.asked.Open || b.machine.more+b.machine.fewer == 0 {
			k = b.Ink.Muted
		}
		lines = append(lines, draw.Fit(" "+k.On(b.machine.text()), w, b.G.More))
	}
	most := 1
	if b.body >= leastBands {
		most = b.body / effectsShare
	}
	return append(lines, b.flow(b.effectNotes(), w, most)...)
}

// effectNotes say what keeping the draft does to what was decided.
func (b *Screen) effectNotes() []bandNote {
	switch {
	case b.keeping:
		return []bandNote{{"keeping", b.Ink.Muted}}
	case b.lost:
		return []bandNote{{"cut differently meanwhile: " + b.Key(keys.Reload) + " shows it, without your changes", b.Ink.Fail}}
	case b.effects == "":
		return []bandNote{{"nothing is changed", b.Ink.Muted}}
	}
	notes := []bandNote{{b.effects, b.Ink.Name}}
	if warning := b.torn(); warning != "" {
		notes = slices.Insert(notes, 0, bandNote{warning, b.Ink.Fail})
	}
	was, is := len(b.rows), len(b.bands)
	switch {
	case is > was:
		notes = append(notes, bandNote{draw.Plural(is-was, "segment") + " more", b.Ink.Muted})
	case is < was:
		notes = append(notes, bandNote{draw.Plural(was-is, "segment") + " fewer", b.Ink.Muted})
	}
	return notes
}

// flow draws notes one after the other, in as many lines of w cells as they take,
// but for most.
func (b *Screen) flow(notes []bandNote, w, most int) []string {
	var lines []string
	room := 0
	for _, n := range notes {
		dot := " " + b.G.Dot + " "
		if room -= ansi.StringWidth(dot + n.text); room >= 0 || len(lines) == most {
			line := &lines[len(lines)-1]
			if n.ink != b.Ink.Muted {
				*line, dot = *line+b.Ink.Muted.On(dot), ""
			}
			*line += n.ink.On(dot + n.text)
			continue
		}
		for _, part := range draw.WrapTo(n.text, w-1, most-len(lines), b.G.More) {
			lines = append(lines, " "+n.ink.On(part))
			room = w - 1 - ansi.StringWidth(part)
		}
	}
	for i := range lines {
		lines[i] = draw.Fit(lines[i], w, b.G.More)
	}
	return lines
}

// oneLine returns recorded text of any length as one line.
func oneLine(text string) string { return clean.Line(draw.Head(text)) }

// Copied is the id of the segment under the cursor, as it is stored.
func (b *Screen) Copied() (text, what string) {
	for i := range b.rows {
		if s := &b.rows[i]; s.Start <= b.cur && b.cur <= s.End {
			return s.ID, "the id of the segment"
		}
	}
	return "", ""
}

// Click puts the cursor on a message.
func (b *Screen) Click(_, y int) {
	if line := b.top + y; y < b.bandRows() && line < b.lines() {
		if _, n := b.at(line); n > 0 {
			b.cur = n
		}
	}
}
