package memories

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/core/review"
	"winnow/tui/draw"
)

const (
	wideFrom   = 110 // columns from which on the memory stands beside the list
	stateWidth = 10
	kindWidth  = 10
	gradeWidth = 5
)

func (s *Screen) wide() bool { return s.frame.Width >= wideFrom }

func (s *Screen) listWidth() int {
	if s.wide() {
		return s.frame.Width * 45 / 100
	}
	return s.frame.Width
}

// listHeight is how many memories are on screen, less the heads of the columns: all of
// them in half of the room, in which the rest is for the one under the cursor.
func (s *Screen) listHeight() int {
	h := s.frame.Height - len(s.questionLines(s.frame.Width))
	if s.wide() {
		return max(1, h-1)
	}
	return max(1, min(len(s.rows.Rows), (h-2)/2))
}

// Header says what is listed.
func (s *Screen) Header(int) []draw.Part {
	parts := []draw.Part{{Text: s.Ink.Text.On("memories"), Worth: 8}}
	if s.typed != "" {
		parts = append(parts, draw.Part{Text: s.Ink.Key.On(s.Shown(s.typed)), Worth: 6})
	}
	if s.only != "" {
		parts = append(parts, draw.Part{Text: s.Ink.Key.On("of segment " + review.Short(s.only)), Worth: 7})
	}
	if text := s.counts(); text != "" {
		parts = append(parts, draw.Part{Text: s.Ink.Muted.On(text), Worth: 5})
	}
	return parts
}

// counts are how many there are of each status, "" of none.
func (s *Screen) counts() string {
	n := map[string]int{}
	for i := range s.rows.Rows {
		n[state(&s.rows.Rows[i])]++
	}
	var parts []string
	for _, of := range states {
		if n := n[of]; n > 0 {
			parts = append(parts, draw.Grouped(n)+" "+of)
		}
	}
	return strings.Join(parts, " "+s.G.Dot+" ")
}

// Footer says how many there are.
func (s *Screen) Footer() []string {
	if !s.got.Came || len(s.rows.Rows) == 0 {
		return nil
	}
	text := draw.OneOrMany(len(s.rows.Rows), "memory", "memories")
	if s.got.Got.More {
		text = "the first " + draw.Grouped(most)
	}
	return []string{text}
}

// Lines draws the list, and the memory under the cursor.
func (s *Screen) Lines(w, height int) []string {
	if len(s.rows.Rows) == 0 {
		return s.Filled(s.Centred(w, height, s.emptyLines(w)), w, height)
	}
	question := s.questionLines(w)
	height -= len(question)
	var lines []string
	if s.wide() {
		left := s.listLines(s.listWidth())
		right := s.memoryLines()
		for i := range height {
			l := draw.Fit(at(left, i), s.listWidth(), "")
			lines = append(lines, l+s.Ink.Border.On(s.G.Wall)+draw.Fit(at(right, i), w-s.listWidth()-1, ""))
		}
	} else {
		lines = s.Filled(s.listLines(w), w, s.rows.Height+1)
		lines = append(lines, s.Ink.Border.On(strings.Repeat(s.G.Rule, w)))
		lines = append(lines, s.memoryLines()...)
		lines = s.Filled(lines, w, height)
	}
	return s.Filled(append(lines, question...), w, height+len(question))
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func (s *Screen) emptyLines(w int) []string {
	switch {
	case s.got.Err != nil:
		return s.Unread(w, "The memories could not be read.", s.got.Err)
	case !s.got.Came:
		return []string{s.Ink.Muted.On("loading")}
	case s.typed != "" || s.only != "":
		return []string{s.Ink.Name.On("No memory passes the filter."), "", s.Ink.Text.On(s.Key("filter-memories") + " changes it, " + s.Key("of-segment") + " shows all segments or one")}
	}
	lines := []string{s.Ink.Name.On("Nothing was learned yet."), ""}
	return append(lines, s.Wrap(s.Ink.Text, "winnow extract looks in approved segments for rules, pitfalls, procedures and facts, and proposes them here; :memory in the reader makes one of a message.", w)...)
}

// listLines draws the list.
func (s *Screen) listLines(w int) []string {
	title := max(0, w-2-stateWidth-kindWidth-gradeWidth)
	lines := []string{s.Ink.Muted.On("  " + draw.Fit("status", stateWidth, "") + draw.Fit("kind", kindWidth, "") + draw.Fit("grade", gradeWidth+1, "") + draw.Fit("memory", max(0, title-1), ""))}
	for i := range s.rows.Visible() {
		m := &s.rows.Rows[s.rows.Top+i]
		k, mark := s.Row(s.rows.Top+i == s.rows.Cur)
		name := s.Shown(m.Title)
		flag := k.Text.On(" ")
		if len(m.Flags) > 0 {
			flag = k.Warn.On("!")
		}
		lines = append(lines, mark+k.Text.On(" ")+s.stateInk(k, m).On(draw.Fit(state(m), stateWidth, ""))+k.Muted.On(draw.Fit(string(m.Kind), kindWidth, "")+fmt.Sprintf("%.2f", m.Grade))+flag+
			k.Text.On(draw.Fit(name, max(0, title-1), s.G.More)))
	}
	return lines
}

// states are all that state returns, in the order in which they are listed.
var states = [...]string{string(memory.Proposed), memory.StaleStatus, string(memory.Approved), string(memory.Rejected), string(memory.Archived)}

// state is the status of a memory in a word.
func state(m *memory.Memory) string {
	if m.Stale {
		return memory.StaleStatus
	}
	return string(m.Status)
}

func (s *Screen) stateInk(k *draw.Inks, m *memory.Memory) draw.Ink {
	switch {
	case m.Stale:
		return k.Stale
	case m.Status == memory.Approved:
		return k.Approved
	case m.Status == memory.Rejected:
		return k.Rejected
	case m.Status == memory.Archived:
		return k.Muted
	}
	return k.Text
}

// questionLines draw what is asked.
func (s *Screen) questionLines(w int) []string {
	a := &s.asks
	if a.to == "" {
		return nil
	}
	verb := map[memory.Status]string{memory.Approved: "Approve ", memory.Rejected: "Reject "}[a.to]
	text := verb + draw.OneOrMany(len(a.all), "memory that is proposed here", "memories that are proposed here") + "?" + flaggedText(a.flagged, " Left: ")
	if a.best != nil {
		text = s.bestText(a)
	}
	var lines []string
	for l := range strings.SplitSeq(ansi.Wrap(text, max(8, w-2), ""), "\n") {
		lines = append(lines, draw.Fit(" "+s.Ink.Warn.On(l), w, s.G.More))
	}
	return lines
}
