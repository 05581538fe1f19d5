package draw

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/themes"
)

// Pen is what one draws with: the inks of the theme that is worn, those of a
// selected row, and the drawing characters. The program has one; who holds it
// draws with the new inks when the theme changes.
type Pen struct {
	Ink, Sel Inks
	G        *Glyphs
	ASCII    bool // without the characters that East Asian terminals draw wide
}

// Shown is recorded text as a line that is safe to be shown, with the signs there are.
func (d *Pen) Shown(text string) string {
	text = clean.Line(Head(text))
	if d.ASCII {
		text = clean.Carets(text)
	}
	return text
}

// NewPen returns a pen; it has no inks until it wears a theme.
func NewPen(ascii bool) *Pen { return &Pen{G: GlyphsFor(ascii), ASCII: ascii} }

// Wear takes the inks of a theme.
func (d *Pen) Wear(s themes.Styles) { d.Ink, d.Sel = InksOf(s), selectedInksOf(s) }

// Row returns the inks of a row of a list and the mark before it: those of the
// selection for the one under the cursor.
func (d *Pen) Row(selected bool) (k *Inks, mark string) {
	if selected {
		return &d.Sel, d.Sel.Key.On(d.G.Mark)
	}
	return &d.Ink, " "
}

// RowIn is Row for a row of one of several panes. The selected row of a pane that has
// not the keys has the mark alone.
func (d *Pen) RowIn(selected, hasKeys bool) (k *Inks, mark string) {
	if selected && !hasKeys {
		return &d.Ink, d.Ink.Border.On(d.G.Mark)
	}
	return d.Row(selected)
}

// WidestText is how far a sentence runs on the empty screen before it wraps.
const WidestText = 72

// Centred puts a few lines in the middle of an empty screen.
func (d *Pen) Centred(w, height int, lines []string) []string {
	widest := 0
	for _, l := range lines {
		widest = max(widest, ansi.StringWidth(l))
	}
	out := make([]string, max(0, (height-len(lines))/3)) // a little above the middle, where one looks
	for _, l := range lines {
		out = append(out, strings.Repeat(" ", max(1, (w-widest)/2))+l)
	}
	return d.Filled(out, w, max(0, height))
}

// Wrap breaks a sentence of an empty screen of some width into lines.
func (d *Pen) Wrap(k Ink, text string, w int) []string {
	lines := strings.Split(ansi.Wrap(text, max(8, min(w-4, WidestText)), ""), "\n")
	for i := range lines {
		lines[i] = k.On(lines[i])
	}
	return lines
}

// Box puts walls beside lines of inner cells, and a line above and below.
func (d *Pen) Box(lines []string, inner int, framed bool) []string {
	k, g := d.Ink.Border, d.G
	box := make([]string, 0, len(lines)+2)
	rule := func(left, right string) {
		if framed {
			box = append(box, k.On(left+strings.Repeat(g.Rule, inner)+right))
		}
	}
	rule(g.corners[0], g.corners[1])
	wall := k.On(g.Wall)
	for _, l := range lines {
		box = append(box, wall+l+wall)
	}
	rule(g.corners[2], g.corners[3])
	return box
}

// Filled cuts and fills lines to a screen of height lines of w cells.
func (d *Pen) Filled(lines []string, w, height int) []string {
	out := make([]string, height)
	copy(out, lines)
	for i := range out {
		out[i] = Fit(out[i], w, d.G.More)
	}
	return out
}

// LeastBar is the cells of the shortest bar that tells something.
const LeastBar = 8

// Rule is a line across the screen.
func (d *Pen) Rule(w int) string { return d.Ink.Border.On(strings.Repeat(d.G.Rule, w)) }

// Score renders a score in four cells.
func Score(k *Inks, g *Glyphs, score *float64) string {
	if score == nil || math.IsNaN(*score) {
		return k.Muted.On(" " + g.None + "  ")
	}
	v := min(max(*score, 0), 1)
	return k.Score(v).On(metric.ScoreText(v))
}

// ScoreAndTask names a segment's score, what it rests on, and the type of task.
func (d *Pen) ScoreAndTask(s *review.Segment, on metric.Evidence) string {
	text := d.G.None
	between := " "
	if s.Score != nil {
		text = on.After(metric.ScoreText(*s.Score), d.G.Dot)
		if on != (metric.Evidence{}) {
			between += d.G.Dot + " "
		}
	}
	if s.TaskType != "" {
		text += between + clean.Line(Head(s.TaskType))
	}
	return text
}

// Beside puts the blocks into two columns of width w, about equally long.
func Beside(blocks [][]string, w int) []string {
	total := 0
	for _, b := range blocks {
		total += len(b)
	}
	var left, right []string
	for _, b := range blocks {
		if len(right) == 0 && len(left)+len(b)/2 < total/2 {
			left = append(left, b...)
		} else {
			right = append(right, b...)
		}
	}
	lines := make([]string, max(len(left), len(right)))
	copy(lines, left)
	for i := range lines {
		lines[i] = Fit(lines[i], w, "")
		if i < len(right) {
			lines[i] += right[i]
		}
	}
	return lines
}

// Failed says in place of what was asked for why it is not there, and what to do
// next.
func (d *Pen) Failed(w int, what string, err error, next string) []string {
	lines := []string{d.Ink.Fail.On(what), ""}
	reason := d.Wrap(d.Ink.Text, clean.Line(Head(err.Error())), w)
	return append(append(lines, reason[:min(len(reason), MostReason)]...), "", d.Ink.Text.On(next))
}

// MostReason is how many lines of an error are told: what is to be done stands
// below them.
const MostReason = 6

// ToImport says how there comes to be something.
func (d *Pen) ToImport() []string {
	return []string{
		d.Ink.Key.On("winnow PATH") + d.Ink.Text.On("  imports recorded sessions: files or folders"),
		d.Ink.Key.On("winnow demo") + d.Ink.Text.On("  opens the sample sessions that come with it"),
	}
}

// Below says how many lines are below a screen, nothing for none.
func (d *Pen) Below(n int) []string {
	if n <= 0 {
		return nil
	}
	return []string{d.G.Down + " " + Plural(n, "more line")}
}

// WrapTo wraps a clean text into at most so many lines.
func WrapTo(text string, width, most int, more string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(ansi.Wrap(text, max(1, width), ""), "\n")
	if len(lines) > most {
		rest := strings.Join(lines[most-1:], " ")
		lines = append(lines[:most-1:most-1], ansi.Truncate(rest, max(1, width), more))
	}
	return lines
}
