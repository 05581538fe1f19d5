package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"winnow/themes"
)

// The grid of a drawn screen, in pixels. Every run of text is told how wide it
// is, so that columns meet whatever font is there.
const (
	cellWidth, cellHeight = 8.4, 18.0
	fontSize, baseline    = 14.0, 13.5
	margin                = 10.0
)

// svgHead begins a drawing; monospaced fonts in the order of how often they are
// there.
const svgHead = `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">
<style>text{font:%.0fpx ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;white-space:pre}.b{font-weight:bold}.i{font-style:italic}.f{opacity:.6}.u{text-decoration:underline}</style>
<rect width="100%%" height="100%%" rx="6" fill="%s"/>
`

// svg draws what a terminal of w by h cells shows.
func svg(content string, w, h int, s *themes.Styles, title string) []byte {
	screen := uv.NewScreenBuffer(w, h)
	screen.Method = ansi.GraphemeWidth
	uv.NewStyledString(content).Draw(screen, screen.Bounds())
	var b bytes.Buffer
	width, height := float64(w)*cellWidth+2*margin, float64(h)*cellHeight+2*margin
	fmt.Fprintf(&b, svgHead, width, height, width, height, escaped(title), fontSize, hexOf(s.Background))
	for y := range h {
		for x := 0; x < w; {
			x += drawRun(&b, screen, x, y, w, s)
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// drawRun draws cells of one look, from x on, and returns how many.
func drawRun(b *bytes.Buffer, screen uv.ScreenBuffer, x, y, w int, s *themes.Styles) int {
	first := screen.CellAt(x, y)
	n := max(1, first.Width)
	text := first.Content
	if alone := first.Width > 1 || shapeOf(text) != nil; !alone {
		for x+n < w {
			c := screen.CellAt(x+n, y)
			if c.Width != 1 || !c.Style.Equal(&first.Style) || shapeOf(c.Content) != nil {
				break
			}
			text += c.Content
			n++
		}
	}
	fg, bg := first.Style.Fg, first.Style.Bg
	if fg == nil {
		fg = s.Text.GetForeground()
	}
	if first.Style.Attrs&uv.AttrReverse != 0 {
		if bg == nil {
			bg = s.Background
		}
		fg, bg = bg, fg
	}
	left, top := margin+float64(x)*cellWidth, margin+float64(y)*cellHeight
	if bg != nil {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", left, top, float64(n)*cellWidth, cellHeight, hexOf(bg))
	}
	if shape := shapeOf(text); shape != nil {
		for _, r := range shape {
			fmt.Fprintf(b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s"/>`+"\n",
				left+r[0]*cellWidth, top+r[1]*cellHeight, r[2]*cellWidth, r[3]*cellHeight, hexOf(fg))
		}
		return n
	}
	underlined := first.Style.Underline != 0
	if strings.TrimSpace(text) == "" && !underlined {
		return n
	}
	if !underlined { // what nobody sees needs no place in the file
		text = strings.TrimRight(text, " ")
		left += float64(len(text)-len(strings.TrimLeft(text, " "))) * cellWidth
		text = strings.TrimLeft(text, " ")
	}
	classes := ""
	for _, c := range []struct {
		name string
		has  bool
	}{{"b", first.Style.Attrs&uv.AttrBold != 0}, {"i", first.Style.Attrs&uv.AttrItalic != 0}, {"f", first.Style.Attrs&uv.AttrFaint != 0}, {"u", underlined}} {
		if c.has {
			classes += " " + c.name
		}
	}
	if classes != "" {
		classes = fmt.Sprintf(` class="%s"`, classes[1:])
	}
	cells := float64(ansi.StringWidth(text))
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s xml:space="preserve">%s</text>`+"\n",
		left, top+baseline, cells*cellWidth, hexOf(fg), classes, escaped(text))
	return n
}

// shapeOf returns the rectangles of a character that has to meet its
// neighbours, in parts of a cell: left, top, width, height. nil: it is text.
func shapeOf(text string) [][4]float64 {
	const line = 0.06 // of a cell's height; its width is half of that
	across, down := 2*line, line
	up := [4]float64{0.5 - across/2, 0, across, 0.5 + down/2}
	low := [4]float64{0.5 - across/2, 0.5 - down/2, across, 0.5 + down/2}
	toLeft := [4]float64{0, 0.5 - down/2, 0.5 + across/2, down}
	toRight := [4]float64{0.5 - across/2, 0.5 - down/2, 0.5 + across/2, down}
	switch text {
	case "│":
		return [][4]float64{{0.5 - across/2, 0, across, 1}}
	case "─":
		return [][4]float64{{0, 0.5 - down/2, 1, down}}
	case "┌":
		return [][4]float64{low, toRight}
	case "┐":
		return [][4]float64{low, toLeft}
	case "└":
		return [][4]float64{up, toRight}
	case "┘":
		return [][4]float64{up, toLeft}
	case "├":
		return [][4]float64{up, low, toRight}
	case "┤":
		return [][4]float64{up, low, toLeft}
	case "┬":
		return [][4]float64{low, toLeft, toRight}
	case "┴":
		return [][4]float64{up, toLeft, toRight}
	case "┼":
		return [][4]float64{up, low, toLeft, toRight}
	case "▌":
		return [][4]float64{{0, 0, 0.5, 1}}
	}
	if r := []rune(text); len(r) == 1 && r[0] >= '▁' && r[0] <= '█' {
		full := float64(r[0]-'▁'+1) / 8
		return [][4]float64{{0, 1 - full, 1, full}}
	}
	return nil
}

func hexOf(c color.Color) string {
	if c == nil || c == (lipgloss.NoColor{}) {
		c = color.Black
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}
