package reader

import (
	"fmt"
	"image/color"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/glamour/v2"
	gansi "charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/themes"
)

// Markdown is rendered for reading, but a curator judges the text that was
// recorded: what rendering would swallow (tags, entities, backslashes, double
// underscores) is hidden from it behind private characters and put back
// afterwards, and texts with link definitions, which it would drop, are shown
// plainly.

// hidden pairs characters that Markdown acts on with what stands in for them
// while it runs: private characters, one cell wide like them.
var hidden = [...][2]string{{"<", "\ue0f1"}, {"&", "\ue0f2"}, {`\`, "\ue0f3"}, {"_", "\ue0f4"}}

// markdownSigns are what a text must hold to be worth rendering.
var markdownSigns = [...]string{"`", "**", "\n#", "\n- ", "\n* ", "\n1. ", "\n> ", "](", "\n|", "~~~"}

// markdownIn reports whether text would look better rendered.
func markdownIn(text string) bool {
	if strings.Contains(text, "]: ") {
		return false // perhaps a link definition
	}
	for _, h := range hidden {
		if strings.Contains(text, h[1]) {
			return false
		}
	}
	for _, sign := range markdownSigns {
		if strings.Contains(text, sign) || strings.HasPrefix(text, strings.TrimPrefix(sign, "\n")) {
			return true
		}
	}
	return false
}

// renderMarkdown renders a clean text to rows of at most width cells, which
// hold text and colours and nothing else. It takes about 4 ms per KiB.
func renderMarkdown(text string, width int, style gansi.StyleConfig) (*form, error) {
	renderer, err := glamour.NewTermRenderer(
		glamour.WithStyles(style), glamour.WithWordWrap(width),
		glamour.WithPreservedNewLines(), glamour.WithInlineTableLinks(true))
	if err != nil {
		return nil, fmt.Errorf("markdown: %w", err)
	}
	in := text
	for _, h := range hidden {
		in = strings.ReplaceAll(in, h[0], h[1])
	}
	out, err := renderer.Render(in)
	if err != nil {
		return nil, fmt.Errorf("markdown: %w", err)
	}
	for _, h := range hidden {
		out = strings.ReplaceAll(out, h[1], h[0])
	}
	f := &form{}
	for row := range strings.SplitSeq(out, "\n") {
		f.addRow(row, width)
	}
	f.trim()
	f.align(text)
	return f, nil
}

// addRow appends a row, over several rows if it is too wide: code is not
// wrapped by the renderer.
func (f *form) addRow(row string, width int) {
	runs := coloured(row)
	if len(runs) == 0 {
		if n := len(f.rows); n > 0 && f.rows[n-1] != "" {
			f.rows = append(f.rows, "")
		}
		return
	}
	var b strings.Builder
	col := 0
	for _, run := range runs {
		b.WriteString(run.colour)
		for text := run.text; text != ""; {
			size, w := clusterAt(text)
			if col+w > width && col > 0 {
				f.endRow(&b, run.colour)
				b.WriteString(run.colour)
				col = 0
			}
			b.WriteString(text[:size])
			text = text[size:]
			col += w
		}
		if run.colour != "" {
			b.WriteString(resetColour)
		}
	}
	f.endRow(&b, "")
}

func (f *form) endRow(b *strings.Builder, colour string) {
	if colour != "" {
		b.WriteString(resetColour)
	}
	f.rows = append(f.rows, b.String())
	b.Reset()
}

func (f *form) trim() {
	for len(f.rows) > 0 && f.rows[len(f.rows)-1] == "" {
		f.rows = f.rows[:len(f.rows)-1]
	}
}

const resetColour = "\x1b[m"

// run is a piece of a row in one colour: the sequences that set it.
type run struct{ colour, text string }

// coloured takes a rendered row apart. Of its escape sequences only those
// that set colours are kept; the spaces that pad the row are cut.
func coloured(row string) []run {
	var runs []run
	colour := ""
	for state := byte(0); row != ""; {
		seq, width, n, next := ansi.DecodeSequence(row, state, nil)
		row, state = row[n:], next
		switch {
		case isColour(seq):
			if seq == resetColour || seq == "\x1b[0m" {
				colour = ""
			} else {
				colour += seq
			}
		case width == 0 && (seq == "" || seq[0] < ' ' || seq[0] == 0x7f || len(seq) == 1 && seq[0] >= utf8.RuneSelf):
		case len(runs) > 0 && runs[len(runs)-1].colour == colour:
			runs[len(runs)-1].text += seq
		default:
			runs = append(runs, run{colour, seq})
		}
	}
	for len(runs) > 0 {
		last := &runs[len(runs)-1]
		if last.text = strings.TrimRight(last.text, " "); last.text != "" {
			break
		}
		runs = runs[:len(runs)-1]
	}
	return runs
}

func isColour(seq string) bool {
	params, ok := strings.CutPrefix(seq, "\x1b[")
	if !ok || !strings.HasSuffix(params, "m") {
		return false
	}
	return strings.Trim(params[:len(params)-1], "0123456789;:") == ""
}

// align finds for every row where its text stands in the source, so that a
// reading position survives the change between both.
func (f *form) align(source string) {
	const ahead = 2 << 10 // bytes a row may lie behind the one before
	f.source = make([]int, len(f.rows))
	at := 0
	for i, row := range f.rows {
		f.source[i] = at
		words := strings.Fields(ansi.Strip(row))
		for _, word := range words[:min(len(words), 4)] {
			if found := strings.Index(source[at:min(len(source), at+ahead)], word); found >= 0 && len(word) > 1 {
				f.source[i] = at + found
				at += found + len(word)
				break
			}
		}
	}
}

// form is another way to show the text of a block: rendered rows, or another
// text. The plain text is the nil form.
type form struct {
	rows   []string
	source []int  // per row, its offset in the plain text; ascending
	text   string // instead of rows
	// What it was made for.
	width, theme int
}

// plainAt returns the offset in the plain text, of the given size, that a
// place in the form shows.
func (f *form) plainAt(at, size int) int {
	switch {
	case f == nil:
		return at
	case f.text != "":
		return scaled(at, len(f.text), size)
	case len(f.source) == 0:
		return 0
	}
	return f.source[max(0, min(at, len(f.source)-1))]
}

// at returns the place in the form that shows an offset in the plain text.
func (f *form) at(plain, size int) int {
	switch {
	case f == nil:
		return plain
	case f.text != "":
		return scaled(plain, size, len(f.text))
	}
	return max(0, sort.SearchInts(f.source, plain+1)-1)
}

func scaled(at, from, to int) int {
	if from <= 0 {
		return 0
	}
	return int(float64(at) / float64(from) * float64(to))
}

// markdownStyle derives the look of Markdown from a theme.
func markdownStyle(s themes.Styles, ascii bool) gansi.StyleConfig {
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
	return c
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
	case ansi.BasicColor:
		name = strconv.Itoa(int(c))
	case ansi.IndexedColor:
		name = strconv.Itoa(int(c))
	default:
		r, g, b, _ := c.RGBA()
		name = fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	}
	return &name
}
