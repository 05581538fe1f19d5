package markdown

import (
	"fmt"
	"image/color"
	"strings"

	gansi "charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/themes"
)

// Style is the look of Markdown, and of the code in it.
type Style struct {
	marks gansi.StyleConfig
	code  codeInks
}

// StyleOf derives the look of Markdown from a theme.
func StyleOf(s themes.Styles, ascii bool) Style {
	yes := true
	heading := primitive(s.Assistant)
	heading.Bold = &yes
	code, muted := primitive(s.Code), primitive(s.Muted)
	bullet, bar := "• ", "│ "
	if ascii {
		bullet, bar = "- ", "| "
	}
	one, two := uint(1), uint(2)
	c := gansi.StyleConfig{}
	c.Document.StylePrimitive = primitive(s.Text)
	c.BlockQuote = gansi.StyleBlock{StylePrimitive: muted, Indent: &one, IndentToken: &bar}
	c.List.LevelIndent = 2
	c.Heading.StylePrimitive = heading
	for i, h := range [...]*gansi.StyleBlock{&c.H1, &c.H2, &c.H3, &c.H4, &c.H5, &c.H6} {
		h.Prefix = strings.Repeat("#", i+1) + " "
	}
	c.Strong.Bold, c.Emph.Italic, c.Strikethrough.CrossedOut = &yes, &yes, &yes
	c.HorizontalRule = muted
	c.HorizontalRule.Format = "\n--------\n"
	c.Item.BlockPrefix, c.Enumeration.BlockPrefix = bullet, ". "
	c.Task = gansi.StyleTask{Ticked: "[x] ", Unticked: "[ ] "}
	c.Link, c.LinkText = muted, primitive(s.Text)
	c.Image, c.ImageText = muted, muted
	c.Code.StylePrimitive = code
	c.CodeBlock.StylePrimitive = code
	c.CodeBlock.Margin = &two
	return Style{c, codeInksOf(s)}
}

// primitive takes the colour and weight of a style over.
func primitive(s lipgloss.Style) gansi.StylePrimitive {
	p := gansi.StylePrimitive{Color: colourName(s.GetForeground())}
	if s.GetBold() {
		yes := true
		p.Bold = &yes
	}
	return p
}

// colourName writes a colour as the renderer reads it: the number of one of
// the terminal's own colours, else #rrggbb; nil for none.
func colourName(c color.Color) *string {
	var name string
	switch c := c.(type) {
	case nil, lipgloss.NoColor:
		return nil
	case ansi.BasicColor, ansi.IndexedColor:
		name = fmt.Sprintf("%d", c)
	default:
		r, g, b, _ := c.RGBA()
		name = fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	}
	return &name
}
