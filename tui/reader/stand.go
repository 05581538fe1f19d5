package reader

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/reader/over"
	"winnow/tui/reader/sheet"
)

// What stands at a number is one document: the recorded message or an edited one, or a
// line for dropped ones, and after it the messages that were added there. What is in
// front of the first message stands with that.

// item is what stands at a number.
type item struct {
	n             int
	own           *chat.Message // nil if it is dropped
	was           *chat.Message // what was recorded, to be compared with, nil if it is not
	run           over.Run      // the messages that are dropped
	dropped       []chat.Message
	fronts, added []*chat.Message
}

// stand is a message in a document.
type stand struct {
	n, part, block int // its first block
	role           chat.Role
}

// spot is a message that stands with the one of a number.
type spot struct{ item, n, part int }

// stand is that of the item itself, whose blocks begin somewhere.
func (it *item) stand(d *document, block int) stand { return stand{it.n, 0, block, d.role} }

// items arranges messages from..to by what stands at each number.
func (q request) items(messages []chat.Message, from, to int) (items []item, err error) {
	if q.view == Recorded || q.over.None() {
		for i := range messages {
			if messages[i].Part == 0 { // others belong to an item, and no edits are known
				items = append(items, item{n: messages[i].N, own: &messages[i]})
			}
		}
		return items, nil
	}
	var recorded []chat.Message
	if q.view == Both {
		if recorded, err = q.edits.RecordedMessages(q.ctx, q.seg.Body, from, to); err != nil {
			return nil, err
		}
	}
	i := 0
	for n := from; n <= to; n++ {
		it := item{n: n}
		for ; i < len(messages) && messages[i].N <= n; i++ {
			switch m := &messages[i]; {
			case m.N == 0:
				it.fronts = append(it.fronts, m)
			case m.N < n:
			case m.Part > 0:
				it.added = append(it.added, m)
			default:
				it.own = m
			}
		}
		if run, ok := q.run(n); ok {
			if n != run.From {
				continue
			}
			if err := q.dropped(&it, run); err != nil {
				return nil, err
			}
			n = run.To
		} else if it.own == nil {
			continue
		}
		if e, ok := q.over.At(it.n, 0); ok && e.Op == edit.Set && !e.Clash {
			if k := slices.IndexFunc(recorded, func(m chat.Message) bool { return m.N == it.n }); k >= 0 {
				it.was = &recorded[k]
			}
		}
		items = append(items, it)
	}
	return items, nil
}

// droppedMost is how many of dropped messages can be unfolded at most.
const droppedMost = 50

// dropped fills in what stands where messages are dropped.
func (q request) dropped(it *item, run over.Run) (err error) {
	it.run, it.own, it.added = run, nil, nil
	if it.dropped, err = q.edits.RecordedMessages(q.ctx, q.seg.Body, run.From, min(run.To, run.From+droppedMost-1)); err != nil || q.over.Added(run.To) == 0 {
		return err
	}
	last, err := q.messages(run.To, run.To)
	for i := range last {
		if last[i].N == run.To && last[i].Part > 0 {
			it.added = append(it.added, &last[i])
		}
	}
	return err
}

// itself makes the message of an item ready to be shown, or the line for those that are
// dropped.
func (q request) itself(it *item) *document {
	if it.own == nil {
		d := &document{n: it.n, run: it.run}
		b := droppedBlockOf(it.run)
		b.text = sheet.Body(recordedText(it.dropped, it.run.Len()))
		if q.view == Both {
			b.compared = &compared{before: b.text}
		}
		d.add(b)
		return d
	}
	d := documentOf(it.own, q.zone)
	if it.was != nil {
		d.compare(documentOf(it.was, q.zone))
	}
	return d
}

func droppedBlockOf(run over.Run) block {
	return block{kind: droppedBlock, label: run.Label(), brief: draw.Plural(run.Len(), "message"), gap: true}
}

// droppedStub stands for dropped messages whose text is not here yet.
func droppedStub(run over.Run) *document {
	d := &document{n: run.From, run: run, stub: true}
	d.add(droppedBlockOf(run))
	return d
}

// recordedText is what messages said, of as many.
func recordedText(list []chat.Message, of int) string {
	var b strings.Builder
	for i := range list {
		m := &list[i]
		b.WriteString(strconv.Itoa(m.N) + " " + string(m.Role) + "\n")
		for _, text := range [...]string{m.Reasoning, m.Content} {
			if text != "" {
				b.WriteString(strings.TrimRight(text, "\n") + "\n")
			}
		}
		for k := range m.ToolCalls {
			b.WriteString(m.ToolCalls[k].Name + " " + m.ToolCalls[k].Arguments + "\n")
		}
	}
	if more := of - len(list); more > 0 {
		b.WriteString("and " + draw.Plural(more, "message") + " more\n")
	}
	return b.String()
}

// addPart adds a message that was added to a document.
func (q request) addPart(d *document, m *chat.Message) {
	p := documentOf(m, q.zone)
	at := stand{m.N, m.Part, len(d.blocks), m.Role}
	if m.Role == chat.Tool {
		p.blocks = append([]block{{kind: ruleBlock, label: string(m.Role), gap: true}}, p.blocks...)
	}
	if q.view == Both {
		p.compare(&document{})
	}
	for i := range p.blocks {
		p.blocks[i].of = &at
	}
	d.blocks = append(d.blocks, p.blocks...)
	d.size += p.size
	d.stands = append(d.stands, at)
}

// follow adds the sessions that come from what stands there, below it.
func (q request) follow(d *document, it *item) {
	if it.own != nil {
		q.about.follow(d, it.own)
		return
	}
	for i := range it.dropped {
		q.about.follow(d, &it.dropped[i])
	}
}

// number is that of the message that a block is of, in the document of message n.
func (b *block) number(n int) string {
	if b.of == nil {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(b.of.n) + "+" + strconv.Itoa(b.of.part)
}

// place is where the message of a block stands, in the document of message n.
func (b *block) place(n int) (int, int) {
	if b.of == nil {
		return n, 0
	}
	return b.of.n, b.of.part
}

// standOf returns which of its messages a block of a document is of, -1 if there is one
// only.
func (d *document) standOf(b int) int {
	own := -1
	for i := range d.stands {
		if d.stands[i].part == 0 {
			own = i
		}
	}
	if len(d.stands) == 0 || b < d.stands[0].block {
		return own
	}
	i := len(d.stands) - 1
	for d.stands[i].block > b {
		i--
	}
	return i
}

// roleAt is whose message a block is of.
func (d *document) roleAt(b int) chat.Role {
	if i := d.standOf(b); i >= 0 {
		return d.stands[i].role
	}
	return d.role
}

// standing returns which message of a document is the current one, -1 if it holds no
// others.
func (r *Reader) standing(d *document) int {
	if len(d.stands) == 0 {
		return -1
	}
	if r.spot.part > 0 && r.lineOf(r.spot.item) == r.lineOf(r.cursor) {
		if i := slices.IndexFunc(d.stands, func(s stand) bool { return s.n == r.spot.n && s.part == r.spot.part }); i >= 0 {
			return i
		}
	}
	return slices.IndexFunc(d.stands, func(s stand) bool { return s.part == 0 })
}

// inStand reports whether a row belongs to the current message.
func (r *Reader) inStand(p place) bool {
	d := r.document(p.n)
	return len(d.stands) == 0 || d.standOf(p.b) == r.standing(d)
}

// standBlocks returns the blocks of the current message, those above the first one
// included.
func (r *Reader) standBlocks(d *document) (from, to int) {
	i := r.standing(d)
	if i < 0 || d.n != r.lineOf(r.cursor) {
		return 0, len(d.blocks)
	}
	if from, to = d.stands[i].block, len(d.blocks); i+1 < len(d.stands) {
		to = d.stands[i+1].block
	}
	return from, to
}

// beginsStand reports whether a message begins with a row.
func (r *Reader) beginsStand(p place) bool {
	if p.begins() || p.part != headPart {
		return p.begins()
	}
	return slices.ContainsFunc(r.document(p.n).stands, func(s stand) bool { return s.block == p.b })
}

// standAt makes the message current that a row is of.
func (r *Reader) standAt(p place) {
	r.spot = spot{}
	if d := r.document(p.n); len(d.stands) > 0 {
		at := &d.stands[d.standOf(p.b)]
		r.spot = spot{p.n, at.n, at.part}
	}
}

// stepStand goes to the next message that stands with the current one, or the one
// before; ok is false if there is none.
func (r *Reader) stepStand(by int) (cmd tea.Cmd, ok bool) {
	if r.told(r.cursor) {
		return nil, false
	}
	d := r.document(r.lineOf(r.cursor))
	i := r.standing(d)
	if i < 0 {
		return nil, false
	}
	if rows := r.shown(); by < 0 && len(rows) > 0 && rows[0].n == d.n && d.standOf(rows[0].b) == i && (rows[0].b > d.stands[i].block || rows[0].part > headPart) {
		by = 0 // it begins above the screen
	}
	if i += by; i < 0 || i >= len(d.stands) {
		return nil, false
	}
	return r.showStand(d, i), true
}

// showStand puts a message of a document on top of the screen.
func (r *Reader) showStand(d *document, i int) tea.Cmd {
	at := d.stands[i]
	cmd := r.stand(d.n, anchor{place: place{n: d.n, b: at.block, part: headPart}})
	r.spot = spot{d.n, at.n, at.part}
	return cmd
}

// showLast puts the last message that stands with message n on top of the screen.
func (r *Reader) showLast(n int) tea.Cmd {
	if d := r.document(n); !r.told(n) && len(d.stands) > 0 {
		return r.showStand(d, len(d.stands)-1)
	}
	return r.show(n)
}

// tookPart keeps the index entry of an added message.
func (r *Reader) tookPart(h *review.Head) {
	if h.N > 0 {
		r.partHeads[h.N] = append(r.partHeads[h.N], *h)
	}
}

// seekPart goes to the first message that is wanted of those that were added after
// message n, and after a part of it.
func (r *Reader) seekPart(j *jump, n, after int) (tea.Cmd, bool) {
	for i := range r.partHeads[n] {
		h := &r.partHeads[n][i]
		if h.Part <= after || !j.is(h) {
			continue
		}
		item := n
		if run, ok := r.run(n); ok {
			item = run.From
		}
		r.notice = ""
		d := r.document(item)
		if k := slices.IndexFunc(d.stands, func(s stand) bool { return s.n == n && s.part == h.Part }); k >= 0 && !r.told(item) {
			return r.showStand(d, k), true
		}
		cmd := r.show(item)
		r.spot = spot{item, n, h.Part}
		return cmd, true
	}
	return nil, false
}

// partHere is the part of the current message.
func (r *Reader) partHere() int {
	if r.spot.item == 0 || r.lineOf(r.spot.item) != r.lineOf(r.cursor) || r.spot.n == 0 {
		return 0
	}
	return r.spot.part
}
