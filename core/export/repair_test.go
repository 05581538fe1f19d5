package export

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/review"
)

// brokenWork is a conversation with what no trainer takes in all its texts.
func brokenWork() *Sample {
	messages := []chat.Message{
		user("u\x00"), {
			Role: chat.Assistant, Content: "a\x00", Reasoning: "r\x00\xff",
			ToolCalls: []chat.ToolCall{{ID: "c\x00", Name: "sh", Arguments: `{"k\u0000": "\ud800 ` + "\t\x00" + `", "n": 1.50, "n": 2.0}`}},
		}, {Role: chat.Tool, ToolCallID: "c\x00", Name: "sh", Content: "x\x00"}, says("b"),
	}
	for i := range messages {
		messages[i].N = i + 1
	}
	return New(&review.Segment{AgentID: "ag\x00", Start: 1, End: 4, Topic: "t\x00"}, &review.Session{
		Model: "m\x00", Metadata: `{"metadata": {"a": "\u0000"}, "toolsets_used": ["\u0000"]}`,
		Tools: `[{"name": "sh", "description": "\u0000", "parameters": {"type": "object"}}]`,
	}, messages)
}

// What leaves a sample out for ever is mended on request, in every format, and
// told.
func TestRepairMendsWhatNoTrainerTakes(t *testing.T) {
	for i := range ofSamples() {
		e := &ofSamples()[i]
		if _, found := e.prepare(brokenWork(), &Options{}); !slices.ContainsFunc(found, func(f Finding) bool { return f.Check == "nul" }) {
			t.Fatalf("%s takes NULs: %v", e.Name, found)
		}
		s := brokenWork()
		repairs, found := e.prepare(s, &Options{Repair: true})
		if len(found) > 0 {
			t.Errorf("%s: %v", e.Name, found)
			continue
		}
		told := 0
		for _, r := range repairs {
			if r.Check == mended {
				told++
			}
		}
		if told != 8 {
			t.Errorf("%s: %d are told: %v", e.Name, told, repairs)
		}
		lines, _ := e.Append(nil, s)
		if escapesNUL(string(lines)) || bytes.IndexByte(lines, 0) >= 0 || !jsontext.Value(lines[:bytes.IndexByte(lines, '\n')]).IsValid() {
			t.Errorf("%s: %s", e.Name, lines)
		}
		if _, err := e.Validate(bytes.NewReader(lines)); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

// Without being asked, what stands beside the messages is mended: nobody is
// trained to write it.
func TestNULBesideTheMessagesIsReplaced(t *testing.T) {
	for i := range ofSamples() {
		e := &ofSamples()[i]
		s := sampleOf(user("u"), says("a"))
		s.Topic, s.Agent, s.Model = "t\x00", "ag\x00", "m\x00"
		s.Metadata, s.Provenance = `{"metadata": {"a": "\u0000"}}`, `{"agent":"ag\u0000"}`
		if _, found := e.Prepare(s); len(found) > 0 {
			t.Errorf("%s: %v", e.Name, found)
		}
		if lines, _ := e.Append(nil, s); strings.Contains(strings.ReplaceAll(string(lines), `\\`, `\`), `\u0000`) {
			t.Errorf("%s: %s", e.Name, lines)
		}
	}
}

func TestMendJSON(t *testing.T) {
	for json, want := range map[string]string{
		`{"a": 1.50, "b": "\ud83d\ude00 \\u0000 \\ud800"}`: "",
		`[]`: "", ``: "", `no JSON`: "", "no \x00 JSON": "no \uFFFD JSON",
		`{"a": "\u0000"}`:                   `{"a": "` + replacement + `"}`,
		`{"a": "\\\u0000"}`:                 `{"a": "\\` + replacement + `"}`,
		`{"a": "\ud800"}`:                   `{"a": "` + replacement + `"}`,
		`{"a": "\ud800\ud83d\ude00\ude00"}`: `{"a": "` + replacement + `\ud83d\ude00` + replacement + `"}`,
		"{\"a\": \"1\n2\t\x01\"}":           `{"a": "1\n2\t\u0001"}`,
		"{\"a\": \"\x00\xff\"}":             `{"a": "` + replacement + replacement + `"}`,
		"{\n\"a\": 1}":                      "",
		`{"a": 1, "b": [{"c": 1, "c": 2.0}], "a": {"d": 3}}`: `{"a":{"d":3},"b":[{"c":2.0}]}`,
	} {
		if want == "" {
			want = json
		}
		if got := mendJSON(json); got != want {
			t.Errorf("mendJSON(%q) = %q, want %q", json, got, want)
		}
	}
}

func FuzzMendJSON(f *testing.F) {
	f.Add(`{"a":"\ud800\u0000","a":[{"b":1,"b":"` + "\x00\n" + `"}]}`)
	f.Fuzz(func(t *testing.T, json string) {
		got := mendJSON(json)
		if jsontext.Value(json).IsValid() && !escapesNUL(json) && got != json {
			t.Fatalf("%q became %q", json, got)
		}
		if jsontext.Value(json).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) && (!jsontext.Value(got).IsValid() || escapesNUL(got)) {
			t.Fatalf("%q became %q", json, got)
		}
		if again := mendJSON(got); again != got {
			t.Fatalf("%q became %q, then %q", json, got, again)
		}
	})
}
