package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
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
		lines[i] = fit(lines[i], w, a.g.more)
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
		text = "Looking where agents keep their sessions " + a.g.more
	case o.failed != nil:
		text = "The usual places could not be looked at:"
	case len(o.rows) == 1:
		text = "No sessions were found where agents usually keep them, nor in this folder."
	}
	lines := []string{"", a.ink.name.on(title)}
	lines = append(lines, wrapped(a.ink.text, text, w)...)
	if o.failed != nil {
		reason := wrapped(a.ink.fail, clean.Line(head(o.failed.Error())), w)
		lines = append(append(lines, reason[:min(len(reason), mostReason)]...), a.ink.text.on(a.keyFor(nameReload)+" looks again"))
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
		sum := plural(places, "place") + " checked"
		if !counting {
			sum += ": " + size.text()
		}
		lines = append(lines, a.ink.text.on(sum))
	}
	for _, text := range []string{
		"Only names and sizes were looked at: nothing is read before " + a.keyIn("import", InOffer) + ".",
		"Other files and folders: winnow PATH",
	} {
		lines = append(lines, wrapped(a.ink.muted, text, w)...)
	}
	return append([]string{""}, indent(lines)...)
}

// wrapped breaks a sentence into lines of the screen.
func wrapped(k ink, text string, w int) []string {
	lines := strings.Split(ansi.Wrap(text, max(1, min(w-2*offerMargin, widestText)), ""), "\n")
	for i := range lines {
		lines[i] = k.on(lines[i])
	}
	return lines
}

func indent(lines []string) []string {
	for i := range lines {
		lines[i] = strings.Repeat(" ", offerMargin) + lines[i]
	}
	return lines
}

// text says what a place holds: 1,204 files, 310 MB.
func (s PlaceSize) text() string {
	files := plural(s.Files, "file")
	more := ""
	if s.More {
		files, more = grouped(s.Files)+"+ files", "+"
	}
	return files + ", " + bytesText(s.Bytes) + more
}

// offerRow draws a place.
func (a *App) offerRow(w, i int) string {
	r := &a.offer.rows[i]
	k, mark := &a.ink, " "
	if i == a.offer.cur {
		k, mark = &a.sel, a.sel.key.on(a.g.mark)
	}
	box := k.muted.on("[ ]")
	if r.checked {
		box = k.name.on("[") + k.approved.on("x") + k.name.on("]")
	}
	agent, name, what, whatInk := r.Agent, clean.Line(head(r.Name)), "", k.text
	switch {
	case r.samples:
		agent, name = "samples", "sample sessions that come with winnow; nothing of them stays"
	case r.err != nil:
		what, whatInk = clean.Line(head(r.err.Error())), k.fail
	case !r.counted:
		what, whatInk = "counting", k.muted
	case r.size.Files == 0:
		what, whatInk = "no files", k.muted
	default:
		what = r.size.text()
	}
	const agentWidth = 13
	w = min(w, widestOffer)
	rest := w - 1 - 4 - 1
	line := mark + k.text.on(" ") + box + k.text.on(" ")
	whatWidth := 0
	if !r.samples {
		whatWidth = min(26, rest/2)
	}
	if rest-whatWidth-agentWidth >= minPlace {
		line += k.text.on(fit(clean.Line(agent), agentWidth, a.g.more))
		rest -= agentWidth
	}
	nameInk := k.text
	if r.samples || r.Doubtful && !r.checked {
		nameInk = k.muted
	}
	room := max(0, rest-whatWidth-1)
	if !r.samples {
		name = tail(name, room, a.g.more)
	}
	line += nameInk.on(fit(name, room, a.g.more))
	if whatWidth > 0 {
		line += whatInk.on(right(fit(what, min(whatWidth, ansi.StringWidth(what)), a.g.more), whatWidth))
	}
	return fit(line, w-1, "") + k.text.on(" ")
}
