package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
	room "winnow/tui/review"
	"winnow/tui/screen"
)

// mostSaid is how many lines a message has above the footer: an error with a path and
// what to do has room in them on 80 columns.
const mostSaid = 3

// footer is the last line of a frame, laid out once.
type footer struct {
	keys  string // of the pane that has them
	said  string // beside them
	ink   draw.Ink
	above []string // what happened, where it has no room beside them
}

// footer lays out the keys of the pane that has them, and what there is to say. Keys
// are never pushed out by what happened: that has the room they leave, or lines above
// them. A line that is typed stands in its place.
func (a *App) footer(w int) footer {
	if a.field != nil {
		return footer{}
	}
	h := a.hints()
	f := footer{said: a.quiet(w, &h), ink: a.Ink.Muted}
	f.keys = strings.TrimRight(h.render(w-4-ansi.StringWidth(f.said), true), " ")
	if a.Message.Text == "" {
		return f
	}
	room, text := w-4-ansi.StringWidth(f.keys), clean.Line(draw.Head(a.Message.Text))
	if all := text + " " + a.G.Dot + " " + a.Message.Undo; a.Message.Undo != "" && ansi.StringWidth(all) <= room {
		text = all
	}
	if ansi.StringWidth(text) > room {
		f.above = a.saidLines(w)
		return f
	}
	if f.said, f.ink = text, a.Ink.Text; a.Message.Failed {
		f.ink = a.Ink.Fail
	}
	return f
}

// line draws it in w cells.
func (f *footer) line(w int) string {
	left := w - 4 - ansi.StringWidth(f.said)
	return draw.Fit(" "+draw.Fit(f.keys, left, "")+"  "+f.ink.On(f.said), w, "")
}

// saidLines tell what happened where the footer has no room for it beside its keys:
// over list and reader they lie on the end of the body, so that nothing moves.
func (a *App) saidLines(w int) []string {
	if a.AsksBulk() || a.glance.asked != "" || len(a.questionLines(w)) > 0 {
		return nil
	}
	k := a.Ink.Name
	if a.Message.Failed {
		k = a.Ink.Fail
	}
	text := clean.Line(draw.Head(a.Message.Text))
	if a.Message.Undo != "" {
		text += " " + a.G.Dot + " " + a.Message.Undo
	}
	lines := strings.Split(ansi.Wrap(text, w-2, ""), "\n")
	if len(lines) > mostSaid {
		lines = append(lines[:mostSaid-1], strings.Join(lines[mostSaid-1:], " "))
	}
	for i := range lines {
		lines[i] = draw.Fit(" "+k.On(draw.Cut(lines[i], w-2, a.G.More)), w, "")
	}
	return lines
}

// overBody draws what is said over the last lines of the body, or above the row that
// is selected if that is one of them.
func (a *App) overBody(body, said []string) {
	if a.shown() != nil {
		return
	}
	at := len(body) - len(said)
	if on := a.SelectedLine(); a.Context() == keys.InList && on >= at && on < len(body) {
		at = on - len(said)
	}
	draw.Over(body, said, max(0, at), 0)
}

// leastWord is the room below which nothing is said unless something happened.
const leastWord = 16

// leastWhy is the room for the lowest metric of a score, if it is there at all.
// Wide footers tell more of it, but keys have more than half of them.
const leastWhy = 30

// quiet is what the footer says as long as nothing happens.
func (a *App) quiet(w int, h *hints) string {
	said := a.whereabouts()
	if a.AsksWhy() {
		said = "why " + a.WhyOf()
	}
	room := w - 4 // one space at either end, two between
	beside := room - h.width(true)
	if a.AsksWhy() { // the reasons matter more than what they are of
		for _, k := range h.between {
			beside = max(0, beside-k.width(true))
		}
	}
	if said == "" && a.Context() == keys.InList {
		said = a.Why(a.List.Selected(), min(beside, max(leastWhy, room*2/5)))
	}
	if n := ansi.StringWidth(said); n > beside && (beside < leastWord || a.Context()&(keys.InQuestion|keys.InWhy) != 0) {
		return ""
	}
	return draw.Fit(said, min(ansi.StringWidth(said), beside), a.G.More)
}

// whereabouts is what the footer says when nothing happened: where the reader
// is, and what is known of the selected segment but not drawn in its row.
func (a *App) whereabouts() string {
	var parts []string
	switch s := a.top(); {
	case s != nil:
		if f, ok := s.Layer.(screen.Footer); ok {
			parts = f.Footer()
		}
	case a.Context() == keys.InReader:
		s := a.Reader.Status()
		if s.Notice != "" && a.IsReading() {
			return clean.Line(draw.Head(s.Notice))
		}
		if s.Of > 0 {
			if s.Digest {
				parts = append(parts, "digest")
			}
			if s.View == reader.Both {
				parts = append(parts, "before and after")
			}
			parts = append(parts, fmt.Sprintf("message %s of %s", draw.Grouped(s.Message), draw.Grouped(s.Of)))
		}
		if l, ok := a.Reader.Link(); ok {
			if a.W < room.TwoPanes {
				parts = nil // there is room for one of them
			}
			parts = append(parts, a.keyIn("unfold", keys.InReader)+": "+a.LinkName(l))
		}
	case a.Context() == keys.InList && !a.Wide():
		parts = a.Remarks()
	}
	return strings.Join(parts, " "+a.G.Dot+" ")
}

// termWidth is how much of a term that is looked for the footer shows.
const termWidth = 20

// findState says what is looked for and how far one is, "" without a find.
func (a *App) findState() string {
	s := a.findStatus()
	if a.Context()&keys.InFound == 0 || s.FindQuery == "" && !s.Marked {
		return ""
	}
	if s.Marked {
		return hits(s)
	}
	term := draw.CutWords(clean.Line(draw.Head(s.FindQuery)), termWidth, a.G.More)
	return "find " + a.G.Quote + term + a.G.Unquote + " " + a.G.Dot + " " + hits(s)
}

func hits(s reader.Status) string {
	count := draw.Grouped(s.Hits)
	if s.Capped {
		count += "+"
	}
	text := count + " hits"
	switch {
	case s.Hit > 0:
		text = draw.Grouped(s.Hit) + " of " + count
	case s.Hits == 0 && s.Searching:
		return "searching"
	case s.Hits == 0:
		return "no hit"
	case s.Hits == 1:
		text = "1 hit"
	}
	if s.Searching {
		text += " so far"
	}
	return text
}
