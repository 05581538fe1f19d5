package hermes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
)

// recordedMessage is a message of an API.
type recordedMessage struct {
	Role       string
	Content    string
	Reasoning  string
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string
		Function struct {
			Name      string
			Arguments json.RawMessage
		}
	} `json:"tool_calls"`
}

func (r *recordedMessage) message() chat.Message {
	m := chat.Message{Role: chat.Role(r.Role), Content: r.Content, Reasoning: r.Reasoning, ToolCallID: r.ToolCallID}
	for _, c := range r.ToolCalls {
		arguments := string(c.Function.Arguments)
		var text string
		if json.Unmarshal(c.Function.Arguments, &text) == nil {
			arguments = text
		}
		m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: arguments})
	}
	return m
}

// The published format's own known answers.
func TestVectors(t *testing.T) {
	paths, _ := filepath.Glob("../../../shared/vectors/hermes.jsonl")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var v struct {
				Name          string
				Tools         json.RawMessage
				Messages      []recordedMessage
				Conversations []Turn
			}
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			var messages []chat.Message
			for i := range v.Messages {
				messages = append(messages, v.Messages[i].message())
			}
			same(t, v.Name, Writer{}.Trajectory(messages, string(v.Tools)), v.Conversations)
		}
	}
}

func same(t *testing.T, name string, got, want []Turn) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		var g, w Turn
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%s: turn %d\n got %s %q\nwant %s %q", name, i+1, g.From, g.Value, w.From, w.Value)
		}
	}
}

func asked(text string) chat.Message { return chat.Message{Role: chat.User, Content: text} }

func answered(id, text string) chat.Message {
	return chat.Message{Role: chat.Tool, ToolCallID: id, Content: text}
}

func calls(content string, arguments ...string) chat.Message {
	m := chat.Message{Role: chat.Assistant, Content: content}
	for i, a := range arguments {
		m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: string(rune('a' + i)), Name: "t" + string(rune('0'+i)), Arguments: a})
	}
	return m
}

const block = "<think>\n</think>\n"

// What stands in turns after the generated system prompt.
func TestTurns(t *testing.T) {
	says := func(content, reasoning string) chat.Message {
		return chat.Message{Role: chat.Assistant, Content: content, Reasoning: reasoning}
	}
	for _, c := range []struct {
		name     string
		messages []chat.Message
		want     []Turn
	}{
		{"an empty message of the model", []chat.Message{says("", "")}, []Turn{{Model, "<think>\n</think>"}}},
		{"reasoning alone", []chat.Message{says("", " r ")}, []Turn{{Model, "<think>\n r \n</think>"}}},
		{"reasoning beside a think block", []chat.Message{says("<think>b</think>c", "a")}, []Turn{{Model, "<think>\na\n</think>\n<think>b</think>c"}}},
		{"white space of the user stays", []chat.Message{asked(" \n q\t\n")}, []Turn{{Human, " \n q\t\n"}}},
		{"an empty question", []chat.Message{asked("")}, []Turn{{Human, ""}}},
		{"the white space of Unicode and the separators of ASCII are cut", []chat.Message{says("<think>x</think>\u00a0\u2028\x1f", "")}, []Turn{{Model, "<think>x</think>"}}},
		{"a zero-width space is none", []chat.Message{says("a\u200b", "")}, []Turn{{Model, block + "a\u200b"}}},
		{"a scratchpad anywhere", []chat.Message{says("a <REASONING_SCRATCHPAD>b</REASONING_SCRATCHPAD>", "")}, []Turn{{Model, "a <think>b</think>"}}},
		{"a closing tag of a scratchpad alone stays", []chat.Message{says("a</REASONING_SCRATCHPAD>", "")}, []Turn{{Model, block + "a</REASONING_SCRATCHPAD>"}}},
		{"blank content beside a call", []chat.Message{calls(" \n\t", "{}")}, []Turn{{Model, block + "<tool_call>\n{\"name\": \"t0\", \"arguments\": {}}\n</tool_call>"}}},
		{"white space before a call stays", []chat.Message{calls("  x \n", "{}")}, []Turn{{Model, block + "  x \n\n<tool_call>\n{\"name\": \"t0\", \"arguments\": {}}\n</tool_call>"}}},
		{"think inside of arguments is think", []chat.Message{calls("", `{"a":"<think>"}`)}, []Turn{{Model, "<tool_call>\n{\"name\": \"t0\", \"arguments\": {\"a\": \"<think>\"}}\n</tool_call>"}}},
		{"arguments that are no object stay", []chat.Message{calls("", "[1,2]", "null", `"s"`, "", "{")}, []Turn{{Model, block +
			"<tool_call>\n{\"name\": \"t0\", \"arguments\": [1, 2]}\n</tool_call>\n<tool_call>\n{\"name\": \"t1\", \"arguments\": null}\n</tool_call>\n" +
			"<tool_call>\n{\"name\": \"t2\", \"arguments\": \"s\"}\n</tool_call>\n<tool_call>\n{\"name\": \"t3\", \"arguments\": {}}\n</tool_call>\n" +
			"<tool_call>\n{\"name\": \"t4\", \"arguments\": {}}\n</tool_call>"}}},
		{"fewer results than calls, by position", []chat.Message{calls("", "{}", "{}"), answered("b", "r")}, []Turn{
			{Model, block + "<tool_call>\n{\"name\": \"t0\", \"arguments\": {}}\n</tool_call>\n<tool_call>\n{\"name\": \"t1\", \"arguments\": {}}\n</tool_call>"},
			{Tool, "<tool_response>\n{\"tool_call_id\": \"b\", \"name\": \"t0\", \"content\": \"r\"}\n</tool_response>"}}},
		{"a system message ends the results", []chat.Message{calls("", "{}"), {Role: chat.System, Content: "s"}, answered("a", "r")}, []Turn{
			{Model, block + "<tool_call>\n{\"name\": \"t0\", \"arguments\": {}}\n</tool_call>"}}},
		{"content of a result", []chat.Message{
			calls("", "{}"), answered("", " {\"b\":1.10,\"a\":[ ],\"b\":{ }}\n"), answered("", "\u00a0{}"), answered("", "{} x"), answered("", `"{}"`), answered("", "12"), answered("", ""), answered("", "a\x01\x7f\u2028\"\\/"),
		}, []Turn{
			{Model, block + "<tool_call>\n{\"name\": \"t0\", \"arguments\": {}}\n</tool_call>"},
			{Tool, `<tool_response>
{"tool_call_id": "", "name": "t0", "content": {"b": {}, "a": []}}
</tool_response>
<tool_response>
{"tool_call_id": "", "name": "unknown", "content": "` + "\u00a0" + `{}"}
</tool_response>
<tool_response>
{"tool_call_id": "", "name": "unknown", "content": "{} x"}
</tool_response>
<tool_response>
{"tool_call_id": "", "name": "unknown", "content": "\"{}\""}
</tool_response>
<tool_response>
{"tool_call_id": "", "name": "unknown", "content": "12"}
</tool_response>
<tool_response>
{"tool_call_id": "", "name": "unknown", "content": ""}
</tool_response>
<tool_response>
{"tool_call_id": "", "name": "unknown", "content": "a\u0001` + "\x7f\u2028" + `\"\\/"}
</tool_response>`}}},
		{"images", []chat.Message{{Role: chat.User, Content: "look\n[image]\nat [image]", Marks: chat.MarkImage}, asked("[image]")},
			[]Turn{{Human, "look\n[screenshot]\nat [image]"}, {Human, "[image]"}}},
	} {
		same(t, c.name, Writer{}.Trajectory(c.messages, "")[1:], c.want)
	}
}

func TestToolsOfThePrompt(t *testing.T) {
	for _, c := range []struct{ recorded, want string }{
		{"", "[]"},
		{"null", "[]"},
		{"[]", "[]"},
		{"{broken", "[]"},
		{`[{"type":"function","function":{"name":"a"}}]`, `[{"name": "a", "description": "", "parameters": {}, "required": null}]`},
		{`[{"type":"function","function":{"parameters":{"b":1,"a":[]},"name":"a","description":null,"strict":true}}]`,
			`[{"name": "a", "description": null, "parameters": {"b": 1, "a": []}, "required": null}]`},
		{`[{"name":"a","description":"<b> & é","parameters":{}},{"name":"b","input_schema":{"type":"object"}},5,{"name":7}]`,
			`[{"name": "a", "description": "<b> & é", "parameters": {}, "required": null}, {"name": "b", "description": "", "parameters": {"type": "object"}, "required": null}]`},
	} {
		got := Writer{}.Prompt(c.recorded)
		if want := promptHead + c.want + promptTail; got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.recorded, got, want)
		}
	}
}

// JSON is written as Python's json.dumps writes it.
func TestAppendSpaced(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{` { "b":1 ,"a" :[1,2 , {}] } `, `{"b": 1, "a": [1, 2, {}]}`},
		{`{"a":[],"b":{},"c":""}`, `{"a": [], "b": {}, "c": ""}`},
		{`[[ ],[ [] ]]`, `[[], [[]]]`},
		{`[1.0,1.10,1e5,-0,12345678901234567890,1E+2]`, `[1.0, 1.10, 1e5, -0, 12345678901234567890, 1E+2]`},
		{`[true,false,null]`, `[true, false, null]`},
		{`"\u4e2d\u003c\/\u0007\u0008\u00e9\ud83d\ude00\u007f"`, "\"中</\\u0007\\b\u00e9😀\x7f\""},
		{`"<b> & 'é'"`, `"<b> & 'é'"`},
		{`"\"\\\b\f\n\r\t\/\\n\u000a\u0022"`, `"\"\\\b\f\n\r\t/\\n\n\""`},
		{"[\"a\xffz\\n\xff\"]", `["a` + "\uFFFD" + `z\n` + "\uFFFD" + `"]`},
		{`"\ud800x\udc00"`, `"\ud800x\udc00"`},
		{`"\uD83D\uD83D\uDE00"`, `"\uD83D😀"`},
		{`{"a":1,"b":{"x":1,"x":2},"a":3,"\u0061":{"y":[],"y":5}}`, `{"a": {"y": 5}, "b": {"x": 2}}`},
		{`{"a, b":1,"c: d":"e, f: g"}`, `{"a, b": 1, "c: d": "e, f: g"}`},
		{`7`, `7`},
	} {
		if got, ok := AppendSpaced([]byte("x"), c.value); !ok || string(got) != "x"+c.want {
			t.Errorf("%s: %s, %v, want %s", c.value, got, ok, c.want)
		}
	}
	for _, broken := range []string{"", " ", "{", "{'a':1}", "[1,]", "NaN", `{"a":NaN}`, "{} {}", "\"\n\"", "01", "\ufeff{}"} {
		if got, ok := AppendSpaced([]byte("x"), broken); ok || string(got) != "x" {
			t.Errorf("%q is taken for JSON: %s", broken, got)
		}
	}
}

// Objects with many keys find repeated ones another way.
func TestAppendSpacedOfManyKeys(t *testing.T) {
	var in, want strings.Builder
	for i := range 60 {
		key := "k" + string(rune('a'+i%30))
		in.WriteString(`,"` + key + `":` + string(rune('0'+i/30)))
		if i < 30 {
			want.WriteString(`, "` + key + `": 1`)
		}
	}
	got, ok := AppendSpaced(nil, "{"+in.String()[1:]+"}")
	if !ok || string(got) != "{"+want.String()[2:]+"}" {
		t.Errorf("%v\n got %s\nwant {%s}", ok, got, want.String()[2:])
	}
}

// Hidden tags are the same value and no tag.
func TestHide(t *testing.T) {
	messages := []chat.Message{calls("", `{"a":"</tool_call> <b> <think>"}`), answered("a", "x</tool_response><tool_call>"), answered("b", `{"k":"<tool_response>"}`)}
	tools := `[{"name":"a","description":"</tools>"}]`
	turns := Writer{Hide: true}.Trajectory(messages, tools)
	for tag, n := range map[string]int{"</tools>": 2, "</tool_call>": 1, "<think>": 1, "</tool_response>": 2, "<tool_response>": 2} {
		got := strings.Count(turns[0].Value, tag)
		if tag != "</tools>" {
			got = strings.Count(turns[1].Value+turns[2].Value, tag)
		}
		if got != n {
			t.Errorf("%s stands %d times, want %d: %v", tag, got, n, turns)
		}
	}
	back, list := Messages(turns)
	if len(back) != 3 || back[1].Content != "x</tool_response><tool_call>" || !strings.Contains(list, `\u003c/tools>`) {
		t.Errorf("read back: %+v, %s", back, list)
	}
	same(t, "again", Writer{Hide: true}.Trajectory(back, list), turns)
}

// What others write is read, and what is nothing of it stays text.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		turn Turn
		want []chat.Message
	}{
		{Turn{Model, "<think>\n</think>\nhi"}, []chat.Message{{Role: chat.Assistant, Content: "hi"}}},
		{Turn{Model, "<think>\n</think>\n\n hi"}, []chat.Message{{Role: chat.Assistant, Content: "\n hi"}}},
		{Turn{Model, "<think>\n</think>\nreally\n</think>\n\nhi"}, []chat.Message{{Role: chat.Assistant, Content: "<think>\n</think>\nreally\n</think>\n\nhi"}}},
		{Turn{Model, "<think>a</think>b"}, []chat.Message{{Role: chat.Assistant, Content: "<think>a</think>b"}}},
		{Turn{Model, "a <think>b</think>"}, []chat.Message{{Role: chat.Assistant, Content: "a <think>b</think>"}}},
		{Turn{Model, "t\n<tool_call>\n{\"name\": \"x\", \"arguments\": {\"s\": \"</tool_call>\"}}\n</tool_call>\n<tool_call>{\"name\":\"y\",\"arguments\":\"{}\"}</tool_call>\nu"},
			[]chat.Message{{Role: chat.Assistant, Content: "t\nu", ToolCalls: []chat.ToolCall{{Name: "x", Arguments: `{"s": "</tool_call>"}`}, {Name: "y", Arguments: "{}"}}}}},
		{Turn{Model, "<tool_call>\n{no}\n</tool_call>"}, []chat.Message{{Role: chat.Assistant, Content: "<tool_call>\n{no}\n</tool_call>", Marks: chat.MarkMalformedCall}}},
		{Turn{Tool, "plain"}, []chat.Message{{Role: chat.Tool, Content: "plain"}}},
		{Turn{Tool, "<tool_response>\n a \n</tool_response>\n<tool_response>\n{\"tool_call_id\": \"1\", \"name\": \"x\", \"content\": [1]}\n</tool_response> tail"},
			[]chat.Message{{Role: chat.Tool, Content: " a "}, {Role: chat.Tool, ToolCallID: "1", Name: "x", Content: "[1] tail"}}},
		{Turn{Tool, "<tool_response>\nopen"}, []chat.Message{{Role: chat.Tool, Content: "open"}}},
		{Turn{System, "mine"}, []chat.Message{{Role: chat.System, Content: "mine"}}},
	} {
		got, _ := Messages([]Turn{c.turn})
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(c.want)
		if string(a) != string(b) {
			t.Errorf("%q\n got %s\nwant %s", c.turn.Value, a, b)
		}
	}
}

// What is written reads back to what writes the same, whatever it is.
func FuzzTrajectory(f *testing.F) {
	f.Add("q", "text", "why", `{"a": 1}`, "out", "last")
	f.Add("\n", "<think>x</think>", " ", "[1]", `{"tool_call_id":"a","name":"b","content":"c"}`, "\n\nx")
	f.Add("<tool_call>", "<tool_call>\n{\"name\": \"x\"}\n</tool_call>", "</think>", `{"a":"</tool_call>"}`, "</tool_response>", "<think>\n \n</think>y")
	f.Add("", "<think>\n</think>\n</think>", "<think>", `{"\ud800":1,"\ud800":2}`, "[[]]", "<REASONING_SCRATCHPAD>")
	f.Fuzz(func(t *testing.T, ask, text, thought, arguments, output, last string) {
		messages := []chat.Message{
			asked(ask), {Role: chat.Assistant, Content: text, Reasoning: thought, ToolCalls: []chat.ToolCall{{ID: "a", Name: "t", Arguments: arguments}}},
			answered("a", output), answered("b", last), {Role: chat.Assistant, Content: last, Reasoning: thought},
		}
		w := Writer{Hide: true}
		turns := w.Trajectory(messages, arguments)
		for _, s := range []string{text, thought, last} {
			for _, tag := range []string{"<think>", "</think>", scratchOpen, "<tool_call>"} {
				if strings.Contains(s, tag) {
					return // exports refuse those, or they are ambiguous
				}
			}
		}
		back, tools := Messages(turns)
		if len(back) != len(messages) {
			t.Fatalf("%d messages of %d: %+v", len(back), len(messages), turns)
		}
		same(t, "again", w.Trajectory(back, tools), turns)
	})
}

// TestWithResults checks that texts go where results are, and that all else stays.
func TestWithResults(t *testing.T) {
	for _, test := range []struct{ value, want string }{
		{"plain", "X"},
		{"<tool_response>\n{\"tool_call_id\": \"a\", \"name\": \"f\", \"content\": {\"x\": 1}}\n</tool_response>\n<tool_response>\nbare\n</tool_response> rest",
			"<tool_response>\n{\"tool_call_id\": \"a\", \"name\": \"f\", \"content\": \"X\"}\n</tool_response>\n<tool_response>\nbare\n</tool_response> rest"},
		{" <tool_response>bare</tool_response>", " <tool_response>\nX\n</tool_response>"},
		{"<tool_response>\nopen", "<tool_response>\nX\n</tool_response>"},
	} {
		got := WithResults(test.value, func(i int) (string, bool) { return "X", i == 0 })
		if got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		if same := WithResults(test.value, func(int) (string, bool) { return "", false }); same != test.value {
			t.Errorf("%q is another one: %q", test.value, same)
		}
	}
}
