// Package voice recognizes who speaks in a message that has the user's role: a
// person, or a recorder, a hook, a harness or a tool in the person's place. It
// imports core/chat and core/phrases only.
package voice

import "winnow/core/chat"

// Voice says who speaks in a message that has the user's role.
type Voice uint8

// The voices.
const (
	Person     Voice = iota // somebody wrote it
	Machine                 // the recorder, a hook or a harness did
	Result                  // it is a tool's result
	Interrupt               // it says that the user stopped the agent
	Compaction              // it sums up what came before
	Reset                   // "/clear": what follows is another conversation
)

// Ear tells who speaks in a session: to know some results of tools it has to
// hear what came before them. Its memory does not grow with the session. The
// zero Ear has heard nothing.
type Ear struct {
	templates Templates
	last      chat.Role
}

// Hear takes the next message, of any role, and returns who speaks in it and
// what is said, without what a machine put around it or a marker of the talk's
// end after it: "" if that is nobody's text. For other roles than the user's
// the voice means nothing.
func (e *Ear) Hear(m *chat.Message) (v Voice, text string) {
	before := e.last
	e.last = m.Role
	if m.Role != chat.User {
		return Machine, ""
	}
	v, text = Of(m)
	switch {
	case v == Result && before == "":
		v = Person // of no tool: somebody asks about an output
	case v == Person && e.templates.Observed(text, before, false):
		v = Result
	}
	switch v {
	case Result:
		e.last = chat.Tool
	case Person:
		if said := withoutEndMarker(text); said != "" || text == "" {
			return v, said
		}
		return Machine, ""
	}
	return v, text
}
