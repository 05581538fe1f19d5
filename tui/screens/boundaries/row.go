package boundaries

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/tui/draw"
)

// messageColumns are the widths of a message's line in cells; 0 is left out.
// Every width includes the space before it.
type messageColumns struct{ number, role, fail, text, tools, gap int }

const (
	wideRole     = 10 // "assistant" and a space
	narrowRole   = 5  // "asst"
	gapWidth     = 6  // " +12m"
	roomyLine    = 72 // cells from which the words of roles and the tools have room
	mostTools    = 22
	machineNotes = 30 // cells for the machine's topic
	// notable is the pause from which it is shown: what follows may be about
	// something else. longPause is one that the eye should find.
	notable, longPause = time.Minute, 10 * time.Minute
)

// messageColumns lays out the lines of messages.
func (b *Screen) messageColumns(w int) messageColumns {
	c := messageColumns{number: len(strconv.Itoa(b.messages())) + 1, role: narrowRole, fail: 2, gap: gapWidth}
	rest := w - 2 - 1 // the mark and the band; a space at the end
	if b.machine.shown {
		rest--
	}
	if w >= roomyLine {
		c.role = wideRole
		c.tools = min(mostTools, w/7)
	}
	c.text = rest - c.number - c.role - c.fail - c.tools - c.gap
	if least := 20; c.text < least {
		c.text += c.gap
		c.gap = 0
	}
	c.text = max(0, c.text)
	return c
}

// messageRow draws the line of message n, which is in segment i.
func (b *Screen) messageRow(c messageColumns, i, n int) string {
	s := &b.bands[i]
	k, mark := b.Row(n == b.cur)
	glyph := b.G.Band[1]
	if n == s.End {
		glyph = b.G.Band[2]
	}
	var out strings.Builder
	out.WriteString(mark + b.bandInk(k, i).On(glyph))
	if b.machine.shown {
		out.WriteString(b.machineGlyph(k, i, n, false))
	}
	h, _ := b.texts.head(n)
	text := b.texts.texts[n]
	role := k.Role(h.Role)
	out.WriteString(k.Muted.On(draw.Right(strconv.Itoa(n), c.number)))
	out.WriteString(role.On(" " + draw.Fit(roleWord(h.Role, c.role), c.role-1, "")))
	switch h.Outcome().Outcome {
	case outcome.Error:
		out.WriteString(k.Fail.On(" " + b.G.Verdict[review.Rejected]))
	case outcome.Exit:
		out.WriteString(k.Warn.On(" !"))
	default:
		out.WriteString(k.Text.On("  "))
	}
	out.WriteString(b.lineEnd(k, c, n, n == s.Start, &h, &text))
	out.WriteString(k.Text.On(" "))
	return out.String()
}

// lineEnd draws what a message says, and beside it where the machine cuts, or
// its tools and the pause before it. What is not there leaves its room to the
// words.
func (b *Screen) lineEnd(k *draw.Inks, c messageColumns, n int, begins bool, h *review.Head, t *lineText) string {
	m := &b.machine
	if !begins && c.tools > 0 && m.beginsAt(n) {
		note := "machine"
		if cut, _ := m.at(n); cut.Topic != "" {
			note += ": " + oneLine(cut.Topic)
		}
		return b.said(k, h, t, c.text) + k.Warn.On(" "+draw.Fit(note, c.tools+c.gap-1, b.G.More))
	}
	tools, gap := toolsText(h, t, c.tools, b.G), b.gapText(k, n, h, c.gap)
	if gap == "" {
		c.tools += c.gap
	}
	if tools == "" {
		c.text += c.tools
		c.tools = 0
	}
	return b.said(k, h, t, c.text) + k.Tool.On(draw.Fit(tools, c.tools, "")) + gap
}

// said draws what a message says in w cells.
func (b *Screen) said(k *draw.Inks, h *review.Head, t *lineText, w int) string {
	switch {
	case w <= 0:
		return ""
	case t.problem != "":
		return k.Fail.On(draw.Fit(" "+t.problem, w, b.G.More))
	case t.awaited():
		return k.Muted.On(draw.Fit(" "+cmp.Or(oneLine(h.Tool), b.G.More), w, b.G.More))
	case t.Tool != "":
		name := draw.Fit(" "+t.Tool, min(w, ansi.StringWidth(t.Tool)+1), b.G.More)
		ink, rest := k.Text, w-ansi.StringWidth(name)
		if h.Role == chat.Tool {
			ink = k.Muted
		}
		return k.Tool.On(name) + ink.On(draw.Fit("  "+t.Text, rest, b.G.More))
	case t.Kind != "":
		return k.Muted.On(draw.Fit(" "+t.Kind+"  "+t.Text, w, b.G.More))
	}
	ink := k.Text
	switch h.Role {
	case chat.System, chat.Tool:
		ink = k.Muted
	case chat.User:
		ink = k.Name // where a task may begin
	}
	return ink.On(draw.Fit(" "+t.Text, w, b.G.More))
}

// toolsText names in w cells the tools that a message calls beside what it
// says.
func toolsText(h *review.Head, t *lineText, w int, g *draw.Glyphs) string {
	calls := h.Calls
	switch {
	case w <= 0 || calls == 0 || t.awaited():
		return ""
	case t.Tool != "" && calls > 1: // the first one stands in the text
		return draw.Fit(" +"+draw.Plural(calls-1, "call"), w, g.More)
	case t.Tool != "":
		return ""
	}
	more := ""
	if calls > 1 {
		more = " +" + strconv.Itoa(calls-1)
	}
	name := oneLine(h.Tool)
	return " " + draw.Fit(name, min(ansi.StringWidth(name), max(1, w-1-len(more))), g.More) + more
}

// gapText draws in w cells how long after the message before it this one came,
// "" if that is not notable.
func (b *Screen) gapText(k *draw.Inks, n int, h *review.Head, w int) string {
	before, known := b.texts.head(n - 1)
	if w <= 0 || !known {
		return ""
	}
	from, ok := chat.ParseTime(before.Timestamp)
	to, ok2 := chat.ParseTime(h.Timestamp)
	d := to.Sub(from)
	if !ok || !ok2 || d <= notable {
		return ""
	}
	ink := k.Muted
	if d >= longPause {
		ink = k.Warn
	}
	return ink.On(draw.Right(pause(d), w))
}

// pause renders a duration in at most five cells.
func pause(d time.Duration) string {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	switch {
	case d < time.Hour:
		return fmt.Sprintf("+%dm", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("+%dh", d/time.Hour)
	case d < 2*year:
		return fmt.Sprintf("+%dd", d/day)
	}
	return fmt.Sprintf("+%dy", d/year)
}

// roleWord names a role in w-1 cells.
func roleWord(r chat.Role, w int) string {
	if w < wideRole {
		switch r {
		case chat.Assistant:
			return "asst"
		case chat.System:
			return "sys"
		}
	}
	return string(r)
}

// machineGlyph draws the machine's band beside message n of segment i, or
// beside the name of the segment, which n begins.
func (b *Screen) machineGlyph(k *draw.Inks, i, n int, name bool) string {
	m := &b.machine
	cut, ok := m.at(n)
	if !ok {
		return k.Text.On(" ")
	}
	begins := n == cut.Start
	drafted := n == b.bands[i].Start
	ink := k.Muted
	if begins != drafted && (begins || name) {
		ink = k.Warn
	}
	switch {
	case name && begins:
		return ink.On(b.G.Band[0])
	case !name && begins && !drafted && n == cut.End:
		return ink.On(b.G.Band[3])
	case !name && begins && !drafted:
		return ink.On(b.G.Band[0])
	case !name && n == cut.End:
		return ink.On(b.G.Band[2])
	}
	return ink.On(b.G.Band[1])
}

// torn says which results the boundaries that the draft adds separate from
// their calls, "" for none: neither part is a conversation that can be trained
// on. Boundaries above messages that nobody has seen are passed over.
func (b *Screen) torn() string {
	first, n := 0, 0
	for i := 1; i < len(b.bands); i++ {
		at := b.bands[i].Start
		if h, known := b.texts.head(at); !known || h.Role != chat.Tool {
			continue
		}
		if slices.ContainsFunc(b.rows, func(s review.Segment) bool { return s.Start == at }) {
			continue
		}
		if n++; first == 0 {
			first = at
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "splits result " + draw.Grouped(first) + " from its call: exports leave both parts out"
	}
	return "splits result " + draw.Grouped(first) + " and " + draw.Grouped(n-1) + " more from their calls: exports leave these parts out"
}
