package memory

import (
	"strings"
	"testing"

	"winnow/core/chat"
)

func TestEvidenceNumbersWhatIsThere(t *testing.T) {
	messages := said("s", "Be brief.", "u", "Do it", "c", `"ls"`, "r", "a.go")
	for i := range messages { // an edited view: a gap, and a message that was added
		messages[i].N = 10 + 2*i
	}
	messages[1].Part = 1
	e := NewEvidence(About{Start: 10, End: 16}, messages, scanner())
	for i, s := range e.Said {
		if s.N != i+1 || s.Message != messages[i].N || s.Part != messages[i].Part {
			t.Errorf("message %d is %d, of the session %d.%d", i, s.N, s.Message, s.Part)
		}
	}
	if e.Said[0].Text != NotShown || len(e.Instructions) != 1 {
		t.Errorf("a system message is %q, %d instructions", e.Said[0].Text, len(e.Instructions))
	}
	if s := e.Said[3]; !s.OK() || s.Answers != 3 || s.Tool != "bash" {
		t.Errorf("%+v", s)
	}
	if c, ok := e.Find(2, "Do it"); !ok || c.Message != 12 || c.Part != 1 || c.Role != chat.User {
		t.Errorf("%v %+v", ok, c)
	}
}

func TestInjectedContextIsNotShown(t *testing.T) {
	for _, c := range []struct{ role, text, want string }{
		{"u", "<system-reminder>Use tabs.</system-reminder>", NotShown},
		{"u", "<system-reminder>Use tabs.</system-reminder>\nFix it", "Fix it"},
		{"u", "Fix it\n<system-reminder>Use tabs.</system-reminder>", "Fix it\n" + NotShown},
		{"r", "a.go\n\n<system-reminder>\nUse tabs.\n</system-reminder>\n", "a.go\n\n" + NotShown},
		{"r", "a.go\n<system-reminder>\nUse tabs.", "a.go\n" + NotShown},
		{"u", "# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>", NotShown},
		{"u", "[Request interrupted by user]", NotShown},
		{"a", "<think>Use tabs.</think>\n\nIt is done", "It is done"},
		{"r", "- Use tabs. <!-- w:1a2b3c4d -->\nother", NotShown + "\nother"},
		{"r", "x\n<!-- winnow:begin -->\n- Use tabs.\n<!-- winnow:end -->\ny", "x\n" + NotShown + "\ny"},
	} {
		e := evidence(c.role, c.text)
		if got := e.Said[0].Text; got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		if _, ok := e.Find(1, "Use tabs."); ok {
			t.Errorf("%q: may be quoted", c.text)
		}
		if c.role != "a" && strings.Contains(c.text, "Use tabs.") && !strings.Contains(strings.Join(e.Instructions, "\n"), "Use tabs.") {
			t.Errorf("%q: is no instruction", c.text)
		}
	}
}

func TestResultsAnswerTheirCalls(t *testing.T) {
	messages := []chat.Message{
		{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{ID: "a", Name: "read", Arguments: `{"path":"x"}`}, {ID: "b", Name: "bash", Arguments: `{"command":"false"}`}}},
		{Role: chat.Tool, ToolCallID: "b", Content: "exit status 1", IsError: true},
		{Role: chat.Tool, ToolCallID: "a", Content: "text"},
		{Role: chat.Tool, ToolCallID: "c", Name: "grep", Content: "nobody asked"},
		{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{Name: "bash", Arguments: `{"command":"true"}`}}},
		{Role: chat.Tool, Content: "done"},
	}
	e := NewEvidence(About{}, messages, scanner())
	for i, want := range []struct {
		tool          string
		answers, call int
		ok            bool
	}{1: {"bash", 1, 1, false}, 2: {"read", 1, 0, true}, 3: {"grep", 0, 0, true}, 5: {"bash", 5, 0, true}} {
		if s := &e.Said[i]; s.Role == chat.Tool && (s.Tool != want.tool || s.Answers != want.answers || s.Call != want.call || s.OK() != want.ok) {
			t.Errorf("message %d: %s answers %d.%d, ok %v", i+1, s.Tool, s.Answers, s.Call, s.OK())
		}
	}
}

func TestRelatedAreFoundByWords(t *testing.T) {
	near := Memory{ID: "1", Content: "Generated mocks are stale before go vet runs."}
	far := Memory{ID: "2", Content: "The staging database sleeps on weekends."}
	old := Memory{ID: "3", Content: near.Content, Status: Archived}
	some := Memory{ID: "4", Content: "Store mocks somewhere else entirely, says nobody."}
	got := Related(mocks(), []Memory{far, old, some, near}, 12)
	if len(got) != 2 || got[0].ID != "1" || got[1].ID != "4" {
		t.Errorf("%+v", got)
	}
	if got := Related(mocks(), []Memory{some, near}, 1); len(got) != 1 || got[0].ID != "1" {
		t.Errorf("%+v", got)
	}
}

func TestTagsFollowTheSources(t *testing.T) {
	m := Memory{
		Agent: "laptop", Topic: strings.Repeat("long words ", 9), TaskType: "code", Tags: []string{"mine", "segment:deadbeef", "trajectory"},
		Sources: []Source{{Segment: "0123456789", Live: true}, {Segment: "abcdef0123"}, {Segment: "0123456799", Live: true}},
	}
	got := strings.Join(Tags(&m), " | ")
	const want = "trajectory | type:code | segment:01234567 | topic:long words long words long words long wo | agent:laptop | mine"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	m.Tags = Tags(&m)
	if again := strings.Join(Tags(&m), " | "); again != want {
		t.Errorf("again: %s", again)
	}
}
