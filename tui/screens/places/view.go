package places

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/places"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

const (
	margin     = 2
	widest     = 110 // a count at the end of a longer row is too far from its name
	agentCells = 13
	leastName  = 14 // cells that a path always gets: enough for a folder's name
)

// Follow sizes the list and asks for the places.
func (s *Screen) Follow(f screen.Frame) {
	s.width, s.height = f.Width, f.Height
	above, below := s.texts()
	s.list.Resize(min(len(s.list.Rows), s.height-len(above)-len(below)))
	if !s.places.Asked() {
		s.find()
	}
}

// Header is that of the list.
func (s *Screen) Header(int) []draw.Part { return nil }

// Lines draws the places, each with a check box and what it holds.
func (s *Screen) Lines(w, height int) []string {
	lines, below := s.texts()
	for i := range s.list.Visible() {
		lines = append(lines, s.row(s.list.Top+i))
	}
	return s.Filled(append(lines, below...), w, height)
}

// texts are what stands above and below the rows, as far as there is room for it.
func (s *Screen) texts() (above, below []string) {
	above, below = s.above(), s.below()
	room := s.height - len(s.list.Rows)
	if len(above)+len(below) > room {
		below = nil
	}
	if len(above) > room {
		above = nil
	}
	return above, below
}

// above says what the places are.
func (s *Screen) above() []string {
	title := "Sessions on this machine"
	if s.program.Empty() {
		title = "Nothing here yet."
	}
	text := "These places seem to hold sessions:"
	switch {
	case s.places.Open:
		text = "Looking where agents keep their sessions " + s.G.More
	case s.places.Err != nil:
		text = "The usual places could not be searched:"
	case len(s.list.Rows) == 1:
		text = "No sessions were found where agents usually keep them, nor in this folder."
	}
	lines := append([]string{"", s.Ink.Name.On(title)}, s.Wrap(s.Ink.Text, text, s.width)...)
	if s.places.Err != nil {
		reason := s.Wrap(s.Ink.Fail, clean.Line(draw.Head(s.places.Err.Error())), s.width)
		lines = append(append(lines, reason[:min(len(reason), draw.MostReason)]...), s.Ink.Text.On(s.Key(keys.Reload)+" looks again"))
	}
	return append(indent(lines), "")
}

// below says what is checked, and that nothing was read yet.
func (s *Screen) below() []string {
	n, size, counting := 0, places.Size{}, false
	for _, r := range s.list.Rows {
		if !r.checked || r.samples {
			continue
		}
		n++
		size.Files += r.size.Files
		size.Bytes += r.size.Bytes
		size.More = size.More || r.size.More
		counting = counting || !r.counted
	}
	var lines []string
	if n > 0 {
		sum := draw.Plural(n, "place") + " checked"
		if !counting {
			sum += ": " + sizeText(size)
		}
		lines = append(lines, s.Ink.Text.On(sum))
	}
	lines = slices.Concat(lines,
		s.Wrap(s.Ink.Muted, "Only names and sizes were looked at: "+s.Key("import")+" reads the files.", s.width),
		s.Wrap(s.Ink.Muted, "Other files and folders: winnow PATH", s.width))
	return append([]string{""}, indent(lines)...)
}

func indent(lines []string) []string {
	for i := range lines {
		lines[i] = strings.Repeat(" ", margin) + lines[i]
	}
	return lines
}

// sizeText says what a place holds: 1,204 files, 310 MB.
func sizeText(s places.Size) string {
	files, more := draw.Plural(s.Files, "file"), ""
	if s.More {
		files, more = draw.Grouped(s.Files)+"+ files", "+"
	}
	return files + ", " + draw.Bytes(s.Bytes) + more
}

// row draws a place.
func (s *Screen) row(at int) string {
	r := &s.list.Rows[at]
	k, mark := s.Row(at == s.list.Cur)
	box := k.Muted.On("[ ]")
	if r.checked {
		box = k.Name.On("[") + k.Approved.On("x") + k.Name.On("]")
	}
	agent, name, what, whatInk := r.Agent, clean.Line(draw.Head(r.Name)), "", k.Text
	switch {
	case r.samples:
		agent, name = "samples", "sample sessions that come with winnow; nothing is kept"
	case r.err != nil:
		what, whatInk = clean.Line(draw.Head(r.err.Error())), k.Fail
	case !r.counted:
		what, whatInk = "counting", k.Muted
	case r.size.Files == 0:
		what, whatInk = "no files", k.Muted
	default:
		what = sizeText(r.size)
	}
	w := min(s.width, widest)
	rest := w - 1 - 4 - 1
	line := mark + k.Text.On(" ") + box + k.Text.On(" ")
	whatWidth := 0
	if !r.samples {
		whatWidth = min(26, rest/2)
	}
	if rest-whatWidth-agentCells >= leastName {
		line += k.Text.On(draw.Fit(clean.Line(agent), agentCells, s.G.More))
		rest -= agentCells
	}
	nameInk := k.Text
	if r.samples || r.Doubtful && !r.checked {
		nameInk = k.Muted
	}
	room := max(0, rest-whatWidth-1)
	if !r.samples {
		name = draw.Tail(name, room, s.G.More)
	}
	line += nameInk.On(draw.Fit(name, room, s.G.More))
	if whatWidth > 0 {
		line += whatInk.On(draw.Right(draw.Fit(what, min(whatWidth, ansi.StringWidth(what)), s.G.More), whatWidth))
	}
	return draw.Fit(line, w-1, "") + k.Text.On(" ")
}
