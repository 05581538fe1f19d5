package line

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// Lines draws the line and what stands below it in w cells, and returns the column
// of the cursor.
func (l *Line) Lines(pen *draw.Pen, w int) (lines []string, x int) {
	room, hint := l.room(w)
	text, column := l.view(w)
	k := &pen.Ink.Text
	if l.text == "" {
		text, k = l.Input.Placeholder, &pen.Ink.Muted
	}
	blanks := strings.Repeat(" ", max(0, room-ansi.StringWidth(text)))
	if l.Hint != "" && blanks != "" {
		blanks = " " + k.On(blanks[1:]) // the first one has the cursor
	}
	text = draw.Fit(k.On(text)+blanks, room, "")
	lines = []string{draw.Fit(pen.Ink.Key.On(l.Label)+text+pen.Ink.Muted.On(hint), w, "")}
	return append(lines, l.Use.Below(w)...), min(w-1, column(l.at))
}

// leastText is how many cells the text of a line keeps before its hint.
const leastText = 20

// room is how many of w cells the text has, and the hint after it.
func (l *Line) room(w int) (int, string) {
	w -= ansi.StringWidth(l.Label)
	if room := w - ansi.StringWidth(l.Hint); l.Hint != "" && room >= leastText {
		return room, l.Hint
	}
	return max(1, w-1), ""
}

// Column is where a character of the text stands in w cells.
func (l *Line) Column(i, w int) int {
	_, column := l.view(w)
	return column(i)
}

// view returns as much of the text as there is room for in w cells, with the cursor
// in it, and which column a character has. The text may hold names that a session
// gave: it is safe to be shown.
func (l *Line) view(w int) (view string, column func(i int) int) {
	text, n := []rune(l.text), ansi.StringWidth(l.Label)
	if w, _ = l.room(w); l.Hint != "" {
		w++ // the cursor may be on the blank after the text
	}
	cells := func(from, to int) int { return ansi.StringWidth(clean.Line(string(text[from:max(from, to)]))) }
	at := max(0, min(l.at, len(text)))
	from := at
	for used := 0; from > 0; from-- {
		if used += cells(from-1, from); used > w-1 {
			break
		}
	}
	to := at
	for to < len(text) && cells(from, to+1) <= w {
		to++
	}
	return clean.Line(string(text[from:to])), func(i int) int {
		i = max(from, min(i, len(text)))
		return n + min(cells(from, i), max(0, w-1))
	}
}

// popupLines is how many completions show at once.
const popupLines = 8

// shown is how many completions show in a box over height lines, and the first one
// of them. Above the box results follow.
func (p *Popup) shown(height int) (first, n int) {
	if n = len(p.Items); !p.Show || n == 0 {
		return 0, 0
	}
	if most := min(popupLines, max(height*2/3, 4)); n > most {
		n = most - 1 // the last line tells of the others
	}
	return max(0, min(p.top, max(0, p.Cur), len(p.Items)-n), p.Cur-n+1), n
}

// Follow brings the choice into view, where height lines are above the line.
func (l *Line) Follow(height int) { l.Popup.top, _ = l.Popup.shown(height) }

// Box draws the completions in a box over at most height of the lines above, and
// returns the column it stands at: with its words at those they complete, where
// there is room.
func (l *Line) Box(pen *draw.Pen, w, height int) (lines []string, column int) {
	p := &l.Popup
	first, n := p.shown(height)
	if n == 0 {
		return nil, 0
	}
	label, keys, help, count := 0, 0, 0, 0
	for i := range p.Items {
		c := &p.Items[i]
		keys = max(keys, ansi.StringWidth(c.Keys))
		label, help, count = max(label, ansi.StringWidth(c.Label)), max(help, ansi.StringWidth(c.Help)), max(count, len(c.countText()))
	}
	const walls = 2 + 2 // with the mark and the space beside them
	if keys > 0 {
		keys += 2 // the space before them
	}
	rest := w - walls - label - keys
	if count > 0 {
		count += 2 // the space before it
		rest -= count
	}
	if help = min(help+2, rest); help < 8 {
		label, help = min(label, w-walls-keys-count), 0
	}
	wall := pen.Ink.Border.On(pen.G.Wall)
	for i := first; i < first+n; i++ {
		c := &p.Items[i]
		k, mark := pen.Row(i == p.Cur)
		text := draw.Fit("  "+c.Help, help, pen.G.More) + draw.Right(c.countText(), count)
		lines = append(lines, wall+mark+k.Text.On(draw.Fit(c.Label, label, pen.G.More))+k.Key.On(draw.Fit("  "+c.Keys, keys, ""))+k.Muted.On(text)+k.Text.On(" ")+wall)
	}
	width := label + keys + help + count
	if n < len(p.Items) {
		text := " " + pen.G.Down + " " + strconv.Itoa(len(p.Items)-n) + " more"
		if p.Cur >= 0 {
			text = " " + strconv.Itoa(p.Cur+1) + " of " + strconv.Itoa(len(p.Items))
		}
		lines = append(lines, wall+pen.Ink.Muted.On(draw.Fit(text, width+2, ""))+wall)
	}
	return lines, max(0, min(l.Column(p.From, w)-2, w-width-walls))
}

// Hints draws keys and what they do, as many as w cells have room for, and
// returns how many cells that takes. An action without a key is left out.
func Hints(pen *draw.Pen, keys [][2]string, w int) (text string, used int) {
	var b strings.Builder
	for _, k := range keys {
		n := ansi.StringWidth(k[0]) + 1 + ansi.StringWidth(k[1])
		switch {
		case k[0] == "":
			continue
		case used > 0 && used+2+n > w, used+n > w:
			return b.String(), used
		case used > 0:
			b.WriteString("  ")
			used += 2
		}
		b.WriteString(pen.Ink.Key.On(k[0]) + pen.Ink.Muted.On(" "+k[1]))
		used += n
	}
	return b.String(), used
}
