package session

import (
	"fmt"
	"slices"
	"strings"

	"winnow/core/chat"
)

// Format is one row of the registry: a way of recording sessions that winnow
// reads.
type Format struct {
	Name        string // as --format takes it
	Description string // one line

	// accepts reports whether a line is in this format. inForce says that
	// the line before was, or that the format was asked for.
	accepts func(o *object, m *memory, inForce bool) bool
	// decode reads a line that was accepted.
	decode func(o *object, e *entry) outcome
}

// Auto is the Options.Format that detects.
const Auto = "auto"

// Formats returns the registry, in the order in which formats are tried on a
// line that the format in force does not accept. Adding a format is one row
// here and one file; Read gives it complete, valid objects only.
func Formats() []Format {
	return []Format{
		{
			Name:        "anthropic",
			Description: "one message per line, content in blocks (text, thinking, tool_use, tool_result)",
			accepts:     acceptsAnthropic,
			decode:      decodeAnthropic,
		},
		{
			Name:        "openai",
			Description: "one message per line, string content, tool_calls, separate tool messages",
			accepts:     acceptsOpenAI,
			decode:      decodeOpenAI,
		},
	}
}

// formatNamed finds a format by its name; nil without an error for auto.
func formatNamed(formats []Format, name string) (*Format, error) {
	if name == "" || name == Auto {
		return nil, nil
	}
	known := []string{Auto}
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i], nil
		}
		known = append(known, formats[i].Name)
	}
	return nil, fmt.Errorf("unknown format %q: use one of %s", name, strings.Join(known, ", "))
}

// outcome says what became of one value.
type outcome struct {
	as     Severity // asRead, Skipped or Bad
	reason string   // why not read
}

// asRead is what a line counts as that gave something.
const asRead Severity = "read"

func read() outcome                 { return outcome{as: asRead} }
func skipped(reason string) outcome { return outcome{Skipped, reason} }
func bad(reason string) outcome     { return outcome{Bad, reason} }

const reasonEmpty = "no text, reasoning or calls"

// entry is one value on its way through a format to the sink. Errors of the
// sink are kept and end the reading once the value is done.
type entry struct {
	sink   Sink
	mem    *memory
	format string
	told   *string // the format the sink knows the session to have
	line   int64
	offset int64
	// mended says that the value was not valid as recorded.
	mended bool
	notes  []string
	sent   int // messages given to the sink, or added to
	metas  int // metadata given to the sink
	names  *interner
	err    error

	msg     chat.Message
	calls   []chat.ToolCall // of the message, reused
	text    joiner          // of the message that is being read
	reasons joiner          // its reasoning
}

func (e *entry) begin(line, offset int64, mended bool) {
	e.line, e.offset, e.mended, e.notes, e.err = line, offset, mended, e.notes[:0], nil
	e.sent, e.metas = 0, 0
}

const (
	// maxNotes bounds what a line full of oddities adds to the ledger.
	maxNotes = 16
	noteMore = "more kinds of repairs on the line"
)

// note adds a repair to the ledger of the line, each once. detail says what it
// is about, "" for nothing more.
func (e *entry) note(reason, detail string) {
	for _, have := range e.notes {
		if rest, ok := strings.CutPrefix(have, reason); ok && strings.TrimPrefix(rest, ": ") == detail {
			return
		}
	}
	switch {
	case len(e.notes) > maxNotes:
		return
	case len(e.notes) == maxNotes:
		reason = noteMore
	case detail != "":
		reason += ": " + detail
	}
	e.notes = append(e.notes, reason)
}

// message returns an empty message at the place of the value.
func (e *entry) message(role chat.Role) *chat.Message {
	e.msg = chat.Message{Role: role, SourceLine: e.line, SourceOffset: e.offset, ToolCalls: e.calls[:0]}
	return &e.msg
}

// deliver gives a message to the sink, unless it has nothing to show, and
// reports whether it did. A tool message is linked to the call it answers; an
// assistant message with the native id of the one before is added to that.
func (e *entry) deliver(m *chat.Message) bool {
	if e.mended {
		m.Marks |= chat.MarkRepaired
	}
	if len(m.ToolCalls) > maxOpenCalls {
		e.calls = nil // so many are handed over, and no room is kept for as many
	} else {
		e.calls = m.ToolCalls[:0]
		m.ToolCalls = append([]chat.ToolCall(nil), m.ToolCalls...) // the sink may keep them
	}
	same := m.Role == chat.Assistant && m.NativeID != "" && e.mem.hasLast && e.mem.last.NativeID == m.NativeID
	e.mem.asked(m.ToolCalls, same && e.mem.sent)
	if same {
		return e.amend(m)
	}
	if m.Role == chat.Tool {
		if name := e.mem.answered(m.ToolCallID); m.Name == "" {
			m.Name = name
		}
	} else if m.Empty() {
		if m.Role == chat.Assistant && m.NativeID != "" {
			e.keep(e.settle())
			e.mem.remember(m, false)
		}
		return false
	}
	e.send(m)
	if m.Role == chat.Assistant && m.NativeID != "" {
		e.mem.remember(m, true)
	} else {
		e.mem.forget()
	}
	return true
}

// amend adds m to the message remembered last. The sink gets the whole once
// no more is added, or before a state is given out: a message of many lines
// would else be sent, stored and counted as often as it has lines.
func (e *entry) amend(m *chat.Message) (gave bool) {
	gave = !m.Empty()
	e.mem.extend(m)
	if e.mem.sent {
		e.tell(Meta{})
		e.sent++
	} else if gave {
		first := e.mem.last
		e.send(&first)
		e.mem.sent = true
	}
	if e.mem.weight > maxReopen {
		e.keep(e.settle())
		e.mem.forget()
	}
	return gave
}

// settle gives the sink what lines added to the message that it has.
func (e *entry) settle() error {
	if !e.mem.grown {
		return nil
	}
	e.mem.grown = false
	if !e.mem.sent {
		return nil
	}
	m := e.mem.last
	m.ToolCalls = slices.Clip(m.ToolCalls) // more may be added to ours
	return e.sink.Amend("", &m)
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
	e.keep(e.settle())
	e.tell(Meta{})
	if e.err == nil {
		e.sent++
		e.err = e.sink.Message("", m)
	}
}

// tell gives metadata to the sink, with the format if that is news.
func (e *entry) tell(meta Meta) {
	if *e.told != e.format {
		meta.Format, *e.told = e.format, e.format
	}
	if meta != (Meta{}) && e.err == nil {
		e.err = e.sink.Meta("", meta)
	}
}

// interner returns one string for equal short texts: models, tool names and
// stop reasons repeat on every line.
type interner struct{ slots [64]string }

func (n *interner) text(val []byte) string {
	if !isText(val) {
		return recorded(val)
	}
	raw := val[1 : len(val)-1]
	if len(raw) == 0 {
		return ""
	}
	slot := &n.slots[(uint(raw[0])+uint(raw[len(raw)-1])*7+uint(len(raw))*31)%uint(len(n.slots))]
	if *slot != string(raw) {
		text := textOf(val)
		if text != string(raw) || len(raw) > 64 {
			return text
		}
		*slot = text
	}
	return *slot
}
