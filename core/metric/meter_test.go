package metric

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/outcome"
)

// The published cases of what counts as a failure decide tool_stats.
func TestToolFailureVectors(t *testing.T) {
	data, err := os.ReadFile("../../../shared/vectors/tool_failures.jsonl")
	if err != nil {
		return // not here
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		var c struct {
			Content string `json:"content"`
			Failure bool   `json:"failure"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		n++
		msgs := append(script("u x", "c 1 ls {}"), chat.Message{Role: chat.Tool, ToolCallID: "1", Content: c.Content})
		a := Measure(Config{}, 1, msgs)
		if s := a.ToolStats["ls"]; (s.Failure == 1) != c.Failure || s.Count != 1 || s.Success+s.Failure != 1 {
			t.Errorf("%q: %+v", c.Content, s)
		}
	}
	if n < 20 {
		t.Errorf("%d cases", n)
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  []Flag
	}{
		{"a good one", []string{"u x", `r t | `, `c 1 ls {}`, "t 1 ok", "r t | done"}, nil},
		{"empty", nil, []Flag{NoAssistant, NoUser, NoTools}},
		{"no assistant", []string{"u x"}, []Flag{NoAssistant, Unfinished, NoTools}},
		{"no user", []string{"r t | hello"}, []Flag{NoUser, NoTools}},
		{"machines are no users", []string{"u <system-reminder>x</system-reminder>", "r t | hello"}, []Flag{NoUser, NoTools}},
		{"recorders are no assistants", []string{"u x", "m API Error: 500"}, []Flag{NoAssistant, Unfinished, NoTools, APIError}},
		{"recorders say that nothing was asked", []string{"u x", "r t | y", "m No response requested."}, []Flag{NoTools}},
		{"cut off", []string{"u x", "a~length y"}, []Flag{Truncated, Unfinished, NoReasoning, NoTools}},
		{"cut off, and went on", []string{"u x", "a~length y", "u go on", "a z"}, []Flag{Truncated, NoReasoning, NoTools}},
		{"broken off at the end", []string{"u x", "a~error y"}, []Flag{Truncated, Unfinished, NoReasoning, NoTools}},
		{"aborted, and went on", []string{"u x", "a~aborted y", "u go on", "a z"}, []Flag{Interrupted, NoReasoning, NoTools}},
		{"malformed", []string{"u x", `c 1 ls {"a`, "t 1 ok", "a y"}, []Flag{MalformedToolCall, NoReasoning}},
		{"unanswered", []string{"u x", `c 1 ls {} + 2 ls {"a":1}`, "t 2 ok", "u y", "a z"}, []Flag{UnansweredCall, NoReasoning}},
		{"orphan", []string{"u x", "t 2 ok", "a z"}, []Flag{OrphanResult, NoReasoning, NoTools}},
		{"think", []string{"u x", "a <think>z"}, []Flag{UnbalancedThink, NoReasoning, NoTools}},
		{"ends with a failure", []string{"u x", "c 1 ls {}", "e 1 no", "a z"}, []Flag{HasErrorEnd, NoReasoning}},
		{"stopped", []string{"u x", "c 1 ls {}", "e 1 The user doesn't want to proceed with this tool use.", "u [Request interrupted by user for tool use]"}, []Flag{Unfinished, HasErrorEnd, Interrupted, NoReasoning}},
		{"twice is no loop", []string{"u x", "c 1 ls {}", "t 1 ok", "c 2 ls {}", "t 2 ok", "a z"}, []Flag{NoReasoning}},
		{"three times is", []string{"u x", "c 1 ls {}", "t 1 ok", "c 2 ls {}", "t 2 ok", "c 3 ls {}", "t 3 ok", "a z"}, []Flag{Loop, NoReasoning}},
		{"the user", []string{"u x", "a y", "u no, that's wrong", "a z", "u thanks"}, []Flag{UserCorrected, UserThanked, NoReasoning, NoTools}},
		{"empty answer", []string{"u x", "r t | "}, []Flag{Unfinished, NoTools, EmptyAnswer}},
		{"compacted", []string{"u x", "k so far", "r t | z"}, []Flag{NoTools, Compacted}},
	} {
		if got := flagsOf(c.lines...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	unread := script("u x", "a [TOOL] ls")
	unread[1].Marks = chat.MarkMalformedCall
	if a := Measure(Config{}, 1, unread); !a.Has(MalformedToolCall) || a.Metrics[Completion].Score != 0 || a.Metrics[Format].Score != 0 {
		t.Errorf("a call that could not be read: %s", a.Encode())
	}
	image := script("u [image]", "a y")
	image[0].Marks = chat.MarkImage
	if a := Measure(Config{}, 1, image); !a.Has(Media) {
		t.Errorf("an image: %v", a.Flags)
	}
}

// Each flag is described once, and can be raised.
func TestFlagsAreListed(t *testing.T) {
	seen := map[Flag]bool{}
	for _, f := range Flags() {
		if seen[f.Flag] || f.Help == "" || strings.Contains(f.Help, "\n") {
			t.Errorf("%+v", f)
		}
		seen[f.Flag] = true
	}
	for _, f := range Blocking() {
		if !seen[f] {
			t.Errorf("%s is not listed", f)
		}
	}
}

// Results are judged by what they answer.
func TestOutcomes(t *testing.T) {
	var found []string
	m := NewMeter(Config{}, 1)
	m.Found = func(msg *chat.Message, f outcome.Finding) {
		found = append(found, strconv.Itoa(msg.N)+" "+f.Outcome.String()+" "+f.Evidence)
	}
	for _, msg := range script("u x", `c 1 bash {"command":"go test|tail"} + 2 bash {"command":"cat x"} + 3 edit {}`, "t 2 FAIL\tx", "t 1 FAIL\tx", "e 3 no", "t 9 Error: x") {
		m.Add(&msg)
	}
	if got, want := strings.Join(found, "; "), "3 ok ; 4 exit tests failed; 5 error marked as error; 6 error says error"; got != want {
		t.Errorf("found %s; want %s", got, want)
	}
	a := m.Analysis()
	if errors, exits := a.Outcomes(); errors != 2 || exits != 1 {
		t.Errorf("%d errors, %d exits", errors, exits)
	}
	if again, err := Parse(a.Encode()); err != nil || again.ToolStats["bash"].Exits != 1 || again.ToolStats["edit"].Errors != 1 {
		t.Errorf("read again: %+v, %v", again.ToolStats, err)
	}
}

func TestToolStats(t *testing.T) {
	a := Measure(Config{}, 1, script("u x", `c 1 read {} + 2 edit {} + 3 read {"a":1}`, "t 1 ok", "e 2 no", "t 9 ok", "c 4  {}"))
	want := map[string]ToolStat{"read": {Count: 2, Success: 1}, "edit": {Count: 1, Failure: 1, Errors: 1}, "unknown": {Count: 1, Success: 1}}
	if len(a.ToolStats) != len(want) {
		t.Errorf("%v", a.ToolStats)
	}
	for name, s := range want {
		if a.ToolStats[name] != s {
			t.Errorf("%s: %+v, want %+v", name, a.ToolStats[name], s)
		}
	}
	var many []chat.Message
	for i := range 3 * toolsMost {
		many = append(many, script("c 1 tool"+strconv.Itoa(i)+" {}", "t 1 ok")...)
	}
	a = Measure(Config{}, 1, many)
	if rest := a.ToolStats[otherTools]; len(a.ToolStats) != toolsMost+1 || rest.Count != 2*toolsMost || rest.Success != 2*toolsMost {
		t.Errorf("%d tools, the rest of them %+v", len(a.ToolStats), rest)
	}
	long := Measure(Config{}, 1, script("c 1 "+strings.Repeat("n", 10_000)+" {}", "t 1 ok"))
	if text := long.Encode(); len(text) > 10_000 {
		t.Errorf("the name of a tool makes an analysis of %d bytes", len(text))
	}
}

// Hostile sessions take no longer than others: each message costs the same,
// however many calls wait or repeat each other.
func TestManyCalls(t *testing.T) {
	m := NewMeter(Config{}, 1)
	call := chat.Message{Role: chat.Assistant, ToolCalls: make([]chat.ToolCall, 1)}
	result := chat.Message{Role: chat.Tool, Content: "ok", ToolCallID: "nobody's"}
	const n = 100_000 / every
	for i := range n {
		id := strconv.Itoa(i)
		call.ToolCalls[0] = chat.ToolCall{ID: id, Name: "read", Arguments: `{"n":` + id + `}`}
		m.Add(&call)
		m.Add(&result)
	}
	a := m.Analysis()
	if v := a.Metrics[Format]; v.Score != share(n, 3*n) {
		t.Errorf("%+v", v)
	}
	if len(m.calls.open) > openMost || cap(m.calls.open) > 4*openMost {
		t.Errorf("%d calls are kept", cap(m.calls.open))
	}
}

// Numbers in reasons are those of the session.
func TestStart(t *testing.T) {
	msgs := script("u x", "c 1 ls {}", "e 1 no", "a y")
	a := Measure(Config{}, 101, msgs)
	if reason := a.Metrics[ToolSuccess].Reason; !strings.Contains(reason, "#103") || a.Start != 101 {
		t.Errorf("%s", a.Encode())
	}
	for _, v := range a.Metrics {
		if v == nil {
			continue
		}
		for _, c := range Cites(v.Reason) {
			if c.N < 101 || c.N > 104 {
				t.Errorf("%q cites a message of another segment", v.Reason)
			}
		}
	}
}

// The same messages give the same bytes: in another process, in another order,
// whether asked for once or in between.
func TestDeterministic(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/sessions/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, len(paths))
	}
	var segments [][]chat.Message
	for _, path := range paths {
		segments = append(segments, sessionsOf(t, path)...)
	}
	encode := func(msgs []chat.Message) string { a := Measure(Config{}, 1, msgs); return a.Encode() }
	var first []string
	for _, msgs := range segments {
		first = append(first, encode(msgs))
	}
	for i := range slices.Backward(segments) {
		if again := encode(segments[i]); again != first[i] {
			t.Errorf("%s\n%s", again, first[i])
		}
		m := NewMeter(Config{}, 1)
		for k := range segments[i] {
			m.Add(&segments[i][k])
			m.Analysis()
		}
		a := m.Analysis()
		if again := a.Encode(); again != first[i] {
			t.Errorf("asked in between:\n%s\n%s", again, first[i])
		}
	}
}

// TestBegan: the first time that is known is when a segment began.
func TestBegan(t *testing.T) {
	for want, times := range map[string][]string{
		"":                         {"", "soon", "9e14"},
		"2026-05-03T12:00:00Z":     {"", "2026-05-03T14:00:00+02:00", "2025-01-01T00:00:00Z"},
		"2026-05-03T12:00:00.125Z": {"1777809600125"},
	} {
		var messages []chat.Message
		for _, at := range times {
			messages = append(messages, chat.Message{Role: chat.User, Content: "x", Timestamp: at})
		}
		a := Measure(Config{}, 1, messages)
		if back, err := Parse(a.Encode()); a.Began != want || err != nil || back.Began != want {
			t.Errorf("%q began %q and is read as %q, %v; want %q", times, a.Began, back.Began, err, want)
		}
	}
}
