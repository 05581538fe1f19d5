package reader

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/digest"
	"winnow/core/review"
	"winnow/tui/draw"
)

// sketch is the digest of a segment. Its messages are read in the background,
// and it is laid out there for each width.
type sketch struct {
	seg      review.Segment
	recorded bool // it tells what was recorded
	draft    *digest.Draft
	next     int  // the message to go on with
	asked    bool // something is under way
	done     bool // all messages are read
	groups   []digest.Group
	width    int // of the groups
	docs     map[int]*document
	theme    int // of the documents
	// problem is why the messages can't be read, "" if they can.
	problem string
}

const (
	// draftMessages are read for a digest at once, before it says how far it is.
	draftMessages = 1000
	// sketchesKept is the number of messages that the digests kept of segments read
	// before tell: some 20 MB.
	sketchesKept = 40_000
)

// digesting reports whether the digest is shown.
func (r *Reader) digesting() bool { return r.digest && r.page == nil && r.seg.ID != "" }

// byLength reports whether a segment opens as a digest.
func (r *Reader) byLength(seg *review.Segment) bool {
	return r.digestFrom > 0 && seg.End-seg.Start+1 >= r.digestFrom
}

// ToggleDigest shows the digest of the segment, or all of it. The current message
// stays where it is.
func (r *Reader) ToggleDigest() tea.Cmd {
	if !r.act() || r.page != nil {
		return nil
	}
	row := max(0, slices.IndexFunc(r.shown(), func(p place) bool { return p.n == r.lineOf(r.cursor) }))
	r.digest, r.jump = !r.digest, nil
	clear(r.steps)
	r.anchor, r.followed = anchor{place: place{n: r.cursor, part: headPart}, row: row}, blockKey{}
	r.notice = "whole: all " + draw.Plural(r.seg.End-r.seg.Start+1, "message")
	if r.digest {
		r.notice = "digest of " + draw.Plural(r.seg.End-r.seg.Start+1, "message")
	}
	return r.need()
}

// ToggleStep opens the step of the digest that the cursor is on, or closes it. ok is
// false if no digest is shown.
func (r *Reader) ToggleStep() (cmd tea.Cmd, ok bool) {
	r.notice = ""
	if !r.digesting() {
		return nil, false
	}
	r.toggleStep(r.cursor)
	return r.need(), true
}

// toggleStep opens the step that a message belongs to, or closes it. Its first row
// stays where it is.
func (r *Reader) toggleStep(n int) {
	from, to := r.group(n)
	row := max(0, slices.IndexFunc(r.shown(), func(p place) bool { return p.n >= from && p.n <= to }))
	if r.isOpen(n) {
		for i := from; i <= to; i++ {
			delete(r.steps, i)
		}
		r.cursor = n
	} else {
		r.steps[from] = true
	}
	r.jump, r.anchor = nil, anchor{place: place{n: from, part: headPart}, row: row}
}

// toggleSteps opens all steps of the digest, or closes them.
func (r *Reader) toggleSteps() tea.Cmd {
	s := r.sketch()
	r.notice = "all steps unfolded"
	if len(r.steps) > 0 {
		clear(r.steps)
		r.notice = "all steps folded"
	} else {
		for _, g := range s.groups {
			r.steps[g.From] = true
		}
	}
	r.anchor = anchor{place: place{n: r.cursor, part: headPart}, row: r.anchor.row}
	return r.need()
}

// sketch returns the digest of the segment shown.
func (r *Reader) sketch() *sketch {
	for i, s := range r.sketches {
		if s.seg.ID == r.seg.ID && s.seg.Digest == r.seg.Digest && s.seg.Body == r.seg.Body && s.seg.End == r.seg.End && s.seg.Start == r.seg.Start && s.recorded == (r.view == Recorded) {
			if i > 0 {
				r.sketches = append([]*sketch{s}, slices.Delete(r.sketches, i, i+1)...)
			}
			return s
		}
	}
	s := &sketch{seg: r.seg, recorded: r.view == Recorded, draft: &digest.Draft{}, next: r.seg.Start}
	r.sketches = append([]*sketch{s}, r.sketches...)
	told := 0
	for i, one := range r.sketches {
		if told += one.seg.End - one.seg.Start + 1; i > 0 && told > sketchesKept {
			r.sketches = r.sketches[:i:i]
			break
		}
	}
	return s
}

// group returns the messages that are told together with message n.
func (r *Reader) group(n int) (from, to int) {
	groups := r.sketch().groups
	i := sort.Search(len(groups), func(i int) bool { return groups[i].To >= n })
	if i == len(groups) {
		return r.seg.Start, r.seg.End // nothing is laid out yet
	}
	return groups[i].From, groups[i].To
}

// isOpen reports whether the step of a message is open.
func (r *Reader) isOpen(n int) bool {
	if len(r.steps) == 0 {
		return false
	}
	from, to := r.group(n)
	for i := range r.steps {
		if i >= from && i <= to {
			return true
		}
	}
	return false
}

// told reports whether message n is told by a line of the digest.
func (r *Reader) told(n int) bool { return r.digesting() && !r.isOpen(n) }

// lineOf returns the message at which the rows begin that tell message n.
func (r *Reader) lineOf(n int) int {
	if r.told(n) {
		n, _ = r.group(n)
	} else if run, ok := r.run(n); ok {
		n = run.From
	}
	return n
}

// shows reports whether a line of the digest on the screen tells message n.
func (r *Reader) shows(n int) bool {
	line := place{n: r.lineOf(n), part: headPart}
	return r.told(n) && slices.Contains(r.shown(), line)
}

// after returns the message whose rows follow those of message n, before the one
// whose rows end above them.
func (r *Reader) after(n int) int {
	if r.told(n) {
		_, n = r.group(n)
	} else if run, ok := r.run(n); ok {
		n = run.To
	}
	return n + 1
}

func (r *Reader) before(n int) int { return r.lineOf(r.lineOf(n) - 1) }

// line returns the rows that tell message n, nil if it shows itself.
func (r *Reader) line(n int) *document {
	if !r.told(n) {
		return nil
	}
	s := r.sketch()
	if s.docs == nil || s.theme != r.theme {
		s.docs, s.theme = map[int]*document{}, r.theme
	}
	from, _ := r.group(n)
	d := s.docs[from]
	if d == nil {
		d = r.lineDocument(s, from)
		s.docs[from] = d
	}
	return d
}

func (r *Reader) lineDocument(s *sketch, from int) *document {
	rows := []digest.Row{{{Kind: digest.Muted, Text: "reading " + fmt.Sprintf("%s of %s messages", draw.Grouped(s.next-r.seg.Start), draw.Grouped(r.seg.End-r.seg.Start+1))}}}
	if s.problem != "" {
		rows = []digest.Row{{{Kind: digest.Failed, Text: s.problem}}}
	}
	i := sort.Search(len(s.groups), func(i int) bool { return s.groups[i].From >= from })
	if i < len(s.groups) {
		rows = s.groups[i].Rows
	}
	d := &document{n: from, role: chat.Assistant}
	b := block{kind: digestBlock, brief: r.inked(rows[0])}
	if len(rows) > 1 {
		b.drawn = &form{width: s.width, theme: s.theme}
		for _, row := range rows[1:] {
			b.drawn.Source = append(b.drawn.Source, len(b.text))
			b.drawn.Rows = append(b.drawn.Rows, r.inked(row))
			b.text += row.String() + "\n"
		}
	}
	d.add(b)
	return d
}

// inked draws a row of a digest.
func (r *Reader) inked(row digest.Row) string {
	var out strings.Builder
	for _, p := range row {
		text := p.Text
		if r.ascii {
			text = clean.Carets(text)
		}
		out.WriteString(r.inks.pieces[p.Kind].On(text))
	}
	return out.String()
}

// askDigest asks for what the digest lacks: messages, or its rows for the width.
func (r *Reader) askDigest() tea.Cmd {
	if !r.digesting() {
		return nil
	}
	s := r.sketch()
	switch {
	case s.asked || s.problem != "":
		return nil
	case !s.done:
		return r.readDraft(s)
	case s.width != r.width() && r.w > 0:
		return r.layDigest(s)
	}
	return nil
}

func (r *Reader) readDraft(s *sketch) tea.Cmd {
	s.asked = true
	q, from, to := r.request(), s.next, min(s.seg.End, s.next+draftMessages-1)
	gen := r.gen
	read := r.ask(func() arrival {
		err := q.each(from, to, func(m *chat.Message) error {
			s.draft.Take(m)
			return nil
		})
		return func() tea.Cmd {
			s.asked, s.next, s.docs = false, to+1, nil
			if s.done = to >= s.seg.End; err != nil {
				s.problem = Problem(err)
			}
			return nil
		}
	})
	return func() tea.Msg {
		take := read().(arrival)
		return arrival(func() tea.Cmd {
			if gen != r.gen {
				r.forgetSketch(s) // half of it was read
			}
			return take()
		})
	}
}

func (r *Reader) forgetSketch(s *sketch) {
	r.sketches = slices.DeleteFunc(r.sketches, func(one *sketch) bool { return one == s })
}

func (r *Reader) layDigest(s *sketch) tea.Cmd {
	s.asked = true
	o := digest.Layout{Width: r.width(), ASCII: r.ascii, Zone: r.zone}
	q := r.request()
	return func() tea.Msg {
		o.Lead = q.part()
		if err := q.learnEdits(); err != nil {
			return arrival(func() tea.Cmd {
				s.asked, s.problem = false, Problem(err)
				return nil
			})
		}
		groups := q.over.Align(s.draft.Lay(o), q.seg.Start, q.seg.End)
		return arrival(func() tea.Cmd {
			s.asked, s.groups, s.width, s.docs = false, groups, o.Width, nil
			if len(groups) == 0 {
				s.problem = "no messages"
			}
			return nil
		})
	}
}

// Segmenter is a Fetch that knows the segments of a session.
type Segmenter interface {
	// SegmentsOf returns all segments of a session in order.
	SegmentsOf(ctx context.Context, session string) ([]review.Segment, error)
}

// part says which part of its session a segment is, "" if it is all of it, or
// nobody knows.
func (q request) part() string {
	known, ok := q.fetch.(Segmenter)
	if !ok || q.seg.SessionID == "" {
		return ""
	}
	all, err := known.SegmentsOf(q.ctx, q.seg.SessionID)
	if err != nil || len(all) < 2 {
		return ""
	}
	return digest.Part(q.seg.Index, len(all))
}

// stepRow moves the cursor to the next message or step that begins on the screen,
// or the view by a row, down if positive.
func (r *Reader) stepRow(by int) tea.Cmd {
	r.jump = nil
	if !r.act() {
		return nil
	}
	r.followed = blockKey{}
	if r.stepWithin(by) {
		return r.need()
	}
	rows := r.shown()
	step, from := r.prev, rows[0]
	if by > 0 {
		step, from = r.next, rows[len(rows)-1]
	}
	if _, more := step(from); more {
		top, _ := step(rows[0])
		r.anchor = anchor{place: top}
		r.stepWithin(by)
		if rows = r.shown(); !slices.ContainsFunc(rows, func(p place) bool { return p.n == r.lineOf(r.cursor) }) {
			r.follow()
		}
	}
	return r.need()
}

// stepWithin moves the cursor to the next row on the screen that begins something.
func (r *Reader) stepWithin(by int) bool {
	rows := r.shown()
	at := slices.IndexFunc(rows, func(p place) bool { return p.n == r.lineOf(r.cursor) && p.begins() })
	if at < 0 && by < 0 {
		return false
	}
	for i := at + by; i >= 0 && i < len(rows); i += by {
		if rows[i].begins() && rows[i].n != r.lineOf(r.cursor) {
			r.anchor = anchor{place: rows[0]}
			r.cursor = rows[i].n
			return true
		}
	}
	return false
}

// end puts the cursor of a digest that scrolls no further on its first line that
// shows, or the last one.
func (r *Reader) end(by int) {
	rows := r.shown()
	r.cursor = rows[0].n
	for _, p := range rows {
		if by > 0 && p.begins() {
			r.cursor = p.n
		}
	}
}
