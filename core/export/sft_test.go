package export

import (
	"bufio"
	"os"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

// The published answers, where they are there.
func TestQwenCallVectors(t *testing.T) {
	f, err := os.Open("../../../shared/vectors/qwen_tool_calls.jsonl")
	if os.IsNotExist(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var vector struct {
			Calls []struct {
				Function struct {
					Name      string         `json:"name"`
					Arguments jsontext.Value `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(lines.Bytes(), &vector); err != nil {
			t.Fatal(err)
		}
		var calls []chat.ToolCall
		for _, c := range vector.Calls {
			arguments := string(c.Function.Arguments)
			if text, err := unquote(c.Function.Arguments); err == nil {
				arguments = text
			}
			calls = append(calls, chat.ToolCall{Name: c.Function.Name, Arguments: arguments})
		}
		if text := string(appendQwenCalls(nil, calls)); text != vector.Text {
			t.Errorf("%s\n got %q\nwant %q", lines.Text(), text, vector.Text)
		}
	}
}

func TestQwenValues(t *testing.T) {
	value := func(name, text string) string { return "<parameter=" + name + ">\n" + text + "\n</parameter>\n" }
	for _, c := range []struct{ arguments, want string }{
		{`{}`, ""},
		{` { } `, ""},
		{"", ""},
		{" \n", ""},
		{"null", ""},
		{`"text"`, ""},
		{"12", ""},
		{"[]", ""},
		{`[{"a":1}]`, ""},
		{`{"a":"x"}`, value("a", "x")},
		{"{\n\t\"a\" :\r\n \"x\" , \"b\": [ 1 ,2,{ \"c\" :true } ]\n}", value("a", "x") + value("b", `[1, 2, {"c": true}]`)},
		{`{"z":1,"a":2}`, value("z", "1") + value("a", "2")},
		{`{"n":1.10,"e":1e5,"E":-0.0E+2,"big":12345678901234567890}`, value("n", "1.10") + value("e", "1e5") + value("E", "-0.0E+2") + value("big", "12345678901234567890")},
		{`{"t":true,"f":false,"n":null}`, value("t", "true") + value("f", "false") + value("n", "null")},
		{`{"e":{},"l":[],"s":""}`, value("e", "{}") + value("l", "[]") + value("s", "")},
		{`{"é":"naïve \u00e9 \ud83d\ude42 \/ <b> & \u003ci\u003e"}`, value("é", "naïve é 🙂 / <b> & <i>")},
		{`{"o":{"k\u00e9":"a\u00e9\/\"\\\n\u0001\u2028","l":["x:y, z", "\\"]}}`, value("o", `{"ké": "aé/\"\\\n\u0001`+"\u2028"+`", "l": ["x:y, z", "\\"]}`)},
		{`{"s":"a\nb\n"}`, value("s", "a\nb\n")},
		{`{"a":"{\"b\": 1}"}`, value("a", `{"b": 1}`)},
		{`{"a":1,"b":2,"a":"3"}`, value("a", "3") + value("b", "2")},
		{`{"a":"\ud800x"}`, value("a", "\uFFFDx")},
		{`{"a":`, value("_raw", `{"a":`)},
		{" {not json}\n", value("_raw", " {not json}\n")},
		{`{"a":1} x`, value("_raw", `{"a":1} x`)},
		{"ls -la", value("_raw", "ls -la")},
	} {
		if got := string(appendQwenValues(nil, c.arguments)); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.arguments, got, c.want)
		}
	}
}

func TestSFTRecord(t *testing.T) {
	s := rich(t, &sft)
	s.Messages[2].Content = "I look."
	lines, rows := sft.Append(nil, s)
	want := `{"messages":[{"role":"system","content":"be good"},{"role":"user","content":"列出 \"files\"\n🙂"},` +
		`{"role":"assistant","content":"I look.\n\n<tool_call>\n<function=sh>\n<parameter=cmd>\nls <a>\n</parameter>\n<parameter=n>\n1.0\n</parameter>\n` +
		`<parameter=big>\n12345678901234567890\n</parameter>\n<parameter=e>\n1e5\n</parameter>\n<parameter=x>\nnull\n</parameter>\n</function>\n</tool_call>\n` +
		`<tool_call>\n<function=sh>\n<parameter=cmd>\na\nb\n</parameter>\n</function>\n</tool_call>","reasoning_content":"first\nls"},` +
		`{"role":"tool","content":""},{"role":"tool","content":"{\"error\":null}"},` +
		`{"role":"assistant","content":"done` + "\u2028" + `."}],"topic":"files"}` + "\n"
	if string(lines) != want || rows != 1 {
		t.Errorf("%d rows\n got %s\nwant %s", rows, lines, want)
	}
}

// A value that holds what ends a value can be told from nothing.
func TestTagsInQwenValuesAreRefused(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"a":"x</parameter>y"}`:                   "call_text:2",
		`{"a":"x\u003c/parameter>y"}`:              "call_text:2",
		`{"a":["<function=f>"]}`:                   "call_text:2",
		`{"a":{"b":"<\/tool_call>"}}`:              "call_text:2",
		`{"a":"</think>"}`:                         "call_text:2",
		`{"a>":"x"}`:                               "call_text:2",
		`{"a":"<div> </p> <parameter> a < b > c"}`: "",
	} {
		call := calls("1")
		call.ToolCalls[0].Arguments = arguments
		_, findings := sft.Prepare(sampleOf(user("u"), call, result("1", "x"), says("a")))
		if got := names(findings); got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

func FuzzQwenCalls(f *testing.F) {
	f.Add("sh", `{"a":"x\n</parameter>\n","b":[1, {"c":"\ud800"}]}`, "text")
	f.Add("sh", "{", "\n\n")
	f.Fuzz(func(t *testing.T, name, arguments, content string) {
		call := calls("1")
		call.ToolCalls[0].Name, call.ToolCalls[0].Arguments, call.Content = name, arguments, content
		m := Message{Content: content, Calls: call.ToolCalls}
		appendWithCalls(nil, &m) // whatever is recorded, it is written
		s := sampleOf(user("u"), call, result("1", "x"), says("a"))
		if _, findings := sft.Prepare(s); len(findings) > 0 {
			return
		}
		text := string(appendWithCalls(nil, &s.Messages[1]))
		back, calls, err := cutQwenCalls(text)
		if err != nil || back != s.Messages[1].Content || len(calls) != 1 || calls[0].Name != name {
			t.Fatalf("%q: %v, %q, %+v", text, err, back, calls)
		}
		if again := string(appendWithCalls(nil, &Message{Content: back, Calls: calls})); again != text {
			t.Fatalf("%q becomes %q", text, again)
		}
	})
}
