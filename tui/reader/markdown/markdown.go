// Package markdown lays clean text out as rows of a screen: Markdown as it is meant
// to be read (Worth, Render), code in the colours of its language (Style.Code,
// LanguageOf, Cut), and any line broken at words (Wrap, EachRow).
//
// A curator judges the text that was recorded. So what rendering would swallow is
// hidden from the renderer and put back afterwards, and what was rendered is
// compared with its source: a piece of a text that would show anything else is
// shown plainly.
//
// It keeps nothing between calls, may be called from several goroutines at once,
// and imports themes and tui/draw, nothing else of winnow. Its tests and fuzz
// targets are beside it; how its rows look among others is tested in tui/reader.
package markdown

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	gansi "charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// proseWidth is the most cells a row of prose takes, as the eye loses its way
// back in longer ones. Code and tables may be wider.
const proseWidth = 100

// Render renders a clean text to rows of at most width cells, which hold text and
// colours and nothing else. It takes about 2 ms per KiB.
func Render(text string, width int, style Style) (f *Layout, err error) {
	defer func() {
		// No recorded text may end the program, whatever the renderer
		// makes of it.
		if broken := recover(); broken != nil {
			f, err = nil, fmt.Errorf("markdown: %v", broken)
		}
	}()
	in := []byte(hide(text))
	p := painter{source: in, width: width, style: style, made: map[look]renderer.Renderer{}}
	f = &Layout{}
	at := 0
	for i, piece := range piecesOf(in) {
		source := show(string(in[piece.start:piece.end]))
		rows, err := p.rows(piece, source)
		if err != nil {
			return nil, err
		}
		rows.align(source)
		if i > 0 && rows.Rows != nil {
			f.Rows, f.Source = append(f.Rows, ""), append(f.Source, at)
		}
		f.Rows = append(f.Rows, rows.Rows...)
		for _, place := range rows.Source {
			f.Source = append(f.Source, at+place)
		}
		at += len(source)
	}
	return f, nil
}

// painter renders the pieces of one text.
type painter struct {
	source []byte
	width  int
	style  Style
	made   map[look]renderer.Renderer
}

// look is what renderers differ in.
type look struct {
	width  int
	marker byte // after the numbers of lists
}

// rows renders a piece, or breaks its source into rows if rendering would show
// anything else.
func (p *painter) rows(piece piece, source string) (*Layout, error) {
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
	f := &Layout{}
	code := p.code(piece)
	for row := range strings.SplitSeq(out, "\n") {
		if len(code) > 0 {
			if drawn := codeMargin + Cut(code[0], 0, math.MaxInt); sameText(row, drawn) {
				row, code = drawn, code[1:]
			}
		}
		f.addRow(row, p.width)
	}
	f.trim()
	return f, nil
}

// sameText reports whether two rows say the same, in whatever colours.
func sameText(a, b string) bool {
	return strings.TrimRight(ansi.Strip(a), " ") == strings.TrimRight(ansi.Strip(b), " ")
}

// codeMargin stands before the lines of code.
const codeMargin = "  "

// code returns the inks of a piece that is code in a language that is known, by
// lines; nil for any other.
func (p *painter) code(piece piece) [][]Run {
	fence, ok := piece.doc.FirstChild().(*ast.FencedCodeBlock)
	if !ok || fence.NextSibling() != nil {
		return nil
	}
	language := show(string(fence.Language(p.source)))
	return p.style.highlight(strings.TrimSuffix(show(string(fence.Lines().Value(p.source))), "\n"), language)
}

// render renders a document, in rows of any width if that of look is 0.
func (p *painter) render(doc ast.Node, l look) (string, error) {
	r := p.made[l]
	if r == nil {
		style := p.style.marks
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
func (p *painter) plain(text string) *Layout {
	f := &Layout{}
	paint := lipgloss.NewStyle()
	if c := p.style.marks.Document.Color; c != nil {
		paint = paint.Foreground(lipgloss.Color(*c))
	}
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		EachRow(line, p.width, func(from, to int) { f.addRow(paint.Render(line[from:to]), p.width) })
	}
	f.trim()
	return f
}
