package versions

import (
	"context"
	"fmt"
	"strings"

	"winnow/core/clean"
	"winnow/core/versions"
	"winnow/core/versions/tree"
	"winnow/tui/beside"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

const (
	titleLines  = 2
	detailLines = 4
	nameCells   = 9  // @12345
	timeCells   = 13 // 31 Dec 23:59
	countCells  = 7  // ✗ 12k
)

// view is how a comparison lies on the screen.
type view struct {
	sheet
	top  int
	laid screen.Question[sheet]
}

// sheet is a comparison laid out in a width.
type sheet struct {
	width int
	rows  []string
	at    []int // of each row the number of its message
}

// layOut has the rows of a comparison laid out for the frame, in a command: there may be
// many.
func (s *Screen) layOut(f screen.Frame) {
	v := &s.view
	if s.comparing && s.compared.Came && v.width != f.Width {
		v.width = f.Width
		l := layer{sheet{width: f.Width}, *s.Pen, beside.PenOf(s.Pen)}
		c := s.compared.Got
		v.laid.Ask(&s.Seat, func(ctx context.Context) (sheet, error) { return l.lay(ctx, &c), ctx.Err() }, func(laid sheet, err error) {
			if err == nil && laid.width == s.view.width {
				s.view.sheet = laid
			}
		})
	}
	v.top = max(0, min(v.top, len(v.rows)-s.room()))
}

// layer lays out a comparison.
type layer struct {
	sheet
	draw.Pen
	lines beside.Pen
}

// lay lays out all of it, or less if ctx ends.
func (l *layer) lay(ctx context.Context, c *Compared) sheet {
	for i := range c.Messages {
		if ctx.Err() != nil {
			break
		}
		l.message(&c.Messages[i])
	}
	if c.More > 0 {
		l.put(0, l.Ink.Muted.On("  "+draw.Grouped(c.More)+" more differ: winnow diff tells all"))
	}
	return l.sheet
}

func (l *layer) put(n int, lines ...string) {
	for _, line := range lines {
		l.rows, l.at = append(l.rows, line), append(l.at, n)
	}
}

// message lays out a message that differs.
func (l *layer) message(m *Message) {
	w := l.width
	if len(l.rows) > 0 {
		l.put(m.N, "")
	}
	l.put(m.N, draw.Fit(l.Ink.Name.On("message "+draw.Grouped(m.N))+"  "+l.Ink.Muted.On(clean.Line(m.What)), w, l.G.More))
	for _, f := range m.Fields {
		if f.Name != "content" {
			l.put(m.N, l.Ink.Muted.On(draw.Fit("  "+clean.Line(f.Name), w, l.G.More)))
		}
		l.put(m.N, l.lines.Rows(f.Lines, w)...)
		if f.Left > 0 {
			l.put(m.N, l.Ink.Muted.On("  "+draw.Plural(f.Left, "line")+" more"))
		}
	}
}

// room is how many rows of a comparison have room.
func (s *Screen) room() int { return max(1, s.height-titleLines) }

func (s *Screen) scroll(m keys.Motion) {
	v := &s.view
	room := s.room()
	v.top = max(0, min(v.top+m.Step(room), len(v.rows)-room))
}

// topMessage is the number of the message at the top, 0 for none.
func (s *Screen) topMessage() int {
	v := &s.view
	if !s.comparing || v.top >= len(v.at) {
		return 0
	}
	return v.at[v.top]
}

func (s *Screen) noRead() string {
	switch {
	case s.sides[1].Session != s.of.Session:
		return "the message is another session's: enter goes there from its row"
	case s.topMessage() == 0:
		return "there is no message"
	}
	return ""
}

// read goes to the message at the top.
func (s *Screen) read() {
	n := s.topMessage()
	s.Leave()
	s.program.Read(n)
}

// Header is that of the list.
func (s *Screen) Header(int) []draw.Part { return nil }

// Lines draws the tree, or what differs.
func (s *Screen) Lines(w, height int) []string {
	if s.comparing {
		return s.differenceLines(w, height)
	}
	title := "versions"
	if t := &s.tree.Got; s.tree.Came && t.Session.Title != "" {
		title += " of " + clean.Line(draw.Head(t.Session.Title))
	}
	lines := []string{draw.Fit(s.Ink.Key.On(s.G.Mark)+" "+s.Ink.Name.On(title), w, s.G.More), s.Rule(w)}
	switch {
	case s.tree.Err != nil && !s.tree.Came:
		return append(lines, s.Centred(w, height-titleLines, s.Unread(w, "The versions could not be read.", s.tree.Err))...)
	case s.tree.Awaited():
		return append(lines, s.Centred(w, height-titleLines, []string{s.Ink.Muted.On("reading the session")})...)
	}
	for i := range s.rows.Visible() {
		lines = append(lines, s.rowLine(s.rows.Top+i, w))
	}
	lines = s.Filled(lines, w, max(titleLines, height-detailLines))
	return s.Filled(append(lines[:max(titleLines, height-detailLines)], s.detail(w)...), w, height)
}

// rowLine draws a row of the tree.
func (s *Screen) rowLine(i, w int) string {
	r := &s.rows.Rows[i]
	k, mark := s.Row(i == s.rows.Cur)
	if s.isMarked(r) {
		mark = s.Ink.Key.On(s.G.Marked)
		if i == s.rows.Cur {
			mark = s.Ink.Key.On(s.G.MarkedHere)
		}
	}
	mark += k.Text.On(" ")
	if r.beside != nil {
		return mark + s.besideCells(k, i, w-2)
	}
	name, what, when, follows := "@0", "recorded", "", ""
	ink := k.Text
	if r.version == nil {
		t := &s.tree.Got
		what += ", " + draw.Plural(t.Session.Messages, "message")
		follows = "sampled: " + draw.Grouped(t.Recorded.Sampled) + " of " + draw.Grouped(t.Recorded.Answers)
	} else {
		v := r.version
		name, what, when, follows = fmt.Sprintf("@%d", v.Entry), s.words(v), s.Day(v.At), tree.Follows(v)
		if v.Undone || v.Lost != "" {
			ink = k.Muted
		}
		if v.Undone {
			what = "(undone) " + what
		}
	}
	count := ""
	if r.version != nil && r.version.Copies > 0 {
		count = s.G.Verdict["rejected"] + " " + draw.Short(r.version.Copies)
	}
	w -= 2
	if w >= beside.TwoColumns {
		room := columns(w)
		text := w - room - nameCells - timeCells
		return mark + k.Muted.On(draw.Fit(name, nameCells, "")) + ink.On(draw.Fit(what, text-1, s.G.More)+" ") + k.Muted.On(draw.Fit(when, timeCells, "")) +
			s.followsInk(k, r).On(draw.Fit(s.crossed(r, follows), room, s.G.More))
	}
	return mark + k.Muted.On(draw.Fit(name, nameCells, "")) + ink.On(draw.Fit(what, max(1, w-nameCells-countCells-timeCells-1), s.G.More)+" ") +
		s.followsInk(k, r).On(draw.Fit(count, countCells, "")) + k.Muted.On(draw.Fit(when, timeCells, ""))
}

// columns is what a wide screen leaves for what follows from a version.
func columns(w int) int { return (w - nameCells - timeCells) * 45 / 100 }

// words says what an entry did, safe to be shown.
func (s *Screen) words(v *versions.Version) string {
	text := clean.Line(draw.Head(tree.Words(v)))
	if v.Note != "" {
		text += " " + s.G.Quote + clean.Line(draw.Head(v.Note)) + s.G.Unquote
	}
	return text
}

// crossed puts a cross before what a broken prefix means.
func (s *Screen) crossed(r *row, follows string) string {
	if r.version != nil && r.version.Copies > 0 {
		return s.G.Verdict["rejected"] + " " + follows
	}
	return follows
}

func (s *Screen) followsInk(k *draw.Inks, r *row) draw.Ink {
	if r.version != nil && r.version.Copies > 0 && !r.version.Undone {
		return k.Warn
	}
	return k.Muted
}

// besideCells draws a session that stands beside.
func (s *Screen) besideCells(k *draw.Inks, i, w int) string {
	b := s.rows.Rows[i].beside
	follows := b.Follows()
	ink := k.Muted
	if b.Pair {
		ink = k.Approved
	}
	room := min(len(follows)+1, w/3)
	if w >= beside.TwoColumns {
		room = columns(w)
	}
	words := s.G.Beneath + clean.Line(draw.Head(b.Words()))
	return k.Text.On(draw.Fit(words, w-room-1, s.G.More)+" ") + ink.On(draw.Fit(follows, room, s.G.More))
}

func (s *Screen) isMarked(r *row) bool {
	for _, key := range s.marked {
		if key == r.key() {
			return true
		}
	}
	return false
}

// detail tells all of the row under the cursor.
func (s *Screen) detail(w int) []string {
	lines := []string{s.Rule(w)}
	r := s.rows.Selected()
	if r == nil {
		return lines
	}
	var texts []string
	switch v := r.version; {
	case r.beside != nil:
		texts = append(texts, r.beside.Words(), r.beside.Follows())
	case v == nil:
		t := &s.tree.Got
		texts = append(texts, fmt.Sprintf("@0 as it was recorded: %s of %s answers are sampled", draw.Grouped(t.Recorded.Sampled), draw.Grouped(t.Recorded.Answers)))
		if t.Alike || t.Children > len(t.Beside) {
			texts = append(texts, "More sessions belong to it or begin alike than are shown.")
		}
	default:
		texts = append(texts, fmt.Sprintf("@%d %s", v.Entry, s.words(v)))
		if follows := tree.Follows(v); follows != "" {
			texts = append(texts, follows)
		}
		if v.Lost == "" {
			texts = append(texts, fmt.Sprintf("sampled: %s of %s answers", draw.Grouped(v.Sampled), draw.Grouped(v.Answers)))
		}
	}
	for _, text := range texts {
		if text == "" || len(lines) == detailLines {
			continue
		}
		lines = append(lines, s.Ink.Muted.On(draw.Fit("  "+clean.Line(draw.Head(text)), w, s.G.More)))
	}
	return lines
}

// differenceLines draws what differs.
func (s *Screen) differenceLines(w, height int) []string {
	title := s.sides[0].Name + " " + s.G.Arrow + " " + s.sides[1].Name
	about := ""
	if c := &s.compared.Got; s.compared.Came {
		about = "  " + draw.Plural(len(c.Messages)+c.More, "message") + " differ, " + draw.Grouped(c.Same) + " the same"
		if len(c.Messages)+c.More == 1 {
			about = strings.Replace(about, "differ,", "differs,", 1)
		}
	}
	lines := []string{draw.Fit(s.Ink.Key.On(s.G.Mark)+" "+s.Ink.Name.On(clean.Line(title))+s.Ink.Muted.On(about), w, s.G.More), s.Rule(w)}
	switch {
	case s.compared.Err != nil:
		return append(lines, s.Centred(w, height-titleLines, s.Unread(w, "The versions could not be compared.", s.compared.Err))...)
	case !s.compared.Came, !s.view.laid.Came:
		return append(lines, s.Centred(w, height-titleLines, []string{s.Ink.Muted.On("comparing")})...)
	case len(s.view.rows) == 0:
		return append(lines, s.Centred(w, height-titleLines, []string{s.Ink.Text.On("All messages are the same.")})...)
	}
	for i := s.view.top; i < len(s.view.rows) && len(lines) < height; i++ {
		lines = append(lines, s.view.rows[i])
	}
	return s.Filled(lines, w, height)
}

// Footer says how many rows are marked.
func (s *Screen) Footer() []string {
	if n := len(s.marked); n > 0 && !s.comparing {
		return []string{draw.Grouped(n) + " marked"}
	}
	return nil
}

// Copied is the version or the session under the cursor, as commands take it.
func (s *Screen) Copied() (text, what string) {
	r := s.rows.Selected()
	switch {
	case s.comparing || r == nil:
		return "", ""
	case r.beside != nil:
		return r.beside.ID, "the id of the session"
	}
	return fmt.Sprintf("%s@%d", s.of.Session, r.entry()), "the version, as winnow diff takes it"
}
