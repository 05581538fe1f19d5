package export

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/review"
)

// trainerRules say what a trainer breaks on in a record of a format, beside
// what holds for all (commonRules). They return what is wrong, "" if nothing.
var trainerRules = map[string]func(row map[string]any) string{
	"hf":      argumentsAsObjects("messages"),
	"twinkle": argumentsAsObjects("messages"),
	"steps":   argumentsAsObjects("prompt", "completion"),
	"kto":     argumentsAsObjects("prompt", "completion"),
	"openai": func(row map[string]any) string {
		for key := range row {
			if !slices.Contains([]string{"messages", "tools", "parallel_tool_calls"}, key) {
				return "the service refuses the key " + key
			}
		}
		return eachArguments(row["messages"], func(arguments any) bool {
			text, ok := arguments.(string)
			return ok && chat.IsObject(text)
		})
	},
	"sft": func(row map[string]any) string {
		return eachWritten(row["messages"], "content", []string{"system", "user", "assistant", "tool"}, func(m map[string]any) string {
			if _, there := m["tool_calls"]; there {
				return "calls are no text"
			}
			return ""
		})
	},
	"swift": func(row map[string]any) string {
		open := 0 // calls without a result
		return eachWritten(row["messages"], "content", []string{"system", "user", "assistant", "tool_call", "tool_response"}, func(m map[string]any) string {
			role := m["role"]
			if _, there := m["loss"]; there != (role == "assistant" || role == "tool_call") {
				return fmt.Sprintf("loss on %v: %v", role, there)
			}
			switch role {
			case "tool_call":
				open++
				return bareCallText(m["content"].(string))
			case "tool_response":
				if open--; open < 0 {
					return "a tool_response without a tool_call"
				}
			default:
				if open > 0 && role != "assistant" {
					return "a tool_call without a tool_response"
				}
			}
			return ""
		})
	},
	"llamafactory": func(row map[string]any) string {
		turns, _ := row["conversations"].([]any)
		if len(turns) == 0 || len(turns)%2 != 0 {
			return fmt.Sprintf("%d turns, an even number is wanted", len(turns))
		}
		for i, t := range turns {
			from, _ := t.(map[string]any)["from"].(string)
			if wanted := [][]string{{"human", "observation"}, {"gpt", "function_call"}}[i%2]; !slices.Contains(wanted, from) || i == 0 && from != "human" {
				return fmt.Sprintf("turn %d is from %s", i+1, from)
			}
		}
		return ""
	},
	"sharegpt":     speakers,
	"hermes":       speakers,
	"hermes-batch": speakers,
}

func speakers(row map[string]any) string {
	turns, _ := row["conversations"].([]any)
	for i, t := range turns {
		m, _ := t.(map[string]any)
		from, _ := m["from"].(string)
		if _, isText := m["value"].(string); !isText || !slices.Contains([]string{"system", "human", "gpt", "tool"}, from) {
			return fmt.Sprintf("turn %d is %v", i+1, m)
		}
	}
	return ""
}

func argumentsAsObjects(lists ...string) func(map[string]any) string {
	return func(row map[string]any) string {
		for _, list := range lists {
			if wrong := eachArguments(row[list], func(arguments any) bool { _, ok := arguments.(map[string]any); return ok }); wrong != "" {
				return list + ": " + wrong
			}
		}
		return ""
	}
}

// eachWritten finds what is wrong with messages: not a list, content that is no
// text, unknown roles, or what f finds.
func eachWritten(list any, content string, roles []string, f func(map[string]any) string) string {
	messages, _ := list.([]any)
	if len(messages) == 0 {
		return "no messages"
	}
	for i, entry := range messages {
		m, _ := entry.(map[string]any)
		role, _ := m["role"].(string)
		if _, isText := m[content].(string); !isText {
			return fmt.Sprintf("message %d: %s is no text", i+1, content)
		}
		if !slices.Contains(roles, role) {
			return fmt.Sprintf("message %d: role %s", i+1, role)
		}
		if wrong := f(m); wrong != "" {
			return fmt.Sprintf("message %d: %s", i+1, wrong)
		}
	}
	return ""
}

func eachArguments(list any, fits func(arguments any) bool) string {
	return eachWritten(list, "content", []string{"system", "user", "assistant", "tool"}, func(m map[string]any) string {
		calls, _ := m["tool_calls"].([]any)
		for _, c := range calls {
			function, _ := c.(map[string]any)["function"].(map[string]any)
			if !fits(function["arguments"]) {
				return fmt.Sprintf("arguments are a %T", function["arguments"])
			}
		}
		return ""
	})
}

// bareCallText finds what is wrong with the text of one call.
func bareCallText(text string) string {
	var call map[string]any
	if err := json.Unmarshal([]byte(text), &call, jsontext.AllowDuplicateNames(true)); err != nil {
		return err.Error()
	}
	_, isObject := call["arguments"].(map[string]any)
	if name, _ := call["name"].(string); name == "" || !isObject {
		return "a call is no name with arguments: " + text
	}
	return ""
}

// reservedColumns are keys that, all together at the top of a record, make
// loaders take it for something else.
var reservedColumns = [][]string{
	{"messages", "id", "source", "model", "system_prompt"}, {"type", "message"}, {"type", "payload"}, {"prompt"}, {"text"}, {"image"},
}

// commonRules finds what breaks every trainer.
func commonRules(format string, row map[string]any) string {
	for _, keys := range reservedColumns {
		if keys[0] == "prompt" && (format == "steps" || format == "kto") {
			continue // what TRL calls it
		}
		if !slices.ContainsFunc(keys, func(key string) bool { _, there := row[key]; return !there }) {
			return fmt.Sprintf("reserved columns %v", keys)
		}
	}
	return emptyIn(row, "")
}

// emptyIn finds null and [] in a record. What recorders wrote as arguments or as
// the schema of a tool is theirs, and so is the metadata of a session.
func emptyIn(v any, path string) string {
	switch v := v.(type) {
	case nil:
		return path + " is null"
	case []any:
		if len(v) == 0 {
			return path + " is empty"
		}
		for i, e := range v {
			if wrong := emptyIn(e, fmt.Sprintf("%s[%d]", path, i)); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key == "arguments" || key == "parameters" || key == "metadata" {
				continue
			}
			if wrong := emptyIn(v[key], path+"."+key); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// wrongIn finds what is wrong with the records of a file.
func wrongIn(e *Emitter, file string) string {
	var columns []string
	for i, line := range strings.Split(strings.TrimSuffix(file, "\n"), "\n") {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row, jsontext.AllowDuplicateNames(true)); err != nil {
			return err.Error()
		}
		wrong := commonRules(e.Name, row)
		if wrong == "" {
			wrong = trainerRules[e.Name](row)
		}
		keys := slices.Sorted(maps.Keys(row))
		if e.Name == "hermes-batch" { // each tool is a column: every row must have all
			for _, counts := range []string{"tool_stats", "tool_error_counts"} {
				tools, _ := row[counts].(map[string]any)
				keys = append(append(keys, counts), slices.Sorted(maps.Keys(tools))...)
			}
		}
		if columns == nil {
			columns = keys
		}
		if wrong == "" && !slices.Equal(keys, columns) {
			wrong = fmt.Sprintf("columns %v, those before had %v", keys, columns)
		}
		if wrong != "" {
			return fmt.Sprintf("line %d: %s: %.200s", i+1, wrong, line)
		}
	}
	return ""
}

// Nothing that is written holds what a trainer breaks on.
func TestTrainersRules(t *testing.T) {
	t.Parallel()
	for _, glob := range []string{
		"../../testdata/sessions/*.jsonl", "../../../shared/data/openai/tau_[0-9]*[0-9].jsonl", "../../../shared/data/anthropic/*.jsonl",
		"../../../shared/data/nanobot/*.jsonl", "../../../shared/data/messages/*demo*.jsonl", "../../../shared/data/sharegpt/glaive_toolcall_zh*",
		"../../../shared/data/hermes/*.jsonl", "../../../shared/data/claude-code-small/*/*/*.jsonl",
	} {
		paths, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		l := &library{}
		for i, path := range paths {
			if i%slower == 0 {
				l.addFile(t, path)
			}
		}
		for i := range l.segments {
			if i%3 == 0 {
				l.segments[i].Verdict = review.Rejected // for formats that take both
			}
		}
		for i := range ofSamples() {
			e := &ofSamples()[i]
			if trainerRules[e.Name] == nil {
				t.Fatalf("what trainers need of %s is not told here", e.Name)
			}
			r := run(t, l, Options{As: e.Name, Path: filepath.Join(t.TempDir(), "out.jsonl"), KeepNoReasoning: true})
			for _, f := range r.Files {
				if wrong := wrongIn(e, read(t, f.Path)); wrong != "" {
					t.Errorf("%s of %s: %s", filepath.Base(f.Path), glob, wrong)
				}
			}
			if r.Written == 0 && len(l.segments) > 0 {
				t.Errorf("%s writes nothing of %s", e.Name, glob)
			}
		}
	}
}

// Each row breaks one rule.
func TestTrainersRulesAreSeenBroken(t *testing.T) {
	const ask = `{"role":"user","content":"q"}`
	call := func(arguments string) string {
		return `{"messages":[` + ask + `,{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":` + arguments + `}}]}]}`
	}
	for _, c := range []struct{ format, file, wrong string }{
		{"hf", call(`{"a":null,"b":[]}`), ""},
		{"hf", call(`"{}"`), "arguments are a string"},
		{"hf", `{"messages":[` + ask + `],"tools":null}`, ".tools is null"},
		{"hf", `{"messages":[` + ask + `,{"role":"assistant","content":"a","tool_calls":[]}]}`, ".messages[1].tool_calls is empty"},
		{"hf", `{"messages":[{"role":"user"}]}`, "content is no text"},
		{"hf", `{"messages":[` + ask + `],"id":"","source":"","model":"","system_prompt":""}`, "reserved columns"},
		{"hf", `{"messages":[` + ask + `],"prompt":"x"}`, "reserved columns"},
		{"hf", `{"messages":[` + ask + `],"type":"x","message":"y"}`, "reserved columns"},
		{"hf", `{"messages":[` + ask + `],"text":"x"}`, "reserved columns"},
		{"kto", `{"prompt":[` + ask + `],"completion":[` + ask + `],"label":true}`, ""},
		{"openai", call(`{}`), "arguments are a map"},
		{"openai", call(`"[]"`), "arguments are a string"},
		{"openai", `{"messages":[` + ask + `],"id":"x"}`, "refuses the key id"},
		{"openai", `{"messages":[` + ask + `]}` + "\n" + `{"messages":[` + ask + `],"tools":[{}]}` + "\n", "line 2: columns"},
		{"sft", call(`{}`), "calls are no text"},
		{"swift", `{"messages":[{"role":"tool","content":"x"}]}`, "role tool"},
		{"swift", `{"messages":[` + ask + `,{"role":"assistant","content":"a"}]}`, "loss on assistant: false"},
		{"swift", `{"messages":[{"role":"user","content":"q","loss":true}]}`, "loss on user: true"},
		{"swift", `{"messages":[{"role":"tool_call","content":"{\"name\":\"f\",\"arguments\":\"{}\"}","loss":true}]}`, "no name with arguments"},
		{"swift", `{"messages":[{"role":"tool_response","content":"x"}]}`, "without a tool_call"},
		{"swift", `{"messages":[{"role":"tool_call","content":"{\"name\":\"f\",\"arguments\":{}}","loss":true},` + ask + `]}`, "without a tool_response"},
		{"llamafactory", `{"conversations":[{"from":"human","value":"q"}]}`, "even number"},
		{"llamafactory", `{"conversations":[{"from":"human","value":"q"},{"from":"human","value":"q"}]}`, "turn 2 is from human"},
		{"llamafactory", `{"conversations":[{"from":"observation","value":"q"},{"from":"gpt","value":"a"}]}`, "turn 1 is from observation"},
		{"sharegpt", `{"conversations":[{"from":"human","value":1}]}`, "turn 1 is"},
		{"hermes-batch", `{"tool_stats":{"ls":{"count":1}}}` + "\n" + `{"tool_stats":{"sh":{"count":1}}}`, "line 2: columns"},
	} {
		e := &Emitter{Name: c.format, uniform: c.format == "openai"}
		if got := wrongIn(e, c.file); !strings.Contains(got, c.wrong) || c.wrong == "" && got != "" {
			t.Errorf("%s: %s is %q, want %q", c.format, c.file, got, c.wrong)
		}
	}
}

// Calls as text of Qwen3.5 stand after the content, after a blank line if
// there is any: texts as they are, anything else as JSON with spaces.
func TestQwenTextOfASample(t *testing.T) {
	const one = "<tool_call>\n<function=sh>\n<parameter=cmd>\nls -l\n# <b>\n</parameter>\n<parameter=env>\n{\"A\": [1.0, null, \"é\"]}\n</parameter>\n</function>\n</tool_call>"
	const two = "<tool_call>\n<function=now>\n</function>\n</tool_call>"
	arguments := `{"cmd":"ls -l\n# <b>","env":{"A":[1.0,null,"\u00e9"]}}`
	for _, c := range []struct {
		content string
		calls   []chat.ToolCall
		want    string
	}{
		{"", []chat.ToolCall{{ID: "1", Name: "sh", Arguments: arguments}}, one},
		{"look", []chat.ToolCall{{ID: "1", Name: "sh", Arguments: arguments}}, "look\n\n" + one},
		{"", []chat.ToolCall{{ID: "1", Name: "sh", Arguments: arguments}, {ID: "2", Name: "now", Arguments: "{}"}}, one + "\n" + two},
	} {
		messages := []chat.Message{user("u"), {Role: chat.Assistant, Content: c.content, ToolCalls: c.calls}}
		for _, call := range c.calls {
			messages = append(messages, result(call.ID, "x"))
		}
		s := sampleOf(append(messages, says("done"))...)
		if _, findings := sft.Prepare(s); len(findings) > 0 {
			t.Fatal(findings)
		}
		line, _ := sft.Append(nil, s)
		row := rowFor(t, line)
		if got := row.messages[1]["content"]; got != c.want {
			t.Errorf("\n got %q\nwant %q", got, c.want)
		}
	}
}
