package memories

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// quote is a quote that one can go to.
type quote struct {
	segment string
	message int
	memory.Cite
}

// quotes are those of the memory under the cursor whose segments are there.
func (s *Screen) quotes() (list []quote) {
	m := s.rows.Selected()
	if m == nil {
		return nil
	}
	for i := range m.Sources {
		o := &m.Sources[i]
		if !o.Live {
			continue
		}
		for _, c := range o.Cites {
			list = append(list, quote{o.Segment, o.Start + c.N - 1, c})
		}
	}
	return list
}

// goToCite reads the message that the chosen quote is from.
func (s *Screen) goToCite() {
	q := s.quotes()[s.cite]
	s.Leave()
	s.program.Read(q.segment, q.message, s)
}

// stepCite chooses another quote, and brings it into sight.
func (s *Screen) stepCite(by int) {
	n := len(s.quotes())
	s.cite = (s.cite + by + n) % n
	p := s.layPage()
	if _, room := s.pageSize(); p.chosenEnd-s.top > room-1 { // the last row says what is below
		s.top = p.chosenEnd - room + 1
	}
	s.top = min(s.top, p.chosen)
}

// scroll moves the text of the memory.
func (s *Screen) scroll(m keys.Motion) {
	_, room := s.pageSize()
	s.top = max(0, min(s.top+m.Step(room), len(s.layPage().lines)-room))
}

// pageSize is the room for the memory under the cursor.
func (s *Screen) pageSize() (w, h int) {
	h = s.frame.Height - len(s.questionLines(s.frame.Width))
	if s.wide() {
		return s.frame.Width - s.listWidth() - 1, h
	}
	return s.frame.Width, h - s.rows.Height - 2
}

// page is a memory as it is drawn, all of it.
type page struct {
	lines             []string
	chosen, chosenEnd int // the lines of the chosen quote
}

// memoryLines draw the memory under the cursor, from its top or where it is scrolled to.
func (s *Screen) memoryLines() []string {
	_, room := s.pageSize()
	if s.rows.Selected() == nil || room < 1 {
		return nil
	}
	lines := s.layPage().lines
	lines = lines[max(0, min(s.top, len(lines)-room)):]
	if below := len(lines) - room + 1; below > 1 {
		more := draw.OneOrMany(below, "more line", "more lines") + ": " + s.Key("scroll-down")
		lines = append(lines[:room-1:room-1], " "+s.Ink.Muted.On(s.G.Down+" "+more))
	}
	return lines
}

// layPage lays out the memory under the cursor.
func (s *Screen) layPage() (p page) {
	m := s.rows.Selected()
	w, _ := s.pageSize()
	put := func(k draw.Ink, text string) {
		for _, l := range s.wrapped(text, w-2) {
			p.lines = append(p.lines, " "+k.On(l))
		}
	}
	put(s.Ink.Name, m.Title)
	put(s.Ink.Muted, s.facts(m))
	if m.Reason != "" {
		put(s.Ink.Warn, m.Reason)
	}
	if len(m.Flags) > 0 {
		put(s.Ink.Warn, flagsText(m))
	}
	if m.Content != m.Title {
		p.lines = append(p.lines, "")
		for l := range strings.SplitSeq(m.Content, "\n") {
			put(s.Ink.Text, l)
		}
	}
	for _, part := range [...][2]string{{"when: ", m.Context}, {"what to do: ", m.Resolution}, {"note: ", m.Note}} {
		if part[1] != "" {
			put(s.Ink.Text, part[0]+part[1])
		}
	}
	put(s.Ink.Muted, "tags: "+strings.Join(m.Tags, " "))
	s.layQuotes(&p, m, w)
	return p
}

// wrapped breaks a text into lines. It does not keep its white space, and says so where
// it is too long to be shown whole.
func (s *Screen) wrapped(text string, w int) []string {
	text = strings.Join(strings.Fields(text), " ")
	head := draw.Head(text)
	line := s.Shown(head)
	if n := len(text) - len(head); n > 0 {
		line += s.G.More + " (" + draw.Grouped(n) + " more bytes: winnow memories show)"
	}
	return strings.Split(ansi.Wrap(line, max(8, w), ""), "\n")
}

// facts say what a memory is and what became of it.
func (s *Screen) facts(m *memory.Memory) string {
	text := string(m.Kind) + " " + s.G.Dot + " grade " + fmt.Sprintf("%.2f", m.Grade) + " " + s.G.Dot + " " + state(m)
	if m.Curator != "" && m.Stale {
		text += ", approved by " + m.Curator
	} else if m.Curator != "" {
		text += " by " + m.Curator
	}
	if m.Dir != "" {
		text += " " + s.G.Dot + " " + s.ShortPath(m.Dir)
	}
	if m.Edited {
		text += " " + s.G.Dot + " edited"
	}
	return text
}

// flagsText says in words what the flags of a memory are.
func flagsText(m *memory.Memory) string {
	words := map[memory.Flag]string{
		memory.FromTools: "all its quotes are from results of tools", memory.Directive: "it speaks to the agent that will read it",
		memory.Link: "it has an address that the user did not type", memory.Hidden: "it has characters that do not show",
	}
	list := make([]string, len(m.Flags))
	for i, f := range m.Flags {
		list[i] = words[f]
	}
	return "! " + strings.Join(list, "; ")
}

// layQuotes lays out the quotes below the text.
func (s *Screen) layQuotes(p *page, m *memory.Memory, w int) {
	n := 0
	for i := range m.Sources {
		o := &m.Sources[i]
		p.lines = append(p.lines, "")
		from, gone := "segment "+review.Short(o.Segment)+" of ", ""
		if !o.Live {
			gone = " (not live)"
		}
		file := draw.Tail(s.ShortPath(o.File), max(8, w-2-len(from)-len(gone)), s.G.More)
		p.lines = append(p.lines, " "+s.Ink.Muted.On(draw.Fit(from+file+gone, max(0, w-2), s.G.More)))
		for _, c := range o.Cites {
			message, chosen := c.Message, false
			if o.Live {
				message, chosen = o.Start+c.N-1, n == s.cite
				n++
			}
			if chosen {
				p.chosen = len(p.lines)
			}
			s.layQuote(p, fmt.Sprintf("#%d %s ", message, c.Role), c.Quote, w, chosen)
			if chosen {
				p.chosenEnd = len(p.lines)
			}
		}
	}
}

// layQuote lays out a quote, all of it: it is what a verdict is about.
func (s *Screen) layQuote(p *page, head, text string, w int, chosen bool) {
	k, mark := s.Row(chosen)
	lead := ansi.StringWidth(head)
	for i, l := range s.wrapped(s.G.Quote+text+s.G.Unquote, w-3-lead) {
		if i > 0 {
			head = strings.Repeat(" ", lead)
		}
		p.lines = append(p.lines, mark+k.Muted.On(" "+head)+k.Text.On(draw.Fit(l, max(0, w-3-lead), s.G.More)+" "))
	}
}
