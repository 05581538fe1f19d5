package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Layout is a text as rows of a screen.
type Layout struct {
	Rows   []string // text and colours
	Source []int    // per row, its offset in the text; ascending
}

// addRow appends a row, over several rows if it is too wide: code is not
// wrapped by the renderer.
func (f *Layout) addRow(row string, width int) {
	runs := coloured(row)
	if len(runs) == 0 {
		if n := len(f.Rows); n > 0 && f.Rows[n-1] != "" {
			f.Rows = append(f.Rows, "")
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

func (f *Layout) endRow(b *strings.Builder, colour string) {
	if colour != "" {
		b.WriteString(resetColour)
	}
	f.Rows = append(f.Rows, b.String())
	b.Reset()
}

func (f *Layout) trim() {
	for len(f.Rows) > 0 && f.Rows[len(f.Rows)-1] == "" {
		f.Rows = f.Rows[:len(f.Rows)-1]
	}
}

// align finds for every row where its text stands in the source, so that a
// reading position survives the change between both.
func (f *Layout) align(source string) {
	const ahead = 2 << 10 // bytes a row may lie after the one before
	f.Source = make([]int, len(f.Rows))
	at := 0
	for i, row := range f.Rows {
		f.Source[i] = at
		words := strings.Fields(ansi.Strip(row))
		for _, word := range words[:min(len(words), 4)] {
			if found := strings.Index(source[at:min(len(source), at+ahead)], word); found >= 0 && len(word) > 1 {
				f.Source[i] = at + found
				at += found + len(word)
				break
			}
		}
	}
}

const resetColour = "\x1b[m"

// span is a piece of a row in one colour: the sequences that set it.
type span struct{ colour, text string }

// coloured takes a rendered row apart. Of its escape sequences only those
// that set colours are kept; the spaces that pad the row are cut.
func coloured(row string) []span {
	var runs []span
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
			runs = append(runs, span{colour, seq})
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
