package export

import (
	"encoding/json"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// agentWork is a sample with text, reasoning and two calls in one message, the
// results of which came in the other order.
func agentWork(t *testing.T, e *Emitter) *Sample {
	t.Helper()
	work := with(calls("1", "2"), func(m *chat.Message) { m.Reasoning, m.Content = "hm", "look:" })
	work.ToolCalls[1].Arguments = `{"n": 1.0, "s": "\u00e9 <b>"}`
	first := with(says("hello"), func(m *chat.Message) { m.Reasoning = "greet" })
	s := sampleOf(sys("s"), user("u"), first, user("v"), user("w"), work, result("2", "y\n"), result("1", ""), says("done"))
	s.Tools, _ = normalizeTools(toolsRecorded)
	if _, findings := e.Prepare(s); len(findings) > 0 {
		t.Fatal(findings)
	}
	return s
}

const toolsText = `"tools":"[{\"type\":\"function\",\"function\":{\"name\":\"sh\",\"parameters\":{\"type\":\"object\"}}}]"`

func TestTrainerRecords(t *testing.T) {
	const (
		list    = `"tools":[{"type":"function","function":{"name":"sh","parameters":{"type":"object"}}}]`
		work    = `{"role":"assistant","content":"look:","reasoning_content":"hm","tool_calls":[{"id":"1","type":"function","function":{"name":"sh","arguments":{"cmd": "ls"}}},{"id":"2","type":"function","function":{"name":"sh","arguments":{"n": 1.0, "s": "\u00e9 <b>"}}}]}`
		hello   = `{"role":"assistant","content":"hello","reasoning_content":"greet"}`
		results = `{"role":"tool","content":"","tool_call_id":"1"},{"role":"tool","content":"y\n","tool_call_id":"2"}`
		done    = `{"role":"assistant","content":"done"}`
		ask     = `{"role":"system","content":"s"},{"role":"user","content":"u"}`
		again   = `{"role":"user","content":"v"},{"role":"user","content":"w"}`
	)
	for _, c := range []struct {
		e    *Emitter
		mask []int // places of messages that are not trained
		want string
	}{
		{&llamafactory, nil, `{"conversations":[{"from":"human","value":"u"},{"from":"gpt","value":"<think>\ngreet\n</think>\n\nhello"},{"from":"human","value":"v\n\nw"},` +
			`{"from":"function_call","value":"<think>\nhm\n</think>\n\n[{\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls\"}}, {\"name\": \"sh\", \"arguments\": {\"n\": 1.0, \"s\": \"\\u00e9 <b>\"}}]"},` +
			`{"from":"observation","value":"\n</tool_response>\n<tool_response>\ny\n"},{"from":"gpt","value":"done"}],"system":"s",` + toolsText + `}`},
		{&swift, []int{2}, `{"messages":[` + ask + `,{"role":"assistant","content":"<think>\ngreet\n</think>\n\nhello","loss":false},` + again + `,` +
			`{"role":"assistant","content":"<think>\nhm\n</think>\n\nlook:","loss":true},{"role":"tool_call","content":"{\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls\"}}","loss":true},` +
			`{"role":"tool_call","content":"{\"name\": \"sh\", \"arguments\": {\"n\": 1.0, \"s\": \"\\u00e9 <b>\"}}","loss":true},` +
			`{"role":"tool_response","content":""},{"role":"tool_response","content":"y\n"},{"role":"assistant","content":"done","loss":true}],` + toolsText + `}`},
		{&twinkle, []int{2}, `{"messages":[` + ask + `,` + hello + `,` + again + `,` + work + `,` + results + `,` + done + `],` + list + `,"user_data":[["key_rounds","[5,8]"]]}`},
		{&steps, []int{5}, `{"prompt":[` + ask + `],"completion":[` + hello + `],` + toolsText + `}` + "\n" +
			`{"prompt":[` + ask + `,` + hello + `,` + again + `,` + work + `,` + results + `],"completion":[` + done + `],` + toolsText + `}`},
		{&kto, []int{8}, `{"prompt":[` + ask + `,` + hello + `,` + again + `],"completion":[` + work + `],"label":true,` + toolsText + `}`},
	} {
		s := agentWork(t, c.e)
		for _, place := range c.mask {
			s.Messages[place].Train = false
		}
		lines, rows := c.e.Append(nil, s)
		if want := c.want + "\n"; string(lines) != want || rows != strings.Count(want, "\n") {
			t.Errorf("%s: %d rows\n got %s\nwant %s", c.e.Name, rows, lines, want)
		}
		if n, err := c.e.Validate(strings.NewReader(string(lines))); err != nil || n != rows {
			t.Errorf("%s: %d valid, %v", c.e.Name, n, err)
		}
	}
}

// Each change breaks one rule of the format: the validator must see it.
func TestTrainerValidatorsRefuse(t *testing.T) {
	for _, c := range []struct {
		e        *Emitter
		old, new string
	}{
		{&llamafactory, `{"from":"human","value":"u"},`, ``},
		{&llamafactory, `{"from":"human","value":"u"},`, `{"from":"human","value":"u"},{"from":"human","value":"u"},`},
		{&llamafactory, `,{"from":"gpt","value":"done"}]`, `]`},
		{&llamafactory, `"from":"gpt"`, `"from":"assistant"`},
		{&llamafactory, `greet\n</think>\n\n`, `greet</think>`},
		{&llamafactory, `</tool_response>\n<tool_response>\n`, `</tool_response>\n\n<tool_response>\n`},
		{&llamafactory, `\n</tool_response>\n<tool_response>\n`, ``},
		{&llamafactory, `[{\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls\"}}, `, `[`},
		{&llamafactory, `{\"cmd\": \"ls\"}`, `\"ls\"`},
		{&llamafactory, `"system":"s",`, ``},
		{&llamafactory, `"system":"s"`, `"system":null`},
		{&llamafactory, toolsText, `"tools":[]`},
		{&llamafactory, toolsText, `"tools":""`},
		{&llamafactory, `"value":"done"`, `"value":""`},
		{&swift, `"tool_call","content":"{\"name\": \"sh\"`, `"tool_call","content":"{\"name\":\"sh\"`},
		{&swift, `"role":"tool_response"`, `"role":"tool"`},
		{&swift, `,"loss":true},{"role":"tool_call"`, `},{"role":"tool_call"`},
		{&swift, `"loss":true},{"role":"tool_call"`, `"loss":false},{"role":"tool_call"`},
		{&swift, `"loss":true`, `"loss":1.0`},
		{&swift, `"role":"user","content":"u"`, `"role":"user","content":"u","loss":false`},
		{&swift, toolsText, `"tools":[{"type":"function","function":{"name":"sh","parameters":{"type":"object"}}}]`},
		{&swift, `,{"role":"tool_response","content":""}`, ``},
		{&twinkle, `[2,5,8]`, `[2, 5, 8]`},
		{&twinkle, `[2,5,8]`, `[2,5,7]`},
		{&twinkle, `[2,5,8]`, `[]`},
		{&twinkle, `[["key_rounds","[2,5,8]"]]`, `[]`},
		{&twinkle, `[["key_rounds","[2,5,8]"]]`, `[["key_rounds",[2,5,8]]]`},
		{&twinkle, `"content":"done"`, `"content":"done","train":true`},
		{&steps, `"completion":[`, `"completion":[{"role":"user","content":"x"},`},
		{&steps, `"prompt":[{"role":"system","content":"s"},{"role":"user","content":"u"}]`, `"prompt":[]`},
		{&steps, `"prompt":[{"role":"system","content":"s"},{"role":"user","content":"u"}]`, `"prompt":[{"role":"system","content":"s"}]`},
		{&steps, `,"tool_call_id":"1"`, `,"tool_call_id":"3"`},
		{&kto, `"label":true`, `"label":"true"`},
		{&kto, `,"label":true`, ``},
		{&sft, `,"topic":""`, ``},
		{&sft, `"role":"tool",`, `"role":"tool","tool_call_id":"1",`},
		{&sft, `\n\n<tool_call>`, `\n<tool_call>`},
		{&sft, `</function>\n`, `</function>`},
		{&sft, `<parameter=n>\n1.0\n</parameter>`, `<parameter=n>1.0</parameter>`},
		{&openai, `"parallel_tool_calls":true`, `"parallel_tool_calls":false`},
		{&openai, `,"parallel_tool_calls":true`, ``},
	} {
		line, _ := c.e.Append(nil, agentWork(t, c.e))
		broken := strings.Replace(string(line), c.old, c.new, 1)
		if broken == string(line) {
			t.Errorf("%s: no %s in %s", c.e.Name, c.old, line)
		} else if _, err := c.e.Validate(strings.NewReader(broken)); err == nil {
			t.Errorf("%s accepts %s in place of %s", c.e.Name, c.new, c.old)
		}
	}
}

// ms-swift takes the loss of a turn from its first message.
func TestSwiftCarriesTheMaskOfATurnThatBeginsWithACall(t *testing.T) {
	s := sampleOf(user("u"), calls("1"), result("1", "x"), says("a"))
	s.Messages[1].Train = false
	line, _ := swift.Append(nil, s)
	want := `{"role":"user","content":"u"},{"role":"assistant","content":"","loss":false},{"role":"tool_call","content":"{\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls\"}}","loss":false}`
	if !strings.Contains(string(line), want) {
		t.Errorf("%s", line)
	}
	if _, err := swift.Validate(strings.NewReader(string(line))); err != nil {
		t.Error(err)
	}
	s.Messages[1].Train = true
	if line, _ := swift.Append(nil, s); strings.Contains(string(line), `"content":""`) {
		t.Errorf("an empty message where none is needed: %s", line)
	}
}

// A conversion drops nothing: what is broken stays readable.
func TestBareCallsAreAlwaysJSON(t *testing.T) {
	for arguments, want := range map[string]string{
		" {\"a\": 1.0}\n": `{"name": "sh", "arguments": {"a": 1.0}}`, "{not json": `{"name": "sh", "arguments": "{not json"}`, "": `{"name": "sh", "arguments": ""}`,
	} {
		if got := string(appendBareCall(nil, &chat.ToolCall{Name: "sh", Arguments: arguments})); got != want {
			t.Errorf("%q: %s", arguments, got)
		}
	}
}

func TestLLaMAFactoryAlternates(t *testing.T) {
	type m = []chat.Message
	for _, c := range []struct {
		name, repairs, findings string
		messages                m
	}{
		{"plain", "", "", m{user("u"), says("a")}},
		{"users in a row", "alternation:1", "", m{user("u"), user("v"), says("a")}},
		{"text beside a call", "text_beside_call:2", "", m{user("u"), with(calls("1"), func(m *chat.Message) { m.Content = "I look" }), result("1", "x"), says("a")}},
		{"an answer first", "", "alternation:1", m{says("hi"), user("u"), says("a")}},
		{"a user who speaks before the answer", "", "alternation:4", m{user("u"), calls("1"), result("1", "x"), user("stop"), says("a")}},
		{"calls without text", "", "", m{user("u"), calls("1", "2"), result("1", "x"), result("2", "y"), calls("3"), result("3", "z"), says("a")}},
		{"results in another order", "result_order:2", "", m{user("u"), calls("1", "2"), result("2", "x"), result("1", "y"), says("a")}},
	} {
		s := sampleOf(c.messages...)
		repairs, findings := llamafactory.Prepare(s)
		if names(repairs) != c.repairs || names(findings) != c.findings {
			t.Errorf("%s: repairs %q, findings %q", c.name, names(repairs), names(findings))
		}
		if again, _ := llamafactory.Prepare(s); len(again) > 0 {
			t.Errorf("%s: repaired twice: %v", c.name, again)
		}
	}
}

// LLaMA-Factory reads a column that the description names in every row.
func TestLLaMAFactoryRowsHaveAllColumns(t *testing.T) {
	line, _ := llamafactory.Append(nil, sampleOf(user("u"), says("a")))
	if want := `{"conversations":[{"from":"human","value":"u"},{"from":"gpt","value":"a"}],"system":"","tools":"[]"}` + "\n"; string(line) != want {
		t.Errorf("%s", line)
	}
}

func TestDatasetInfo(t *testing.T) {
	files := llamafactory.beside([]File{{Path: "win\"now.v1.jsonl"}, {Path: "data/train-00000-of-00002.jsonl.gz"}})
	if len(files) != 1 || files[0].Name != "dataset_info.json" {
		t.Fatalf("%+v", files)
	}
	var info map[string]struct {
		File    string            `json:"file_name"`
		Format  string            `json:"formatting"`
		Columns map[string]string `json:"columns"`
		Tags    map[string]string `json:"tags"`
	}
	if err := json.Unmarshal(files[0].Data, &info); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{`win"now.v1`: `win"now.v1.jsonl`, "train-00000-of-00002": "data/train-00000-of-00002.jsonl.gz"} {
		d := info[name]
		if d.File != file || d.Format != "sharegpt" || d.Columns["messages"] != "conversations" || d.Columns["system"] != "system" || d.Columns["tools"] != "tools" ||
			d.Tags["user_tag"] != factoryHuman || d.Tags["assistant_tag"] != factoryModel || d.Tags["function_tag"] != factoryCall || d.Tags["observation_tag"] != factoryResult {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// What the curator rejected is what a model should not write; what changed
// since keeps the verdict it had.
func TestKTOLabels(t *testing.T) {
	for _, c := range []struct {
		seg  review.Segment
		want string
	}{
		{review.Segment{Verdict: review.Approved}, `"label":true`},
		{review.Segment{Verdict: review.Rejected}, `"label":false`},
		{review.Segment{Verdict: review.Pending, Stale: true, Was: review.Rejected}, `"label":false`},
		{review.Segment{Verdict: review.Pending, Stale: true, Was: review.Approved}, `"label":true`},
	} {
		s := New(&c.seg, &review.Session{}, []chat.Message{user("u"), says("a")})
		if line, _ := kto.Append(nil, s); !strings.Contains(string(line), c.want) {
			t.Errorf("%+v: %s", c.seg, line)
		}
	}
}

func TestStepsNeedAUserBefore(t *testing.T) {
	s := sampleOf(says("welcome"), user("u"), says("a"))
	if repairs, findings := steps.Prepare(s); len(findings) > 0 || names(repairs) != "unasked:1" {
		t.Fatal(repairs, findings)
	}
	if repairs, _ := steps.Prepare(sampleOf(user("u"), says("a"), user("v"), says("b"))); len(repairs) > 0 {
		t.Error(repairs)
	}
	if lines, rows := steps.Append(nil, s); rows != 1 || !strings.HasPrefix(string(lines), `{"prompt":[{"role":"assistant","content":"welcome"},{"role":"user"`) {
		t.Errorf("%s", lines)
	}
	_, findings := kto.Prepare(sampleOf(says("welcome"), user("u")))
	if got := names(findings); got != "no_user:0 prompt:0" {
		t.Errorf("%q", got)
	}
}

// The size of the rows of a sample grows with the square of its length.
func TestStepsBoundTheirSize(t *testing.T) {
	messages := []chat.Message{user(strings.Repeat("x", 1<<20))}
	for range mostOfSteps >> 20 {
		messages = append(messages, says("a"), user("b"))
	}
	if _, findings := steps.Prepare(sampleOf(append(messages, says("c"))...)); names(findings) != "steps_size:0" {
		t.Errorf("%v", findings)
	}
	if _, findings := kto.Prepare(sampleOf(append(messages, says("c"))...)); len(findings) > 0 {
		t.Errorf("kto: %v", findings)
	}
}

// Tags that a format writes around its parts must not stand in its texts.
func TestTextFormatsRefuseTheirTags(t *testing.T) {
	for _, e := range []*Emitter{&sft, &llamafactory, &swift} {
		for name, messages := range map[string][]chat.Message{
			"a call in the text":     {user("u"), says("a <tool_call>{}</tool_call>")},
			"thoughts in the text":   {user("u"), says("a <think>b</think>")},
			"a border in a result":   {user("u"), calls("1"), result("1", "x"+factoryBorder+"y"), says("a")},
			"an end in the thoughts": {user("u"), with(says("a"), func(m *chat.Message) { m.Reasoning = "r\n<think></think>\n\n" })},
		} {
			if _, findings := e.Prepare(sampleOf(messages...)); !strings.Contains(names(findings), "reserved_tags") {
				t.Errorf("%s: %s: %v", e.Name, name, findings)
			}
		}
	}
}

// One name that the service does not take, and it refuses the whole file.
func TestOpenAIRefusesNamesOfTools(t *testing.T) {
	for name, want := range map[string]bool{
		"sh": true, "mcp__server-1__Tool": true, strings.Repeat("a", 64): true,
		strings.Repeat("a", 65): false, "mcp.server": false, "a b": false, "a/b": false, "größe": false,
	} {
		called := sampleOf(user("u"), with(calls("1"), func(m *chat.Message) { m.ToolCalls[0].Name = name }), result("1", "ok"), says("a"))
		known := sampleOf(user("u"), says("a"))
		known.Tools, _ = normalizeTools(`[{"name":"sh"},{"name":"` + name + `"}]`)
		for what, s := range map[string]*Sample{"a call": called, "a tool": known} {
			_, found := openai.Prepare(s)
			if ok := len(found) == 0; ok != want || !ok && found[0].Check != "tool_name" {
				t.Errorf("%s of %q: %+v", what, name, found)
			}
		}
	}
}

// What is trained is the completions, whatever else would be.
func TestTrainedAreTheCompletions(t *testing.T) {
	l := &library{}
	l.add(nil, says("hello"), user("u"), calls("1"), result("1", "ok"), says("a"), user("v"), says("b"))
	for as, want := range map[string][2]int{"hf": {4, 1}, "steps": {3, 3}, "kto": {1, 1}} {
		if r := run(t, l, Options{Check: true, As: as}); r.Trained != want[0] || r.Rows != want[1] {
			t.Errorf("%s: %d trained in %d rows", as, r.Trained, r.Rows)
		}
	}
}
