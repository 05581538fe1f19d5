package reader

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
)

const (
	// gutterFrom is the width from which a column is spent on the mark of
	// the current message, and indentFrom that from which texts under a
	// headline are indented.
	gutterFrom, indentFrom = 8, 24
)

func (r *Reader) gutter() int {
	if r.w < gutterFrom {
		return 0
	}
	return 1
}

// width is the number of cells of a row beside the gutter.
func (r *Reader) width() int {
	if r.w <= 0 {
		return 80
	}
	return r.w - r.gutter()
}

// indentOf is the number of cells the text of a block is moved in.
func (r *Reader) indentOf(b *block) int {
	switch {
	case b.kind == textBlock || r.width() < indentFrom:
		return 0
	case b.kind == resultBlock:
		return 4
	}
	return 2
}

// View draws the segment: exactly h lines, each at most w cells wide. It
// never waits for anything.
func (r *Reader) View(w, h int) string {
	if w <= 0 || h <= 0 {
		return strings.Repeat("\n", max(0, h-1))
	}
	r.w, r.h = w, h
	lines := make([]string, h)
	for i, p := range r.frame(h) {
		row := r.draw(p)
		if r.gutter() > 0 {
			row = r.mark(p) + row
		}
		if ansi.StringWidth(row) > w {
			row = ansi.Truncate(row, w, "")
		}
		lines[i] = row
	}
	return strings.Join(lines, "\n")
}

// mark draws the gutter: a bar beside the current message.
func (r *Reader) mark(p place) string {
	if p.n != r.cursor || p.part == gapPart && p.b == 0 {
		return " "
	}
	role := r.document(p.n).role
	return r.inks.roles[role].draw(r.glyphs.accent)
}

// draw draws the row at a resolved place.
func (r *Reader) draw(p place) string {
	d := r.document(p.n)
	s := r.shape(d, p.b)
	switch p.part {
	case headPart:
		if s.kind == ruleBlock {
			return r.drawRule(d, s.block)
		}
		return r.drawHead(d, p.b, &s)
	case bodyPart:
		return strings.Repeat(" ", s.indent) + r.drawBody(p, &s)
	case tailPart:
		left := s.lines - strings.Count(s.block.text[:min(len(s.block.text), s.text.limit)], "\n")
		return strings.Repeat(" ", s.indent) + r.inks.muted.draw(r.glyphs.more+" "+plural(left, "more line"))
	}
	return ""
}

// drawRule draws the line that names who speaks.
func (r *Reader) drawRule(d *document, b *block) string {
	w := r.width()
	label := ansi.Truncate(b.label, w, "")
	used := ansi.StringWidth(label)
	note := b.note
	if note != "" && used+ansi.StringWidth(note)+6 > w {
		note = ""
	}
	fill := w - used - 1
	if note != "" {
		fill -= ansi.StringWidth(note) + 1
		note = " " + r.inks.muted.draw(note)
	}
	return r.inks.titles[d.role].draw(label) + " " + r.inks.border.draw(strings.Repeat(r.glyphs.rule, max(0, fill))) + note
}

// drawHead draws the headline of a block: what it is, what matters of it, and
// at the right edge how much there is.
func (r *Reader) drawHead(d *document, b int, s *shape) string {
	w := r.width()
	sign, signInk := " ", r.inks.muted
	switch {
	case s.foldable() && s.state == opened:
		sign = r.glyphs.open
	case s.foldable():
		sign = r.glyphs.folded
	}
	labelInk := r.inks.tool
	switch {
	case s.failed:
		sign, signInk, labelInk = r.glyphs.failed, r.inks.failed, r.inks.failed
	case s.kind == thinkingBlock:
		labelInk = r.inks.thinking
	case s.kind == markBlock:
		labelInk = r.inks.muted
	case s.kind == callBlock:
		labelInk = r.inks.titles[chat.Tool]
	}
	indent := max(0, s.indent-2)
	label := ansi.Truncate(s.label, max(1, w-indent-2), r.glyphs.more)
	used := indent + 2 + ansi.StringWidth(label)
	note, brief := s.note, s.brief
	switch {
	case s.kind == callBlock:
		note = "" // how many lines a call has tells nothing
	case s.hasBody():
		brief = "" // it stands in the next row
	}
	const apart = 2
	if used+apart+ansi.StringWidth(note) > w {
		note = ""
	}
	room := w - used - apart
	if note != "" {
		room -= ansi.StringWidth(note) + apart
	}
	if s.kind == thinkingBlock {
		brief, note = note, "" // its size, right behind it
	}
	brief = ansi.Truncate(brief, max(0, room), r.glyphs.more)
	out := strings.Repeat(" ", indent) + signInk.draw(sign) + " " + r.highlight(d.n, b, -1, label, labelInk)
	if brief != "" {
		used += apart + ansi.StringWidth(brief)
		out += strings.Repeat(" ", apart) + r.briefInk(s.block).draw(brief)
	}
	if note != "" {
		out += strings.Repeat(" ", max(apart, w-used-ansi.StringWidth(note))) + r.inks.muted.draw(note)
	}
	return out
}

func (r *Reader) briefInk(b *block) ink {
	if b.kind == callBlock {
		return r.inks.text
	}
	return r.inks.muted
}

// drawBody draws a row of the text of a block.
func (r *Reader) drawBody(p place, s *shape) string {
	if s.text.isRows() {
		return s.text.form.rows[p.at]
	}
	text := s.text.source()
	start, end, line := s.text.row(p.at)
	if s.text.limit >= 0 {
		end = min(end, max(start, s.text.limit))
	}
	row := strings.TrimRight(text[start:end], " \n")
	inked := r.bodyInk(s.block, text[line:])
	if s.text.form != nil {
		return inked.draw(row)
	}
	return r.highlight(p.n, p.b, start, row, inked)
}

// bodyInk returns the ink of a line of a block's text.
func (r *Reader) bodyInk(b *block, line string) ink {
	switch b.kind {
	case thinkingBlock:
		return r.inks.thinking
	case callBlock:
		return r.inks.code
	case resultBlock:
	default:
		return r.inks.text
	}
	if b.diff && line != "" {
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "@@"):
			return r.inks.muted
		case line[0] == '+':
			return r.inks.added
		case line[0] == '-':
			return r.inks.removed
		}
	}
	return r.inks.text
}

// highlight draws a piece of a block's text with the hits in it. Piece stands
// at offset at of the text; at -1 it is the label.
func (r *Reader) highlight(n, b, at int, piece string, normal ink) string {
	hits := r.find.within(n, b, at, at+len(piece))
	if len(hits) == 0 {
		return normal.draw(piece)
	}
	var out strings.Builder
	done := 0
	for _, h := range hits {
		from, to := h.off-at, h.end-at
		if at < 0 {
			from, to = 0, len(piece) // the label as a whole
		}
		from, to = max(done, min(from, len(piece))), min(to, len(piece))
		if to <= from {
			continue
		}
		mark := r.inks.match
		if r.find.isCurrent(h) {
			mark = r.inks.current
		}
		out.WriteString(normal.draw(piece[done:from]))
		out.WriteString(mark.draw(piece[from:to]))
		done = to
	}
	out.WriteString(normal.draw(piece[done:]))
	return out.String()
}
