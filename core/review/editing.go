package review

import (
	"time"

	"winnow/core/chat"
	"winnow/core/edit"
)

// Editing is what a curator changes of recorded messages at once: all of it, or
// nothing, as one entry of the journal.
type Editing struct {
	Curator string
	Note    string // for the journal, what the change is for in the curator's words; often ""
	Changes []EditChange
}

// EditChange brings one place to another state.
type EditChange struct {
	Session string // id
	N, Part int    // see edit.Place
	// Op is what is to stand there; "" is what was recorded, which of an added
	// message is none.
	Op        edit.Op
	Why       edit.Why // "" is edit.Fix
	Message   chat.Message
	Untrained bool
	// Seen is the sum of the message that the curator looked at, zero where none
	// stood; nil: whatever stands there. Another one is an ErrConflict.
	Seen *chat.Sum
}

// Edited is what an entry did to one place.
type Edited struct {
	Session       string     // id
	edit.Place               // as it was then
	Before, After *edit.Edit // nil: what was recorded
}

// EditedBy tells of an edit who made it.
type EditedBy struct {
	N, Part int // see edit.Place
	Op      edit.Op
	Why     edit.Why
	Clash   bool // it is not in force, as the recorded message changed
	By      string
	At      time.Time
	Entry   int64 // of the journal
}

// Context is what the model saw from a message of a session on: a recorder took
// earlier messages out of its sight there, mostly with a summary in their place.
type Context struct {
	N int // the first message that was sent to the shortened context
	// Known says that the recorder wrote what was kept.
	Known bool
	// Keeps are the earlier messages that stayed in sight, in their order, as runs
	// of numbers, first and last; system messages at the beginning are not among
	// them.
	Keeps [][2]int
}

// ContextOf returns what a message tells of the context from it on; ok is false
// unless it is a compaction. What was kept of the path before a fork, which is not
// in the message's own session, makes it unknown.
func ContextOf(m *chat.Message) (c Context, ok bool) {
	if !m.Marks.Has(chat.MarkCompaction) {
		return Context{}, false
	}
	c.N = m.N
	if c.Keeps, c.Known = m.Keeps(); len(c.Keeps) > 0 && c.Keeps[0][0] < 1 {
		c.Keeps, c.Known = nil, false
	}
	return c, true
}
