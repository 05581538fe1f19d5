package compress

import (
	"context"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/clean"
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
	if len(l.seen.samples) > 0 {
		l.blocks = blocksOf(l.seen, l.sample)
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
func blocksOf(s *seen, sample int) (blocks []block) {
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
	groupCleared(blocks)
	return blocks
}

// groupCleared finds many cleared results with little between them.
func groupCleared(blocks []block) {
	for i := 0; i < len(blocks); i++ {
		if !blocks[i].region || !blocks[i].g.Cleared {
			continue
		}
		first, n, last := i, 1, i
		for k := i + 1; k < len(blocks); k++ {
			b := &blocks[k]
			if b.region && b.g.Cleared {
				n, last = n+1, k
			} else if b.region || b.outside || b.to-b.from > between {
				break
			}
		}
		if i = last; n >= leastGroup {
			blocks[first].group, blocks[first].cleared = blocks[last].to, n
		}
	}
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
	if to-from == 1 {
		return first
	}
	return first + "–" + strings.TrimPrefix(last, "#")
}

// numberOf writes the number of a message; those in front of the segment have an arrow.
func numberOf(c *proposal.Conversation, i int, g *draw.Glyphs) string {
	m := &c.Messages[i]
	name := "#" + strconv.Itoa(m.N)
	if m.Part > 0 {
		name += "." + strconv.Itoa(m.Part)
	}
	if i < c.Own {
		name = g.Up + name
	}
	return name
}

// kept lays out messages that stay: in one line, but for those that something was found
// of. Those in front of the segment have a line of their own.
func (l *layer) kept(ctx context.Context, i int) {
	b := &l.blocks[i]
	for from := b.from; from < b.to && ctx.Err() == nil; {
		to, end := from, b.to
		if own := l.seen.Conversation.Own; from < own {
			end = min(end, own)
		}
		for to < end && !l.pinned[to] {
			to++
		}
		if to == from {
			l.message(i, from, l.stays(b, from, from+1))
			from++
			continue
		}
		l.keptRun(i, from, to)
		from = to
	}
}

// keptRun lays out a run of them.
func (l *layer) keptRun(i, from, to int) {
	b := &l.blocks[i]
	if to-from == 1 {
		l.message(i, from, l.stays(b, from, to))
		return
	}
	fold := l.g.Folded
	if l.unfolded[from] {
		fold = l.g.Open
	}
	said := draw.Plural(to-from, "message") + " stay"
	if from < l.seen.Conversation.Own {
		said = draw.Plural(to-from, "message") + " in front of the segment"
	}
	if b.outside {
		said = draw.Plural(to-from, "message") + " more are in the samples after this one"
	}
	left, right := cell{fold: fold, name: l.names(from, to), text: said, muted: b.outside}, l.stays(b, from, to)
	if !l.twoSides() && right.text != "" {
		left.text += " " + l.g.Dot + " " + right.text
	}
	l.put(line{kind: run, block: i, msg: from, left: left, right: right})
	for k := from; k < to && l.unfolded[from]; k++ {
		l.message(i, k, l.stays(b, k, k+1))
	}
}

// stays says what becomes of the answers among messages that stay.
func (l *layer) stays(b *block, from, to int) cell {
	if b.outside {
		return cell{text: "not in this sample", muted: true}
	}
	n := 0
	for k := from; k < to; k++ {
		if l.seen.Conversation.Messages[k].Role == chat.Assistant {
			n++
		}
	}
	answers := draw.Plural(n, "answer")
	switch {
	case n == 0:
		return cell{muted: true}
	case !b.train && len(l.seen.samples) > 1:
		return cell{text: answers + " trained by another sample", muted: true}
	case !b.train:
		return cell{text: answers + " not trained", warn: true}
	case b.off:
		return cell{text: answers + " trained, given in another context"}
	}
	return cell{text: answers + " trained"}
}

// message lays out one message, and its text if it is opened.
func (l *layer) message(i, at int, right cell) {
	c := l.messageCell(at, " ")
	l.put(line{kind: message, block: i, msg: at, left: c, right: right})
	for sub, said := range l.texts(at) {
		l.put(line{kind: text, block: i, msg: at, sub: sub, left: cell{sign: " ", text: said}})
	}
}

// messageCell is what one line says of a message.
func (l *layer) messageCell(at int, sign string) cell {
	m := &l.seen.Conversation.Messages[at]
	b, known := l.briefs[at]
	if !known {
		b = reader.BriefOf(m, l.seen.Folder, l.ascii)
		l.briefs[at] = b
	}
	said := b.Text
	for _, word := range []string{b.Tool, b.Kind} {
		if word != "" {
			said = word + "  " + said
		}
	}
	if b.Calls > 0 && b.Tool == "" {
		said = calls(m, l.g) + "  " + said
	}
	fold := l.g.Folded
	if l.opened[at] {
		fold = l.g.Open
	}
	return cell{sign: sign, fold: fold, name: numberOf(&l.seen.Conversation, at, l.g) + " " + string(m.Role), role: m.Role, text: said, warn: l.pinned[at]}
}

// calls names the tools that a message calls.
func calls(m *chat.Message, g *draw.Glyphs) string {
	text := g.Arrow + " " + clean.Line(draw.Head(m.ToolCalls[0].Name))
	if n := len(m.ToolCalls) - 1; n > 0 {
		text += " +" + strconv.Itoa(n)
	}
	return text
}

// texts are the lines of a message, nil if it is not opened.
func (l *layer) texts(at int) []string {
	if !l.opened[at] {
		return nil
	}
	m := &l.seen.Conversation.Messages[at]
	said := m.Content
	if m.Role != chat.Tool { // its line names the tool
		said = m.Body()
	}
	return l.wrapped(said, l.room()-2)
}

// wrapped breaks a text into clean lines.
func (l *layer) wrapped(said string, w int) []string {
	left := len(said) - mostText
	if left > 0 {
		said = strings.ToValidUTF8(said[:mostText], "")
	}
	if said = clean.Text(said); l.ascii {
		said = clean.Carets(said)
	}
	lines := strings.Split(ansi.Wrap(strings.TrimRight(said, "\n"), max(8, w), ""), "\n")
	if left > 0 {
		lines = append(lines, l.g.More+" "+draw.Bytes(int64(left))+" more: the reader shows all")
	}
	return lines
}

// cleared lays out the result of a tool that a line stands for.
func (l *layer) cleared(ctx context.Context, i int) {
	b := &l.blocks[i]
	left := []line{{kind: message, block: i, msg: b.from, left: l.messageCell(b.from, l.g.Minus)}}
	for sub, said := range l.texts(b.from) {
		left = append(left, line{kind: text, block: i, msg: b.from, sub: sub, left: cell{sign: l.g.Minus, text: said}})
	}
	l.beside(ctx, left, l.stands(i))
}

// region lays out messages that a summary stands for.
func (l *layer) region(ctx context.Context, i int) {
	b := &l.blocks[i]
	n := b.to - b.from
	out := "messages are left out"
	if n == 1 {
		out = "message is left out"
	}
	head := line{kind: run, block: i, msg: b.from, left: cell{sign: l.g.Minus, name: l.names(b.from, b.to),
		text: draw.Grouped(n) + " " + out + " " + l.g.Dot + " " + draw.Plural(b.g.Tokens, "token")}}
	told := "a summary"
	if b.g.Written {
		told = "written by hand"
	}
	stands := cell{sign: "+", name: told, text: l.g.Dot + " " + draw.Plural(b.g.Cost, "token") + " " + l.g.Dot + " as the " + string(b.g.Role) + ", not trained"}
	texts := l.stands(i)
	unfolded := l.unfolded[b.from]
	if head.left.fold = l.g.Folded; unfolded {
		head.left.fold = l.g.Open
	}
	if l.twoSides() {
		head.right = stands
	}
	l.put(head)
	var left []line
	switch {
	case unfolded:
		left = l.out(ctx, i, n)
	case l.twoSides():
		left = l.out(ctx, i, max(fewOut, len(texts)))
	}
	if !l.twoSides() {
		texts = append([]line{{kind: stand, block: i, msg: b.from, sub: -1, left: stands}}, texts...)
	}
	l.beside(ctx, left, texts)
}

// out lists messages that are left out, in at most so many lines unless one of them is
// opened.
func (l *layer) out(ctx context.Context, i, most int) (lines []line) {
	b := &l.blocks[i]
	for k := b.from; k < b.to && ctx.Err() == nil; k++ {
		if rest := b.to - k; len(lines) >= most-1 && rest > 1 && !l.unfolded[b.from] {
			return append(lines, line{kind: more, block: i, msg: b.from, sub: 1, left: cell{sign: l.g.Minus, text: l.g.More + " " + draw.Plural(rest, "message") + " more", muted: true}})
		}
		lines = append(lines, line{kind: message, block: i, msg: k, left: l.messageCell(k, l.g.Minus)})
		for sub, said := range l.texts(k) {
			lines = append(lines, line{kind: text, block: i, msg: k, sub: sub, left: cell{sign: l.g.Minus, text: said}})
		}
	}
	return lines
}

// stands are the lines of what stands for messages.
func (l *layer) stands(i int) (lines []line) {
	b := &l.blocks[i]
	for sub, said := range l.wrapped(b.g.Text, l.room()) {
		lines = append(lines, line{kind: stand, block: i, msg: b.from, sub: sub, left: cell{sign: "+", text: said}})
	}
	return lines
}

// beside puts what is left out and what stands for it side by side, or one above the
// other.
func (l *layer) beside(_ context.Context, left, right []line) {
	if !l.twoSides() {
		l.lines = append(append(l.lines, left...), right...)
		return
	}
	for k := range max(len(left), len(right)) {
		switch {
		case k >= len(left):
			ln := right[k]
			ln.left, ln.right = cell{}, ln.left
			l.put(ln)
		case k >= len(right):
			l.put(left[k])
		default:
			ln := left[k]
			ln.right = right[k].left
			l.put(ln)
		}
	}
}
