package session

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// The ways of decoding a line that docs/json.md compares. All of them fill the
// same fields of a message, from lines of any format: role and content of the
// line itself or of its "message", content as text or in blocks.
var decoders = []struct {
	name   string
	decode func(line []byte, m *chat.Message) error
}{
	{"scanner", new(scanning).decode},
	{"jsontext tokens", new(tokens).decode},
	{"jsontext structs", decodeStructs(func(b []byte, v any) error { return json.Unmarshal(b, v, lenient...) })},
	{"encoding/json", decodeStructs(stdjson.Unmarshal)},
}

var (
	lenient    = []json.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	errNoValue = errors.New("no complete object")
)

// scanning decodes with the scanner: one pass finds the fields of the line,
// only those that are wanted are looked at again.
type scanning struct{ s rawjson.Scanner }

func (d *scanning) decode(line []byte, m *chat.Message) error {
	d.s.Reset()
	if p := d.s.Scan(line, true); p != rawjson.Done || len(bytes.TrimSpace(line[d.s.End:])) > 0 || !rawjson.IsObject(line) {
		return errNoValue
	}
	if !d.s.Clean(line) {
		mended, _ := rawjson.Repair(line)
		return d.decode(mended, m)
	}
	o := rawjson.Object{In: line, Fields: d.s.Fields}
	for i := range o.Fields {
		name, val := o.At(i)
		scanField(m, name, val)
	}
	return nil
}

func scanField(m *chat.Message, name, val []byte) {
	switch string(name) {
	case "message":
		for name, val := range rawjson.Members(val) {
			scanField(m, name, val)
		}
	case "role":
		m.Role = chat.Role(rawjson.Recorded(val))
	case "content":
		m.Content = scanContent(m, val)
	case "reasoning_content":
		m.Reasoning = rawjson.Recorded(val)
	case "tool_call_id":
		m.ToolCallID = rawjson.Recorded(val)
	case "name":
		m.Name = rawjson.Recorded(val)
	case "model":
		m.Model = rawjson.Recorded(val)
	case "timestamp":
		m.Timestamp = rawjson.Recorded(val)
	case "tool_calls":
		for call := range rawjson.Elements(val) {
			m.ToolCalls = append(m.ToolCalls, scanCall(call))
		}
	}
}

func scanCall(val []byte) (call chat.ToolCall) {
	for c := rawjson.Within(val); ; {
		name, val, ok := c.Member()
		switch {
		case !ok:
			return call
		case string(name) == "id":
			call.ID = rawjson.Recorded(val)
		case string(name) == "name":
			call.Name = rawjson.Recorded(val)
		case string(name) == "arguments":
			call.Arguments = rawjson.Recorded(val)
		case string(name) == "function":
			inner := scanCall(val)
			call.Name, call.Arguments = inner.Name, inner.Arguments
		}
	}
}

func scanContent(m *chat.Message, val []byte) string {
	if !rawjson.IsList(val) {
		return rawjson.Recorded(val)
	}
	var text string
	var p part
	for c := rawjson.Within(val); p.read(&c); {
		switch p.kind {
		case "text":
			text += rawjson.Recorded(p.text)
		case "thinking":
			m.Reasoning = rawjson.Recorded(p.thinking)
		case "tool_result":
			text += rawjson.Recorded(p.content)
			m.ToolCallID = rawjson.Recorded(p.answers)
		case "tool_use":
			m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: rawjson.Recorded(p.id), Name: rawjson.Recorded(p.name), Arguments: rawjson.Recorded(p.input)})
		}
	}
	return text
}

// lineOf is what decoders into structs fill.
type lineOf struct {
	partOf
	Message *partOf `json:"message"`
}

type partOf struct {
	Role       string             `json:"role"`
	Content    stdjson.RawMessage `json:"content"`
	Reasoning  string             `json:"reasoning_content"`
	ToolCallID string             `json:"tool_call_id"`
	Name       string             `json:"name"`
	Model      string             `json:"model"`
	Timestamp  string             `json:"timestamp"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

type blockOf struct {
	Type      string             `json:"type"`
	Text      string             `json:"text"`
	Thinking  string             `json:"thinking"`
	ID        string             `json:"id"`
	Name      string             `json:"name"`
	Input     stdjson.RawMessage `json:"input"`
	ToolUseID string             `json:"tool_use_id"`
	Content   string             `json:"content"`
}

func decodeStructs(unmarshal func([]byte, any) error) func([]byte, *chat.Message) error {
	return func(line []byte, m *chat.Message) error {
		var l lineOf
		if err := unmarshal(line, &l); err != nil {
			return err
		}
		m.Timestamp = l.Timestamp
		p := &l.partOf
		if l.Message != nil {
			p = l.Message
		}
		m.Role, m.Reasoning, m.ToolCallID, m.Name, m.Model = chat.Role(p.Role), p.Reasoning, p.ToolCallID, p.Name, p.Model
		for _, c := range p.ToolCalls {
			m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		if len(p.Content) == 0 || p.Content[0] != '[' {
			return unmarshal(orNull(p.Content), &m.Content)
		}
		var blocks []blockOf
		if err := unmarshal(p.Content, &blocks); err != nil {
			return err
		}
		for _, b := range blocks {
			m.Content += b.Text + b.Content
			m.Reasoning += b.Thinking
			m.ToolCallID += b.ToolUseID
			if b.Type == "tool_use" {
				m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: b.ID, Name: b.Name, Arguments: string(b.Input)})
			}
		}
		return nil
	}
}

func orNull(v []byte) []byte {
	if len(v) == 0 {
		return []byte("null")
	}
	return v
}

// generated returns lines of a format as trajgen makes them.
func generated(tb testing.TB, format, size string) [][]byte {
	out, err := exec.Command("go", "run", "winnow/cmd/trajgen", "-o", "-", "--format", format, "--size", size).Output()
	if err != nil {
		tb.Fatalf("trajgen: %v", err)
	}
	return bytes.Split(bytes.TrimSpace(out), []byte("\n"))
}

func BenchmarkDecodeLines(b *testing.B) {
	for _, format := range []string{"openai", "anthropic", "claude-code"} {
		lines := generated(b, format, "8MB")
		size := 0
		for _, line := range lines {
			size += len(line) + 1
		}
		for _, d := range decoders {
			b.Run(fmt.Sprintf("%s/%s", format, strings.ReplaceAll(d.name, " ", "_")), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					for _, line := range lines {
						var m chat.Message
						if err := d.decode(line, &m); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}

// What is compared must be the same work: all decoders give the same message.
func TestDecodersAgree(t *testing.T) {
	lines := []string{
		`{"role":"assistant","content":"a\nb\u00e9\ud83d\ude00","reasoning_content":"r","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\": 1.0}"}}],"model":"m","timestamp":"t","x":[{"y":1e400}]}`,
		`{"role":"tool","tool_call_id":"1","name":"f","content":"out","timestamp":"t"}`, `{"role":"user","content":null}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"},{"type":"tool_use","id":"1","name":"f","input":{"n": 12345678901234567890}}]}`,
		`{"type":"user","uuid":"u","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"r"}]},"toolUseResult":{"stdout":"r"},"timestamp":"t"}`,
		`{"type":"assistant","message":{"role":"assistant","model":"m","id":"i","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":1}},"timestamp":"t"}`,
	}
	for _, line := range lines {
		var want chat.Message
		for i, d := range decoders {
			var m chat.Message
			if err := d.decode([]byte(line), &m); err != nil {
				t.Errorf("%s: %v in %s", d.name, err, line)
			}
			if i == 0 {
				want = m
			}
			if m.Role == "" || !reflect.DeepEqual(m, want) {
				t.Errorf("%s: %+v, want %+v", d.name, m, want)
			}
		}
	}
}

// defects are lines that readers must neither misread nor fail on; the first
// decoder, ours, does with each what is wanted.
var defects = []struct {
	name, line string
	role       string   // what is read, "" for a line that is refused
	fail       []string // the others that do something else
}{
	{"a name that occurs twice", `{"role":"user","role":"tool"}`, "tool", nil},
	{"a name in other letters", `{"role":"user","ROLE":"tool"}`, "user", []string{"encoding/json"}},
	{"nested 9,999 deep", `{"role":"user","x":` + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + "}", "user", nil},
	{"nested a million deep", `{"role":"user","x":` + strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6) + "}", "", nil},
	{"1e400", `{"role":"user","x":1e400}`, "user", nil},
	{"invalid UTF-8", "{\"role\":\"a\xffb\"}", "a\uFFFDb", nil},
	{"half of a surrogate pair", `{"role":"a\ud83db"}`, "a\uFFFDb", nil},
	{"a control character in a string", "{\"role\":\"a\tb\"}", "a\tb", []string{"jsontext tokens", "jsontext structs", "encoding/json"}},
	{"more behind the value", `{"role":"user"}x`, "", nil},
	{"cut off in a string", `{"role":"user","x":"y`, "", nil},
	{"cut off behind a value", `{"role":"user"`, "", nil},
	{"no number", `{"role":"user","x":01}`, "", nil},
	{"no escape", `{"role":"user","x":"\x"}`, "", nil},
	{"a comma too many", `{"role":"user","x":[1,]}`, "", nil},
	{"a literal cut off", `{"role":"user","x":nul}`, "", nil},
}

func TestDecodersOnDefects(t *testing.T) {
	for _, c := range defects {
		for _, d := range decoders {
			var m chat.Message
			err := d.decode([]byte(c.line), &m)
			right := err != nil && c.role == "" || err == nil && string(m.Role) == c.role
			if right == slices.Contains(c.fail, d.name) {
				t.Errorf("%s: %s: role %q, %v", d.name, c.name, m.Role, err)
			}
		}
	}
}
