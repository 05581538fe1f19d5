package session

import (
	"bytes"
	"strings"

	"winnow/core/rawjson"
)

// noSession begins the name of what holds no session, however it is read.
const noSession = "no session: "

// CompanionFile begins the reason of a file that agents write beside their
// sessions: that it gives none is as it should be.
const CompanionFile = "companion file: "

// unread lists the shapes of recordings that are known and not read, so that
// they are named as what they are. One object must be enough to be sure. The
// first row that matches wins.
var unread = [...]struct {
	what string // who writes it, and what it is
	is   func(o *object) bool
}{
	{"cursor session", isCursor},
	{noSession + "cursor usage report", hasAll("usageEventsDisplay")},
	{"qwen-code session", isQwen},
	{"iflow session", func(o *object) bool { return isIFlow(o.Get("sessionId")) }},
	{"copilot session", func(o *object) bool {
		return rawjson.IsText(o.Get("type")) && rawjson.IsObject(o.Get("data")) && o.Has("parentId")
	}},
	{"visual studio copilot trace", func(o *object) bool {
		return isTrace(o) && bytes.Contains(o.In[:min(len(o.In), traceHead)], []byte("vs-copilot"))
	}},
	{"OpenTelemetry trace", isTrace},
	{"kimi session", isKimi},
	{CompanionFile + "kimi session state", hasAll("agents", "isCustomTitle")},
	{"droid session", isDroid},
	{"grok session", isGrok},
	{CompanionFile + "grok session summary", hasAll("session_summary", "num_chat_messages")},
	{CompanionFile + "grok session signals", hasAll("turnCount", "userMessageCount", "toolFailureCount")},
	{"opencode session", isOpenCode},
	{"antigravity session", hasAll("step_index", "source", "type", "status")},
	{"kiro session", func(o *object) bool { return o.Has("conversation_id") && rawjson.IsList(o.Get("history")) }},
	{"qwenpaw session", func(o *object) bool {
		return rawjson.IsList(rawjson.Get(rawjson.Get(o.Get("agent"), "memory"), "content"))
	}},
	{"posit-assistant session", isPosit},
	{CompanionFile + "posit-assistant index", func(o *object) bool { return rawjson.IsList(o.Get("conversations")) && o.Has("schemaVersion") }},
	{CompanionFile + "vibe session metadata", hasAll("session_id", "start_time", "end_time", "git_commit")},
	{"omnigent item", isOmnigent},
	{"openclaw telemetry", isTelemetry},
	{"amp thread", func(o *object) bool {
		return rawjson.IsList(o.Get("messages")) && strings.HasPrefix(textual(o.Get("id")), "T-")
	}},
	{CompanionFile + "claude-code sub-agent metadata", hasAll("agentType", "spawnDepth")},
	{"claude-code transcript in one object", func(o *object) bool { return rawjson.IsList(o.Get("loglines")) }},
	{"tool call without a message", func(o *object) bool { return typed(o, "tool_call") && o.Has("function", "name", "toolName") }},
	{"tool result without a message", func(o *object) bool { return typed(o, "tool_result") && o.Has("name", "result", "output") }},
	{noSession + "few-shot example", hasAll("messages_display")},
	{"query and response", hasAll("query", "response")},
	{"alpaca instruction", hasAll("instruction", "output")},
	{"prompt and completion", func(o *object) bool { return o.Has("prompt") && o.Has("completion", "chosen", "rejected", "response") }},
	{noSession + "plain text", func(o *object) bool {
		return len(o.Fields) == 1 && (rawjson.IsText(o.Get("text")) || rawjson.IsText(o.Get("response")))
	}},
}

// hasAll matches objects that have all of the fields.
func hasAll(names ...string) func(o *object) bool {
	return func(o *object) bool {
		for _, name := range names {
			if o.Get(name) == nil {
				return false
			}
		}
		return true
	}
}

// typed reports whether that is the type of an object.
func typed(o *object, kind string) bool {
	val := o.Get("type")
	return rawjson.IsText(val) && string(rawjson.Inner(val)) == kind
}

func isCursor(o *object) bool {
	if typed(o, "turn_ended") && o.Has("status") {
		return true
	}
	return rawjson.IsText(o.Get("role")) && rawjson.IsObject(o.Get("message")) && !o.Has("type", "uuid", "content")
}

// isQwen tells lines of Qwen Code from those of Claude Code, which it
// resembles: what is said stands in parts.
func isQwen(o *object) bool {
	if !o.Has("uuid") || !o.Has("sessionId") {
		return false
	}
	return o.Has("systemPayload", "toolCallResult") || rawjson.Has(o.Get("message"), "parts")
}

// traceHead is how much of a trace is searched for the service that wrote it,
// which is named at its beginning.
const traceHead = 4 << 10

func isTrace(o *object) bool { return rawjson.IsList(o.Get("resourceSpans")) }

func isKimi(o *object) bool {
	switch {
	case typed(o, "metadata"):
		return o.Has("protocol_version")
	case typed(o, "config.update"):
		return o.Has("time", "modelAlias", "profileName", "systemPrompt", "cwd")
	}
	kind := o.Get("type")
	return rawjson.IsText(kind) && o.Has("time") && rawjson.Kind(o.Get("time")) == "number" && bytes.ContainsAny(kind, "._")
}

// isDroid knows both what Factory's Droid prints and what it stores.
func isDroid(o *object) bool {
	run := o.Has("session_id", "sessionId")
	switch {
	case typed(o, "session_start"):
		return o.Has("id") && o.Has("cwd", "title", "owner")
	case typed(o, "message"):
		return rawjson.IsObject(o.Get("message")) && o.Has("id") && o.Has("timestamp") || run && o.Has("role") && o.Has("text")
	case typed(o, "tool_call"):
		return run && o.Has("toolName", "toolId")
	case typed(o, "tool_result"):
		return run && o.Has("toolCallId", "toolId")
	case typed(o, "completion"):
		return run && o.Has("finalText")
	}
	return false
}

func isGrok(o *object) bool {
	switch {
	case o.Has("role", "uuid", "message"):
		return false
	case typed(o, "user"):
		return o.Has("content") && o.Has("prompt_index", "synthetic_reason")
	case typed(o, "assistant"):
		return o.Has("content") && o.Has("model_id")
	case typed(o, "reasoning"):
		return rawjson.IsList(o.Get("summary")) && o.Has("id")
	case typed(o, "tool_result"):
		return o.Has("tool_call_id") && o.Has("content")
	case typed(o, "backend_tool_call"):
		return rawjson.IsObject(o.Get("kind"))
	}
	return false
}

// isOpenCode knows the files of OpenCode's storage: a session, a message
// without its text, a part of one.
func isOpenCode(o *object) bool {
	switch {
	case o.Has("projectID"):
		return o.Has("id") && o.Has("directory", "version")
	case o.Has("sessionID"):
		return o.Has("role", "messageID") && !o.Has("content")
	case o.Has("messageID"):
		return o.Has("id") && o.Has("type")
	}
	return typed(o, "text") && rawjson.IsText(o.Get("text")) && rawjson.Has(o.Get("time"), "start")
}

func isPosit(o *object) bool {
	if rawjson.Kind(o.Get("id")) == "number" && len(o.Fields) == 2 {
		return rawjson.Has(o.Get("message"), "role")
	}
	return o.Has("schemaVersion") && rawjson.IsObject(o.Get("root")) && o.Has("messages")
}

func isOmnigent(o *object) bool {
	switch {
	case o.Has("last_item_id"):
		return o.Has("summary")
	case o.Has("call_id"):
		return o.Has("agent") && o.Has("arguments") || o.Has("output") && len(o.Fields) == 2
	}
	return o.Has("applied") && o.Has("rationale")
}

// isTelemetry knows the events that OpenClaw's telemetry plugin writes.
func isTelemetry(o *object) bool {
	kind := o.Get("type")
	return rawjson.IsText(kind) && bytes.IndexByte(kind, '.') > 0 && o.Has("sessionKey", "channel")
}
