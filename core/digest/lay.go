package digest

import (
	"cmp"
	"fmt"
	"slices"
	"time"
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
	part   string // what the messages are a part of
	column int    // cells of the names at the left
	slots  int    // prompts that share a row at most
	text   int    // cells beside them
	blocks []*block
	best   map[uint64]*call // by file the call that changes most of it
	shown  map[uint64]bool  // files that a row shows
}

// block is turns that share lines: one, unless there are more than lines.
type block struct {
	turns   []*turn
	before  []entry // work up to the answer
	after   []entry // work after the last answer
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
	l.part = o.Lead
	l.Lead = l.counted(0)
	l.biggest()
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

// apart and together are how densely what must be on a row is written: failures
// are told apart as long as there is room for that, then together.
const apart, together = 3, 1 << 20

// share divides the turns among blocks, so that each prompt and all failures left
// open find room, and rows stay for the last answer.
func (l *layout) share() {
	const answer, slack = 6, 2
	most := max(3, l.Rows-l.fixed()-answer-slack)
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

// divided makes blocks of so many turns, with so much in a row, and returns
// the rows they need.
func (l *layout) divided(per, dense int) int {
	l.blocks = nil
	need := 0
	for part := range slices.Chunk(l.draft.turns, per) {
		b := l.blockOf(part, dense)
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

func (l *layout) blockOf(turns []*turn, dense int) *block {
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
	b.works = l.rowsFor(b.before, dense) + l.rowsFor(b.after, dense)
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

// promptRows returns the rows that a block's prompt may take: all of it, up to a
// fifth of the digest.
func (l *layout) promptRows(b *block) int {
	if len(b.turns) > 1 || b.turns[0].prompt == nil {
		return b.prompts
	}
	return min(b.turns[0].prompt.rows(l.said()), max(2, l.Rows/5))
}

// said is the width of what is said.
func (l *layout) said() int { return max(10, l.text-7) }
