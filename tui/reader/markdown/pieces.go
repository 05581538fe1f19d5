package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// piece is a block of a Markdown text, or several whose bounds can't be told.
type piece struct {
	doc        ast.Node // holds the blocks alone
	start, end int      // in the source; pieces cover it without a gap
}

// newParser knows the Markdown that is worth reading rendered. It leaves out
// what replaces text by what it means: definitions of links and terms, tags,
// lines that underline titles.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewThematicBreakParser(), 200), util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400), util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600), util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800), util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0), util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200), util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500)),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)))
}

// piecesOf parses a text.
func piecesOf(source []byte) []piece {
	root := newParser().Parse(text.NewReader(source))
	setLists(root, source)
	var pieces []piece
	for n := root.FirstChild(); n != nil; {
		next := n.NextSibling()
		start := startOf(n, source)
		if last := len(pieces) - 1; last < 0 {
			pieces = append(pieces, piece{doc: ast.NewDocument()})
		} else if start > pieces[last].start {
			pieces[last].end = start
			pieces = append(pieces, piece{doc: ast.NewDocument(), start: start})
		}
		doc := pieces[len(pieces)-1].doc
		doc.AppendChild(doc, n)
		n = next
	}
	if len(pieces) > 0 {
		pieces[len(pieces)-1].end = len(source)
	}
	return pieces
}

// table reports whether the piece is a table.
func (p *piece) table() bool { return p.doc.FirstChild().Kind() == east.KindTable }

// solid reports whether the rows of the piece are lines that must not be
// broken at words.
func (p *piece) solid() bool {
	k := p.doc.FirstChild().Kind()
	return k == east.KindTable || k == ast.KindFencedCodeBlock || k == ast.KindCodeBlock
}

// marker returns the sign after the numbers of the lists in the piece, 0 if
// it has none; mixed says that they differ, which no one style shows.
func (p *piece) marker() (marker byte, mixed bool) {
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		if list, ok := n.(*ast.List); ok && entering && list.IsOrdered() {
			mixed = mixed || marker != 0 && marker != list.Marker
			marker = list.Marker
		}
		return ast.WalkContinue, nil
	})
	return marker, mixed
}

// startOf returns the start of the line in which a block begins, -1 if that
// can't be told: the parser keeps the places of texts only.
func startOf(n ast.Node, source []byte) int {
	at := textStart(n)
	if at < 0 {
		return -1
	}
	at = 1 + bytes.LastIndexByte(source[:at], '\n')
	if code, ok := n.(*ast.FencedCodeBlock); ok && code.Info == nil && at > 0 {
		at = 1 + bytes.LastIndexByte(source[:at-1], '\n') // the line of the fence
	}
	return at
}

// textStart returns where the text of a block begins, -1 if it has none.
func textStart(n ast.Node) int {
	if n.Type() == ast.TypeInline {
		return -1
	}
	if code, ok := n.(*ast.FencedCodeBlock); ok && code.Info != nil {
		return code.Info.Segment.Start
	}
	if lines := n.Lines(); lines != nil && lines.Len() > 0 {
		return lines.At(0).Start
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if at := textStart(c); at >= 0 {
			return at
		}
	}
	return -1
}

// setLists makes lists fit for the renderer, which numbers items by counting
// and writes the paragraphs of an item in one line.
func setLists(root ast.Node, source []byte) {
	var lists []*ast.List
	var items []ast.Node
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case n.Type() == ast.TypeInline:
			return ast.WalkSkipChildren, nil
		case !entering:
		case n.Kind() == ast.KindList:
			lists = append(lists, n.(*ast.List))
		case n.Kind() == ast.KindListItem:
			items = append(items, n)
		}
		return ast.WalkContinue, nil
	})
	for _, item := range items {
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			if isProse(c) {
				setProse(c, source)
			}
		}
	}
	for _, list := range lists {
		if list.IsOrdered() {
			setNumbers(list, source)
		}
	}
}

func isProse(n ast.Node) bool {
	return n != nil && (n.Kind() == ast.KindParagraph || n.Kind() == ast.KindTextBlock)
}

// setProse puts what separates a paragraph of an item from the one before, and
// what indents its lines, into its text.
func setProse(p ast.Node, source []byte) {
	for c := p.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok && t.SoftLineBreak() {
			if feed := bytes.IndexByte(source[t.Segment.Stop:], '\n'); feed >= 0 {
				from := t.Segment.Stop + feed + 1
				if s := spaces(source, from); s.Len() > 0 {
					p.InsertAfter(p, t, ast.NewTextSegment(s))
				}
			}
		}
	}
	if n := p.Lines().Len(); n > 0 && p.NextSibling() == nil && p.Parent().NextSibling() != nil {
		// An empty line before the next item.
		from := p.Lines().At(n-1).Stop - 1
		line, rest, _ := bytes.Cut(source[from:], []byte{'\n'})
		if bytes.HasPrefix(bytes.TrimLeft(rest, " >"), []byte{'\n'}) {
			feed := from + len(line)
			p.AppendChild(p, ast.NewTextSegment(text.NewSegment(feed, feed+1)))
		}
	}
	before, first := p.PreviousSibling(), p.FirstChild()
	if before == nil || p.Lines().Len() == 0 {
		return
	}
	at := 1 + bytes.LastIndexByte(source[:p.Lines().At(0).Start], '\n')
	code := before.Kind() == ast.KindFencedCodeBlock || before.Kind() == ast.KindCodeBlock
	if (code || isProse(before)) && at > 0 {
		feed := ast.NewTextSegment(text.NewSegment(at-1, at))
		feed.SetSoftLineBreak(!code) // another one: after code, rows end
		p.InsertBefore(p, first, feed)
	}
	if s := spaces(source, at); s.Len() > 0 {
		p.InsertBefore(p, first, ast.NewTextSegment(s))
	}
}

// spaces returns the spaces that stand at a place.
func spaces(source []byte, at int) text.Segment {
	end := at
	for end < len(source) && source[end] == ' ' {
		end++
	}
	return text.NewSegment(at, end)
}

// setNumbers cuts a list where its items do not count on.
func setNumbers(list *ast.List, source []byte) {
	want := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		n, ok := number(item, source)
		if ok && n != want && item.PreviousSibling() != nil {
			rest := ast.NewList(list.Marker)
			rest.IsTight, rest.Start = list.IsTight, n
			parent := list.Parent()
			parent.InsertAfter(parent, list, rest)
			for c := item; c != nil; {
				next := c.NextSibling()
				rest.AppendChild(rest, c)
				c = next
			}
			list, want = rest, n
		}
		want++
	}
}

// number returns the number before an item.
func number(item ast.Node, source []byte) (n int, ok bool) {
	if !isProse(item.FirstChild()) || item.FirstChild().Lines().Len() == 0 {
		return 0, false
	}
	line := bytes.TrimRight(source[:item.FirstChild().Lines().At(0).Start], " ")
	if len(line) < 2 || line[len(line)-1] != '.' && line[len(line)-1] != ')' {
		return 0, false
	}
	line = line[:len(line)-1]
	unit := 1
	for i := len(line) - 1; i >= 0 && line[i] >= '0' && line[i] <= '9' && unit < 1e9; i-- {
		n += int(line[i]-'0') * unit
		unit *= 10
		ok = true
	}
	return n, ok
}
