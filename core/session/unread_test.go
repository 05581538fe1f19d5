package session_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestKnownButNotRead: recordings that are not read are named as what they
// are, each from one object.
func TestKnownButNotRead(t *testing.T) {
	for _, c := range []struct{ what, object string }{
		{"cursor session", `{"role":"user","message":{"content":[{"type":"text","text":"x"}]}}`},
		{"cursor session", `{"type":"turn_ended","status":"success"}`},
		{"qwen-code session", `{"uuid":"1","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"x"}]}}`},
		{"qwen-code session", `{"uuid":"1","sessionId":"s","type":"system","subtype":"ui_telemetry","systemPayload":{}}`},
		{"iflow session", `{"uuid":"1","parentUuid":null,"sessionId":"session-5de701fc-7454-4858-a249-95cac4fd3b51","type":"user","message":{"role":"user","content":"x"}}`},
		{"copilot session", `{"type":"user.message","data":{"content":"x"},"id":"e1","timestamp":"t","parentId":null}`},
		{"visual studio copilot trace", `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"vs-copilot"}}]}}]}`},
		{"OpenTelemetry trace", `{"resourceSpans":[]}`},
		{"kimi session", `{"type":"metadata","protocol_version":"1.4","created_at":1}`},
		{"kimi session", `{"type":"context.append_message","message":{"role":"user","content":[]},"time":5}`},
		{"droid session", `{"type":"session_start","id":"d","title":"T","cwd":"/"}`},
		{"droid session", `{"type":"message","session_id":"s","role":"user","text":"x"}`},
		{"droid session", `{"type":"tool_result","session_id":"s","toolCallId":"c","value":{}}`},
		{"droid session", `{"type":"completion","session_id":"s","finalText":"x"}`},
		{"grok session", `{"type":"user","content":[{"type":"text","text":"x"}],"prompt_index":0}`},
		{"grok session", `{"type":"assistant","content":"x","model_id":"m"}`},
		{"grok session", `{"type":"tool_result","tool_call_id":"c","content":"x"}`},
		{"opencode session", `{"id":"m","sessionID":"s","role":"user","time":{"created":1},"summary":{}}`},
		{"opencode session", `{"id":"p","sessionID":"s","messageID":"m","type":"text","text":"x"}`},
		{"opencode session", `{"id":"s","version":"1","projectID":"p","directory":"/"}`},
		{"antigravity session", `{"step_index":0,"source":"MODEL","type":"GENERIC","status":"DONE","content":"x"}`},
		{"kiro session", `{"conversation_id":"c","history":[{"user":{},"assistant":{}}]}`},
		{"qwenpaw session", `{"agent":{"memory":{"content":[]}}}`},
		{"posit-assistant session", `{"id":0,"message":{"role":"user","content":"x"}}`},
		{"omnigent item", `{"agent":"a","name":"n","arguments":"{}","call_id":"c"}`},
		{"openclaw telemetry", `{"type":"tool.start","sessionKey":"agent:main","toolName":"x"}`},
		{"query and response", `{"query":"x","response":"y"}`},
		{"alpaca instruction", `{"instruction":"x","input":"","output":"y"}`},
		{"prompt and completion", `{"prompt":"x","completion":"y"}`},
		{"tool call without a message", `{"timestamp":"t","type":"tool_call","function":{"name":"git"},"arguments":"status"}`},
	} {
		t.Run(c.what, func(t *testing.T) {
			rec, res := readAll(t, []byte(c.object+"\n"), "")
			if want := "1 line: " + c.what + ", which winnow does not read"; res.Seen != want || len(rec.msgs) > 0 {
				t.Errorf("%s: seen %q, want %q", c.object, res.Seen, want)
			}
		})
	}
}

// TestNoSession: what holds no session says so, and as what it was seen.
func TestNoSession(t *testing.T) {
	for src, want := range map[string]string{
		`{"text":"x"}` + "\n":                         "1 line: plain text",
		`{"agentType":"x","spawnDepth":1}` + "\n":     "companion file: claude-code sub-agent metadata",
		`{"messages_display":"user: x"}` + "\n":       "1 line: few-shot example",
		"# Notes\n\nSome text.\n":                     "3 lines: Markdown, not JSON",
		"\n# aider chat started at 2026\n\n#### x\n":  "4 lines: Markdown, not JSON",
		"text\n```go\nx\n```\n":                       "4 lines: Markdown, not JSON",
		"query,response\n\"a, b\",c\n":                "2 lines: CSV, not JSON",
		"<?xml version=\"1.0\"?>\n<a/>\n":             "2 lines: XML, not JSON",
		"<!DOCTYPE html>\n<p>\n":                      "2 lines: HTML, not JSON",
		"Dear all,\n\nno session here.\n":             "3 lines: not JSON",
		"2026-01-01 10:00:00, started: pid=7\nx, y\n": "2 lines: not JSON",
	} {
		if _, res := readAll(t, []byte(src), ""); res.Seen != want {
			t.Errorf("%q: seen %q, want %q", src, res.Seen, want)
		}
	}
}

// TestMessagesAreNotTakenForOthers: lines that a format reads are read, also
// with fields that others use.
func TestMessagesAreNotTakenForOthers(t *testing.T) {
	for _, line := range []string{
		`{"role":"user","content":"x","sessionID":"s","time":{"created":1}}`,
		`{"role":"user","content":"x","message":{"role":"user"}}`,
		`{"type":"message","role":"user","content":"x","session_id":"s","text":"y"}`,
	} {
		if rec, res := readAll(t, []byte(line+"\n"), ""); len(rec.msgs) != 1 {
			t.Errorf("%s gives %d messages, seen %q", line, len(rec.msgs), res.Seen)
		}
	}
}

// TestSharedFilesAreNamed: every file of sessions of agents that are not read
// is named, and none is taken for another's.
func TestSharedFilesAreNamed(t *testing.T) {
	for _, path := range sharedFiles(t, "agents-small") {
		agent := filepath.Base(filepath.Dir(path))
		switch agent {
		case "cursor", "copilot", "droid", "kimi", "qwen", "antigravity", "Cursor":
		default:
			continue
		}
		if !strings.HasPrefix(filepath.Ext(path), ".json") {
			continue
		}
		rec, res := readAll(t, decodedFile(t, path), "")
		if len(rec.msgs)+len(rec.keys) > 0 || !strings.Contains(res.Seen, strings.ToLower(agent)) {
			t.Errorf("%s: %d messages, seen %q", path, len(rec.msgs), res.Seen)
		}
	}
}
