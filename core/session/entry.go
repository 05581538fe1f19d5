package session

import (
	"slices"
	"strconv"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// use sends what follows to a session.
func (e *entry) use(t *thread) {
	if e.t != t {
		e.keep(e.amendLast())
		e.t = t
	}
}

// stream sends what follows to the session of all lines that hold one message
// each.
func (e *entry) stream() {
	m := e.mem
	if !m.hasStream {
		m.hasStream, m.stream = true, e.newKey()
	}
	e.use(m.thread(m.stream))
}

// conversation begins a session that is all in this value, and sends what
// follows to it. Calls are matched within it alone.
func (e *entry) conversation() {
	e.use(&thread{key: e.newKey()})
	e.tell(Meta{Whole: true})
}

// newKey returns the key of a top-level session that begins at this value.
func (e *entry) newKey() string {
	if !e.mem.first {
		e.mem.first = true
		return ""
	}
	key, nth := "L"+strconv.FormatInt(e.line, 10), e.nth
	if e.element >= 0 {
		key, nth = "["+strconv.FormatInt(e.element, 10)+"]", e.array
	}
	if nth > 1 {
		key += "." + strconv.FormatInt(nth, 10)
	}
	return key
}

// deliver gives a message to the sink, unless it has nothing to show, and
// reports whether it did. A tool message is linked to the call it answers; an
// assistant message of the turn remembered last is added to that.
func (e *entry) deliver(m *chat.Message) bool {
	e.complete(m)
	t := e.t
	if e.follows != "" && (m.Role == chat.Tool || !m.Empty() || e.exact) {
		e.goOn(t.key, e.follows)
		e.follows = ""
	}
	turn := turnID(m)
	same := m.Role == chat.Assistant && turn != "" && t.hasLast && turnID(&t.last) == turn
	t.asked(m.ToolCalls, same && t.sent)
	if same {
		return e.amend(m)
	}
	if m.Role == chat.Tool {
		if name := t.answered(m.ToolCallID); m.Name == "" {
			m.Name = name
		}
	} else if m.Empty() && !e.exact {
		if m.Role == chat.Assistant && turn != "" {
			e.keep(e.amendLast())
			t.remember(m, false)
		}
		return false
	}
	e.send(m)
	switch {
	case m.Role == chat.Assistant && turn != "":
		t.remember(m, true)
	case m.Role == chat.Tool && t.hasLast && t.sent:
		t.after++ // a turn may go on after the results of its first calls
	default:
		t.forget()
	}
	return true
}

// complete ends the reading of a message, which gets calls of its own: the sink may
// keep them.
func (e *entry) complete(m *chat.Message) {
	if e.mended {
		m.Marks |= chat.MarkRepaired
	}
	if len(m.ToolCalls) > maxOpenCalls {
		e.calls = nil // so many are handed over, and no room is kept for as many
		return
	}
	e.calls = m.ToolCalls[:0]
	m.ToolCalls = append([]chat.ToolCall(nil), m.ToolCalls...)
}

// given is deliver for a message that is all that the value holds.
func (e *entry) given(m *chat.Message) outcome {
	return readIf(e.deliver(m))
}

// amend adds m to the message remembered last. The sink gets the whole once
// no more is added, or before a state is given out: a message of many lines
// would else be sent, stored and counted as often as it has lines.
func (e *entry) amend(m *chat.Message) (gave bool) {
	t := e.t
	gave = !m.Empty() || e.exact
	t.extend(m)
	if e.mem.amended != t.key {
		e.mem.amended = t.key
		t.resent += t.weight
	}
	if t.sent {
		e.tell(Meta{})
		e.sent++
	} else if gave {
		first := t.last
		e.send(&first)
		t.sent = true
	}
	if t.weight > maxReopen || t.resent > minRun+maxResend*t.weight {
		e.keep(e.amendLast())
		t.forget()
	}
	return gave
}

// maxResend is how many times its weight a message is sent again because lines
// of other sessions stand between its own.
const maxResend = 8

// renew replaces the message remembered last by a later version of it, which
// has the same id, and reports whether the sink has one. A version with
// nothing to show replaces nothing.
func (e *entry) renew(m *chat.Message) bool {
	e.complete(m)
	t := e.t
	if m.Empty() {
		return t.sent
	}
	if known := len(t.last.ToolCalls); known < len(m.ToolCalls) {
		t.asked(m.ToolCalls[known:], t.sent)
	}
	m.SourceLine, m.SourceOffset = t.last.SourceLine, t.last.SourceOffset
	t.content, t.reasoning = growing{}, growing{}
	t.last, t.weight, t.grown = *m, weigh(m), true
	if !t.sent {
		first := t.last
		e.send(&first)
		t.sent, t.grown = true, false
	}
	if t.weight > maxReopen {
		e.keep(e.amendLast())
		t.forget()
	}
	return true
}

// amendLast gives the sink what lines added to the message that it has.
func (e *entry) amendLast() error {
	t := e.t
	if t == nil || !t.grown {
		return nil
	}
	t.grown = false
	if !t.sent {
		return nil
	}
	m := t.last
	m.ToolCalls = slices.Clip(m.ToolCalls) // more may be added to ours
	return e.sink.Amend(t.key, t.after, &m)
}

// keep remembers the first error of the sink.
func (e *entry) keep(err error) {
	if e.err == nil {
		e.err = err
	}
}

func later(a, b string) string {
	if b != "" {
		return b
	}
	return a
}

// send gives the sink a new message.
func (e *entry) send(m *chat.Message) {
	e.keep(e.amendLast())
	about := Meta{}
	if e.t.messages == 0 {
		about.NativeID = e.t.nativeID() // whose messages these are is told before they come
	}
	e.tell(about)
	if e.err == nil {
		e.sent++
		e.t.messages++
		e.err = e.sink.Message(e.t.key, m)
	}
}

// tell gives metadata of the session to the sink, with the format if that is
// news.
func (e *entry) tell(meta Meta) { e.tellTo(e.t, meta) }

// told gives metadata to the sink that is all that the value holds.
func (e *entry) told(meta Meta) outcome {
	e.metas++
	e.tell(meta)
	return read()
}

// countsOf adds up what an object counts under some names.
func countsOf(o *rawjson.Object, names ...string) (n int64) {
	for _, name := range names {
		n += countOf(o.Get(name))
	}
	return n
}

func (e *entry) tellTo(t *thread, meta Meta) {
	if t.told != e.format {
		meta.Format, t.told = e.format, e.format
	}
	if meta != (Meta{}) && e.err == nil {
		e.err = e.sink.Meta(t.key, meta)
	}
}

// used adds what the model used for the answer with that id, of which only
// the last count is right if several lines tell it.
func (e *entry) used(turn string, u Usage) {
	t := e.t
	if turn != "" && t.hasLast && turnID(&t.last) == turn {
		e.tell(Meta{Usage: u.Minus(t.usage)})
	} else {
		e.tell(Meta{Usage: u})
	}
	t.usage = u
}
