package compress

import (
	"context"
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/tui/beside"
	"winnow/tui/draw"
	"winnow/tui/reader"
)

// kind says what a line is.
type kind uint8

const (
	run     kind = iota // messages in one line
	message             // one message
	text                // of one that is opened
	stand               // what stands for messages
	more                // what is not shown
)

// line is a row of the screen. Its texts are clean and as wide as they may be; it is
// drawn when it shows.
type line struct {
	kind
	block       int
	msg, sub    int // the message that it is about, or begins with, by index; number among lines alike
	left, right cell
}

// cell is one side of a line.
type cell struct {
	sign  string // "−" for what is left out, "+" for what stands for it
	fold  string // whether it can be unfolded, and is
	name  string // of messages, in the ink of their role
	role  chat.Role
	text  string
	muted bool
	warn  bool
}

// block is a part of a sample.
type block struct {
	from, to int // messages, by index
	region   bool
	at       compress.Place // of a region
	g        *compress.Region
	train    bool
	off      bool
	outside  bool // the sample ends before
	group    int  // messages up to here are cleared ones and what is between, told in one line; 0: it begins none
	cleared  int  // of a group, how many
}

// sheet is a sample laid out in a width.
type sheet struct {
	of     *proposal.Conversation // its lines are of these messages: others may be there by now
	width  int
	blocks []block
	lines  []line
	briefs map[int]reader.Brief
}

// Bounds of what is laid out.
const (
	// mostText is how many bytes of a message are shown: the reader shows all.
	mostText = 32 << 10
	// fewOut is how many messages that are left out are listed at least, where what
	// stands for them is shorter.
	fewOut = 8
	// leastGroup is how many cleared results in a row are told in one line.
	leastGroup = 6
	// between is how many messages at most are between two of them.
	between = 3
)

// layer lays out a sample.
type layer struct {
	sheet
	g        *draw.Glyphs
	ascii    bool
	seen     *seen
	sample   int
	unfolded map[int]bool // runs, by their first message; groups by that, negative, less 1
	opened   map[int]bool // messages
	pinned   map[int]bool // messages that stand alone, as something was found
}

// twoSides reports whether before and after stand side by side.
func (l *layer) twoSides() bool { return l.width >= beside.TwoColumns }

// half is the width of the left side, the mark of the cursor before it.
func half(w int) int { return (w - 4) / 2 }

// room is what a text has beside its sign.
func (l *layer) room() int {
	if l.twoSides() {
		return max(8, half(l.width)-3)
	}
	return max(8, l.width-4)
}

// lay lays out all, or less if ctx ends.
func (l *layer) lay(ctx context.Context) sheet {
	if l.briefs == nil {
		l.briefs = map[int]reader.Brief{}
	}
	l.of = &l.seen.Conversation
	if len(l.seen.samples) > 0 {
		l.blocks = blocksOf(l.seen, l.sample, l.pinned)
	}
	for i := 0; i < len(l.blocks) && ctx.Err() == nil; i++ {
		b := &l.blocks[i]
		if b.group > 0 {
			if key := -b.from - 1; !l.unfolded[key] {
				l.groupLine(i, l.g.Folded)
				for i+1 < len(l.blocks) && l.blocks[i+1].from < b.group {
					i++
				}
				continue
			}
			l.groupLine(i, l.g.Open)
		}
		switch {
		case b.region && b.g.Cleared:
			l.cleared(ctx, i)
		case b.region:
			l.region(ctx, i)
		default:
			l.kept(ctx, i)
		}
	}
	return l.sheet
}

// blocksOf takes a sample apart. What the sample does not reach follows it.
func blocksOf(s *seen, sample int, pinned map[int]bool) (blocks []block) {
	p, of := s.Proposal, &s.samples[sample]
	layer := sample - 1
	if p.Made.Form == compress.Fold.String() {
		layer = sample
	}
	regions, end := 0, 0
	for i := range of.Pieces {
		piece := &of.Pieces[i]
		b := block{from: piece.From, to: piece.To, train: piece.Train, off: piece.Off}
		if piece.Origin == compress.Summary || piece.Origin == compress.Cleared {
			b.region, b.at = true, compress.Place{Layer: layer, Region: regions}
			b.g = &p.Layers[layer][regions]
			regions++
		}
		blocks, end = append(blocks, b), piece.To
	}
	if all := len(s.Conversation.Messages); end < all {
		blocks = append(blocks, block{from: end, to: all, outside: true})
	}
	groupCleared(blocks, pinned)
	return blocks
}

// groupCleared finds many cleared results with little between them that has to be seen.
func groupCleared(blocks []block, pinned map[int]bool) {
	for i := 0; i < len(blocks); i++ {
		if !blocks[i].region || !blocks[i].g.Cleared {
			continue
		}
		first, n, last := i, 1, i
		for k := i + 1; k < len(blocks); k++ {
			b := &blocks[k]
			if b.region && b.g.Cleared {
				n, last = n+1, k
			} else if b.region || b.outside || b.to-b.from > between || anyIn(pinned, b.from, b.to) {
				break
			}
		}
		if i = last; n >= leastGroup {
			blocks[first].group, blocks[first].cleared = blocks[last].to, n
		}
	}
}

// anyIn reports whether any of the messages from one on and before another is in a set.
func anyIn(set map[int]bool, from, to int) bool {
	for at := from; at < to; at++ {
		if set[at] {
			return true
		}
	}
	return false
}

func (l *layer) put(ln line) { l.lines = append(l.lines, ln) }

// groupLine tells of many cleared results.
func (l *layer) groupLine(i int, fold string) {
	b := &l.blocks[i]
	tokens, cost := 0, 0
	for k := i; k < len(l.blocks) && l.blocks[k].from < b.group; k++ {
		if g := l.blocks[k].g; g != nil {
			tokens, cost = tokens+g.Tokens, cost+g.Cost
		}
	}
	left := cell{sign: l.g.Minus, fold: fold, name: l.names(b.from, b.group), text: draw.Plural(b.cleared, "result") + " cleared " + l.g.Dot + " " + draw.Plural(tokens, "token")}
	right := cell{sign: "+", name: "a line each", text: l.g.Dot + " " + draw.Plural(cost, "token") + " " + l.g.Dot + " what is between them stays"}
	if l.twoSides() {
		l.put(line{kind: run, block: i, msg: b.from, sub: -1, left: left, right: right})
		return
	}
	l.put(line{kind: run, block: i, msg: b.from, sub: -1, left: left})
	l.put(line{kind: run, block: i, msg: b.from, sub: -2, left: right})
}

// names writes the numbers of messages from one on and before another.
func (l *layer) names(from, to int) string { return namesOf(&l.seen.Conversation, from, to, l.g) }

func namesOf(c *proposal.Conversation, from, to int, g *draw.Glyphs) string {
	first, last := numberOf(c, from, g), numberOf(c, to-1, g)
	switch {
	case first == last || c.Messages[to-1].N == 0:
		return first
	case c.Messages[from].N == 0:
		return first + " to " + last
	}
	return first + "–" + strings.TrimPrefix(last, "#")
}

// numberOf writes the number of a message; those in front of the segment have an arrow.
// Those before a fork have none.
func numberOf(c *proposal.Conversation, i int, g *draw.Glyphs) string {
	m := &c.Messages[i]
	if m.N == 0 && i < c.Own {
		if m.Role == chat.System {
			return g.Up
		}
		return g.Up + "before the fork"
	}
	name := "#" + strconv.Itoa(m.N)
	if m.Part > 0 {
		name += "." + strconv.Itoa(m.Part)
	}
	if i < c.Own {
		name = g.Up + name
	}
	return name
}
