package session

import (
	"strings"

	"winnow/core/rawjson"
)

// Claude Code writes one entry per line: {"type","uuid","parentUuid",
// "sessionId","message"}. The lines of one answer share message.id, results
// come in user lines, and parentUuid makes a tree: what a rewind gave up stays
// in the file. What a sub-agent said stands in the file of its session
// (isSidechain), or in one of its own.
//
// An answer with its results is one node of that tree, and results never fork:
// each goes after the call it answers, or to the end of the path.
//
// What was put into the context in the user's place (isMeta, command output,
// commands queued while the model was at work) stays a user message, since the
// model has read it. What the program said in the model's place (its model is
// "<synthetic>") stays an assistant message of that model: the path goes on
// through it, but nobody wants to train on it. One that stands for a failed
// request has the stop reason "error".
//
// A compaction is a system message, and the summary after it a user message,
// both marked; they belong to the node before them, since a program may go on
// from messages that it kept. A micro-compaction only empties old results for
// the model: what is recorded stays whole, so that it is no message.
func acceptsClaudeCode(o *object, _ *memory, inForce bool) bool {
	var kind, message, session []byte
	var own, id, leaf, named bool
	for i := range o.Fields {
		name, val := o.At(i)
		switch string(name) {
		case "type":
			kind = val
		case "message":
			message = val
		case "sessionId":
			session, own = val, true
		case "parentUuid", "parent_tool_use_id", "isSidechain":
			own = true
		case "leafUuid", "isSnapshotUpdate":
			leaf = true
		case "uuid":
			id = true
		case "attachment":
			own = own || rawjson.IsObject(val)
		case "session_id":
			named = true
		case "payload", "messages", "$set", "parts", "systemPayload": // of others that write alike
			return false
		case "loglines":
			return rawjson.IsList(val)
		}
	}
	switch {
	case !rawjson.IsText(kind) || isIFlow(session):
		return false
	case rawjson.IsObject(message):
		return isClaudeMessage(message) && (own || id || !named && isSpeaker(kind))
	case inForce:
		return own || id || leaf
	}
	return leaf || isClaudeKind(kind, own, id)
}

// isIFlow reports whether a session id is one of iFlow's, whose entries all
// follow the user's and repeat each other's calls.
func isIFlow(session []byte) bool {
	const shape = `"session-00000000-0000-0000-0000-000000000000"`
	return len(session) == len(shape) && strings.HasPrefix(string(session), `"session-`)
}

func isSpeaker(kind []byte) bool { return string(kind) == `"user"` || string(kind) == `"assistant"` }

// isClaudeMessage reports whether a message is one of Anthropic's: others who
// write such entries have parts in it.
func isClaudeMessage(message []byte) bool {
	for c := rawjson.Within(message); ; c.Element() {
		name, ok := c.Name()
		if !ok {
			return true
		}
		switch string(name) {
		case "content":
			return true
		case "parts":
			return false
		}
	}
}

// isClaudeKind reports whether an entry without a message is one that Claude
// Code writes: those of the conversation have an id, others a session.
func isClaudeKind(kind []byte, own, id bool) bool {
	switch string(rawjson.Inner(kind)) {
	case "system", "progress", "tool_use", "tool_result":
		return id
	case "user", "assistant":
		return own || id
	case "attachment", "custom-title", "ai-title", "file-history-snapshot", "queue-operation", "last-prompt",
		"permission-mode", "mode", "agent-name", "pr-link", "worktree-state", "stream_event":
		return own
	}
	return false
}
