package reader

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/tui/draw"
	"winnow/tui/reader/sheet"
)

const (
	// gutterFrom is the width from which a column is spent on the mark of
	// the current message, and indentFrom that from which texts under a
	// headline are indented.
	gutterFrom, indentFrom = 8, 24
)

func (r *Reader) gutter() int {
	if r.w < gutterFrom || r.page != nil {
		return 0
	}
	return 1
}

// room is the number of cells of a row between gutter and map.
func (r *Reader) room() int {
	if r.w <= 0 {
		return 80
	}
	return r.w - r.gutter() - r.mapRoom()
}

// width is how many of them texts and headlines take: longer lines are hard to
// read.
func (r *Reader) width() int {
	if most := r.prefer.Width; most > 0 && r.page == nil {
		return min(r.room(), most)
	}
	return r.room()
}

// widthOf is the number of cells of the text of a block.
func (r *Reader) widthOf(b *block) int { return max(1, r.width()-r.indentOf(b)) }

// roomOf is the number of cells that what is drawn of a block takes at most: tables
// have all there are.
func (r *Reader) roomOf(b *block) int {
	if len(b.tables) == 0 && b.compared == nil {
		return r.widthOf(b)
	}
	return max(1, r.room()-r.indentOf(b))
}

// indentOf is the number of cells the text of a block is moved in.
func (r *Reader) indentOf(b *block) int {
	switch {
	case b.kind == textBlock || b.kind == digestBlock || r.width() < indentFrom:
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
	rows := r.frame(h)
	for i, p := range rows {
		row := r.draw(p)
		if r.gutter() > 0 {
			row = r.mark(p) + row
		}
		if ansi.StringWidth(row) > w {
			row = ansi.Truncate(row, w, "")
		}
		lines[i] = row
	}
	r.drawMap(lines, rows, w)
	return strings.Join(lines, "\n")
}

// mark draws the gutter: a bar beside the current message.
func (r *Reader) mark(p place) string {
	if p.n != r.lineOf(r.cursor) || p.part == gapPart && p.b == 0 || !r.inStand(p) {
		return " "
	}
	if r.blur {
		return r.inks.border.On(r.glyphs.accent)
	}
	role := r.document(p.n).roleAt(p.b)
	return r.inks.roles[role].On(r.glyphs.accent)
}

// draw draws the row at a resolved place.
func (r *Reader) draw(p place) string {
	d := r.document(p.n)
	s := r.shape(d, p.b)
	switch p.part {
	case headPart:
		switch s.kind {
		case ruleBlock:
			return r.drawRule(d, s.block)
		case digestBlock:
			return s.block.brief
		}
		return r.drawHead(d, p.b, &s)
	case bodyPart:
		return strings.Repeat(" ", s.indent) + r.drawBody(p, &s)
	case tailPart:
		left := s.lines - strings.Count(s.block.text[:min(len(s.block.text), s.text.limit)], "\n")
		return strings.Repeat(" ", s.indent) + r.inks.muted.On(r.glyphs.more+" "+draw.Plural(left, "more line"))
	}
	return ""
}

// untrainedMark stands at the rule of a message that a curator switched off.
const untrainedMark, untrainedMarkShort = "not trained", "off"

// numberRoom is how many cells a rule has left for a time or a mark, and some of
// the rule itself, before it tells the number of its message.
const numberRoom = 16

// drawRule draws the line that names who speaks.
func (r *Reader) drawRule(d *document, b *block) string {
	w := r.width()
	label := ansi.Truncate(b.label, w, "")
	used := ansi.StringWidth(label)
	number := ""
	if number = b.number(d.n); d.stub || used+len(number)+numberRoom > w {
		number = ""
	} else {
		used += 1 + len(number)
		number = " " + r.inks.muted.On(number)
	}
	note := b.note
	untrained := ""
	if r.seg.Masks(d.n) && b.of == nil {
		untrained = untrainedMark
		if used+ansi.StringWidth(untrained)+6 > w {
			untrained = untrainedMarkShort
		}
		w -= ansi.StringWidth(untrained) + 1
	}
	if edited := r.editNote(b.place(d.n)); edited != "" {
		if note = joined(edited, b.note); used+ansi.StringWidth(note)+6 > w {
			note = r.glyphs.edited
		}
	}
	if r.isNew(d.n) && b.of == nil {
		if note = joined(newMark, note); used+ansi.StringWidth(note)+6 > w {
			note = newMarkShort
		}
	}
	if note != "" && used+ansi.StringWidth(note)+6 > w {
		note = ""
	}
	fill := w - used - 1
	if note != "" {
		fill -= ansi.StringWidth(note) + 1
		note = " " + r.inks.muted.On(note)
	}
	if untrained != "" {
		note += " " + r.inks.failed.On(untrained)
	}
	return r.inks.titles[chat.Role(b.label)].On(label) + number + " " + r.inks.border.On(strings.Repeat(r.glyphs.rule, max(0, fill))) + note
}

// drawBody draws a row of the text of a block.
func (r *Reader) drawBody(p place, s *shape) string {
	if s.text.isRows() {
		return s.text.form.Rows[p.at]
	}
	text := s.text.source()
	start, end, line := s.text.row(p.at)
	if s.text.limit >= 0 {
		end = min(end, max(start, s.text.limit))
	}
	row := strings.TrimRight(text[start:end], " \n")
	if s.text.form != nil {
		return r.drawJSON(noHits, p.b, start, row, text)
	}
	switch kind, _ := s.section(line); kind {
	case sheet.JSONLines:
		return r.hanging(text, start) + r.drawJSON(p.n, p.b, start, row, text)
	case sheet.StringLines:
		return r.hanging(text, start) + r.drawString(p.n, p.b, start, row)
	}
	return r.highlight(p.n, p.b, start, row, r.inks.body(s.block, line))
}

// body returns the ink of the line of a block's text that starts at line.
func (k *inks) body(b *block, line int) draw.Ink {
	kind, _ := b.section(line)
	switch {
	case len(b.sections) == 0:
		return k.looks[b.kind].text
	case kind == sheet.DiffLines:
		return k.diff(b.text[line:])
	}
	return k.lines[kind]
}

// section says what the line of a block's text is that starts at a place, and
// where the lines of this kind end, without the line feed.
func (b *block) section(line int) (kind sheet.Kind, end int) {
	end = len(b.text)
	i := sort.Search(len(b.sections), func(i int) bool { return b.sections[i].From > line })
	if i < len(b.sections) {
		end = b.sections[i].From - 1
	}
	if i > 0 {
		kind = b.sections[i-1].Kind
	}
	return kind, end
}

// noHits is a message that no find looks at.
const noHits = -1

// hang is how far the rows of a text that go on a line are moved in at most.
const hang = 8

// hanging moves a row of a text that goes on a line in as far as the line is.
func (r *Reader) hanging(text string, start int) string {
	if r.hang() == 0 || start == 0 || text[start-1] == '\n' {
		return ""
	}
	line := text[1+strings.LastIndexByte(text[:start], '\n'):]
	indent := 0
	for indent < hang-2 && line[indent] == ' ' {
		indent++
	}
	return strings.Repeat(" ", indent+2)
}

// hang returns the cells that rows of a text are narrower by for that.
func (r *Reader) hang() int {
	if r.page == nil || r.width() < 5*hang {
		return 0
	}
	return hang
}

// diff returns the ink of the line of a diff that a text begins with.
func (k *inks) diff(line string) draw.Ink {
	for _, about := range [...]string{"+++ ", "--- ", "*** ", "@@", "diff --git "} {
		if strings.HasPrefix(line, about) {
			return k.muted
		}
	}
	switch {
	case strings.HasPrefix(line, "+"):
		return k.added
	case strings.HasPrefix(line, "-"):
		return k.removed
	}
	return k.text
}

// highlight draws a piece of a block's text with the hits in it. Piece stands
// at offset at of the text; at -1 it is the label.
func (r *Reader) highlight(n, b, at int, piece string, normal draw.Ink) string {
	hits := r.find.within(n, b, at, at+len(piece))
	if len(hits) == 0 {
		return normal.On(piece)
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
		out.WriteString(normal.On(piece[done:from]))
		out.WriteString(mark.On(piece[from:to]))
		done = to
	}
	out.WriteString(normal.On(piece[done:]))
	return out.String()
}
