package reader

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	gansi "charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// Markdown is rendered for reading, but a curator judges the text that was
// recorded. So what rendering would swallow is hidden from it and put back
// afterwards, and what was rendered is compared with its source: a piece of a
// text that would show anything else is shown plainly.

// proseWidth is the most cells a row of prose takes, as the eye loses its way
// back in longer ones. Code and tables may be wider.
const proseWidth = 100

// renderMarkdown renders a clean text to rows of at most width cells, which
// hold text and colours and nothing else. It takes about 2 ms per KiB.
func renderMarkdown(text string, width int, style mdStyle) (f *form, err error) {
	defer func() {
		// No recorded text may end the program, whatever the renderer
		// makes of it.
		if broken := recover(); broken != nil {
			f, err = nil, fmt.Errorf("markdown: %v", broken)
		}
	}()
	in := []byte(hide(text))
	p := painter{source: in, width: width, style: style, made: map[look]renderer.Renderer{}}
	f = &form{}
	at := 0
	for i, piece := range piecesOf(in) {
		source := show(string(in[piece.start:piece.end]))
		rows, err := p.rows(piece, source)
		if err != nil {
			return nil, err
		}
		rows.align(source)
		if i > 0 && rows.rows != nil {
			f.rows, f.source = append(f.rows, ""), append(f.source, at)
		}
		f.rows = append(f.rows, rows.rows...)
		for _, place := range rows.source {
			f.source = append(f.source, at+place)
		}
		at += len(source)
	}
	return f, nil
}

// painter renders the pieces of one text.
type painter struct {
	source []byte
	width  int
	style  mdStyle
	made   map[look]renderer.Renderer
}

// look is what renderers differ in.
type look struct {
	width  int
	marker byte // behind the numbers of lists
}

// rows renders a piece, or breaks its source into rows if rendering would show
// anything else.
func (p *painter) rows(piece piece, source string) (*form, error) {
	marker, mixed := piece.marker()
	if mixed {
		return p.plain(source), nil
	}
	width := min(p.width, proseWidth)
	if piece.solid() {
		width = 0 // code stays in its lines, tables take what they need
	}
	out, err := p.render(piece.doc, look{width, marker})
	if err != nil {
		return nil, err
	}
	same := intact(source, ansi.Strip(out))
	if piece.table() && lipgloss.Width(out) > p.width {
		if out, err = p.render(piece.doc, look{p.width, marker}); err != nil {
			return nil, err
		}
		same = sameWords(source, ansi.Strip(out))
	}
	if !same {
		return p.plain(source), nil
	}
	f := &form{}
	code := p.code(piece)
	for row := range strings.SplitSeq(out, "\n") {
		if len(code) > 0 && strings.TrimRight(ansi.Strip(row), " ") == strings.TrimRight(codeMargin+textOf(code[0]), " ") {
			row, code = codeMargin+drawRuns(code[0]), code[1:]
		}
		f.addRow(row, p.width)
	}
	f.trim()
	return f, nil
}

// codeMargin stands before the lines of code.
const codeMargin = "  "

// code returns the inks of a piece that is code in a language that is known, by
// lines; nil for any other.
func (p *painter) code(piece piece) [][]inked {
	fence, ok := piece.doc.FirstChild().(*ast.FencedCodeBlock)
	if !ok || fence.NextSibling() != nil {
		return nil
	}
	language := show(string(fence.Language(p.source)))
	return highlightCode(strings.TrimSuffix(show(string(fence.Lines().Value(p.source))), "\n"), language, &p.style.syntax)
}

// render renders a document, in rows of any width if that of look is 0.
func (p *painter) render(doc ast.Node, l look) (string, error) {
	r := p.made[l]
	if r == nil {
		style := p.style.StyleConfig
		if l.marker != 0 {
			style.Enumeration.BlockPrefix = string(l.marker) + " "
		}
		nodes := gansi.NewRenderer(gansi.Options{WordWrap: l.width, PreserveNewLines: true, InlineTableLinks: true, Styles: style})
		r = renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(nodes, 1)))
		p.made[l] = r
	}
	var out bytes.Buffer
	if err := r.Render(&out, p.source, doc); err != nil {
		return "", fmt.Errorf("markdown: %w", err)
	}
	return show(out.String()), nil
}

// plain breaks a text into rows as it is.
func (p *painter) plain(text string) *form {
	f := &form{}
	paint := lipgloss.NewStyle()
	if c := p.style.Document.Color; c != nil {
		paint = paint.Foreground(lipgloss.Color(*c))
	}
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		starts := wrapLine(nil, line, 0, len(line), p.width)
		for i, start := range starts {
			end := len(line)
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			f.addRow(paint.Render(strings.TrimRight(line[start:end], " ")), p.width)
		}
	}
	f.trim()
	return f
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
