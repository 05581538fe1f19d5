package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// talkOf are turns as the published format has them, with a call of sh.
const talkOf = `"conversations": [{"from": "human", "value": "u"}, ` +
	`{"from": "gpt", "value": "<think>\nr\n</think>\n<tool_call>\n{\"name\": \"sh\", \"arguments\": {}}\n</tool_call>"}, ` +
	`{"from": "tool", "value": "<tool_response>\n{\"tool_call_id\": \"1\", \"name\": \"sh\", \"content\": \"x\"}\n</tool_response>"}, ` +
	`{"from": "gpt", "value": "<think>\n</think>\na"}]`

// What a runner recorded beside the turns is what is written again.
func TestHermesEntriesKeepWhatWasRecorded(t *testing.T) {
	for _, c := range []struct{ as, fields string }{
		{"hermes", `"timestamp": "2025-01-02T03:04:05.123456", "model": "m", "completed": true`},
		{"hermes", `"timestamp": "2025-01-02T03:04:05.100+05:30", "completed": false`},
		{"hermes", `"timestamp": "2025-01-02 03:04", "model": "m", "completed": null`},
		{"hermes", `"model": "m"`},
		{"hermes-batch", `"prompt_index": 41, "metadata": {"batch_num": 7, "timestamp": "2025-01-02T03:04:05.123456", "model": "m", "n": 1.50}, ` +
			`"completed": true, "partial": true, "api_calls": 9, "toolsets_used": ["web", "sh"], ` +
			`"tool_stats": {"web": {"count": 0, "success": 0, "failure": 0}, "sh": {"count": 3, "success": 1, "failure": 2}}, "tool_error_counts": {"web": 0, "sh": 2}`},
		{"hermes-batch", `"prompt_index": 0, "completed": false, "partial": false, "api_calls": 0, "toolsets_used": []`},
		{"hermes-batch", `"prompt_index": 3, "completed": null, "tool_error_counts": {"sh": 1, "ls": 0}`},
		{"hermes-batch", `"timestamp": "2025-01-02T03:04:05.123456", "model": "m"`},
	} {
		entries, found, _ := converted(t, c.as, "{"+talkOf+", "+c.fields+"}\n")
		if len(entries) != 1 || len(found) > 0 {
			t.Fatalf("%d entries of %s: %q", len(entries), c.fields, found)
		}
		for _, wrong := range notKept(t, "{"+c.fields+"}", entries[0]) {
			t.Errorf("%s: %s\n of %s\n in %s", c.as, wrong, c.fields, withoutPrompt(t, entries[0]))
		}
	}
	entries, _, _ := converted(t, "hermes-batch", "{"+talkOf+`, "timestamp": "2025-01-02T03:04:05.123456", "model": "m"}`+"\n")
	if want := `"metadata": {"timestamp": "2025-01-02T03:04:05.123456", "model": "m"}, "partial": false, "api_calls": 2, "tool_stats"`; !strings.Contains(entries[0], want) {
		t.Errorf("no %s in %s", want, entries[0])
	}
}

// The same for real runs.
func TestHermesRunsKeepWhatWasRecorded(t *testing.T) {
	for name, as := range map[string]string{"batch_0.jsonl": "hermes-batch", "trajectory_samples.jsonl": "hermes"} {
		text, err := os.ReadFile(filepath.Join("../../../shared/data/hermes", name))
		if err != nil {
			continue
		}
		entries, _, _ := converted(t, as, string(text))
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		if len(entries) != len(lines) {
			t.Fatalf("%s: %d entries of %d lines", name, len(entries), len(lines))
		}
		for i, line := range lines {
			for _, wrong := range notKept(t, line, entries[i]) {
				t.Errorf("%s:%d: %s", name, i+1, wrong)
			}
			if as == "hermes" && !strings.HasPrefix(entries[i], strings.TrimSuffix(line, "}")) {
				t.Errorf("%s:%d: the turns differ", name, i+1)
			}
		}
	}
}

// notKept lists what an entry has of other value than what it was made of: all
// but the turns, where null is nothing and counts may have more tools.
func notKept(t *testing.T, recorded, entry string) (wrong []string) {
	t.Helper()
	before, err := members(jsontext.Value(recorded))
	after, err2 := members(jsontext.Value(entry))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for _, f := range before {
		was, _ := f.value, f.value.Compact()
		is, written := get(after, f.name)
		_ = is.Compact()
		switch {
		case f.name == "conversations" || f.name == "timestamp" && !written || f.name == "model" && !written:
		case was.Kind() == 'n':
			if written {
				wrong = append(wrong, f.name+" was unknown")
			}
		case strings.HasPrefix(f.name, "tool_"):
			counts, _ := members(was)
			for _, c := range counts {
				all, _ := members(is)
				if n, _ := get(all, c.name); n.Compact() != nil || c.value.Compact() != nil || string(n) != string(c.value) {
					wrong = append(wrong, f.name+" of "+c.name+" is "+string(n))
				}
			}
		case string(was) != string(is):
			wrong = append(wrong, f.name+" is "+string(is))
		}
	}
	if _, told := get(before, "completed"); !told {
		if _, written := get(after, "completed"); written {
			wrong = append(wrong, "completed was unknown")
		}
	}
	return wrong
}
