package segment

import (
	"strings"

	"winnow/core/chat"
)

// Voice says who speaks in a message that has the user's role.
type Voice uint8

// The voices.
const (
	VoicePerson     Voice = iota // somebody wrote it
	VoiceMachine                 // the recorder, a hook or a harness did
	VoiceResult                  // it is a tool's result
	VoiceInterrupt               // it says that the user stopped the agent
	VoiceCompaction              // it sums up what came before
	VoiceReset                   // "/clear": what follows is another conversation
)

var voices = [...]Voice{
	kindReal: VoicePerson, kindFiller: VoicePerson, kindMachine: VoiceMachine, kindObservation: VoiceResult,
	kindInterrupt: VoiceInterrupt, kindCompaction: VoiceCompaction, kindReset: VoiceReset,
}

// Ear tells who speaks in a session, by the rules that cut without a model: to
// know some results of tools it has to hear what came before them. Its memory
// does not grow with the session. The zero Ear has heard nothing.
type Ear struct {
	templates templates
	last      chat.Role
}

// Hear takes the next message, of any role, and returns who speaks in it and
// what is said, without what a machine put around it or a marker of the talk's
// end behind it: "" if that is nobody's text. For other roles than the user's
// the voice means nothing.
func (e *Ear) Hear(m *chat.Message) (v Voice, text string) {
	before := e.last
	e.last = m.Role
	if m.Role != chat.User {
		return VoiceMachine, ""
	}
	k, text := kindOf(m, nil)
	switch {
	case k == kindObservation && before == "":
		k = kindReal // of no tool: somebody asks about an output
	case k == kindReal && e.observed(strings.TrimSpace(text), before):
		k = kindObservation
	}
	switch k {
	case kindObservation:
		e.last = chat.Tool
	case kindReal, kindFiller:
		whole := strings.TrimSpace(text)
		switch said := withoutEndMarker(whole); {
		case said == whole:
		case said == "":
			return VoiceMachine, ""
		default:
			text = said
		}
	}
	return voices[k], text
}

// observed tells a tool's result from a prompt as cutting does.
func (e *Ear) observed(text string, before chat.Role) bool {
	if line := lastLine(text); promptLike(line) {
		known := e.templates.shell(line)
		switch {
		case e.templates.match(text):
			return false
		case known:
			return true
		}
		e.templates.add(text)
	}
	return before == chat.Assistant && document(text)
}
