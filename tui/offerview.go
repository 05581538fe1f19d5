package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

const (
	offerMargin = 2
	widestOffer = 110 // a count at the end of a longer row is too far from its name
)

// offerLines draws the places, each with a check box and what it holds.
func (a *App) offerLines(w, height int) []string {
	o := a.offer
	above, below := a.offerAbove(w), a.offerBelow(w)
	if len(above)+len(o.rows)+len(below) > height {
		below = nil
	}
	if len(above)+len(o.rows) > height {
		above = nil
	}
	lines := above
	o.line = len(above)
	room := max(1, height-len(above)-len(below))
	n := min(len(o.rows), room)
	o.top = max(0, min(o.cur, max(o.top, o.cur-n+1), len(o.rows)-n))
	for i := o.top; i < o.top+n; i++ {
		lines = append(lines, a.offerRow(w, i))
	}
	lines = append(lines, below...)
	for i := range lines {
		lines[i] = draw.Fit(lines[i], w, a.G.More)
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return lines[:height]
}

// offerAbove says what the places are.
func (a *App) offerAbove(w int) []string {
	o := a.offer
	title := "Sessions on this machine"
	if a.totals.Segments == 0 {
		title = "Nothing here yet."
	}
	text := "These places hold sessions, or look like it:"
	switch {
	case !o.found:
		text = "Looking where agents keep their sessions " + a.G.More
	case o.failed != nil:
		text = "The usual places could not be looked at:"
	case len(o.rows) == 1:
		text = "No sessions were found where agents usually keep them, nor in this folder."
	}
	lines := []string{"", a.Ink.Name.On(title)}
	lines = append(lines, wrapped(a.Ink.Text, text, w)...)
	if o.failed != nil {
		reason := wrapped(a.Ink.Fail, clean.Line(draw.Head(o.failed.Error())), w)
		lines = append(append(lines, reason[:min(len(reason), draw.MostReason)]...), a.Ink.Text.On(a.keyFor(keys.Reload)+" looks again"))
	}
	return append(indent(lines), "")
}

// offerBelow says what is checked, and that nothing was read yet.
func (a *App) offerBelow(w int) []string {
	places, size, counting := 0, PlaceSize{}, false
	for _, r := range a.offer.rows {
		if !r.checked || r.samples {
			continue
		}
		places++
		size.Files += r.size.Files
		size.Bytes += r.size.Bytes
		size.More = size.More || r.size.More
		counting = counting || !r.counted
	}
	var lines []string
	if places > 0 {
		sum := draw.Plural(places, "place") + " checked"
		if !counting {
			sum += ": " + size.text()
		}
		lines = append(lines, a.Ink.Text.On(sum))
	}
	for _, text := range []string{
		"Only names and sizes were looked at: nothing is read before " + a.keyIn("import", keys.InOffer) + ".",
		"Other files and folders: winnow PATH",
	} {
		lines = append(lines, wrapped(a.Ink.Muted, text, w)...)
	}
	return append([]string{""}, indent(lines)...)
}

// wrapped breaks a sentence into lines of the screen.
func wrapped(k draw.Ink, text string, w int) []string {
	lines := strings.Split(ansi.Wrap(text, max(1, min(w-2*offerMargin, draw.WidestText)), ""), "\n")
	for i := range lines {
		lines[i] = k.On(lines[i])
	}
	return lines
}

// text says what a place holds: 1,204 files, 310 MB.
func (s PlaceSize) text() string {
	files := draw.Plural(s.Files, "file")
	more := ""
	if s.More {
		files, more = draw.Grouped(s.Files)+"+ files", "+"
	}
	return files + ", " + draw.Bytes(s.Bytes) + more
}

// offerRow draws a place.
func (a *App) offerRow(w, i int) string {
	r := &a.offer.rows[i]
	k, mark := a.Row(i == a.offer.cur)
	box := k.Muted.On("[ ]")
	if r.checked {
		box = k.Name.On("[") + k.Approved.On("x") + k.Name.On("]")
	}
	agent, name, what, whatInk := r.Agent, clean.Line(draw.Head(r.Name)), "", k.Text
	switch {
	case r.samples:
		agent, name = "samples", "sample sessions that come with winnow; nothing of them stays"
	case r.err != nil:
		what, whatInk = clean.Line(draw.Head(r.err.Error())), k.Fail
	case !r.counted:
		what, whatInk = "counting", k.Muted
	case r.size.Files == 0:
		what, whatInk = "no files", k.Muted
	default:
		what = r.size.text()
	}
	const agentWidth = 13
	w = min(w, widestOffer)
	rest := w - 1 - 4 - 1
	line := mark + k.Text.On(" ") + box + k.Text.On(" ")
	whatWidth := 0
	if !r.samples {
		whatWidth = min(26, rest/2)
	}
	if rest-whatWidth-agentWidth >= minPlace {
		line += k.Text.On(draw.Fit(clean.Line(agent), agentWidth, a.G.More))
		rest -= agentWidth
	}
	nameInk := k.Text
	if r.samples || r.Doubtful && !r.checked {
		nameInk = k.Muted
	}
	room := max(0, rest-whatWidth-1)
	if !r.samples {
		name = draw.Tail(name, room, a.G.More)
	}
	line += nameInk.On(draw.Fit(name, room, a.G.More))
	if whatWidth > 0 {
		line += whatInk.On(draw.Right(draw.Fit(what, min(whatWidth, ansi.StringWidth(what)), a.G.More), whatWidth))
	}
	return draw.Fit(line, w-1, "") + k.Text.On(" ")
}

func indent(lines []string) []string {
	for i := range lines {
		lines[i] = strings.Repeat(" ", offerMargin) + lines[i]
	}
	return lines
}
