package digest

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// Layout says what a digest is made for.
type Layout struct {
	Width int            // cells of a row
	Rows  int            // how many there may be at most; 0 is Rows
	ASCII bool           // signs of ASCII only
	Zone  *time.Location // of the times shown; nil is UTC
	Lead  string         // what the messages are a part of, "" if they are all there is
}

// Rows is how many rows a digest has at most: a screen or two.
const Rows = 60

// Part says which part of a session a segment is: its place among them from 0.
func Part(index, of int) string { return fmt.Sprintf("part %d of %d of a session", index+1, of) }

// Group is messages of a digest that are told together. The groups of a digest
// hold all its messages, in order.
type Group struct {
	From, To int // message numbers, inclusive
	Rows     []Row
}

// signs are what is not a word.
type signs struct{ times, minus, more, dot, cross, arrow, dash string }

// layout is a digest that is being laid out.
type layout struct {
	Layout
	signs
	draft  *Draft
	column int // cells of the names at the left
	slots  int // prompts that share a row at most
	text   int // cells beside them
	blocks []*block
}

// block is turns that share lines: one, unless there are more than lines.
type block struct {
	turns   []*turn
	before  []entry // work up to the answer
	after   []entry // work behind the last answer
	answer  *speech
	prompts int // rows for each
	works   int
	answers int
}

// Lay returns the digest of what was taken, none of nothing.
func (d *Draft) Lay(o Layout) []Group {
	if d.last == 0 {
		return nil
	}
	o.Width, o.Rows = max(20, o.Width), cmp.Or(o.Rows, Rows)
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	l := &layout{Layout: o, draft: d, column: 10}
	l.signs = signs{"×", "−", "…", " · ", "✗", " → ", "–"}
	if o.ASCII {
		l.signs = signs{"x", "-", "~", " | ", "x", " -> ", "-"}
	}
	if o.Width < 60 {
		l.column = 6
	}
	l.text = o.Width - l.column
	l.Lead = d.counted(o.Lead, l.signs)
	l.share()
	l.spend()
	return l.groups()
}

// fixed counts the rows above the first prompt.
func (l *layout) fixed() int {
	n := 0
	if l.Lead != "" {
		n++
	}
	if l.draft.system != nil {
		n++
	}
	return n
}

// share divides the turns among blocks, so that each prompt and all failures left
// open find room, and rows stay for the last answer.
func (l *layout) share() {
	const answer, slack = 6, 2
	most := max(3, l.Rows-l.fixed()-answer-slack)
	// Failures are told apart as long as there is room for that, then together.
	const apart, together = 3, 1 << 20
	for _, dense := range [...]int{1, apart} {
		if l.divided(1, dense) <= most {
			return
		}
	}
	for _, cells := range [...]int{16, 10, 6} {
		l.slots = max(1, l.text/cells)
		for _, dense := range [...]int{apart, together} {
			for per := 2; per <= 2*len(l.draft.turns); per += 1 + per/4 {
				if l.divided(per, dense) <= most {
					return
				}
			}
		}
	}
	l.cap(most)
}

// divided makes blocks of so many turns, with so many failures in a row, and
// returns the rows they need.
func (l *layout) divided(per, dense int) int {
	l.blocks = nil
	need := 0
	for part := range slices.Chunk(l.draft.turns, per) {
		b := l.blockOf(part, dense*openPerRow(l.text-10))
		l.blocks = append(l.blocks, b)
		need += b.prompts + b.works
	}
	return need
}

// cap takes rows from work that fails more often than there are rows.
func (l *layout) cap(most int) {
	for _, b := range l.blocks {
		b.works = max(0, min(b.works, most-b.prompts))
		most -= b.prompts + b.works
	}
}

func (l *layout) blockOf(turns []*turn, per int) *block {
	b := &block{turns: turns}
	for i, t := range turns {
		if t.prompt != nil {
			b.prompts++
		}
		if len(turns) == 1 && t.answer >= 0 {
			said := t.beats[t.answer]
			rest := *said
			rest.words = ""
			b.before = entriesOf(t.beats[:t.answer])
			b.after = entriesOf(append([]*beat{&rest}, t.beats[t.answer+1:]...))
			if len(said.calls) == 0 {
				b.after = entriesOf(t.beats[t.answer+1:])
			}
			b.answer = t.said
			break
		}
		b.before = append(b.before, entriesOf(t.beats)...)
		if i == len(turns)-1 && t == l.draft.turns[len(l.draft.turns)-1] {
			b.answer = t.said
		}
	}
	if len(turns) > 1 {
		b.prompts = (b.prompts + l.slots - 1) / l.slots
	}
	b.works = (openIn(b.before)+per-1)/per + (openIn(b.after)+per-1)/per
	return b
}

func (b *block) entries() int { return len(b.before) + len(b.after) }

// heavy counts the entries that are worth a line.
func (b *block) heavy() int {
	n := 0
	for _, list := range [...][]entry{b.before, b.after} {
		for i := range list {
			if list[i].weight() > 1 {
				n++
			}
		}
	}
	return n
}

// promptRows returns the rows that a block's prompt takes, all of it.
func (l *layout) promptRows(b *block) int {
	if len(b.turns) > 1 || b.turns[0].prompt == nil {
		return b.prompts
	}
	return b.turns[0].prompt.rows(l.said())
}

// said is the width of what is said.
func (l *layout) said() int { return max(10, l.text-7) }

// spend gives rows away: to the last answer, the work, the other answers, the
// prompts.
func (l *layout) spend() {
	if len(l.blocks) == 0 {
		return
	}
	left := l.Rows - l.fixed()
	for _, b := range l.blocks {
		left -= b.prompts + b.works
	}
	last := l.blocks[len(l.blocks)-1]
	if last.answer == nil {
		left-- // for saying so
		if i := lastAnswer(l.blocks); i >= 0 {
			last = l.blocks[i]
		}
	}
	// grow gives each block one row more in turn, the last first, until it has what
	// it wants or no row is left.
	grow := func(rows func(*block) *int, wants func(*block) int, keep int) {
		for more := true; more; {
			more = false
			for _, b := range slices.Backward(l.blocks) {
				if n := rows(b); left > keep && *n < wants(b) {
					*n, left, more = *n+1, left-1, true
				}
			}
		}
	}
	answers, works, prompts := func(b *block) *int { return &b.answers }, func(b *block) *int { return &b.works }, func(b *block) *int { return &b.prompts }
	full := func(b *block) int {
		if b.answer == nil {
			return 0
		}
		return b.answer.rows(l.said())
	}
	grow(answers, func(b *block) int {
		if b != last {
			return 0
		}
		return min(full(b), l.Rows/4)
	}, 0)
	grow(works, func(b *block) int { return max(b.works, min(1, len(b.before))+min(1, len(b.after))) }, 0)
	grow(answers, func(b *block) int { return max(b.answers, min(1, full(b))) }, 0)
	grow(works, func(b *block) int { return max(b.works, min(4, b.heavy())) }, l.Rows/6)
	grow(prompts, func(b *block) int { return max(b.prompts, min(2, l.promptRows(b))) }, 0)
	grow(answers, func(b *block) int { return max(b.answers, min(3, full(b))) }, l.Rows/5)
	grow(works, func(b *block) int { return max(b.works, b.heavy()) }, l.Rows/10)
	grow(prompts, func(b *block) int { return max(b.prompts, min(5, l.promptRows(b))) }, 0)
	grow(works, func(b *block) int { return max(b.works, b.heavy()) }, 0)
	grow(answers, full, l.Rows/10)
	grow(prompts, l.promptRows, 0)
	grow(works, (*block).entries, 0)
	grow(answers, full, 0)
}

// lastAnswer returns the index of the last block that has an answer, -1 without one.
func lastAnswer(blocks []*block) int {
	for i := len(blocks) - 1; i >= 0; i-- {
		if blocks[i].answer != nil {
			return i
		}
	}
	return -1
}

// leads is the length, in messages, from which a digest begins with what it counts.
const leads = 12

// counted says what the messages are a part of, and how much there is of what.
func (d *Draft) counted(part string, s signs) string {
	if d.last-d.first+1 < leads {
		return part
	}
	calls, open := 0, 0
	var end time.Time
	for _, t := range d.turns {
		for _, b := range t.beats {
			end = later(end, b.last)
			for _, c := range b.calls {
				calls++
				if c.open {
					open++
				}
			}
		}
	}
	parts := []string{part, plural(d.last-d.first+1, "message"), plural(calls, "call"), plural(open, "failure") + " left open", took(d.begin, end)}
	if calls == 0 {
		parts = slices.Delete(parts, 2, 4)
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), s.dot)
}

// groups writes what was given rows.
func (l *layout) groups() []Group {
	d := l.draft
	w := writer{layout: l, next: d.first}
	if l.Lead != "" {
		w.row(d.first-1, Row{{Muted, l.Lead}}.cut(l.Width, l.signs.more))
	}
	if d.system != nil {
		row := append(l.label(System, "system"), d.system.lay(max(10, l.text-9), 1, l.signs.more)[0]...)
		w.row(d.system.n, row.with(size(d.system.bytes), l.Width, l.signs.more))
	}
	for _, b := range l.blocks {
		w.prompts(b)
		before, after := divide(b)
		w.work(b.before, before)
		if b.answer != nil && b.answers > 0 {
			w.speech(Agent, "assistant", b.answer, b.answers, "")
		}
		w.work(b.after, after)
	}
	if n := len(l.blocks); n == 0 || l.blocks[n-1].answer == nil {
		w.row(d.last, append(l.label(Agent, ""), Piece{Muted, unanswered(d)}))
	}
	return w.finish(d.last)
}

// unanswered says how messages end whose last prompt has no answer.
func unanswered(d *Draft) string {
	if n := len(d.turns); n > 0 && d.turns[n-1].prompt != nil && len(d.turns[n-1].beats) == 0 {
		return "ends with the prompt"
	}
	return "no answer"
}

// divide shares the rows of a block's work between what lies before its answer and
// behind it.
func divide(b *block) (before, after int) {
	if len(b.after) == 0 {
		return b.works, 0
	}
	if len(b.before) == 0 || b.works <= 1 {
		return 0, b.works
	}
	after = b.works * len(b.after) / b.entries()
	after = max(after, 1, min(b.works-1, openIn(b.after)/2))
	return b.works - after, after
}

// writer puts rows into groups: each holds the messages from where the one before
// ended.
type writer struct {
	*layout
	next   int
	groups []Group
}

// row adds a row that tells the messages up to a number. A row of messages that
// another one told joins that.
func (w *writer) row(to int, rows ...Row) {
	if len(rows) == 0 {
		return
	}
	if to < w.next {
		if n := len(w.groups); n > 0 {
			w.groups[n-1].Rows = append(w.groups[n-1].Rows, rows...)
			return
		}
		w.groups = append(w.groups, Group{From: w.next, To: w.next, Rows: rows})
		w.next++
		return
	}
	w.groups = append(w.groups, Group{From: w.next, To: to, Rows: rows})
	w.next = to + 1
}

// finish lets the last group hold what no row told.
func (w *writer) finish(last int) []Group {
	if n := len(w.groups); n > 0 && w.next <= last {
		w.groups[n-1].To = last
	}
	return w.groups
}

// label writes the name at the left of a row.
func (l *layout) label(kind Kind, name string) Row {
	if l.column < 10 && len(name) > l.column-1 {
		name = "agent"
	}
	return Row{{kind, fmt.Sprintf("%-*s", l.column, name)}}
}

// skip lets what lies before a message belong to the group before, or to this
// one if there is none.
func (w *writer) skip(n int) {
	if k := len(w.groups); k > 0 && n > w.next {
		w.groups[k-1].To, w.next = n-1, n
	}
}

func (w *writer) speech(kind Kind, name string, s *speech, rows int, note string) {
	w.skip(s.n)
	var out []Row
	for i, row := range s.lay(w.said(), rows, w.signs.more) {
		if i > 0 {
			name, note = "", ""
		}
		out = append(out, append(w.label(kind, name), row...).with(note, w.Width, w.signs.more))
	}
	w.row(s.n, out...)
}

// prompts writes the prompts of a block: one in as many rows as it was given,
// several in one.
func (w *writer) prompts(b *block) {
	if len(b.turns) == 1 {
		if p := b.turns[0].prompt; p != nil {
			w.speech(User, "user", p, b.prompts, w.clock(p.at))
		}
		return
	}
	var all []*speech
	last := 0
	for _, t := range b.turns {
		if t.prompt != nil {
			all, last = append(all, t.prompt), t.prompt.n
		}
		if len(t.beats) > 0 {
			last = max(last, t.beats[len(t.beats)-1].to)
		}
	}
	if len(all) == 0 {
		return
	}
	w.skip(all[0].n)
	per := (len(all) + b.prompts - 1) / max(1, b.prompts)
	each := max(4, (w.text-ansi.StringWidth(w.signs.dot)*(per-1))/per)
	name := "user"
	var rows []Row
	for part := range slices.Chunk(all, per) {
		row := w.label(User, name)
		for i, p := range part {
			if i > 0 {
				row = append(row, Piece{Muted, w.signs.dot})
			}
			row = append(row, p.lay(each, 1, w.signs.more)[0]...)
		}
		rows, name = append(rows, row.cut(w.Width, w.signs.more)), ""
	}
	to := w.next // the work has rows of its own
	if b.works == 0 {
		to = last
	}
	if b.answer != nil {
		to = min(to, max(w.next, b.answer.n-1))
	}
	w.row(to, rows...)
}

func (l *layout) clock(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.In(l.Zone).Format("15:04")
}

// work writes entries in at most so many rows.
func (w *writer) work(entries []entry, rows int) {
	for i, s := range stepsOf(entries, rows) {
		first, last := &s.entries[0], &s.entries[len(s.entries)-1]
		note := took(first.before, last.last)
		place := strconv.Itoa(first.from)
		if last.to > first.from && w.column >= 10 && last.to < 10000 {
			place += w.signs.dash + strconv.Itoa(last.to)
		}
		if last.to < w.next && i > 0 {
			place, note = "", "" // as the row before
		}
		row := append(Row{{Muted, fmt.Sprintf("%*s ", w.column-1, place)}}, w.line(&s, w.text-7)...)
		w.row(last.to, row.with(note, w.Width, w.signs.more))
	}
}

// took writes how long something took, "" if that is not known or no time.
func took(from, to time.Time) string {
	d := to.Sub(from)
	switch {
	case from.IsZero() || to.IsZero() || d < time.Second:
		return ""
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + "h"
	}
	return strconv.Itoa(int(d.Hours()/24)) + "d"
}

func size(bytes int) string {
	if bytes < 1000 {
		return strconv.Itoa(bytes) + " B"
	}
	return strings.TrimSuffix(strconv.FormatFloat(float64(bytes)/1000, 'f', 1, 64), ".0") + " kB"
}
