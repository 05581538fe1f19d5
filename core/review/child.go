package review

import "winnow/core/session"

// Child is a session that belongs to another: a branch that was given up, a
// sub-agent's, or one that goes on where the other ended.
type Child struct {
	ID       string // session id
	Kind     session.Kind
	NativeID string // the recorder's own id; chat.Message.Child names it
	Title    string // as recorded, else the topic of its first segment
	// At is the number of the parent's message after which it belongs, Call
	// the id of the tool call that started it; 0 and "" are unknown.
	At   int
	Call string
	Tally
}
