package compress

import (
	"context"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/reader"
)

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
	switch {
	case b.outside:
		return cell{text: "not in this sample", muted: true}
	case from < l.seen.Conversation.Own: // another segment has them
		return cell{muted: true}
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
