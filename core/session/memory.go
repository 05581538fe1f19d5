package session

import (
	"encoding/binary"
	"strings"

	"winnow/core/chat"
)

// memory is what formats remember between lines. It is part of the State, so
// it is small, and packed so that a snapshot after each line costs a copy.
type memory struct {
	calls []openCall // not answered yet, oldest first
	turn  uint64     // number of the last assistant message that had calls
	// openai says that something only OpenAI-style recorders write was seen:
	// content in a list of texts is then no sign of another format.
	openai bool
	// last is the last message of the session while a line that follows may
	// still belong to it: an assistant's, with a native id. sent says
	// whether the sink has it: one with nothing to show was held back.
	last    chat.Message
	hasLast bool
	sent    bool
	// grown says that lines were added to last that neither the sink nor a
	// state has yet.
	grown  bool
	weight int // of last, as weigh has it
	// content and reasoning hold the texts of last while they grow, so that
	// adding to them does not copy them.
	content, reasoning growing
	changed            bool // since the last snapshot
}

// openCall is a tool call that no tool message has answered yet.
type openCall struct {
	id, name string
	turn     uint64
}

const (
	// maxOpenCalls bounds the calls remembered: models make a few dozen at
	// once at most, and calls whose answers never come pile up.
	maxOpenCalls = 256
	// maxCallName is the longest id or name that is remembered.
	maxCallName = 1 << 10
	// maxReopen is the weight from which a message is not kept for lines
	// that may add to it: the state of a source has to stay small.
	maxReopen = 4 << 20
	// callWeight is what a call costs besides its text.
	callWeight = 64
)

// asked remembers the calls of an assistant message. continued says that they
// belong to the message remembered last.
func (m *memory) asked(calls []chat.ToolCall, continued bool) {
	if len(calls) == 0 {
		return
	}
	if !continued || m.turn == 0 {
		m.turn++
	}
	m.changed = true
	calls = calls[max(0, len(calls)-maxOpenCalls):]
	for _, c := range calls {
		if len(c.ID) <= maxCallName && len(c.Name) <= maxCallName {
			m.calls = append(m.calls, openCall{c.ID, c.Name, m.turn})
		}
	}
	if over := len(m.calls) - maxOpenCalls; over > 0 {
		m.calls = append(m.calls[:0], m.calls[over:]...)
	}
}

// answered removes the call that a tool message answers and returns its name:
// the nearest earlier one with that id, or without an id the first one open
// in the last turn.
func (m *memory) answered(id string) string {
	found := -1
	for i := len(m.calls) - 1; i >= 0; i-- {
		c := &m.calls[i]
		if found >= 0 && c.turn != m.calls[found].turn || id == "" && c.turn != m.turn {
			break
		}
		if id == "" || c.id == id {
			found = i
		}
	}
	if found < 0 {
		return ""
	}
	name := m.calls[found].name
	m.calls = append(m.calls[:found], m.calls[found+1:]...)
	m.changed = true
	return name
}

// forget drops the message that lines could have added to.
func (m *memory) forget() {
	if m.hasLast {
		m.drop()
		m.hasLast, m.changed = false, true
	}
}

func (m *memory) drop() {
	m.last, m.sent, m.grown, m.weight = chat.Message{}, false, false, 0
	m.content, m.reasoning = growing{}, growing{}
}

// remember keeps a copy of a message for lines that may add to it.
func (m *memory) remember(msg *chat.Message, sent bool) {
	weight := weigh(msg)
	if weight > maxReopen {
		m.forget()
		return
	}
	m.drop()
	m.last, m.hasLast, m.sent, m.weight, m.changed = *msg, true, sent, weight, true
	m.last.ToolCalls = append([]chat.ToolCall(nil), msg.ToolCalls...)
}

// extend adds to the message remembered last, at the cost of what is added.
func (m *memory) extend(add *chat.Message) {
	l := &m.last
	m.weight -= weighTexts(l)
	l.Content = m.content.with(l.Content, add.Content, "\n")
	l.Reasoning = m.reasoning.with(l.Reasoning, add.Reasoning, "\n\n")
	l.ToolCalls = append(l.ToolCalls, add.ToolCalls...)
	l.Marks |= add.Marks
	l.StopReason = later(l.StopReason, add.StopReason)
	l.Model = later(l.Model, add.Model)
	m.weight += weighTexts(l) + weighCalls(add.ToolCalls)
	m.grown, m.changed = true, true
}

// weigh tells what it costs to keep or to send a message.
func weigh(msg *chat.Message) int { return weighTexts(msg) + weighCalls(msg.ToolCalls) }

func weighTexts(msg *chat.Message) (n int) {
	for _, s := range lastTexts(msg) {
		n += len(*s)
	}
	return n
}

func weighCalls(calls []chat.ToolCall) (n int) {
	for i := range calls {
		c := &calls[i]
		n += callWeight + len(c.ID) + len(c.Name) + len(c.Arguments)
	}
	return n
}

// growing is a text that is added to. What it returned stays as it is.
type growing struct{ b strings.Builder }

// with returns text, a separator and more. text is "" or what was returned
// last, or what it is to start with.
func (g *growing) with(text, more, separator string) string {
	if text == "" || more == "" {
		return text + more
	}
	if g.b.Len() == 0 {
		g.b.Grow(len(text) + len(separator) + len(more))
		g.b.WriteString(text)
	}
	g.b.WriteString(separator)
	g.b.WriteString(more)
	return g.b.String()
}

// memoryVersion is the first byte of the packed form; another one is read as
// an empty memory.
const memoryVersion = 1

const (
	packOpenAI = 1 << iota
	packLast
	packSent
)

// pack appends the memory in its packed form; an empty one is nothing.
func (m *memory) pack(dst []byte) []byte {
	if !m.openai && !m.hasLast && m.turn == 0 {
		return dst
	}
	var flags byte
	if m.openai {
		flags |= packOpenAI
	}
	if m.hasLast {
		flags |= packLast
	}
	if m.sent {
		flags |= packSent
	}
	dst = append(dst, memoryVersion, flags)
	dst = binary.AppendUvarint(dst, m.turn)
	dst = binary.AppendUvarint(dst, uint64(len(m.calls)))
	for _, c := range m.calls {
		dst = appendPacked(appendPacked(binary.AppendUvarint(dst, c.turn), c.id), c.name)
	}
	if !m.hasLast {
		return dst
	}
	l := &m.last
	for _, n := range [...]uint64{uint64(l.Marks), uint64(l.SourceLine), uint64(l.SourceOffset), uint64(len(l.ToolCalls))} {
		dst = binary.AppendUvarint(dst, n)
	}
	for _, s := range lastTexts(l) {
		dst = appendPacked(dst, *s)
	}
	for _, c := range l.ToolCalls {
		dst = appendPacked(appendPacked(appendPacked(dst, c.ID), c.Name), c.Arguments)
	}
	return dst
}

func lastTexts(l *chat.Message) [7]*string {
	return [...]*string{&l.Content, &l.Reasoning, &l.StopReason, &l.Model, &l.Timestamp, &l.NativeID, &l.ParentID}
}

func appendPacked(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// unpack restores a memory; bytes that are not one give an empty memory.
func unpack(b []byte) memory {
	if len(b) < 2 || b[0] != memoryVersion {
		return memory{}
	}
	u := unpacker{rest: b[2:]}
	m := memory{openai: b[1]&packOpenAI != 0, hasLast: b[1]&packLast != 0, sent: b[1]&packSent != 0, turn: u.uint()}
	for n := u.count(); n > 0; n-- {
		m.calls = append(m.calls, openCall{turn: u.uint(), id: u.text(), name: u.text()})
	}
	if m.hasLast {
		l := &m.last
		l.Role, l.Marks, l.SourceLine, l.SourceOffset = chat.Assistant, chat.Marks(u.uint()), int64(u.uint()), int64(u.uint())
		calls := u.count()
		for _, s := range lastTexts(l) {
			*s = u.text()
		}
		for ; calls > 0; calls-- {
			l.ToolCalls = append(l.ToolCalls, chat.ToolCall{ID: u.text(), Name: u.text(), Arguments: u.text()})
		}
	}
	if u.failed {
		return memory{}
	}
	m.weight = weigh(&m.last)
	return m
}

type unpacker struct {
	rest   []byte
	failed bool
}

func (u *unpacker) uint() uint64 {
	v, n := binary.Uvarint(u.rest)
	if n <= 0 {
		u.failed, u.rest = true, nil
		return 0
	}
	u.rest = u.rest[n:]
	return v
}

// count is a number of things that take at least one byte each.
func (u *unpacker) count() uint64 {
	n := u.uint()
	if n > uint64(len(u.rest)) {
		u.failed, n = true, 0
	}
	return n
}

func (u *unpacker) text() string {
	n := u.count()
	s := string(u.rest[:n])
	u.rest = u.rest[n:]
	return s
}
