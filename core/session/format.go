package session

import (
	"fmt"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
	"winnow/core/spell"
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
		{"atif", "one document per run: schema_version \"ATIF-…\" and steps", acceptsATIF, decodeATIF},
		{"swe-agent", "one document per run: history and trajectory of SWE-agent", acceptsSWEAgent, decodeSWEAgent},
		{"gemini", "Gemini CLI: a document with sessionId and messages, or lines with $set patches", acceptsGemini, decodeGemini},
		{"messages", "one conversation per line or array element: messages or traj, with tools", acceptsMessages, decodeMessages},
		{"sharegpt", "one conversation per line or array element: conversations of from and value; Hermes, LLaMA-Factory", acceptsShareGPT, decodeShareGPT},
		{"codex", "Codex CLI: lines of type and payload", acceptsCodex, decodeCodex},
		{"claude-code", "Claude Code: lines of type, message and uuid, with branches and sub-agents", acceptsClaudeCode, decodeClaudeCode},
		{"pi", "Pi and OpenClaw: a session line, then message entries", acceptsPi, decodePi},
		{"anthropic", "one message per line, content in blocks (text, thinking, tool_use, tool_result)", acceptsAnthropic, decodeAnthropic},
		{"openai", "one message per line, string content, tool_calls, separate tool messages", acceptsOpenAI, decodeOpenAI},
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
	return nil, fmt.Errorf("unknown format %q: %suse one of %s", name, spell.Meant(name, known), strings.Join(known, ", "))
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

// readIf is what becomes of a value that gave a message, or none.
func readIf(gave bool) outcome {
	if !gave {
		return skipped(reasonEmpty)
	}
	return read()
}

const reasonEmpty = "no text, reasoning or calls"

// entry is one value on its way through a format to the sink. Errors of the
// sink are kept and end the reading once the value is done.
type entry struct {
	sink   Sink
	mem    *memory
	t      *thread // the session that messages go to
	format string
	line   int64
	offset int64
	// array counts the top-level arrays so far, element the place in the one
	// that the value stands in (from 0; −1 outside of one), nth the values on
	// the line so far with this one; 0 if it is the only one.
	array, element, nth int64
	// mended says that the value was not valid as recorded.
	mended bool
	exact  bool // Options.Exact
	// follows is the id of the entry after which the next message belongs.
	follows string
	notes   []string
	sent    int // messages given to the sink, or added to
	metas   int // metadata given to the sink
	names   *interner
	err     error

	msg     chat.Message
	calls   []chat.ToolCall // of the message, reused
	text    joiner          // of the message that is being read
	reasons joiner          // its reasoning
	nested  [3]rawjson.Object
	scan    rawjson.Scanner // of JSON inside of a text
	buf     []byte          // that text
}

func (e *entry) begin(line, offset int64, mended bool) {
	e.line, e.offset, e.mended, e.notes, e.err = line, offset, mended, e.notes[:0], nil
	e.sent, e.metas, e.follows = 0, 0, ""
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

// The objects inside of a value that are open at the same time: what the value
// is about, one inside of that, and one inside of that one.
const (
	payload = iota
	inner
	innermost
)

// open opens an object inside of the value; anything else has no fields. What
// was open in its place before is closed.
func (e *entry) open(place int, val []byte) *rawjson.Object {
	o := &e.nested[place]
	if rawjson.IsObject(val) {
		o.Open(val, 0)
	} else {
		*o = rawjson.Object{Fields: o.Fields[:0]}
	}
	return o
}

// name returns the text of a value, "" for anything else. Equal short ones are
// one string.
func (e *entry) name(val []byte) string {
	if !rawjson.IsText(val) {
		return ""
	}
	return e.names.text(val)
}

// interner returns one string for equal short texts: models, tool names and
// stop reasons repeat on every line.
type interner struct{ slots [64]string }

func (n *interner) text(val []byte) string {
	if !rawjson.IsText(val) {
		return rawjson.Recorded(val)
	}
	raw := val[1 : len(val)-1]
	if len(raw) == 0 {
		return ""
	}
	slot := &n.slots[(uint(raw[0])+uint(raw[len(raw)-1])*7+uint(len(raw))*31)%uint(len(n.slots))]
	if *slot != string(raw) {
		text := rawjson.Unquote(val)
		if text != string(raw) || len(raw) > 64 {
			return text
		}
		*slot = text
	}
	return *slot
}

// holdsMember reports whether the first object of a list has one of the names
// as text. It is looked for among the first elements.
func holdsMember(list []byte, names ...string) bool {
	const first = 8 // elements; real lists hold nothing but objects
	n := 0
	for val := range rawjson.Elements(list) {
		for name, val := range rawjson.Members(val) {
			if rawjson.IsText(val) && slices.Contains(names, string(name)) {
				return true
			}
		}
		if n++; n == first || rawjson.IsObject(val) {
			break
		}
	}
	return false
}
