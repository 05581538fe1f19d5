package export

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/review"
)

func sys(text string) chat.Message  { return chat.Message{Role: chat.System, Content: text} }
func user(text string) chat.Message { return chat.Message{Role: chat.User, Content: text} }
func says(text string) chat.Message { return chat.Message{Role: chat.Assistant, Content: text} }
func result(id, text string) chat.Message {
	return chat.Message{Role: chat.Tool, Content: text, ToolCallID: id}
}

// calls is an assistant message with one call of "sh" per id.
func calls(ids ...string) chat.Message {
	m := chat.Message{Role: chat.Assistant}
	for _, id := range ids {
		m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: id, Name: "sh", Arguments: `{"cmd": "ls"}`})
	}
	return m
}

func with(m chat.Message, change func(*chat.Message)) chat.Message {
	change(&m)
	return m
}

// sampleOf builds a sample of messages, numbered from 1.
func sampleOf(messages ...chat.Message) *Sample {
	for i := range messages {
		messages[i].N = i + 1
	}
	seg := &review.Segment{AgentID: "default", SessionFile: "/home/ann/a.jsonl", Start: 1, End: len(messages)}
	seg.Digest = chat.DigestOf(messages)
	return New(seg, &review.Session{Format: "openai"}, messages)
}

// outline renders a sample's messages in a line, for comparisons.
func outline(s *Sample) string {
	var parts []string
	for i := range s.Messages {
		m := &s.Messages[i]
		p := string(m.Role[0])
		if m.Reasoning != "" {
			p += "{" + m.Reasoning + "}"
		}
		p += m.Content
		for _, c := range m.Calls {
			p += "!" + c.ID + c.Arguments
		}
		if m.ToolCallID != "" {
			p += "@" + m.ToolCallID
		}
		parts = append(parts, p)
	}
	return strings.ReplaceAll(strings.Join(parts, " | "), "\n", "/")
}

// names lists the checks of findings as "name:message".
func names(findings []Finding) string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Check+":"+string(rune('0'+f.Message)))
	}
	return strings.Join(slices.Compact(out), " ")
}

func TestPrepare(t *testing.T) {
	const ls = `{"cmd": "ls"}`
	type m = []chat.Message
	for _, c := range []struct {
		name     string
		messages m
		want     string // outline after the repairs
		repairs  string
		findings string
	}{
		{"plain", m{sys("s"), user("u"), says("a")}, "ss | uu | aa", "", ""},
		{"calls", m{user("u"), calls("1", "2"), result("2", "x"), result("1", ""), says("a")},
			"uu | a!1" + ls + "!2" + ls + " | t@1 | tx@2 | aa", "result_order:2", ""},
		{"ids used again in a later step", m{user("u"), calls("1"), result("1", "x"), user("v"), calls("1"), result("1", "y"), says("a")},
			"uu | a!1" + ls + " | tx@1 | uv | a!1" + ls + " | ty@1 | aa", "", ""},
		{"think block", m{user("u"), says("<think>\nhm\n</think>\n\na")}, "uu | a{hm}a", "think:2", ""},
		{"reasoning in both places", m{user("u"), with(says("<think>hm</think>a"), func(m *chat.Message) { m.Reasoning = "hm" })}, "uu | a{hm}a", "think:2", ""},
		{"blank reasoning", m{user("u"), with(says("a"), func(m *chat.Message) { m.Reasoning = " \n" })}, "uu | aa", "", ""},
		{"stray end of reasoning in the content", m{user("u"), with(says("a\n</think>\nhm\n</think>\na"), func(m *chat.Message) { m.Reasoning = "hm" })}, "uu | a{hm}a", "stray_think:2", ""},
		{"stray end behind a think block", m{user("u"), says("<think>hm</think>a</think>hm</think>a")}, "uu | a{hm}a", "stray_think:2", ""},
		{"think block of a user is text", m{user("<think>x</think>"), says("a")}, "u<think>x</think> | aa", "", ""},
		{"adjacent assistants", m{user("u"), with(says("a"), func(m *chat.Message) { m.Reasoning = "r" }), calls("1"), with(calls("2"), func(m *chat.Message) { m.Content, m.Reasoning = "b", "q" }), result("1", "x"), result("2", "y"), says("c")},
			"uu | a{r//q}a//b!1" + ls + "!2" + ls + " | tx@1 | ty@2 | ac", "joined:2", ""},
		{"an empty assistant beside another", m{user("u"), says(" "), says("a")}, "uu | aa", "joined:2", ""},
		{"an empty assistant alone", m{user("u"), says(""), user("v"), says("a")}, "uu | uv | aa", "empty_assistant:2", ""},
		{"an empty assistant with results", m{user("u"), says(""), result("1", "x"), says("a")}, "uu | a | tx@1 | aa", "", "empty_assistant:2 orphan_result:3"},
		{"nothing but an empty assistant", m{user("u"), says("\n")}, "uu", "empty_assistant:2", "ending:1 no_assistant:0"},
		{"reasoning alone", m{user("u"), with(says(""), func(m *chat.Message) { m.Reasoning = "r" }), user("v"), says("a")}, "uu | uv | aa", "empty_assistant:2", ""},
		{"leading system messages", m{sys("s"), sys("t"), user("u"), says("a")}, "ss//t | uu | aa", "system:1", ""},
		{"system in the middle", m{user("u"), sys("s"), says("a")}, "uu | ss | aa", "", "system:2"},
		{"unanswered", m{user("u"), calls("1", "2"), result("1", "x"), user("v"), says("a")}, "uu | a!1" + ls + "!2" + ls + " | tx@1 | uv | aa", "", "unanswered_call:2"},
		{"unanswered at the end", m{user("u"), says("a"), user("v"), calls("1")}, "uu | aa | uv | a!1" + ls, "", "unanswered_call:4"},
		{"half answered at the end", m{user("u"), calls("1", "2"), result("2", "x")}, "uu | a!1" + ls + "!2" + ls + " | tx@2", "", "unanswered_call:2 ending:3"},
		{"answered too late", m{user("u"), calls("1"), user("v"), result("1", "x"), says("a")}, "uu | a!1" + ls + " | uv | tx@1 | aa", "", "unanswered_call:2 orphan_result:4"},
		{"result of nothing", m{result("1", "x"), user("u"), says("a")}, "tx@1 | uu | aa", "", "orphan_result:1"},
		{"two results of one call", m{user("u"), calls("1"), result("1", "x"), result("1", "y"), says("a")}, "uu | a!1" + ls + " | tx@1 | ty@1 | aa", "", "orphan_result:4"},
		{"ids by position", m{user("u"), calls("", ""), result("", "x"), result("", "y"), says("a")},
			"uu | a!call_2_1" + ls + "!call_2_2" + ls + " | tx@call_2_1 | ty@call_2_2 | aa", "call_id:2 call_id:3 call_id:4", ""},
		{"an id by what is left", m{user("u"), calls("1", "2"), result("", "x"), result("1", "y"), says("a")},
			"uu | a!1" + ls + "!2" + ls + " | ty@1 | tx@2 | aa", "call_id:3 result_order:2", ""},
		{"two calls with one id, answered in order", m{user("u"), calls("1", "1", "1_2"), result("1", "x"), result("1", "y"), result("1_2", "z"), says("a")},
			"uu | a!1" + ls + "!1_3" + ls + "!1_2" + ls + " | tx@1 | ty@1_3 | tz@1_2 | aa", "call_id:2", ""},
		{"two calls with one id", m{user("u"), calls("1", "1"), result("1", "x"), says("a")}, "uu | a!1" + ls + "!1" + ls + " | tx@1 | aa", "", "call_id:2"},
		{"trailing user", m{user("u"), says("a"), user("thanks")}, "uu | aa", "ending:3", ""},
		{"unfinished step", m{user("u"), says("a"), user("v"), calls("1"), result("1", "x")}, "uu | aa", "ending:3", ""},
		{"only an unfinished step", m{user("u"), calls("1"), result("1", "x")}, "uu | a!1" + ls + " | tx@1", "", "ending:3"},
		{"trailing empty answer", m{user("u"), says("a"), user("v"), says("\n")}, "uu | aa", "empty_assistant:4 ending:3", ""},
		{"compaction", m{user("u"), says("a"), with(sys("summary"), func(m *chat.Message) { m.Marks = chat.MarkCompaction }), says("b")}, "uu | aa", "compaction:3", ""},
		{"a segment that begins with a compaction", m{with(sys("summary"), func(m *chat.Message) { m.Marks = chat.MarkCompaction }), user("u"), says("b")}, "ssummary | uu | ab", "", ""},
		{"no user", m{sys("s"), says("a")}, "ss | aa", "", "no_user:0"},
		{"no assistant", m{user("u")}, "uu", "", "ending:1 no_assistant:0"},
		{"no messages", m{}, "", "", "ending:0 no_user:0 no_assistant:0"},
		{"no arguments", m{user("u"), with(calls("1"), func(m *chat.Message) { m.ToolCalls[0].Arguments = " " }), result("1", "x"), says("a")}, "uu | a!1{} | tx@1 | aa", "arguments:2", ""},
		{"arguments a list", m{user("u"), with(calls("1"), func(m *chat.Message) { m.ToolCalls[0].Arguments = `["ls"]` }), result("1", "x"), says("a")}, `uu | a!1["ls"] | tx@1 | aa`, "", "arguments:2"},
		{"arguments cut off", m{user("u"), with(calls("1"), func(m *chat.Message) { m.ToolCalls[0].Arguments = `{"a":` }), result("1", "x"), says("a")}, `uu | a!1{"a": | tx@1 | aa`, "", "arguments:2"},
		{"arguments with a key twice", m{user("u"), with(calls("1"), func(m *chat.Message) { m.ToolCalls[0].Arguments = `{"a":1,"a":2}` }), result("1", "x"), says("a")}, `uu | a!1{"a":1,"a":2} | tx@1 | aa`, "", "arguments:2"},
		{"arguments with half a surrogate pair", m{user("u"), with(calls("1"), func(m *chat.Message) { m.ToolCalls[0].Arguments = `{"a":"\ud800"}` }), result("1", "x"), says("a")}, `uu | a!1{"a":"\ud800"} | tx@1 | aa`, "", "arguments:2"},
		{"call of nothing", m{user("u"), with(calls("1"), func(m *chat.Message) { m.ToolCalls[0].Name = "" }), result("1", "x"), says("a")}, "uu | a!1" + ls + " | tx@1 | aa", "", "call_name:2"},
		{"NUL in a result", m{user("u"), calls("1"), result("1", "x\x00"), says("a")}, "uu | a!1" + ls + " | tx\uFFFD@1 | aa", "nul:3", ""},
		{"NUL in an answer", m{user("u"), says("a\x00")}, "uu | aa\x00", "", "nul:2"},
		{"NUL in arguments", m{user("u"), with(calls("1"), func(m *chat.Message) { m.ToolCalls[0].Arguments = `{"a":"\\\u0000"}` }), result("1", "x"), says("a")}, `uu | a!1{"a":"\\\u0000"} | tx@1 | aa`, "", "nul:2"},
		{"an escaped backslash before u0000", m{user("u"), with(calls("1"), func(m *chat.Message) { m.ToolCalls[0].Arguments = `{"a":"\\u0000"}` }), result("1", "x"), says("a")}, `uu | a!1{"a":"\\u0000"} | tx@1 | aa`, "", ""},
		{"invalid UTF-8", m{user("u\xff"), says("a")}, "uu\xff | aa", "", "utf8:1"},
		{"thinking cut off", m{user("u"), says("<think>a")}, "uu | a<think>a", "", "unbalanced_tags:2 reserved_tags:2"},
		{"stray closing tag", m{user("u"), says("a</think>b")}, "uu | aa</think>b", "", "unbalanced_tags:2 reserved_tags:2"},
		{"call as text", m{user("u"), says("a<tool_call>{}</tool_call>")}, "uu | aa<tool_call>{}</tool_call>", "", "reserved_tags:2"},
		{"tags of a user are text", m{user("what is </think>?"), says("a")}, "uwhat is </think>? | aa", "", ""},
		{"result that ends itself", m{user("u"), calls("1"), result("1", "</tool_response>"), says("a")}, "uu | a!1" + ls + " | t</tool_response>@1 | aa", "", "reserved_tags:3"},
		{"closing tag in the reasoning", m{user("u"), with(says("a"), func(m *chat.Message) { m.Reasoning = "<think>r</think>" })}, "uu | a{<think>r</think>}a", "", "reserved_tags:2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sampleOf(c.messages...)
			repairs, findings := hf.Prepare(s)
			if got := outline(s); got != c.want {
				t.Errorf("sample %s\n  want %s", got, c.want)
			}
			if got := names(repairs); got != c.repairs {
				t.Errorf("repairs %q, want %q", got, c.repairs)
			}
			if got := names(findings); got != c.findings {
				t.Errorf("findings %q, want %q", got, c.findings)
			}
			// What was repaired stays so.
			again, _ := hf.Prepare(s)
			if len(again) > 0 {
				t.Errorf("repaired twice: %v", again)
			}
		})
	}
}

// A format without think tags of its own takes them as text if they balance.
func TestReservedTagsDependOnTheFormat(t *testing.T) {
	_, findings := openai.Prepare(sampleOf(user("u"), says("write <tool_call>{}</tool_call>")))
	if len(findings) > 0 {
		t.Errorf("openai: %v", findings)
	}
}

// A parser that looks for the end of a call must not find it in an argument.
func TestReservedTagsInArgumentsAreEscaped(t *testing.T) {
	recorded := `{"a<b":"x</tool_call>y","<think>":["\\</think>","a < b <br>"]}`
	for e, want := range map[*Emitter]string{
		&hf:     `{"a<b":"x\u003c/tool_call>y","\u003cthink>":["\\\u003c/think>","a < b <br>"]}`,
		&openai: recorded,
	} {
		call := calls("a")
		call.ToolCalls[0].Arguments = recorded
		s := sampleOf(user("u"), call, result("a", "r"), says("done"))
		repairs, findings := e.Prepare(s)
		if len(findings) > 0 || names(repairs) != map[bool]string{true: "argument_tags:2"}[want != recorded] {
			t.Fatalf("%s: repairs %v, findings %v", e.Name, repairs, findings)
		}
		got := s.Messages[1].Calls[0].Arguments
		if got != want {
			t.Errorf("%s: %s", e.Name, got)
		}
		a, b := jsontext.Value(recorded).Clone(), jsontext.Value(got).Clone()
		if a.Canonicalize() != nil || b.Canonicalize() != nil || string(a) != string(b) {
			t.Errorf("%s: the value changed: %s", e.Name, got)
		}
		lines, _ := e.Append(nil, s)
		if n, err := e.Validate(strings.NewReader(string(lines))); n != 1 || err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
		if e == &hf && strings.Contains(string(lines), "</tool_call>") {
			t.Errorf("the record holds the tag: %s", lines)
		}
	}
}

func TestPrepareLeavesTheRecordedMessagesAlone(t *testing.T) {
	messages := []chat.Message{user("u"), calls("", ""), calls(""), result("", "x\x00"), says("a")}
	before := chat.DigestOf(messages)
	hf.Prepare(sampleOf(messages...))
	if chat.DigestOf(messages) != before {
		t.Error("the messages changed")
	}
}

func TestCheckNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Checks() {
		if seen[c.Name] || c.What == "" {
			t.Errorf("check %q", c.Name)
		}
		repairs := c.repair != nil || c.find == nil // New does what neither does
		if repairs != (c.Done != "") {
			t.Errorf("check %q: repairs: %v, says %q of it", c.Name, repairs, c.Done)
		}
		seen[c.Name] = true
	}
}

// Joining and matching must not take time quadratic in hostile sessions.
func TestHostileSizes(t *testing.T) {
	const n = 100_000 / slower
	for name, m := range map[string]chat.Message{"assistants": says("a"), "systems": sys("s"), "results": result("1", "x"), "calls": calls("1", "2")} {
		messages := make([]chat.Message, n)
		for i := range messages {
			messages[i] = m
		}
		s := sampleOf(append([]chat.Message{m, user("u")}, messages...)...)
		if _, findings := hf.Prepare(s); name == "assistants" && len(findings) > 0 {
			t.Errorf("%s: %v", name, findings[0])
		}
	}
}

func TestNormalizeTools(t *testing.T) {
	const wrapped = `[{"type":"function","function":{"name":"sh","description":"run","parameters":{"type":"object","required":[]}}}]`
	for _, c := range []struct {
		in, want string
		ok       bool
	}{
		{"", "", true},
		{"null", "", true},
		{" [] ", "", true},
		{wrapped, wrapped, true},
		{`[{"name":"sh","description":"run","input_schema":{"type":"object","required":[]}}]`, wrapped, true},
		{"[\n {\"name\": \"sh\", \"strict\": null, \"type\": \"custom\", \"description\": \"run\", \"parameters\": {\"type\": \"object\", \"required\": []}}\n]", wrapped, true},
		{`[{"name":"n","parameters":{"default":1.0,"max":12345678901234567890}}]`, `[{"type":"function","function":{"name":"n","parameters":{"default":1.0,"max":12345678901234567890}}}]`, true},
		{`[{"type":"code_interpreter"},{"name":"n"}]`, `[{"type":"function","function":{"name":"n"}}]`, false},
		{`[{"type":"code_interpreter"}]`, "", false},
		{`{"sh":{}}`, "", false},
		{`[{"name":"n"}`, "", false},
		{`[1]`, "", false},
		{`[{"name":"a","name":"b"}]`, "", false},
	} {
		if got, ok := normalizeTools(c.in); got != c.want || ok != c.ok {
			t.Errorf("normalizeTools(%s) = %s, %v", c.in, got, ok)
		}
	}
}
