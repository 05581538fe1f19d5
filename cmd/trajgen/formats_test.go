package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// made generates sessions into a folder and returns its files with what the
// generator says it made.
func made(t *testing.T, format string, sessions int, bytes size) (map[string]string, totals) {
	t.Helper()
	o := options{target: t.TempDir(), sessions: sessions, size: bytes, seed: 3, low: 5, high: 400, perFolder: 1000, text: usualText, rounds: usualRounds}
	for i := range formats {
		if formats[i].name == format {
			o.format = &formats[i]
		}
	}
	total, err := generate(o, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return files(t, o.target), total
}

// eachLine decodes every line of a file.
func eachLine[T any](t *testing.T, data string, visit func(*T)) {
	t.Helper()
	for line := range strings.Lines(data) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in %.300s", err, line)
		}
		visit(&v)
	}
}

func TestConversationsShareFiles(t *testing.T) {
	for _, format := range []string{"messages", "sharegpt"} {
		all, total := made(t, format, 230, 0)
		lines := 0
		for _, data := range all {
			lines += strings.Count(data, "\n")
		}
		if len(all) != 3 || lines != 230 || total.sessions != 230 {
			t.Errorf("%s: %d conversations in %d lines of %d files", format, total.sessions, lines, len(all))
		}
		if n := strings.Count(string(generated(t, "-o", "-", "--format", format, "--sessions", "120")), "\n"); n != 120 {
			t.Errorf("%s: %d lines on standard output", format, n)
		}
		named := filepath.Join(t.TempDir(), "named.jsonl")
		generated(t, "-o", named, "--format", format, "--sessions", "120")
		if data, err := os.ReadFile(named); strings.Count(string(data), "\n") != 120 {
			t.Errorf("%s: %d bytes in a file that was named: %v", format, len(data), err)
		}
	}
}

func TestMessagesLinesAreValid(t *testing.T) {
	all, total := made(t, "messages", 0, 4e6)
	messages := 0
	for _, data := range all {
		eachLine(t, data, func(c *struct {
			Messages []entry
			Tools    []struct {
				Function struct {
					Name       string
					Parameters struct{ Properties map[string]any }
				}
			}
		}) {
			messages += len(c.Messages)
			if len(c.Tools) != len(tools) || len(c.Tools[0].Function.Parameters.Properties) == 0 {
				t.Fatalf("tools %+v", c.Tools)
			}
			open := map[string]bool{}
			for _, m := range c.Messages {
				for _, call := range m.ToolCalls {
					open[call.ID] = json.Valid([]byte(call.Function.Arguments))
				}
				if m.Role == "tool" && !open[m.ToolCallID] {
					t.Errorf("a result for the unknown call %q", m.ToolCallID)
				}
			}
		})
	}
	if messages != total.messages || messages < 1000 {
		t.Errorf("%d messages, said to be %d", messages, total.messages)
	}
}

// tagged returns the JSON texts between a pair of tags.
func tagged(t *testing.T, value, tag string) (all []map[string]any) {
	t.Helper()
	for {
		_, rest, found := strings.Cut(value, "<"+tag+">\n")
		if !found {
			return all
		}
		text, after, closed := strings.Cut(rest, "\n</"+tag+">")
		var v map[string]any
		if err := json.Unmarshal([]byte(text), &v); err != nil || !closed {
			t.Fatalf("%s: %v in %.300s", tag, err, text)
		}
		all, value = append(all, v), after
	}
}

func TestShareGPTLinesAreValid(t *testing.T) {
	all, total := made(t, "sharegpt", 0, 6e6)
	messages, thoughts := 0, 0
	for _, data := range all {
		eachLine(t, data, func(c *struct {
			Conversations    []struct{ From, Value string }
			Timestamp, Model string
			Completed        *bool
		}) {
			calls := 0
			for i, e := range c.Conversations {
				messages++
				switch e.From {
				case "system":
					_, rest, _ := strings.Cut(e.Value, "<tools>\n")
					list, _, _ := strings.Cut(rest, "\n</tools>")
					var defined []map[string]any
					if err := json.Unmarshal([]byte(list), &defined); err != nil || len(defined) != len(tools) || i > 0 {
						t.Fatalf("turn %d, tools %q: %v", i, list, err)
					}
				case "gpt":
					calls = len(tagged(t, e.Value, "tool_call"))
					if !strings.HasPrefix(e.Value, "<think>\n") || strings.Count(e.Value, "</think>") != 1 {
						t.Errorf("an answer without its thought: %.100s", e.Value)
					}
					if !strings.HasPrefix(e.Value, "<think>\n</think>") {
						thoughts++
					}
				case "tool":
					results := tagged(t, e.Value, "tool_response")
					for _, r := range results {
						if r["name"] == "" || r["tool_call_id"] == "" || r["content"] == "" {
							t.Errorf("result %v", r)
						}
					}
					if len(results) != calls {
						t.Errorf("%d results of %d calls", len(results), calls)
					}
					messages += len(results) - 1
					calls = 0
				}
			}
			if c.Completed == nil || *c.Completed == (calls > 0) || c.Model == "" || c.Timestamp == "" {
				t.Errorf("completed %v with %d open calls, %q, %q", c.Completed, calls, c.Model, c.Timestamp)
			}
		})
	}
	if messages != total.messages || thoughts < 100 {
		t.Errorf("%d messages, said to be %d; %d thoughts", messages, total.messages, thoughts)
	}
}

// A conversation without an answer at its end is not completed.
func TestShareGPTTellsWhatWasBrokenOff(t *testing.T) {
	for turns, want := range map[string]string{"2": `"completed": true}`, "3": `"completed": false}`} {
		dir := t.TempDir()
		generated(t, "-o", dir, "--format", "sharegpt", "--tiny-lines", turns)
		if line := files(t, dir)["/tiny-lines.jsonl"]; !strings.HasSuffix(line, want+"\n") {
			t.Errorf("%s turns: %s", turns, line)
		}
	}
}

// claudeLine is an entry as Claude Code writes it.
type claudeLine struct {
	Type, UUID, ParentUUID, SessionID string
	CWD, Version, GitBranch           string
	ToolUseResult                     any
	Message                           struct {
		ID, Role string
		Content  any
	}
}

// block returns the only block of a line's content, nil if it is a text.
func (l *claudeLine) block() map[string]any {
	if list, ok := l.Message.Content.([]any); ok && len(list) == 1 {
		b, _ := list[0].(map[string]any)
		return b
	}
	return nil
}

func TestClaudeCodeLinesAreValid(t *testing.T) {
	all, total := made(t, "claude-code", 0, 8e6)
	messages := 0
	kinds := map[string]int{}
	for path, data := range all {
		entries, turns, calls := map[string]bool{"": true}, map[string]bool{}, map[string]string{}
		session, last := "", ""
		eachLine(t, data, func(l *claudeLine) {
			kinds[l.Type]++
			if l.UUID == "" {
				return
			}
			if entries[l.UUID] || !entries[l.ParentUUID] || l.CWD == "" || l.Version == "" || l.GitBranch == "" {
				t.Errorf("%s: entry %+v", path, l)
			}
			if session == "" {
				session = l.SessionID
			}
			if session != l.SessionID || session == "" {
				t.Errorf("%s: session %q and %q", path, session, l.SessionID)
			}
			entries[l.UUID] = true
			switch b := l.block(); {
			case l.Type == "assistant":
				kinds[b["type"].(string)]++
				if l.Message.ID != last && turns[l.Message.ID] {
					t.Errorf("%s: the lines of a turn are apart", path)
				}
				turns[l.Message.ID], last = true, l.Message.ID
				if b["type"] == "tool_use" {
					calls[b["id"].(string)] = l.UUID
				}
			case l.Type == "user" && b != nil:
				checkClaudeResult(t, l, b, calls)
				messages++
			case l.Type == "user":
				messages++
			}
		})
		messages += len(turns)
	}
	if messages != total.messages {
		t.Errorf("%d messages, said to be %d", messages, total.messages)
	}
	for _, want := range []string{"user", "assistant", "progress", "system", "file-history-snapshot", "summary", "text", "thinking", "tool_use"} {
		if kinds[want] == 0 {
			t.Errorf("no %s", want)
		}
	}
}

// checkClaudeResult wants a result after its call, with the same text for
// the model and for the screen.
func checkClaudeResult(t *testing.T, l *claudeLine, block map[string]any, calls map[string]string) {
	t.Helper()
	if caller := calls[block["tool_use_id"].(string)]; caller == "" || caller != l.ParentUUID {
		t.Errorf("a result behind %q of the call in %q", l.ParentUUID, caller)
	}
	shown := l.ToolUseResult
	if fields, ok := shown.(map[string]any); ok {
		shown = fields["stdout"]
	}
	if shown == "" || shown != block["content"] {
		t.Errorf("shown %.100q, recorded %.100q", shown, block["content"])
	}
}
