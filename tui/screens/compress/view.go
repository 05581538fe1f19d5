package compress

import (
	"context"
	"maps"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/list"
	"winnow/tui/screen"
)

// view is how the sample lies on the screen.
type view struct {
	rows     list.Span[line]
	sheet    sheet
	laid     screen.Question[sheet]
	stale    bool         // it is to be laid out anew
	width    int          // that it is laid out for
	unfolded map[int]bool // see layer
	opened   map[int]bool
	want     *wanted // where the cursor goes when it is laid out; nil: it stays
}

// wanted is a place on the screen: a message, or the head of the region that holds it.
type wanted struct {
	msg    int
	region bool
}

// layOut sizes the lines, and has them laid out in a command if they are not.
func (s *Screen) layOut() {
	v, w := &s.view, s.frame.Width
	v.rows.Resize(max(1, s.frame.Height-len(s.head(w))-len(s.questionLines(w))))
	if !s.seen.Came || len(s.seen.Got.samples) == 0 || !v.stale && v.width == w {
		return
	}
	v.stale, v.width = false, w
	g := s.seen.Got
	l := layer{g: s.G, ascii: s.ASCII, seen: &g, sample: s.sample, unfolded: maps.Clone(v.unfolded), opened: maps.Clone(v.opened), pinned: s.pins}
	l.width = w
	v.laid.Ask(&s.Seat, func(ctx context.Context) (sheet, error) { return l.lay(ctx), ctx.Err() }, func(laid sheet, err error) {
		if err == nil {
			s.tookSheet(laid)
		}
	})
}

// pinned are the messages that findings name.
func (s *Screen) pinned() map[int]bool {
	all := map[int]bool{}
	for _, f := range s.findings() {
		if at := s.indexOf(f.N); at >= 0 {
			all[at] = true
		}
	}
	return all
}

// indexOf is the index of a message by its number, the segment's own first; -1 for none.
func (s *Screen) indexOf(n int) int {
	c := &s.seen.Got.Conversation
	for _, span := range [][2]int{{c.Own, len(c.Messages)}, {0, c.Own}} {
		for i := span[0]; i < span[1]; i++ {
			if c.Messages[i].N == n && n > 0 {
				return i
			}
		}
	}
	return -1
}

// tookSheet shows lines; the cursor stays on what it was on.
func (s *Screen) tookSheet(laid sheet) {
	v := &s.view
	var was *line
	if v.want == nil {
		was = v.rows.Selected()
	}
	v.sheet = laid
	off := v.rows.Cur - v.rows.Top
	v.rows.Put(laid.lines)
	at := 0
	switch {
	case v.want != nil:
		at, off = v.sheet.find(v.want), min(off, v.rows.Height/3)
	case was != nil:
		at = v.sheet.like(was)
	}
	v.want = nil
	v.rows.Top = at - off
	v.rows.Pick(at)
}

// find is the line of a place, the nearest before it if it has none.
func (h *sheet) find(to *wanted) (at int) {
	for i := range h.lines {
		ln := &h.lines[i]
		b := &h.blocks[ln.block]
		switch {
		case to.region && b.region && b.from <= to.msg && to.msg < b.to:
			return i
		case !to.region && ln.kind == message && ln.msg == to.msg:
			return i
		case ln.msg <= to.msg:
			if ln.kind == run || ln.kind == message {
				at = i
			}
		}
	}
	return at
}

// like is the line that is most like one of another sheet.
func (h *sheet) like(was *line) (at int) {
	for i := range h.lines {
		ln := &h.lines[i]
		if ln.msg > was.msg {
			break
		}
		if ln.msg < was.msg || ln.kind == was.kind && ln.sub <= was.sub || at < i && h.lines[at].msg < ln.msg {
			at = i
		}
	}
	return at
}

// Move moves the cursor.
func (s *Screen) Move(m keys.Motion) { s.view.rows.Move(m) }

// Click selects a line; a second click opens it.
func (s *Screen) Click(_, y int) {
	if !s.asks.open && s.view.rows.Click(y-len(s.head(s.frame.Width))) {
		s.Act("open")
	}
}

// region is the region under the cursor, else the only one there is; ok is false for none.
func (s *Screen) region() (at compress.Place, g *compress.Region, ok bool) {
	v := &s.view
	if ln := v.rows.Selected(); ln != nil {
		if b := &v.sheet.blocks[ln.block]; b.region {
			return b.at, b.g, true
		}
	}
	var only *block
	for i := range v.sheet.blocks {
		if b := &v.sheet.blocks[i]; b.region {
			if only != nil {
				return at, nil, false
			}
			only = b
		}
	}
	if only == nil {
		return at, nil, false
	}
	return only.at, only.g, true
}

// Lines draws what is known of the proposal, and below it the sample.
func (s *Screen) Lines(w, height int) []string {
	lines, foot := s.head(w), s.questionLines(w)
	room := max(0, height-len(lines)-len(foot))
	switch {
	case s.program.Segment() == nil && s.of == "":
		lines = append(lines, s.Centred(w, room, []string{s.Ink.Muted.On("There is no segment.")})...)
	case s.seen.Err != nil && !s.seen.Came:
		lines = append(lines, s.Centred(w, room, s.Unread(w, "The segment could not be read.", s.seen.Err))...)
	case !s.seen.Came:
		lines = append(lines, s.Centred(w, room, []string{s.Ink.Muted.On("reading the segment")})...)
	case len(s.seen.Got.samples) == 0:
		lines = append(lines, s.Centred(w, room, s.empty(w))...)
	default:
		rows := s.view.rows.Visible()
		for i := range rows[:min(len(rows), room)] {
			lines = append(lines, s.row(&rows[i], s.view.rows.Top+i == s.view.rows.Cur, w))
		}
	}
	lines = s.Filled(lines, w, max(0, height-len(foot)))
	return append(lines, foot...)
}

// row draws a line.
func (s *Screen) row(ln *line, selected bool, w int) string {
	k, mark := s.Row(selected)
	left := half(w)
	if s.view.sheet.width != w || !(&layer{sheet: sheet{width: w}}).twoSides() {
		return mark + s.cell(k, &ln.left, w-1)
	}
	return mark + s.cell(k, &ln.left, left) + k.Border.On(s.G.Wall) + k.Text.On(" ") + s.cell(k, &ln.right, w-left-3)
}

// cell draws one side of a line in w cells.
func (s *Screen) cell(k *draw.Inks, c *cell, w int) string {
	var out strings.Builder
	ink := k.Text
	switch c.sign {
	case s.G.Minus:
		out.WriteString(k.Rejected.On(c.sign))
		ink = k.Muted
	case "+":
		out.WriteString(k.Approved.On(c.sign))
	default:
		out.WriteString(k.Text.On(" "))
	}
	switch {
	case c.warn:
		ink = k.Warn
	case c.muted:
		ink = k.Muted
	}
	if c.fold != "" {
		out.WriteString(k.Muted.On(" " + c.fold))
	}
	out.WriteString(k.Text.On(" "))
	if c.name != "" {
		name := k.Name
		switch {
		case c.role != "":
			name = k.Role(c.role)
		}
		out.WriteString(name.On(c.name) + k.Text.On("  "))
	}
	out.WriteString(ink.On(c.text))
	text := out.String()
	if n := ansi.StringWidth(text); n < w {
		return text + k.Text.On(strings.Repeat(" ", w-n))
	}
	return draw.Fit(text, w, s.G.More)
}

// Footer says where in the proposal one is.
func (s *Screen) Footer() []string {
	if n := len(s.view.rows.Rows); n > s.view.rows.Height {
		return s.Below(n - s.view.rows.Top - s.view.rows.Height)
	}
	return nil
}

// Copied is the text under the cursor.
func (s *Screen) Copied() (said, what string) {
	ln := s.view.rows.Selected()
	if ln == nil {
		return "", ""
	}
	if b := &s.view.sheet.blocks[ln.block]; b.region && ln.kind != message && ln.kind != text {
		return b.g.Text, "the text"
	}
	c := s.view.sheet.of
	m := &c.Messages[ln.msg]
	return m.Body(), "message " + numberOf(c, ln.msg, s.G)
}

// statusWords say what became of a proposal.
var statusWords = map[proposal.Status]string{
	proposal.Proposed: "proposed", proposal.Accepted: "accepted", proposal.Rejected: "rejected", proposal.Failed: "failed",
}
