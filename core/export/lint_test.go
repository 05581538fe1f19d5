package export

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Each record breaks one rule; the finding names it and the message.
func TestLint(t *testing.T) {
	const good = `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`
	call := func(arguments string) string {
		return `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"sh","arguments":` +
			arguments + `}}]},{"role":"tool","tool_call_id":"1","content":"x"},{"role":"assistant","content":"a"}]}`
	}
	for _, c := range []struct{ name, as, file, want string }{
		{"good", "", good, ""},
		{"object arguments", "", call(`{"a":1}`), ""},
		{"text arguments", "", call(`"{}"`), ""},
		{"key order", "hf", `{"messages":[{"content":"q","role":"user"},{"content":"a","role":"assistant"}]}`, ""},
		{"no object", "", good + "\n[1]", "2 json 0"},
		{"a document", "", "[\n" + good + "\n]", "1 json 0"},
		{"broken", "", good + "\n{", "2 json 0"},
		{"empty line", "", good + "\n\n" + good, "2 json 0"},
		{"duplicate key", "", `{"messages":[],"messages":[]}`, "1 json 0"},
		{"null", "", `{"messages":[{"role":"user","content":"q","name":null},{"role":"assistant","content":"a"}]}`, "1 null 1"},
		{"empty list", "", `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","tool_calls":[]}]}`, "1 empty_list 2"},
		{"null tools", "", strings.Replace(good, `{"m`, `{"tools":null,"m`, 1), "1 null 0"},
		{"content parts", "", `{"messages":[{"role":"user","content":[{"type":"text","text":"q"}]},{"role":"assistant","content":"a"}]}`, "1 content 1"},
		{"reserved columns", "", strings.Replace(good, `{"m`, `{"text":"x","m`, 1), "1 columns 0"},
		{"tools in some rows only", "", good + "\n" + strings.Replace(good, `{"m`, `{"tools":"[]","m`, 1), ""},
		{"tools as a list", "hf", strings.Replace(good, `{"m`, `{"tools":[{"type":"function","function":{"name":"sh"}}],"m`, 1), "1 type 0"},
		{"tools as text", "openai", strings.Replace(good, `{"m`, `{"tools":"[]","m`, 1), "1 type 0"},
		{"provenance as an object", "hf", strings.Replace(good, `{"m`, `{"provenance":{},"m`, 1), "1 type 0"},
		{"a mark that is text", "hf", strings.Replace(good, `"a"`, `"a","train":"true"`, 1), "1 type 2"},
		{"a mark on a question", "hf", strings.Replace(good, `"q"`, `"q","train":true`, 1), "1 marks 1"},
		{"no mark on a question", "hf", strings.Replace(good, `"q"`, `"q","train":false`, 1), ""},
		{"a trained summary", "hf", strings.Replace(good, `"a"`, `"[CONTEXT SUMMARY]: a"`, 1), "1 summary 2,1 no_assistant 0"},
		{"a summary that is not trained", "hf", strings.Replace(good, `"a"`, `"[CONTEXT SUMMARY]: a","train":false`, 1) + "\n" + strings.Replace(good, `"q"`, `"[CONTEXT SUMMARY]: q"`, 1), "1 no_assistant 0"},
		{"a summary of the model", "sharegpt", `{"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "[CONTEXT SUMMARY]: a"}], "tools": "[]", "source": ""}`, "1 summary 2"},
		{"a weight of two", "openai", strings.Replace(good, `"a"`, `"a","weight":2`, 1), "1 type 2"},
		{"other columns", "openai", good + "\n" + strings.Replace(good, `{"m`, `{"id":"x","m`, 1), "2 columns 0"},
		{"text where objects belong", "hf", call(`"{}"`), "1 arguments 2"},
		{"object where text belongs", "openai", call(`{}`), "1 arguments 2"},
		{"list as arguments", "hf", call(`[1]`), "1 arguments 2,1 arguments 2"},
		{"unanswered", "", strings.Replace(call("{}"), `{"role":"tool","tool_call_id":"1","content":"x"},`, "", 1), "1 unanswered_call 2"},
		{"orphan", "", strings.Replace(call("{}"), `"tool_call_id":"1"`, `"tool_call_id":"2"`, 1), "1 unanswered_call 2,1 orphan_result 3"},
		{"ends with a question", "", `{"messages":[{"role":"user","content":"q"}]}`, "1 ending 1,1 no_assistant 0"},
		{"late system", "", `{"messages":[{"role":"user","content":"q"},{"role":"system","content":"s"},{"role":"assistant","content":"a"}]}`, "1 system 2"},
		{"open think", "", `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a <think>b"}]}`, "1 unbalanced_tags 2,1 reserved_tags 2"},
		{"no messages", "", `{"messages":[]}`, "1 empty_list 0,1 messages 0"},
	} {
		var got []string
		done, err := LintFile(t.Context(), strings.NewReader(c.file), Linting{As: c.as}, func(f LintFinding) {
			got = append(got, strings.Join([]string{strconv.Itoa(f.Line), f.Check, strconv.Itoa(f.Message)}, " "))
		})
		if list := strings.Join(got, ","); err != nil || list != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, list, err, c.want)
		}
		if len(got) == 0 && done.Clean != done.Rows {
			t.Errorf("%s: %+v without findings", c.name, done)
		}
	}
}

// What an export writes has nothing to find, in any format.
func TestLintFindsNothingInOwnFiles(t *testing.T) {
	for i := range ofSamples() {
		e := &ofSamples()[i]
		lines, rows := e.Append(nil, rich(t, e))
		for _, as := range []string{"", e.Name} {
			done, err := LintFile(t.Context(), strings.NewReader(string(lines)), Linting{As: as}, func(f LintFinding) { t.Errorf("%s: %+v", e.Name, f) })
			if err != nil || done.Rows != rows {
				t.Errorf("%s: %+v, %v", e.Name, done, err)
			}
		}
	}
}

func TestLintNamesUnknownFormats(t *testing.T) {
	if _, err := LintFile(t.Context(), strings.NewReader(""), Linting{As: "nope"}, nil); err == nil || !strings.Contains(err.Error(), "hf") {
		t.Errorf("%v", err)
	}
}

func FuzzLint(f *testing.F) {
	f.Add([]byte(`{"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"function":{}}]}]}`))
	f.Add([]byte(`{"conversations":[{"from":"human","value":1}]}` + "\n\xff"))
	f.Fuzz(func(t *testing.T, file []byte) {
		var lines []int
		done, err := LintFile(t.Context(), strings.NewReader(string(file)), Linting{}, func(f LintFinding) { lines = append(lines, f.Line) })
		if err != nil || !slices.IsSorted(lines) || done.Clean > done.Rows {
			t.Fatalf("%+v, %v", done, err)
		}
	})
}
