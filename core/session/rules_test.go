package session_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

// told is what a case expects of a message; unset fields are not compared.
type told struct {
	role                     chat.Role
	content, reasoning, name string
	calls                    string // "id/name/arguments" joined by blanks
	marks                    chat.Marks
}

func (w told) differs(m chat.Message) string {
	var calls []string
	for _, c := range m.ToolCalls {
		calls = append(calls, c.ID+"/"+c.Name+"/"+c.Arguments)
	}
	got := told{m.Role, m.Content, m.Reasoning, m.Name, strings.Join(calls, " "), m.Marks}
	if got == w {
		return ""
	}
	return fmt.Sprintf("\n got %+v\nwant %+v", got, w)
}

type ruleCase struct {
	name  string
	src   string
	msgs  []told
	count session.Counts // Pending from the result
	why   []string       // "severity: reason" of all issues
}

func (c ruleCase) run(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		rec, res := readAll(t, []byte(c.src), "")
		counts := res.State.Counts
		counts.Pending = res.Pending
		if counts != c.count {
			t.Errorf("counts %+v, want %+v", counts, c.count)
		}
		if len(rec.msgs) != len(c.msgs) {
			t.Fatalf("%d messages, want %d: %+v", len(rec.msgs), len(c.msgs), rec.msgs)
		}
		for i, m := range rec.msgs {
			if diff := c.msgs[i].differs(m); diff != "" {
				t.Errorf("message %d:%s", i+1, diff)
			}
		}
		var why []string
		for _, i := range rec.issues {
			why = append(why, string(i.Severity)+": "+i.Reason)
		}
		if !reflect.DeepEqual(why, c.why) {
			t.Errorf("issues %q, want %q", why, c.why)
		}
		for end := 0; end < len(c.src); end += slower {
			samePieces(t, []byte(c.src), []int{end})
		}
	})
}

func user(s string) told      { return told{role: chat.User, content: s} }
func assistant(s string) told { return told{role: chat.Assistant, content: s} }
func tool(name, s string) told {
	return told{role: chat.Tool, name: name, content: s}
}

const (
	a1   = `{"role":"user","content":"a"}`
	b1   = `{"role":"assistant","content":"b"}`
	noID = `{"id":1,"text":"x"}`
)

// TestLines has one case per rule on what becomes of a line.
func TestLines(t *testing.T) {
	ab := []told{user("a"), assistant("b")}
	for _, c := range []ruleCase{
		{"plain", a1 + "\n" + b1 + "\n", ab, session.Counts{Read: 2}, nil},
		{"CRLF", a1 + "\r\n" + b1 + "\r\n", ab, session.Counts{Read: 2}, nil},
		{"byte order mark", "\uFEFF" + a1 + "\n" + b1, ab, session.Counts{Read: 2}, nil},
		{"byte order mark of a joined file", a1 + "\n\uFEFF" + b1, ab, session.Counts{Read: 2}, []string{"note: byte order mark inside of the source"}},
		{"no last line end", a1 + "\n" + b1, ab, session.Counts{Read: 2}, nil},
		{"last line unfinished", a1 + "\n" + b1[:9], ab[:1], session.Counts{Read: 1, Pending: 1}, []string{"pending: unfinished line"}},
		{"last line a number", a1 + "\n12", ab[:1], session.Counts{Read: 1, Pending: 1}, []string{"pending: unfinished line"}},
		{"last line garbage", a1 + "\nWARN", ab[:1], session.Counts{Read: 1, Pending: 1}, []string{"pending: unfinished line"}},
		{"blank lines", "\n" + a1 + "\n \t\n" + b1 + "\n", ab, session.Counts{Read: 2, Skipped: 2}, []string{"skipped: blank", "skipped: blank"}},
		{"NUL padding at the end is no line", a1 + "\n" + b1 + "\n\x00\x00\x00", ab, session.Counts{Read: 2}, nil},
		{"blanks at the end are a line", a1 + "\n" + b1 + "\n \t", ab, session.Counts{Read: 2, Skipped: 1}, []string{"skipped: blank"}},
		{"blanks at the end of a line are none", a1 + "\n" + b1 + " \t", ab, session.Counts{Read: 2}, nil},
		{"NULs after blanks at the end are no line", a1 + "\n" + b1 + "\n  \x00\x00", ab, session.Counts{Read: 2}, nil},
		{"nothing but blanks", "  \t", nil, session.Counts{Skipped: 1}, []string{"skipped: blank"}},
		{"NUL line", a1 + "\n\x00\x00\n" + b1 + "\n", ab, session.Counts{Read: 2, Skipped: 1}, []string{"skipped: NUL bytes only"}},
		{"NULs before a value", a1 + "\n\x00\x00" + b1 + "\n", ab, session.Counts{Read: 2}, []string{"note: NUL bytes before the value"}},
		{"two objects glued", a1 + b1 + "\n", ab, session.Counts{Read: 1}, []string{"note: more than one value on the line"}},
		{"lines ended by CR", a1 + "\r" + b1 + "\r" + a1, append(ab[:2:2], ab[0]), session.Counts{Read: 1}, []string{"note: more than one value on the line"}},
		{"rest of a line broken", a1 + "{]\n" + b1 + "\n", ab, session.Counts{Read: 2}, []string{"note: unreadable rest of the line"}},
		{"skipped value before a message", noID + a1 + "\n" + b1, ab, session.Counts{Read: 2}, []string{"skipped: no message: keys id, text", "note: more than one value on the line"}},
		{"garbage between", "WARN {\n" + a1 + "\n2026-01-01 INFO\n" + b1 + "\n", ab, session.Counts{Read: 2, Bad: 2}, []string{"bad: not JSON", "bad: not JSON"}},
		{"log line that starts like an array", "[INFO] x\n" + a1 + "\n", ab[:1], session.Counts{Read: 1, Bad: 1}, []string{"bad: not JSON"}},
		{"scalars", "null\ntrue\n42\n\"s\"\n[1,2]\n" + a1 + "\n", ab[:1], session.Counts{Read: 1, Bad: 5}, []string{"bad: not an object: null",
			"bad: not an object: boolean", "bad: not an object: number", "bad: not an object: text", "bad: not an object: number"}},
		{"truncated line costs only itself", a1[:20] + "\n" + a1 + "\n" + b1 + "\n", ab, session.Counts{Read: 2, Bad: 1}, []string{"bad: unfinished value"}},
		{"truncated where a value could follow", `{"role":"user","content":[` + "\n" + a1 + "\n" + b1 + "\n", ab, session.Counts{Read: 2, Bad: 1}, []string{"bad: unfinished value"}},
		{"truncated lines in a row", a1[:20] + "\n" + a1[:22] + "\n" + a1 + "\n", ab[:1], session.Counts{Read: 1, Bad: 2}, []string{"bad: unfinished value", "bad: unfinished value"}},
		{"document with an object per line", `{"messages":[` + "\n" + a1 + ",\n" + b1 + "\n]}\n", ab, session.Counts{Read: 4}, nil},
		{"broken line", `{"role":"user",}` + "\n" + a1 + "\n", ab[:1], session.Counts{Read: 1, Bad: 1}, []string{"bad: broken JSON: column 16"}},
		{"pretty-printed object", "{\n \"role\": \"user\",\n \"content\": \"a\"\n}\n" + b1 + "\n", ab, session.Counts{Read: 5}, nil},
		{"pretty-printed object that is none of ours", "{\n \"id\": 1\n}\n", nil, session.Counts{Skipped: 3}, []string{
			"skipped: no message: keys id", "skipped: no message: keys id", "skipped: no message: keys id"}},
		{"pretty-printed object cut off", "{\n \"role\": \"user\",\n", nil, session.Counts{Pending: 2}, []string{"pending: unfinished line"}},
		{"line broken inside of a string", "{\"role\":\"user\",\"content\":\"one\ntwo\"}\n", []told{{role: chat.User, content: "one\ntwo", marks: chat.MarkRepaired}},
			session.Counts{Read: 2}, []string{"note: line broken inside of a string, joined"}},
		{"line broken inside of a character", "{\"role\":\"user\",\"content\":\"\xe8\xb6\n\xa3\"}\n", []told{{role: chat.User, content: "趣", marks: chat.MarkRepaired}},
			session.Counts{Read: 2}, []string{"note: line broken inside of a string, joined"}},
		{"line broken inside of an escape", "{\"role\":\"user\",\"content\":\"a\\u00\n41\\\nn\"}\n", []told{{role: chat.User, content: "aA\n", marks: chat.MarkRepaired}},
			session.Counts{Read: 3}, []string{"note: line broken inside of a string, joined"}},
		{"tab in a string", "{\"role\":\"user\",\"content\":\"a\tb\"}\n", []told{{role: chat.User, content: "a\tb", marks: chat.MarkRepaired}},
			session.Counts{Read: 1}, []string{"note: control character inside of a string"}},
		{"invalid UTF-8", "{\"role\":\"user\",\"content\":\"caf\xe9!\"}\n", []told{{role: chat.User, content: "caf\uFFFD!", marks: chat.MarkRepaired}},
			session.Counts{Read: 1}, []string{"note: invalid UTF-8 replaced by U+FFFD"}},
		{"lone surrogates", `{"role":"user","content":"\ud83d \udc00\ud83d\ude00"}` + "\n", []told{{role: chat.User, content: "\uFFFD \uFFFD😀", marks: chat.MarkRepaired}},
			session.Counts{Read: 1}, []string{"note: lone surrogate replaced by U+FFFD"}},
		{"duplicate keys", `{"role":"user","role":"assistant","content":"a","content":"b"}`, ab[1:], session.Counts{Read: 1}, nil},
		{"escaped keys", `{"r\u006fle":"user","content":"a"}`, ab[:1], session.Counts{Read: 1}, nil},
		{"huge numbers", `{"role":"user","content":"a","x":1e400,"y":123456789012345678901234567890}`, ab[:1], session.Counts{Read: 1}, nil},
		{"compact array", "[" + a1 + "," + b1 + "]\n", ab, session.Counts{Read: 1}, nil},
		{"compact array without a line end", "[" + a1 + "," + b1 + "]", ab, session.Counts{Read: 1}, nil},
		{"compact array cut off", "[" + a1 + "," + b1[:9], ab[:1], session.Counts{Pending: 1}, []string{"pending: unfinished line"}},
		{"array of lines", "[\n" + a1 + ",\n" + b1 + "\n]\n", ab, session.Counts{Read: 2, Skipped: 2}, []string{"skipped: array bracket", "skipped: array bracket"}},
		{"array with a broken element", "[" + a1 + ",\n{oops},\n" + b1 + "]\n", ab, session.Counts{Read: 2, Bad: 1}, []string{"bad: broken JSON: column 2"}},
		{"array with scalars", "[1,2," + a1 + "]\n" + b1 + "\n", ab, session.Counts{Read: 2}, []string{"bad: not an object: number"}},
		{"formats that are not read yet", `{"conversations":[]}` + "\n" + `{"messages":[]}` + "\n" + `{"type":"x","payload":{}}` + "\n" + `{"type":"user","message":{},"uuid":"u"}` + "\n",
			nil, session.Counts{Skipped: 4}, []string{"skipped: conversation without a message", "skipped: conversation without a message", "skipped: no message: keys type, payload", "skipped: no text, reasoning or calls"}},
		{"keys in a reason are bounded and clean", `{"` + strings.Repeat("k", 99) + `":1,"\u001b[2J":1,"c":1,"d":1,"e":1,"f":1,"g":1}` + "\n", nil, session.Counts{Skipped: 1},
			[]string{"skipped: no message: keys " + strings.Repeat("k", 24) + "…, ?[2J, c, d, e, f, …"}},
	} {
		c.run(t)
	}
}

// TestOpenAI has one case per rule of the format.
func TestOpenAI(t *testing.T) {
	const call = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"n\": 1.0}"}}]}` + "\n"
	called := told{role: chat.Assistant, calls: `c1/ls/{"n": 1.0}`}
	for _, c := range []ruleCase{
		{"roles", `{"role":"developer","content":"d"}` + "\n" + `{"role":"function","name":"f","content":"r"}` + "\n" + `{"role":"critic","content":"x"}` + "\n" + `{"role":5,"content":"x"}` + "\n",
			[]told{{role: chat.System, content: "d"}, tool("f", "r")}, session.Counts{Read: 2, Bad: 2}, []string{`bad: unknown role "critic"`, "bad: role is not text: number"}},
		{"nothing to show", `{"role":"user","content":" "}` + "\n" + `{"role":"user"}` + "\n" + `{"role":"tool","content":""}` + "\n", []told{tool("", "")},
			session.Counts{Read: 1, Skipped: 2}, []string{"skipped: no text, reasoning or calls", "skipped: no text, reasoning or calls"}},
		{"content that is no text", `{"role":"user","content":7}` + "\n" + `{"role":"user","content":{"a":1}}` + "\n" + `{"role":"tool","content":{"a":1}}` + "\n", []told{tool("", `{"a":1}`)},
			session.Counts{Read: 1, Bad: 2}, []string{"bad: content is not text: number", "bad: content is not text: object", "note: tool result is an object, kept as its JSON text"}},
		{"content parts", `{"role":"tool","content":[{"type":"text","text":"a"},"b",null,{"type":"image_url","image_url":{"url":"data:AAAA"}},{"type":"input_audio"},{"type":"file"},{"type":"odd"}]}` + "\n",
			[]told{{role: chat.Tool, content: "a\nb\n[image]\n[audio]\n[file]\n[file]", marks: chat.MarkImage | chat.MarkAudio | chat.MarkFile}}, session.Counts{Read: 1}, []string{"note: content part of unknown type: odd"}},
		{"reasoning", `{"role":"assistant","content":"c","thinking":"t","reasoning_content":"r"}` + "\n" + `{"role":"assistant","content":"c","reasoning_content":null,"reasoning":"q"}` + "\n",
			[]told{{role: chat.Assistant, content: "c", reasoning: "r"}, {role: chat.Assistant, content: "c", reasoning: "q"}}, session.Counts{Read: 2}, nil},
		{"arguments stay as recorded", `{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a","arguments":{"b": 1.0,"a":12345678901234567890}}},{"id":"2","function":{"name":"b","arguments":"{bad"}},{"function":{"name":"c"}},null]}` + "\n",
			[]told{{role: chat.Assistant, calls: `1/a/{"b": 1.0,"a":12345678901234567890} 2/b/{bad /c/`}}, session.Counts{Read: 1}, nil},
		{"old function call", `{"role":"assistant","content":"x","tool_calls":null,"function_call":{"name":"old","arguments":"{}"}}` + "\n" + `{"role":"function","content":"ok"}` + "\n",
			[]told{{role: chat.Assistant, content: "x", calls: "/old/{}"}, tool("old", "ok")}, session.Counts{Read: 2}, nil},
		{"malformed calls are kept as text", `{"role":"assistant","content":"x","tool_calls":[{"id":"c2"},7]}` + "\n", []told{{role: chat.Assistant, content: "x\n{\"id\":\"c2\"}\n7", marks: chat.MarkMalformedCall}},
			session.Counts{Read: 1}, []string{"note: malformed tool call, kept as text"}},
		{"name by id", call + `{"role":"tool","tool_call_id":"c1","content":"r"}` + "\n" + `{"role":"tool","tool_call_id":"c1","content":"again"}` + "\n",
			[]told{called, tool("ls", "r"), tool("", "again")}, session.Counts{Read: 3}, nil},
		{"name by position", `{"role":"assistant","tool_calls":[{"function":{"name":"a"}},{"function":{"name":"b"}}]}` + "\n" + `{"role":"tool","content":"1"}` + "\n" + `{"role":"tool","content":"2"}` + "\n",
			[]told{{role: chat.Assistant, calls: "/a/ /b/"}, tool("a", "1"), tool("b", "2")}, session.Counts{Read: 3}, nil},
		{"reused id: nearest earlier unanswered call", call + strings.Replace(call, `"ls"`, `"rm"`, 1) + `{"role":"tool","tool_call_id":"c1","content":"1"}` + "\n" + `{"role":"tool","tool_call_id":"c1","content":"2"}` + "\n",
			[]told{called, {role: chat.Assistant, calls: `c1/rm/{"n": 1.0}`}, tool("rm", "1"), tool("ls", "2")}, session.Counts{Read: 4}, nil},
		{"lines with one id are one message", `{"role":"assistant","id":"m","content":"a"}` + "\n" + `{"role":"assistant","id":"m","content":"b","reasoning":"r"}` + "\n" + `{"role":"assistant","id":"n","content":"c"}` + "\n",
			[]told{{role: chat.Assistant, content: "a\nb", reasoning: "r"}, assistant("c")}, session.Counts{Read: 3}, nil},
	} {
		c.run(t)
	}
}

// TestAnthropic has one case per rule of the format.
func TestAnthropic(t *testing.T) {
	for _, c := range []ruleCase{
		{"user blocks become messages in their order",
			`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{"a": 1.0}}]}` + "\n" +
				`{"role":"user","content":[{"type":"text","text":" one"},{"type":"text","text":"two "},{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"x"},{"type":"image","source":{"data":"AAAA"}},{"type":"text","text":"y"}]},{"type":"text","text":"three"}]}` + "\n",
			[]told{{role: chat.Assistant, calls: `t1/ls/{"a": 1.0}`}, user("one\ntwo"), {role: chat.Tool, name: "ls", content: "x\n[image]\ny", marks: chat.MarkImage}, user("three")}, session.Counts{Read: 2}, nil},
		{"assistant blocks", `{"role":"assistant","content":[{"type":"thinking","thinking":"t1","signature":"s"},{"type":"text","text":"a"},{"type":"redacted_thinking","data":"AA"},{"type":"thinking","thinking":"t2"},{"type":"text","text":"b"}]}` + "\n",
			[]told{{role: chat.Assistant, content: "a\nb", reasoning: "t1\n\nt2"}}, session.Counts{Read: 1}, nil},
		{"lines with one id are one message", `{"id":"m","role":"assistant","content":[{"type":"text","text":"\n\n"}]}` + "\n" + `{"id":"m","role":"assistant","content":[{"type":"thinking","thinking":"t"}]}` + "\n" +
			`{"id":"m","role":"assistant","content":[{"type":"text","text":"a"}]}` + "\n" + `{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]}` + "\n" + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"r"}]}` + "\n",
			[]told{{role: chat.Assistant, content: "\n\n\na", reasoning: "t", calls: "1/n/{}"}, tool("n", "r")}, session.Counts{Read: 4, Skipped: 1}, []string{"skipped: no text, reasoning or calls"}},
		{"tools of the server", `{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"server_tool_use","id":"s","name":"web","input":{}},{"type":"web_tool_result","tool_use_id":"s","content":[{"type":"text","text":"r"}]},{"type":"text","text":"b"}]}` + "\n",
			[]told{{role: chat.Assistant, content: "a", calls: "s/web/{}"}, tool("web", "r"), assistant("b")}, session.Counts{Read: 1}, nil},
		{"only blank blocks", `{"role":"user","content":[{"type":"text","text":" "}]}` + "\n" + `{"role":"assistant","content":[{"type":"redacted_thinking","data":"x"}]}` + "\n", nil,
			session.Counts{Skipped: 2}, []string{"skipped: no text, reasoning or calls", "skipped: no text, reasoning or calls"}},
		{"a call without a name is kept as text", `{"role":"assistant","content":[{"type":"tool_use","id":"x"}]}` + "\n", []told{{role: chat.Assistant, content: `{"type":"tool_use","id":"x"}`, marks: chat.MarkMalformedCall}},
			session.Counts{Read: 1}, []string{"note: malformed tool call, kept as text"}},
	} {
		c.run(t)
	}
}

// TestDetection checks which format is in force after a source.
func TestDetection(t *testing.T) {
	const blocks = `{"role":"user","content":[{"type":"text","text":" a "}]}` + "\n"
	const used = `{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]}` + "\n"
	for _, c := range []struct{ name, src, format, last string }{
		{"text only", a1 + "\n", "openai", "a"},
		{"blocks", blocks, "anthropic", "a"},
		{"blocks, then text", blocks + b1 + "\n", "anthropic", "b"},
		{"text parts behind evidence of the other", `{"role":"tool","content":"x"}` + "\n" + blocks, "openai", " a "},
		{"tool_use in any case", `{"role":"tool","content":"x"}` + "\n" + used, "anthropic", ""},
		{"evidence behind blocks", blocks + `{"role":"tool","content":"x"}` + "\n", "openai", "x"},
		{"nothing known", noID + "\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec, res := readAll(t, []byte(c.src), "")
			if res.State.Format != c.format || rec.meta.Format != c.format {
				t.Errorf("format %q, of the session %q, want %q", res.State.Format, rec.meta.Format, c.format)
			}
			if n := len(rec.msgs); n > 0 && rec.msgs[n-1].Content != c.last {
				t.Errorf("last message %q, want %q", rec.msgs[n-1].Content, c.last)
			}
		})
	}
}

func TestForcedFormat(t *testing.T) {
	rec, res := readAll(t, []byte(noID+"\n"+a1+"\n"), "anthropic")
	if len(rec.msgs) != 1 || res.State.Counts != (session.Counts{Read: 1, Bad: 1}) || res.State.Format != "anthropic" {
		t.Errorf("%d messages, %+v", len(rec.msgs), res.State)
	}
	if got := rec.of(session.Bad); !reflect.DeepEqual(got, []string{"not in the anthropic format: keys id, text"}) {
		t.Errorf("bad lines: %q", got)
	}
	if _, err := session.Read(t.Context(), strings.NewReader(""), session.Options{Format: "nope"}, session.State{}, &record{}); err == nil || !strings.Contains(err.Error(), "auto, atif, ") {
		t.Errorf("an unknown format gives %v", err)
	}
}

func TestMetadata(t *testing.T) {
	rec, res := readAll(t, []byte(`{"_type":"metadata","key":"k","title":"T","created_at":"2026-01-01","updated_at":"2026-01-02","model":"m","tools":[{"name":"x"}],"completed":false,"metadata":{"reward": 1.0},"n":1}`+"\n"), "")
	m := rec.meta
	if m.Completed == nil || *m.Completed {
		t.Errorf("completed %v", m.Completed)
	}
	m.Completed = nil
	want := session.Meta{Format: "openai", NativeID: "k", Title: "T", Started: "2026-01-01", Ended: "2026-01-02", Model: "m", Tools: `[{"name":"x"}]`, Extra: `{"metadata":{"reward": 1.0},"n":1}`}
	if m != want {
		t.Errorf("got %+v\nwant %+v", m, want)
	}
	if res.Seen != "only metadata lines" || res.State.Counts.Read != 1 {
		t.Errorf("seen %q, %+v", res.Seen, res.State.Counts)
	}
}

func TestSeen(t *testing.T) {
	for src, want := range map[string]string{
		"":                               "empty file",
		"\n\n":                           "only blank lines",
		noID + "\n" + noID + "\n":        "2 lines: objects with keys id, text",
		"SQLite format 3\x00abc\n\x00\n": "binary data",
		"hello":                          "one unfinished line, which begins no JSON object",
		`{"role":"us`:                    "one unfinished line",
		`{"conversations":[]}` + "\n":    "1 line: conversation without a message",
		a1:                               "",
	} {
		if _, res := readAll(t, []byte(src), ""); res.Seen != want {
			t.Errorf("%q: seen %q, want %q", src, res.Seen, want)
		}
	}
}
