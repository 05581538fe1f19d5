package reader

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/glamour/v2"
	gansi "charm.land/glamour/v2/ansi"
	"github.com/charmbracelet/x/ansi"
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
	if strings.Contains(text, "]: ") || deeplyNested(text) {
		return false // "]: " is perhaps a link definition
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

// deepest is the nesting of quotes and lists that is rendered: people stop
// at four, and the renderer's time and memory explode with depth (a line of a
// few thousand ">" never ends).
const deepest = 8

// deeplyNested reports whether a line begins with more marks of quotes and
// lists than are rendered. The indent before a mark stands for the levels
// above it, roughly: one for as many cells as a page of nested lists needs.
func deeplyNested(text string) bool {
	const indent = 32
	for line := range strings.SplitSeq(text, "\n") {
		depth := 0
		for i := 0; i < len(line) && depth <= deepest; i++ {
			switch c := line[i]; {
			case c == '>':
				depth++
			case c == '-' || c == '*' || c == '+' || c == '.' || c == ')':
				// Not followed by a space it is text.
				if i+1 < len(line) && line[i+1] != ' ' {
					i = len(line)
					break
				}
				depth += 1 + i/indent
			case c != ' ' && (c < '0' || c > '9'):
				i = len(line)
			}
		}
		if depth > deepest {
			return true
		}
	}
	return false
}

// renderMarkdown renders a clean text to rows of at most width cells, which
// hold text and colours and nothing else. It takes about 4 ms per KiB.
func renderMarkdown(text string, width int, style gansi.StyleConfig) (f *form, err error) {
	defer func() {
		// No recorded text may end the program, whatever the renderer
		// makes of it.
		if broken := recover(); broken != nil {
			f, err = nil, fmt.Errorf("markdown: %v", broken)
		}
	}()
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
	f = &form{}
	for row := range strings.SplitSeq(out, "\n") {
		f.addRow(row, width)
	}
	f.trim()
	f.align(text)
	return f, nil
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
