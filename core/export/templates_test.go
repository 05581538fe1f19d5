package export

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nikolalohinski/gonja/v2"
	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/loaders"
)

// sources are sessions as agents record them: ours, and real ones where they
// are there.
var sources = []string{
	"../../testdata/sessions/*.jsonl",
	"../../../shared/data/*/*.json*",
	"../../../shared/data/*/*/*.json*",
	"../../../shared/data/*/*/*/*.json*",
}

// eachSample calls f for every sample that the sources give in a format.
func eachSample(t *testing.T, e *Emitter, f func(path string, s *Sample)) (n int) {
	t.Helper()
	for _, glob := range sources {
		paths, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for i, path := range paths {
			if strings.Contains(glob, "shared") && i%slower != 0 || strings.Contains(path, "/hostile/") {
				continue
			}
			l := &library{}
			l.addFile(t, path)
			for _, seg := range l.segments {
				sess := l.sessions[seg.SessionID]
				s := New(&seg, &sess, l.messages[seg.Body])
				if _, findings := e.Prepare(s); len(findings) == 0 {
					f(path, s)
					n++
				}
			}
		}
	}
	return n
}

// readTemplate reads a chat template as transformers does: blocks leave no
// line or indent, and JSON is written as Python writes it.
func readTemplate(t *testing.T, path string) *exec.Template {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := loaders.NewFileSystemLoader("")
	if err != nil {
		t.Fatal(err)
	}
	loader, err := loaders.NewShiftedLoader(path, bytes.NewReader(source), files)
	if err != nil {
		t.Fatal(err)
	}
	cfg := gonja.DefaultConfig.Inherit()
	cfg.TrimBlocks, cfg.LeftStripBlocks = true, true
	env := *gonja.DefaultEnvironment
	env.Filters = exec.NewFilterSet(map[string]exec.FilterFunction{}).Update(builtins.Filters)
	if err := env.Filters.Replace("tojson", pythonJSON); err != nil {
		t.Fatal(err)
	}
	tmpl, err := exec.NewTemplate(path, cfg, loader, &env)
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

func pythonJSON(_ *exec.Evaluator, in *exec.Value, _ *exec.VarArgs) *exec.Value {
	text, err := json.Marshal(in.ToGoSimpleType(false), json.Deterministic(true), jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true))
	if err != nil {
		return exec.AsValue(err)
	}
	return exec.AsSafeValue(string(text))
}

// templateRow is what a trainer gives to a chat template: the messages of a
// record, and the tools out of their string.
type templateRow struct {
	messages []map[string]any
	tools    []any
}

func rowFor(t *testing.T, record []byte) (row templateRow) {
	t.Helper()
	var r struct {
		Messages []map[string]any `json:"messages"`
		Tools    string           `json:"tools"`
	}
	if err := json.Unmarshal(record, &r, jsontext.AllowDuplicateNames(true)); err != nil {
		t.Fatal(err)
	}
	row.messages = r.Messages
	if r.Tools != "" {
		if err := json.Unmarshal([]byte(r.Tools), &row.tools, jsontext.AllowDuplicateNames(true)); err != nil {
			t.Fatal(err)
		}
	}
	return row
}

func (row *templateRow) render(tmpl *exec.Template) (string, error) {
	messages := make([]any, len(row.messages))
	for i := range messages {
		messages[i] = row.messages[i]
	}
	data := map[string]any{
		"messages":        messages,
		"raise_exception": func(text string) (string, error) { return "", errors.New(text) },
	}
	if row.tools != nil {
		data["tools"] = row.tools
	}
	return tmpl.ExecuteToString(exec.NewContext(data))
}

// Every sample can be rendered with the templates of the models that are
// trained most.
func TestTemplatesTakeEverySample(t *testing.T) {
	tmpl := readTemplate(t, "testdata/templates/qwen3.jinja")
	several := 0
	n := eachSample(t, &hf, func(path string, s *Sample) {
		line, _ := hf.Append(nil, s)
		row := rowFor(t, line)
		text, err := row.render(tmpl)
		if err != nil {
			t.Errorf("%s: sample %s: Qwen3: %v", path, s.ID, err)
		}
		if last := s.Messages[len(s.Messages)-1].Content; !strings.Contains(text, strings.TrimLeft(last, "\n")) {
			t.Errorf("%s: sample %s: Qwen3: the last answer is not in its text", path, s.ID)
		}
		if broken := brokenRules(&row); broken != nil {
			t.Errorf("%s: sample %s: %v", path, s.ID, broken)
		}
		if !row.all(func(_ int, m map[string]any) bool { calls, _ := m["tool_calls"].([]any); return len(calls) < 2 }) {
			several++
		}
	})
	if t.Logf("%d samples, %d with several calls in a message: not for Llama-3.1", n, several); n < 10 {
		t.Errorf("only %d samples", n)
	}
}

func TestQwen3TemplateText(t *testing.T) {
	tmpl := readTemplate(t, "testdata/templates/qwen3.jinja")
	line, _ := hf.Append(nil, rich(t, &hf))
	row := rowFor(t, line)
	row.messages[2]["tool_calls"] = row.messages[2]["tool_calls"].([]any)[1:] // of the other the keys come sorted
	got, err := row.render(tmpl)
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ = strings.Cut(got, "</tool_call><|im_end|>\n") // behind what is told of tools
	want := "<|im_start|>user\n列出 \"files\"\n🙂<|im_end|>\n<|im_start|>assistant\n<think>\nfirst\nls\n</think>\n\n" +
		"<tool_call>\n{\"name\": \"sh\", \"arguments\": {\"cmd\": \"a\\nb\"}}\n</tool_call><|im_end|>\n" +
		"<|im_start|>user\n<tool_response>\n\n</tool_response>\n<tool_response>\n{\"error\":null}\n</tool_response><|im_end|>\n" +
		"<|im_start|>assistant\n<think>\n\n</think>\n\ndone\u2028.<|im_end|>\n"
	if got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// What the template cannot take fails here too: without that, rendering would
// prove nothing.
func TestQwen3TemplateRaises(t *testing.T) {
	tmpl := readTemplate(t, "testdata/templates/qwen3.jinja")
	for _, c := range []struct{ old, new string }{
		{`"content":"列出 \"files\"\n🙂"`, `"content":null`},
		{`"content":"done` + "\u2028" + `."`, `"content":null`},
		{`"reasoning_content":"first\nls"`, `"reasoning_content":["first"]`},
	} {
		line, _ := hf.Append(nil, rich(t, &hf))
		broken := strings.Replace(string(line), c.old, c.new, 1)
		row := rowFor(t, []byte(broken))
		if _, err := row.render(tmpl); err == nil || broken == string(line) {
			t.Errorf("%s in place of %s renders", c.new, c.old)
		}
	}
}

// templateRule is a condition without which a chat template raises.
type templateRule struct {
	template, rule string
	holds          func(*templateRow) bool
}

// templateRules are those of the templates published with Qwen3.5 and
// Llama-3.1-Instruct, as they stand there: in raise_exception, and in what
// Jinja cannot do with a value.
//
// One more of Llama-3.1 no record can meet: a message with several calls is
// refused, however it is written.
var templateRules = []templateRule{
	{"Qwen3.5", "there are messages", func(r *templateRow) bool { return len(r.messages) > 0 }},
	{"Qwen3.5", "a system message comes first", func(r *templateRow) bool {
		return r.all(func(i int, m map[string]any) bool { return m["role"] != "system" || i == 0 })
	}},
	{"Qwen3.5", "a user asks what is no tool response", func(r *templateRow) bool {
		return !r.all(func(_ int, m map[string]any) bool {
			text, _ := m["content"].(string)
			text = strings.TrimSpace(text)
			return m["role"] != "user" || strings.HasPrefix(text, "<tool_response>") && strings.HasSuffix(text, "</tool_response>")
		})
	}},
	{"Qwen3.5", "roles are known", func(r *templateRow) bool {
		return r.all(func(_ int, m map[string]any) bool {
			return slices.Contains([]any{"system", "user", "assistant", "tool"}, m["role"])
		})
	}},
	{"Qwen3.5", "content is text", textContent},
	{"Qwen3.5", "calls name their tool, and arguments are an object", wellFormedCalls},
	{"Llama-3.1", "content is text", textContent},
	{"Llama-3.1", "where there are tools, there is a message to put them in", func(r *templateRow) bool {
		return r.tools == nil || len(r.messages) > 1 || len(r.messages) == 1 && r.messages[0]["role"] != "system"
	}},
	{"Llama-3.1", "tools are there or absent, not empty", func(r *templateRow) bool { return r.tools == nil || len(r.tools) > 0 }},
	{"Llama-3.1", "tool_calls is there only where there are calls", func(r *templateRow) bool {
		return r.all(func(_ int, m map[string]any) bool {
			list, there := m["tool_calls"]
			calls, _ := list.([]any)
			return !there || len(calls) > 0
		})
	}},
	{"Llama-3.1", "calls name their tool, and arguments are an object", wellFormedCalls},
}

func (row *templateRow) all(holds func(i int, m map[string]any) bool) bool {
	for i, m := range row.messages {
		if !holds(i, m) {
			return false
		}
	}
	return true
}

func textContent(r *templateRow) bool {
	return r.all(func(_ int, m map[string]any) bool { _, ok := m["content"].(string); return ok })
}

func wellFormedCalls(r *templateRow) bool {
	return r.all(func(_ int, m map[string]any) bool {
		calls, _ := m["tool_calls"].([]any)
		for _, c := range calls {
			call, _ := c.(map[string]any)
			function, _ := call["function"].(map[string]any)
			name, _ := function["name"].(string)
			_, isObject := function["arguments"].(map[string]any)
			if name == "" || !isObject {
				return false
			}
		}
		return true
	})
}

// brokenRules lists the rules that a record breaks.
func brokenRules(row *templateRow) (broken []string) {
	for _, r := range templateRules {
		if !r.holds(row) {
			broken = append(broken, r.template+": "+r.rule)
		}
	}
	return broken
}

func TestTemplateRulesAreSeenBroken(t *testing.T) {
	const ask, answer = `{"role":"user","content":"q"}`, `{"role":"assistant","content":"a"}`
	for _, c := range []struct{ record, broken string }{
		{`{"messages":[` + ask + `,` + answer + `]}`, ""},
		{`{"messages":[]}`, "Qwen3.5: there are messages"},
		{`{"messages":[` + ask + `,{"role":"system","content":"s"}]}`, "Qwen3.5: a system message comes first"},
		{`{"messages":[{"role":"user","content":" <tool_response>x</tool_response>\n"}]}`, "Qwen3.5: a user asks what is no tool response"},
		{`{"messages":[` + ask + `,{"role":"developer","content":"s"}]}`, "Qwen3.5: roles are known"},
		{`{"messages":[` + ask + `,{"role":"assistant","content":null}]}`, "Qwen3.5: content is text"},
		{`{"messages":[` + ask + `,{"role":"assistant"}]}`, "Llama-3.1: content is text"},
		{`{"messages":[` + ask + `,{"role":"assistant","content":"","tool_calls":null}]}`, "Llama-3.1: tool_calls is there only where there are calls"},
		{`{"messages":[` + ask + `,{"role":"assistant","content":"","tool_calls":[]}]}`, "Llama-3.1: tool_calls is there only where there are calls"},
		{`{"messages":[` + ask + `,{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}]}`, "arguments are an object"},
		{`{"messages":[` + ask + `,{"role":"assistant","content":"","tool_calls":[{"function":{"arguments":{}}}]}]}`, "calls name their tool"},
		{`{"messages":[` + ask + `],"tools":"[]"}`, "Llama-3.1: tools are there or absent"},
		{`{"messages":[{"role":"system","content":"s"}],"tools":"[{}]"}`, "Llama-3.1: where there are tools"},
	} {
		row := rowFor(t, []byte(c.record))
		got := strings.Join(brokenRules(&row), "\n")
		if !strings.Contains(got, c.broken) || c.broken == "" && got != "" {
			t.Errorf("%s breaks %q, want %q", c.record, got, c.broken)
		}
	}
}
