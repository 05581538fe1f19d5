package session_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

const codexMeta = `{"timestamp":"t0","type":"session_meta","payload":{"id":"S","timestamp":"t0","cwd":"/w"}}`

// cxItem and cxEvent are lines of Codex with the fields of a payload.
func cxItem(fields string) string {
	return `{"timestamp":"t","type":"response_item","payload":{` + fields + `}}`
}

func cxEvent(fields string) string {
	return `{"timestamp":"t","type":"event_msg","payload":{` + fields + `}}`
}

func cxSays(role, text string) string {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return cxItem(`"type":"message","role":"` + role + `","content":[{"type":"` + kind + `","text":"` + text + `"}]`)
}

func cxCall(id string) string {
	return cxItem(`"type":"function_call","name":"sh","arguments":"{}","call_id":"` + id + `"`)
}

func cxResult(id string) string {
	return cxItem(`"type":"function_call_output","call_id":"` + id + `","output":"r"`)
}

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// TestCodex has one case per rule on what the lines of Codex give.
func TestCodex(t *testing.T) {
	go1 := cxEvent(`"type":"user_message","message":"go"`)
	thinks := cxItem(`"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"x"`)
	hidden := cxItem(`"type":"reasoning","summary":[],"encrypted_content":"x"`)
	hm := cxEvent(`"type":"agent_reasoning","text":"hm"`)
	call := func(id string) told { return told{role: chat.Assistant, calls: id + "/sh/{}"} }
	result := tool("sh", "r")
	for _, c := range []ruleCase{
		{"the item of a prompt before its event", lines(cxSays("user", "go"), go1), []told{user("go")}, session.Counts{Read: 1, Skipped: 1}, []string{"skipped: codex event: user_message"}},
		{"the event of a prompt before its item", lines(go1, cxSays("user", "go")), []told{user("go")}, session.Counts{Read: 1, Skipped: 1}, []string{"skipped: told by an event before"}},
		{"a prompt said twice is there twice", lines(go1, cxSays("user", "go"), cxSays("user", "go")), []told{user("go"), user("go")}, session.Counts{Read: 2, Skipped: 1}, []string{"skipped: told by an event before"}},
		{"an item with more than text wins over its event", lines(go1, cxItem(`"type":"message","role":"user","content":[{"type":"input_text","text":"go"},{"type":"input_image","image_url":"x"}]`)),
			[]told{{role: chat.User, content: "go\n[image]", marks: chat.MarkImage}}, session.Counts{Read: 1, Skipped: 1}, []string{"skipped: told by an event before"}},
		{"only events", lines(go1, hm, cxEvent(`"type":"agent_message","message":"done"`)), []told{user("go"), {role: chat.Assistant, content: "done", reasoning: "hm"}}, session.Counts{Read: 3}, nil},
		{"a developer is the system", lines(cxSays("developer", "d"), cxSays("system", "s")), []told{{role: chat.System, content: "d"}, {role: chat.System, content: "s"}}, session.Counts{Read: 2}, nil},
		{"unknown role", lines(cxSays("judge", "x")), nil, session.Counts{Bad: 1}, []string{`bad: unknown role "judge"`}},
		{"an answer goes up to the first result", lines(thinks, cxSays("assistant", "one"), cxCall("1"), cxCall("2"), cxResult("2"), cxResult("1"), cxCall("3")),
			[]told{{role: chat.Assistant, content: "one", reasoning: "hm", calls: "1/sh/{} 2/sh/{}"}, result, result, call("3")}, session.Counts{Read: 7}, nil},
		{"a prompt ends an answer", lines(cxCall("1"), cxSays("user", "stop"), cxCall("2")), []told{call("1"), user("stop"), call("2")}, session.Counts{Read: 3}, nil},
		{"a turn ends an answer", lines(cxSays("assistant", "a"), cxEvent(`"type":"task_started"`), cxSays("assistant", "b")), []told{assistant("a"), assistant("b")},
			session.Counts{Read: 2, Skipped: 1}, []string{"skipped: codex event: task_started"}},
		{"reasoning told before its item", lines(hm, thinks, cxCall("1")), []told{{role: chat.Assistant, reasoning: "hm", calls: "1/sh/{}"}}, session.Counts{Read: 2, Skipped: 1}, []string{"skipped: told by an event before"}},
		{"reasoning told behind its item", lines(thinks, hm, cxCall("1")), []told{{role: chat.Assistant, reasoning: "hm", calls: "1/sh/{}"}}, session.Counts{Read: 2, Skipped: 1}, []string{"skipped: codex event: agent_reasoning"}},
		{"reasoning told in sections behind its item", lines(cxItem(`"type":"reasoning","summary":[{"text":"a"},{"text":"b"}]`), cxEvent(`"type":"agent_reasoning","text":"a"`), cxEvent(`"type":"agent_reasoning","text":"b"`)),
			[]told{{role: chat.Assistant, reasoning: "a\n\nb"}}, session.Counts{Read: 1, Skipped: 2}, []string{"skipped: codex event: agent_reasoning", "skipped: codex event: agent_reasoning"}},
		{"reasoning that only an event tells", lines(hidden, cxEvent(`"type":"agent_reasoning_raw_content","text":"hm"`), cxCall("1")), []told{{role: chat.Assistant, reasoning: "hm", calls: "1/sh/{}"}},
			session.Counts{Read: 2, Skipped: 1}, []string{"skipped: encrypted reasoning"}},
		{"reasoning that can be read", lines(cxItem(`"type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"content":[{"type":"reasoning_text","text":"c"}]`)),
			[]told{{role: chat.Assistant, reasoning: "a\n\nb\n\nc"}}, session.Counts{Read: 1}, nil},
		{"the input of a custom tool", lines(cxItem(`"type":"custom_tool_call","call_id":"1","name":"patch","input":"*** \"x\"\n"`), cxItem(`"type":"custom_tool_call_output","call_id":"1","output":"ok"`)),
			[]told{{role: chat.Assistant, calls: `1/patch/{"input":"*** \"x\"\n"}`}, tool("patch", "ok")}, session.Counts{Read: 2}, nil},
		{"a call without a name stays as text", lines(cxItem(`"type":"function_call","call_id":"1"`)), []told{{role: chat.Assistant, content: `{"type":"function_call","call_id":"1"}`, marks: chat.MarkMalformedCall}},
			session.Counts{Read: 1}, []string{"note: malformed tool call, kept as text"}},
		{"a result in a list or an object", lines(cxItem(`"type":"function_call_output","call_id":"1","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"x"}]`),
			cxItem(`"type":"function_call_output","call_id":"2","output":{"content":"b","success":true}`), cxItem(`"type":"function_call_output","call_id":"3","output":{"stdout":"c"}`), cxItem(`"type":"function_call_output","call_id":"4","output":null`)),
			[]told{{role: chat.Tool, content: "a\n[image]", marks: chat.MarkImage}, tool("", "b"), tool("", `{"stdout":"c"}`), tool("", "")}, session.Counts{Read: 4}, nil},
		{"a compaction is a marked system message", lines(`{"type":"compacted","payload":{"message":"so far","replacement_history":[{"type":"message","role":"user","content":"go"}]}}`, `{"type":"compacted","payload":{"message":""}}`),
			[]told{{role: chat.System, content: "so far", marks: chat.MarkCompaction}, {role: chat.System, content: "[compaction]", marks: chat.MarkCompaction}}, session.Counts{Read: 2}, nil},
		{"an early file", lines(`{"id":"S","timestamp":"t0","instructions":null}`, `{"record_type":"state"}`, `{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`,
			`{"type":"function_call","name":"sh","arguments":"{}","call_id":"1"}`, `{"type":"function_call_output","call_id":"1","output":"r"}`), []told{user("go"), call("1"), result},
			session.Counts{Read: 4, Skipped: 1}, []string{"skipped: codex line: state"}},
		{"unknown things are named", lines(codexMeta, `{"type":"weather","payload":{}}`, cxItem(`"type":"dance"`), cxEvent(`"type":"applause"`), cxEvent(`"x":1`)), nil, session.Counts{Read: 1, Skipped: 4},
			[]string{"skipped: codex line: weather", "skipped: codex item: dance", "skipped: codex event: applause", "skipped: codex event without a type"}},
	} {
		c.run(t)
	}
}

// TestCodexGoesBack: prompts that were taken back are a branch, with all that
// followed them. Messages that Codex writes in the user's name are no prompts.
func TestCodexGoesBack(t *testing.T) {
	back := func(n int) string { return cxEvent(fmt.Sprintf(`"type":"thread_rolled_back","num_turns":%d`, n)) }
	src := lines(codexMeta, cxSays("user", "<environment_context>x"), cxSays("user", "one"), cxSays("assistant", "1"), cxSays("user", "two"), cxSays("assistant", "2"),
		cxSays("user", "<turn_aborted>"), back(1), cxSays("user", "three"), cxSays("assistant", "3"), back(1), back(1), cxSays("user", "four"), back(7), cxSays("user", "five"))
	rec, res := readAll(t, []byte(src), "")
	for key, want := range map[string]string{"": "<environment_context>x|five", "b=S#L13": "four", "b=S#L5": "two|2|<turn_aborted>", "b=S#L9": "three|3", "b=S#L3": "one|1"} {
		if got := textsIn(rec, key); got != want {
			t.Errorf("session %q has %s, want %s", key, got, want)
		}
	}
	if o := rec.others["b=S#L5"].meta.Origin; o != (session.Origin{Kind: session.Branch, Key: "b=S#L3", At: 2}) {
		t.Errorf("the first branch comes from %+v", o)
	}
	if res.State.Counts.Skipped != 0 {
		t.Errorf("%+v", rec.issues)
	}
	for end := 0; end < len(src); end += slower {
		samePieces(t, []byte(src), []int{end})
	}
}

// textsIn joins the texts of a session's messages.
func textsIn(rec *record, key string) string {
	var all []string
	_, msgs := rec.session(key)
	for _, m := range *msgs {
		all = append(all, m.Content)
	}
	return strings.Join(all, "|")
}

// TestCodexMeta: what is known of a session comes from its own metadata, not
// from what it was forked from, and changes from turn to turn.
func TestCodexMeta(t *testing.T) {
	parent := strings.Replace(codexMeta, `"id":"S"`, `"id":"P","model":"old"`, 1)
	src := lines(`{"type":"session_meta","payload":{"id":"S","timestamp":"t0","cwd":"/w","forked_from_id":"P","dynamic_tools":[{"name":"n"}]}}`, parent,
		`{"type":"turn_context","payload":{"model":"m1","cwd":"/v"}}`, cxSays("assistant", "a"), `{"type":"turn_context","payload":{"model":"m2"}}`, cxSays("user", "u"), cxSays("assistant", "b"),
		cxEvent(`"type":"thread_name_updated","thread_name":"T"`))
	rec, _ := readAll(t, []byte(src), "")
	m := rec.meta
	if m.NativeID != "S" || m.Started != "t0" || m.Dir != "/v" || m.Model != "m2" || m.Title != "T" || m.Tools != `[{"name":"n"}]` || m.Extra != `{"forked_from_id":"P"}` {
		t.Errorf("%+v", m)
	}
	if m.Origin != (session.Origin{Kind: session.Continuation, NativeID: "P"}) {
		t.Errorf("origin %+v", m.Origin)
	}
	if rec.msgs[0].Model != "m1" || rec.msgs[1].Model != "" || rec.msgs[2].Model != "m2" {
		t.Errorf("models %+v", rec.msgs)
	}
}

// TestCodexOrigin: an agent's session names the one that started it.
func TestCodexOrigin(t *testing.T) {
	spawn := `"source":{"subagent":{"thread_spawn":{"depth":1,"parent_thread_id":"P"}}}`
	for fields, want := range map[string]session.Origin{
		spawn:                           {Kind: session.Subagent, NativeID: "P"},
		spawn + `,"forked_from_id":"P"`: {Kind: session.Subagent, NativeID: "P"},
		`"source":{"subagent":"review"},"parent_thread_id":"P"`: {Kind: session.Subagent, NativeID: "P"},
		`"parent_thread_id":"P"`:                                {Kind: session.Subagent, NativeID: "P"},
		`"forked_from_id":"P"`:                                  {Kind: session.Continuation, NativeID: "P"},
		`"source":"cli"`:                                        {},
		`"source":{"thread_spawn":{"parent_thread_id":"P"}}`:    {},
	} {
		rec, _ := readAll(t, []byte(lines(`{"type":"session_meta","payload":{"id":"S",`+fields+`}}`)), "")
		if rec.meta.Origin != want {
			t.Errorf("%s: %+v, want %+v", fields, rec.meta.Origin, want)
		}
	}
}

// TestCodexUsage: counts of the whole session come again and again, and begin
// anew at times.
func TestCodexUsage(t *testing.T) {
	total := func(in, cached, out int) string {
		return cxEvent(fmt.Sprintf(`"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":%d},"last_token_usage":{"input_tokens":1}}`, in, cached, out))
	}
	src := lines(codexMeta, total(10, 4, 2), total(10, 4, 2), total(25, 9, 5), cxEvent(`"type":"token_count","info":null`), total(7, 0, 1), total(-3, 0, 1))
	rec, res := readAll(t, []byte(src), "")
	if rec.meta.Usage != (session.Usage{Input: 32, Output: 7, Cached: 9}) {
		t.Errorf("%+v %+v", rec.meta.Usage, rec.issues)
	}
	if c := res.State.Counts; c.Skipped != 2 {
		t.Errorf("%+v %+v", c, rec.issues)
	}
	for end := 0; end < len(src); end += slower {
		samePieces(t, []byte(src), []int{end})
	}
}

// TestCodexCompleted: how the last turn ended says how the session did.
func TestCodexCompleted(t *testing.T) {
	aborted, failed := cxEvent(`"type":"turn_aborted","reason":"interrupted"`), cxEvent(`"type":"error","message":"limit"`)
	done := cxEvent(`"type":"task_complete","last_agent_message":"x"`)
	for want, srcs := range map[string][]string{
		"unknown": {lines(cxSays("assistant", "a")), lines(cxEvent(`"type":"task_complete","last_agent_message":null`))},
		"true":    {lines(done), lines(aborted, done), lines(aborted, cxSays("assistant", "a"))},
		"false":   {lines(aborted), lines(done, failed), lines(cxEvent(`"type":"task_complete","last_agent_message":"x","error":{"message":"m"}`)), lines(aborted, cxSays("user", "u"))},
	} {
		for _, src := range srcs {
			rec, _ := readAll(t, []byte(codexMeta+"\n"+src), "")
			got := "unknown"
			if c := rec.meta.Completed; c != nil {
				got = fmt.Sprint(*c)
			}
			if got != want {
				t.Errorf("completed %s, want %s:\n%s", got, want, src)
			}
		}
	}
}

// TestCodexChild: the result that tells of a new agent leads to its session.
func TestCodexChild(t *testing.T) {
	for output, want := range map[string]string{
		`"{\"agent_id\":\"A\",\"nickname\":\"n\"}"`: "A", `"{\"agent_id\":\"A\\\"\"}"`: "", `"{\"agent_id\":\""`: "", `"agent_id"`: "",
	} {
		rec, _ := readAll(t, []byte(lines(codexMeta, cxCall("1"), cxItem(`"type":"function_call_output","call_id":"1","output":`+output))), "")
		if got := rec.msgs[1].Child; got != want {
			t.Errorf("%s: child %q, want %q", output, got, want)
		}
	}
}

// FuzzCodex puts anything where Codex puts the fields of an item and of an
// event.
func FuzzCodex(f *testing.F) {
	f.Add(`"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]`, `"type":"user_message","message":"go"`, uint16(90))
	f.Add(`"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]`, `"type":"agent_reasoning","text":"hm"`, uint16(200))
	f.Add(`"type":"function_call","name":"n","arguments":"{}","call_id":"1"`, `"type":"thread_rolled_back","num_turns":1`, uint16(300))
	f.Add(`"type":"function_call_output","call_id":"1","output":{"content":[{"type":"input_image"}],"success":false}`, `"type":"turn_aborted"`, uint16(9))
	f.Add(`"type":"image_generation_call","id":"1","result":"x"`, `"type":"token_count","info":{"total_token_usage":{"input_tokens":1}}`, uint16(500))
	f.Fuzz(func(t *testing.T, item, event string, split uint16) {
		checkRead(t, []byte(lines(codexMeta, cxEvent(event), cxItem(item), cxSays("user", "go"), cxItem(item), cxEvent(event), "{"+item+"}", cxSays("assistant", "a"), cxEvent(event))), int(split))
	})
}

func BenchmarkReadCodex(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 7))
	var src bytes.Buffer
	src.WriteString(codexMeta + "\n")
	item := func(payload obj) {
		line(&src, obj{"timestamp": "2026-03-08T14:55:52.140Z", "type": "response_item", "payload": payload})
	}
	event := func(payload obj) {
		line(&src, obj{"timestamp": "2026-03-08T14:55:52.140Z", "type": "event_msg", "payload": payload})
	}
	for i := 0; src.Len() < 16<<20; i++ {
		id := fmt.Sprintf("call_%08d", i)
		if i%4 == 0 {
			prompt := prose(rng, 300)
			item(obj{"type": "message", "role": "user", "content": []obj{{"type": "input_text", "text": prompt}}})
			event(obj{"type": "user_message", "message": prompt, "images": []string{}})
		}
		thought := prose(rng, 200+rng.IntN(400))
		event(obj{"type": "agent_reasoning", "text": thought})
		item(obj{"type": "reasoning", "summary": []obj{{"type": "summary_text", "text": thought}}, "encrypted_content": strings.Repeat("gAAAAB", 300)})
		item(obj{"type": "function_call", "name": "exec_command", "arguments": `{"cmd":"` + strings.Repeat("x", 80) + `"}`, "call_id": id})
		item(obj{"type": "function_call_output", "call_id": id, "output": prose(rng, 200+rng.IntN(8000))})
		event(obj{"type": "token_count", "info": obj{"total_token_usage": obj{"input_tokens": i, "output_tokens": i}}})
	}
	benchRead(b, src.Bytes())
}
