// Package beside draws two texts that were compared: changes below each other, or side
// by side where there is room, with what changed underlined, so that it shows without
// colours.
package beside

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/textdiff"
	"winnow/tui/draw"
)

const (
	// TwoColumns is the width from which before and after stand side by side.
	TwoColumns = 120
	// longWord is how many bytes a cell has at most in words that are measured as a
	// whole.
	longWord = 4
)

// Pen is what rows are drawn with.
type Pen struct {
	Text, Muted, Border, Gone, Come draw.Ink
	Minus, More, Wall               string
}

// PenOf returns the pen of the program.
func PenOf(p *draw.Pen) Pen {
	return Pen{p.Ink.Text, p.Ink.Muted, p.Ink.Border, p.Ink.Rejected, p.Ink.Approved, p.G.Minus, p.G.More, p.G.Wall}
}

// row is a line of the screen: one side, or two.
type row struct{ sides [2]cells }

// cells are pieces that fit on a row, with the sign before them.
type cells struct {
	sign   string
	pieces []textdiff.Piece
	said   string // instead of pieces: what stands for others
}

// Rows draws lines in a width.
func (k *Pen) Rows(list []textdiff.Line, w int) (rows []string) {
	for i := range list {
		for _, r := range k.rowsOf(&list[i], w) {
			rows = append(rows, k.draw(&r, w))
		}
	}
	return rows
}

// rowsOf lays out a line before and after.
func (k *Pen) rowsOf(p *textdiff.Line, w int) (rows []row) {
	if p.Left > 0 {
		return []row{{[2]cells{{said: draw.Plural(p.Left, "equal line") + " left out"}}}}
	}
	minus, plus := k.Minus, "+"
	if w < TwoColumns {
		if p.Same {
			return besideRows(wrapped(p.Before, " ", w-3), nil)
		}
		return append(besideRows(wrapped(p.Before, minus, w-3), nil), besideRows(wrapped(p.After, plus, w-3), nil)...)
	}
	half := (w-3)/2 - 3
	if p.Same {
		minus, plus = " ", " "
	}
	return besideRows(wrapped(p.Before, minus, half), wrapped(p.After, plus, half))
}

func besideRows(left, right []cells) []row {
	rows := make([]row, max(len(left), len(right)))
	for i := range left {
		rows[i].sides[0] = left[i]
	}
	for i := range right {
		rows[i].sides[1] = right[i]
	}
	return rows
}

// wrapped breaks a line into rows of w cells, nil for no line.
func wrapped(line []textdiff.Piece, sign string, w int) (rows []cells) {
	if line == nil {
		return nil
	}
	w = max(8, w)
	now, used := cells{sign: sign}, 0
	end := func() {
		rows = append(rows, now)
		now, used = cells{sign: sign}, 0
	}
	for _, p := range line {
		for _, word := range textdiff.Split(p.Text) {
			for len(word) > 0 {
				head := word
				if most := longWord * w; len(head) > most { // only as much is measured as can fit
					for most > 1 && !utf8.RuneStart(word[most]) {
						most--
					}
					head = ansi.Truncate(word[:most], w, "")
				}
				n := ansi.StringWidth(head)
				if used > 0 && used+n > w {
					end()
				}
				if n > w {
					head = ansi.Truncate(head, w, "")
					n = ansi.StringWidth(head)
				}
				if head == "" {
					break
				}
				now.pieces = textdiff.Grow(now.pieces, head, p.Changed)
				used += n
				word = word[len(head):]
			}
		}
	}
	end()
	return rows
}

// draw draws a row.
func (k *Pen) draw(r *row, w int) string {
	if r.sides[0].said != "" {
		return k.Muted.On(draw.Fit("  "+k.More+" "+r.sides[0].said, w, k.More))
	}
	if w < TwoColumns {
		return k.side(&r.sides[0])
	}
	half := (w - 3) / 2
	return draw.Fit(k.side(&r.sides[0]), half, k.More) + " " + k.Border.On(k.Wall) + " " + k.side(&r.sides[1])
}

// side draws one side.
func (k *Pen) side(c *cells) string {
	if c.sign == "" {
		return ""
	}
	ink := k.Text
	switch c.sign {
	case k.Minus:
		ink = k.Gone
	case "+":
		ink = k.Come
	}
	var out strings.Builder
	out.WriteString(ink.On(c.sign) + "  ")
	for _, p := range c.pieces {
		switch {
		case p.Changed:
			out.WriteString(ink.On("\x1b[4m" + p.Text + "\x1b[24m"))
		default:
			out.WriteString(k.Text.On(p.Text))
		}
	}
	return out.String()
}
