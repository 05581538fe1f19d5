package session

import (
	"strings"

	"winnow/core/chat"
)

// thread is what is remembered of one session of the source.
type thread struct {
	key      string
	native   string // the recorder's id of the session, if several are told apart by it
	messages int    // given to the sink
	side     bool   // what a sub-agent said beside the session that started it
	titled   byte   // how good the title is that the sink knows; 0 none
	model    string // the sink knows

	// compactions are the numbers of the newest ones, and kept is what is known of
	// the last; see chat.Message.Kept.
	compactions []int
	kept        string
	asides      []codexAside

	calls []openCall // not answered yet, oldest first
	turn  uint64     // number of the last assistant message that had calls
	// last is the last assistant message of the session while a line that
	// follows may still belong to it: one with an id. sent says whether the
	// sink has it: one with nothing to show was held back. after counts the
	// tool messages after it.
	last    chat.Message
	hasLast bool
	sent    bool
	after   int
	usage   Usage // told for last
	// grown says that lines were added to last that neither the sink nor a
	// state has yet.
	grown  bool
	weight int // of last, as weigh has it
	// resent is what it cost to send last again because lines of other
	// sessions stood between its own.
	resent int
	// content and reasoning hold the texts of last while they grow, so that
	// adding to them does not copy them.
	content, reasoning growing
	told               string // the format that the sink knows the session to have
}

// turnID is the id by which lines are found to be one message.
func turnID(m *chat.Message) string {
	if m.TurnID != "" {
		return m.TurnID
	}
	return m.NativeID
}

// openCall is a tool call that no tool message has answered yet.
type openCall struct {
	id, name string
	turn     uint64
	at       int    // number of the message with the call
	task     uint32 // digest of the task it gives to a sub-agent, 0 for any other call
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
func (t *thread) asked(calls []chat.ToolCall, continued bool) {
	if len(calls) == 0 {
		return
	}
	if !continued || t.turn == 0 {
		t.turn++
	}
	at := t.messages + 1
	if continued {
		at = t.messages - t.after
	}
	calls = calls[max(0, len(calls)-maxOpenCalls):]
	for _, c := range calls {
		if len(c.ID) <= maxCallName && len(c.Name) <= maxCallName {
			t.calls = append(t.calls, openCall{id: c.ID, name: c.Name, turn: t.turn, at: at})
		}
	}
	if over := len(t.calls) - maxOpenCalls; over > 0 {
		t.calls = append(t.calls[:0], t.calls[over:]...)
	}
}

// answered removes the call that a tool message answers and returns its name:
// the nearest earlier one with that id, or without an id the first one open
// in the last turn.
func (t *thread) answered(id string) string {
	found := -1
	for i := len(t.calls) - 1; i >= 0; i-- {
		c := &t.calls[i]
		if found >= 0 && c.turn != t.calls[found].turn || id == "" && c.turn != t.turn {
			break
		}
		if id == "" || c.id == id {
			found = i
		}
	}
	if found < 0 {
		return ""
	}
	name := t.calls[found].name
	t.calls = append(t.calls[:found], t.calls[found+1:]...)
	return name
}

// keepCalls keeps the newest open calls, as many as have room.
func (t *thread) keepCalls(room int) {
	from := len(t.calls)
	for from > 0 && room > 0 {
		from--
		room -= callWeight + len(t.calls[from].id) + len(t.calls[from].name)
	}
	if from > 0 {
		t.calls = append([]openCall(nil), t.calls[from:]...)
	}
}

// forget drops the message that lines could have added to.
func (t *thread) forget() {
	if t.hasLast {
		t.drop()
		t.hasLast = false
	}
}

func (t *thread) drop() {
	t.last, t.sent, t.grown, t.weight, t.resent, t.after, t.usage = chat.Message{}, false, false, 0, 0, 0, Usage{}
	t.content, t.reasoning = growing{}, growing{}
}

// remember keeps a copy of a message for lines that may add to it.
func (t *thread) remember(msg *chat.Message, sent bool) {
	weight := weigh(msg)
	if weight > maxReopen {
		t.forget()
		return
	}
	t.drop()
	t.last, t.hasLast, t.sent, t.weight = *msg, true, sent, weight
	t.last.ToolCalls = append([]chat.ToolCall(nil), msg.ToolCalls...)
}

// extend adds to the message remembered last, at the cost of what is added.
func (t *thread) extend(add *chat.Message) {
	l := &t.last
	t.weight -= weighTexts(l)
	l.Content = t.content.with(l.Content, add.Content, "\n")
	l.Reasoning = t.reasoning.with(l.Reasoning, add.Reasoning, "\n\n")
	l.ToolCalls = append(l.ToolCalls, add.ToolCalls...)
	l.Marks |= add.Marks
	l.StopReason = later(l.StopReason, add.StopReason)
	l.Model = later(l.Model, add.Model)
	t.weight += weighTexts(l) + weighCalls(add.ToolCalls)
	t.grown = true
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
