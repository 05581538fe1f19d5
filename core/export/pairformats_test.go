package export

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// forkedWork is a pair with text, reasoning and calls on both sides.
func forkedWork(t *testing.T, e *Emitter) *Pair {
	t.Helper()
	side := func(answer chat.Message) *Sample {
		before := with(calls("1", "2"), func(m *chat.Message) { m.Reasoning, m.Content = "hm", "look:" })
		s := sampleOf(sys("s"), user("u"), before, result("2", "y\n"), result("1", ""), answer)
		s.Tools, _ = normalizeTools(toolsRecorded)
		s.complete()
		return s
	}
	p := &Pair{
		side(with(calls("3"), func(m *chat.Message) { m.Reasoning, m.ToolCalls[0].Arguments = "so", `{"n": 1.0}` })),
		side(says("done")),
	}
	for _, s := range p.sides() {
		e.ready(s, &Options{})
	}
	if found := e.CheckPair(p); len(found) > 0 {
		t.Fatal(e.Name, found)
	}
	return p
}

func TestPairRecords(t *testing.T) {
	const (
		list    = `"tools":[{"type":"function","function":{"name":"sh","parameters":{"type":"object"}}}]`
		ask     = `{"role":"system","content":"s"},{"role":"user","content":"u"}`
		work    = `{"role":"assistant","content":"look:","reasoning_content":"hm","tool_calls":[{"id":"1","type":"function","function":{"name":"sh","arguments":{"cmd": "ls"}}},{"id":"2","type":"function","function":{"name":"sh","arguments":{"cmd": "ls"}}}]}`
		results = `{"role":"tool","content":"","tool_call_id":"1"},{"role":"tool","content":"y\n","tool_call_id":"2"}`
		call    = `{"role":"assistant","content":"","reasoning_content":"so","tool_calls":[{"id":"3","type":"function","function":{"name":"sh","arguments":{"n": 1.0}}}]}`
		done    = `{"role":"assistant","content":"done"}`

		factoryWork = `{"from":"function_call","value":"<think>\nhm\n</think>\n\n[{\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls\"}}, {\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls\"}}]"}`
		factoryCall = `{"from":"function_call","value":"<think>\nso\n</think>\n\n{\"name\": \"sh\", \"arguments\": {\"n\": 1.0}}"}`
		swiftBefore = ask + `,{"role":"assistant","content":"<think>\nhm\n</think>\n\nlook:"},{"role":"tool_call","content":"{\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls\"}}"},{"role":"tool_call","content":"{\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls\"}}"},{"role":"tool_response","content":""},{"role":"tool_response","content":"y\n"}`
		swiftCall   = `{"role":"assistant","content":"<think>\nso\n</think>\n\n"},{"role":"tool_call","content":"{\"name\": \"sh\", \"arguments\": {\"n\": 1.0}}"}`
		textCall    = `"tool_calls":[{"id":"1","type":"function","function":{"name":"sh","arguments":"{\"cmd\": \"ls\"}"}},{"id":"2","type":"function","function":{"name":"sh","arguments":"{\"cmd\": \"ls\"}"}}]`
	)
	for name, want := range map[string]string{
		"dpo": `{"prompt":[` + ask + `,` + work + `,` + results + `],"chosen":[` + call + `],"rejected":[` + done + `],` + toolsText + `}`,
		"llamafactory-dpo": `{"conversations":[{"from":"human","value":"u"},` + factoryWork + `,{"from":"observation","value":"\n</tool_response>\n<tool_response>\ny\n"}],` +
			`"chosen":` + factoryCall + `,"rejected":{"from":"gpt","value":"done"},"system":"s",` + toolsText + `}`,
		"swift-dpo": `{"messages":[` + swiftBefore + `,` + swiftCall + `],"rejected_messages":[` + swiftBefore + `,` + done + `],` +
			strings.Replace(toolsText, "tools", "rejected_tools", 1) + `,` + toolsText + `}`,
		"twinkle-dpo": `{"positive":{"messages":[` + ask + `,` + work + `,` + results + `,` + call + `],` + list + `},"negative":{"messages":[` + ask + `,` + work + `,` + results + `,` + done + `],` + list + `}}`,
		"openai-dpo": `{"input":{"messages":[` + ask + `,{"role":"assistant","content":"look:",` + textCall + `},` + results + `],` + list + `,"parallel_tool_calls":true},` +
			`"preferred_output":[{"role":"assistant","content":"","tool_calls":[{"id":"3","type":"function","function":{"name":"sh","arguments":"{\"n\": 1.0}"}}]}],"non_preferred_output":[` + done + `]}`,
	} {
		e, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		line := string(e.pair.encode(nil, forkedWork(t, e)))
		if line != want+"\n" {
			t.Errorf("%s\n got %s\nwant %s", name, line, want)
		}
		if n, err := e.Validate(strings.NewReader(line + line)); n != 2 || err != nil {
			t.Errorf("%s: %d valid, %v", name, n, err)
		}
		if clean, found := lintAll(t, line, ""); clean.As != name || len(found) > 0 {
			t.Errorf("%s is read as %s: %v", name, clean.As, found)
		}
	}
}

func lintAll(t *testing.T, text, as string) (done Lint, found []LintFinding) {
	t.Helper()
	done, err := LintFile(t.Context(), strings.NewReader(text), Linting{As: as}, func(f LintFinding) { found = append(found, f) })
	if err != nil {
		t.Fatal(err)
	}
	return done, found
}

// What a format of pairs writes is read back as the same pair, up to what the
// format may lose of samples.
func TestPairsAreReadBack(t *testing.T) {
	lossy := map[string]change{
		"dpo": objectArguments, "twinkle-dpo": objectArguments,
		"openai-dpo":       func(rows []Message) { noReasoning(rows); noResultNames(rows) },
		"swift-dpo":        func(rows []Message) { trimmedArguments(rows); noResultNames(rows); noCallIDs(rows) },
		"llamafactory-dpo": func(rows []Message) { trimmedArguments(rows); noResultNames(rows); noCallIDs(rows) },
	}
	for _, e := range ofPairs() {
		p := forkedWork(t, &e)
		back, err := e.ReadPair([]byte(strings.TrimSuffix(string(e.pair.encode(nil, p)), "\n")))
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		for i, s := range p.sides() {
			want, got := wanted(whole(lossy[e.Name])(s)[0]), wanted(whole(lossy[e.Name])(back.sides()[i])[0])
			compare(t, e.Name, [][]same{want}, [][]same{got})
			if tools := back.sides()[i].Tools; tools != s.Tools {
				t.Errorf("%s: tools %s", e.Name, tools)
			}
			if !back.sides()[i].answer().Train || slices.ContainsFunc(back.sides()[i].prompt(), func(m Message) bool { return m.Train }) {
				t.Errorf("%s: not the answer alone is trained", e.Name)
			}
		}
	}
}

// Each change breaks one rule: the strict reader and the lint must see it.
func TestPairValidatorsRefuse(t *testing.T) {
	const ends = `{"role":"tool","content":"y\n","tool_call_id":"2"}`
	for _, c := range []struct {
		as, old, new string
		check        string // that the lint names
	}{
		{"dpo", `,"rejected":[`, `,"rejected":[{"role":"assistant","content":"x"},`, "pair"},
		{"dpo", `"chosen":[{"role":"assistant"`, `"chosen":[{"role":"user"`, "pair"},
		{"dpo", ends, ends + `,{"role":"assistant","content":"x"}`, "prompt_end"},
		{"dpo", `,` + ends, ``, "open_call"},
		{"dpo", `{"role":"user","content":"u"}`, `{"role":"assistant","content":"u"}`, "prompt"},
		{"dpo", `"content":"done"`, `"content":""`, "one_answer"},
		{"dpo", `"content":"done"`, `"content":"</think>"`, "unbalanced_tags"},
		{"dpo", `,"rejected":[{"role":"assistant","content":"done"}]`, `,"rejected":[{"role":"assistant","content":"","reasoning_content":"so","tool_calls":[{"id":"9","type":"function","function":{"name":"sh","arguments":{"n":1.0}}}]}]`, "same_answer"},
		{"dpo", `"tools":"[`, `"tools":"`, "pair"},
		{"llamafactory-dpo", `"rejected":{"from":"gpt"`, `"rejected":{"from":"human"`, "pair"},
		{"llamafactory-dpo", `{"from":"human","value":"u"},`, ``, "pair"},
		{"llamafactory-dpo", `,"system":"s"`, ``, ""},
		{"swift-dpo", `"rejected_messages":[{"role":"system","content":"s"}`, `"rejected_messages":[{"role":"system","content":"t"}`, "same_prompt"},
		{"swift-dpo", `"rejected_tools":"[{`, `"rejected_tools":"[]","x":"[{`, "same_tools"},
		{"swift-dpo", `{"role":"assistant","content":"done"}`, `{"role":"user","content":"done"}`, "pair"},
		{"twinkle-dpo", `"negative":{"messages":[`, `"negative":{"messages":[{"role":"system","content":"t"},`, "system"},
		{"openai-dpo", `,"parallel_tool_calls":true`, ``, ""},
		{"openai-dpo", `"name":"sh","arguments":"{\"n`, `"name":"s h","arguments":"{\"n`, "tool_name"},
		{"openai-dpo", `"arguments":"{\"n\": 1.0}"`, `"arguments":{"n":1.0}`, "arguments"},
	} {
		e, _ := Find(c.as)
		line := string(e.pair.encode(nil, forkedWork(t, e)))
		broken := strings.Replace(line, c.old, c.new, 1)
		if broken == line {
			t.Errorf("%s: no %s in %s", c.as, c.old, line)
			continue
		}
		if _, err := e.Validate(strings.NewReader(broken)); err == nil {
			t.Errorf("%s accepts %s in place of %s", c.as, c.new, c.old)
		}
		_, found := lintAll(t, broken, c.as)
		if c.check != "" && !slices.ContainsFunc(found, func(f LintFinding) bool { return f.Check == c.check }) {
			t.Errorf("%s: %s in place of %s: found %v, not %s", c.as, c.new, c.old, found, c.check)
		}
	}
}

// Reasoning alone makes no pair where the format has no reasoning, and text
// beside calls none where that has no place.
func TestSidesThatAreEqualAsWrittenAreLeftOut(t *testing.T) {
	thinks := func(thought string) chat.Message {
		return with(says("same"), func(m *chat.Message) { m.Reasoning = thought })
	}
	speaks := func(text string) chat.Message {
		return with(calls("1"), func(m *chat.Message) { m.Content = text })
	}
	for _, e := range ofPairs() {
		for what, sides := range map[string][2]chat.Message{"reasoning": {thinks("x"), thinks("y")}, "text": {speaks("x"), speaks("y")}} {
			l := &library{}
			l.add(nil, user("u"), sides[0])
			l.add(rejected, user("u"), sides[1])
			report := run(t, l, Options{As: e.Name, Check: true})
			addUp(t, &report)
			if none := e.Name == "openai-dpo" && what == "reasoning" || e.Name == "llamafactory-dpo" && what == "text"; none != (report.Written == 0) ||
				none && (report.LeftOut[0].Check != "same_answer" || report.LeftOut[0].Rejected == "") {
				t.Errorf("%s, %s: %d written, left out %v", e.Name, what, report.Written, report.LeftOut)
			}
		}
	}
}

// Pairs without tools have a file of their own where others have some, and tools
// that only one of two runs recorded are those of both.
func TestToolsOfPairs(t *testing.T) {
	other := func(_ *review.Segment, s *review.Session) { s.Tools = strings.Replace(toolsRecorded, "sh", "ls", 1) }
	l := &library{}
	l.add(nil, user("u"), says("a"))
	l.add(rejected, user("u"), says("b"))
	l.add(withTools, user("v"), says("a"))
	l.add(rejected, user("v"), says("b"))
	l.add(withTools, user("w"), says("a"))
	l.add(func(s *review.Segment, sess *review.Session) { rejected(s, sess); other(s, sess) }, user("w"), says("b"))
	for _, e := range ofPairs() {
		report := run(t, l, Options{As: e.Name, Path: filepath.Join(t.TempDir(), "out.jsonl")})
		addUp(t, &report)
		if report.Written != 2 || report.LeftOut[0].Check != "same_tools" {
			t.Errorf("%s: %d written, left out %v", e.Name, report.Written, report.LeftOut)
		}
		records := 0
		for _, f := range report.Files {
			if strings.HasSuffix(f.Path, ".jsonl") {
				records++
				if n, err := e.Validate(strings.NewReader(read(t, f.Path))); err != nil || n != f.Rows {
					t.Errorf("%s: %s: %d valid, %v", e.Name, f.Path, n, err)
				}
			}
		}
		if want := 2 - len(strings.Fields(map[bool]string{true: "uniform"}[len(e.lacks) == 0])); records != want {
			t.Errorf("%s: %d files, not %d", e.Name, records, want)
		}
	}
}
