// Package chat holds the one shape every recorded conversation is brought
// into: a list of messages with a role, text, reasoning and tool calls.
//
// Readers produce it, the store keeps it, the screen shows it and emitters
// turn it into training records. The package imports nothing else of the
// project, so that everything may build on it.
package chat

import "strings"

// Role says who speaks in a message.
type Role string

// The four roles of a normalized message.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// roleNames maps the role names that recorders write to the four of ours.
// "developer" is what newer OpenAI models call the system role; "function" is
// the retired name of the tool role.
var roleNames = map[string]Role{
	"system": System, "developer": System,
	"user":      User,
	"assistant": Assistant,
	"tool":      Tool, "function": Tool,
}

// ParseRole returns the role that a recorded name stands for. Names are
// matched exactly; ok is false for any other name.
func ParseRole(name string) (r Role, ok bool) {
	r, ok = roleNames[name]
	return r, ok
}

// Marks is a set of facts about a message that its text alone does not tell.
type Marks uint16

// The marks. Their values are stored: never renumber them.
const (
	// MarkImage, MarkAudio and MarkFile say that a part of that kind was
	// recorded and left a placeholder ("[image]", …) in the content.
	MarkImage Marks = 1 << iota
	MarkAudio
	MarkFile
	// MarkCompaction is a summary that replaced earlier messages while the
	// session was running, as the recorder tells it. Summary knows others, too.
	MarkCompaction
	// MarkRepaired says that the recorded bytes were not valid and the text
	// differs from them (invalid UTF-8, a line broken inside a string).
	MarkRepaired
	// MarkMalformedCall says that a call was recorded in a form that could
	// not be read as one and stays in the content as text.
	MarkMalformedCall
)

// Has reports whether all marks of o are set.
func (m Marks) Has(o Marks) bool { return m&o == o }

// ToolCall is one call of a tool by an assistant.
type ToolCall struct {
	ID   string
	Name string
	// Arguments is the recorded text, unchanged: key order, spacing and
	// numbers such as 1.0 are as the recorder wrote them. It may be invalid
	// JSON, and it may be empty.
	Arguments string
}

// NoModel stands as the model of an assistant message that the recorder wrote
// itself: that a request failed, that nothing was asked. Claude Code calls it
// so. Nothing should be trained to write it.
const NoModel = "<synthetic>"

// Message is one normalized entry of a session.
type Message struct {
	// N is the message's number in its session, from 1.
	N int
	// Part is 0 for a recorded message. One that a curator put after message N
	// has its number and a part from 1 on; number 0 is in front of the first. It
	// is not packed.
	Part int
	Role Role
	// Content is the text as recorded. Parts of a list are joined with a
	// newline; media leave a placeholder and a mark.
	Content   string
	Reasoning string
	ToolCalls []ToolCall
	// ToolCallID and Name belong to tool messages: the call that is
	// answered and the tool that answers. Either may be empty.
	ToolCallID string
	Name       string
	// IsError is the recorder's own error mark; Failed applies the full rule.
	IsError    bool
	StopReason string
	Model      string
	// Timestamp is the recorded text (RFC 3339, with or without a zone, or
	// a number of seconds or milliseconds); ParseTime reads it.
	Timestamp string
	Marks     Marks
	// NativeID and ParentID are the recorder's own identifiers of the entry
	// and of the one it follows, if it has any.
	NativeID string
	ParentID string
	// TurnID is the recorder's id of what the model answered at once, where
	// that is not the NativeID: the entries that share it are one message.
	TurnID string
	// Child is the native id of a session that was started here: by a call
	// of a tool message that reports on a sub-agent.
	Child string
	// Kept says of a compaction which earlier messages stayed in the model's sight,
	// "" where the recorder does not tell. Keeps reads it.
	Kept string
	// SourceLine counts from 1; SourceOffset is the byte offset of that
	// line in the (decompressed) source.
	SourceLine   int64
	SourceOffset int64
}

// Empty reports whether the message has nothing to show: no text, reasoning
// or calls. Text of white space only counts as nothing.
func (m *Message) Empty() bool {
	return len(m.ToolCalls) == 0 && strings.TrimSpace(m.Content) == "" && strings.TrimSpace(m.Reasoning) == ""
}

// Size returns the bytes of text the message holds.
func (m *Message) Size() int {
	n := len(m.Content) + len(m.Reasoning)
	for i := range m.ToolCalls {
		n += len(m.ToolCalls[i].Name) + len(m.ToolCalls[i].Arguments)
	}
	return n
}

// Body renders the message as one text for a model or for search: reasoning
// under "[reasoning]", calls under "[tool_calls]" as a JSON list, then the
// content, with blank lines between. A tool message starts with a line
// "(name=…, id=…)" of what is known.
func (m *Message) Body() string {
	var parts []string
	if m.Role == Tool {
		if head := toolHead(m.Name, m.ToolCallID); head != "" {
			return head + "\n" + m.Content
		}
		return m.Content
	}
	if strings.TrimSpace(m.Reasoning) != "" {
		parts = append(parts, "[reasoning]\n"+m.Reasoning)
	}
	if len(m.ToolCalls) > 0 {
		parts = append(parts, "[tool_calls]\n"+string(appendCalls(nil, m.ToolCalls)))
	}
	if m.Content != "" {
		parts = append(parts, m.Content)
	}
	return strings.Join(parts, "\n\n")
}

func toolHead(name, id string) string {
	switch {
	case name != "" && id != "":
		return "(name=" + name + ", id=" + id + ")"
	case name != "":
		return "(name=" + name + ")"
	case id != "":
		return "(id=" + id + ")"
	}
	return ""
}
