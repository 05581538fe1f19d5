package session_test

import (
	"testing"
)

const (
	askedLs = `{"role":"assistant","content":"x","tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"n\": 1.0}"}}]}`
	toldLs  = `{"role":"tool","tool_call_id":"c1","content":"r"}`
)

// TestMessages has one case per rule of the format.
func TestMessages(t *testing.T) {
	const ls = "assistant \"x\"\n  calls ls c1 \"{\\\"n\\\": 1.0}\"\n"
	for _, c := range []talkCase{
		{"OpenAI's style", talkOf("messages", role("developer", "s"), role("user", "a"), askedLs, toldLs, `{"role":"assistant","content":"y","reasoning_content":"t","id":"m1","timestamp":"2026","finish_reason":"stop"}`),
			"1 system \"s\"\n2 user \"a\"\n3 " + ls + "4 tool name=ls answers=c1 \"r\"\n5 assistant stop=stop thinks \"t\" \"y\"\n", nil},
		{"Anthropic's style", talkOf("messages", role("user", "a"), `{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"},{"type":"tool_use","id":"c1","name":"ls","input":{"n": 1.0}}]}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r","is_error":true},{"type":"text","text":" b "}]}`),
			"1 user \"a\"\n2 assistant thinks \"t\" \"x\"\n  calls ls c1 \"{\\\"n\\\": 1.0}\"\n3 tool name=ls answers=c1 failed \"r\"\n4 user \"b\"\n", nil},
		{"traj", talkOf("traj", role("user", "a"), askedLs), "1 user \"a\"\n2 " + ls, nil},
		{"a prompt and its completion", `{"prompt":[` + role("user", "a") + `],"completion":[` + role("assistant", "b") + `],"label":true}` + "\n", "1 user \"a\"\n2 assistant \"b\"\n", nil},
		{"text in parts is Anthropic's, and trimmed", talkOf("messages", `{"role":"user","content":[{"type":"text","text":" a "}]}`, role("assistant", "b")), "1 user \"a\"\n2 assistant \"b\"\n", nil},
		{"text in parts with OpenAI's keys behind it stays as it is", talkOf("messages", `{"role":"user","content":[{"type":"text","text":" a "}]}`, askedLs), "1 user \" a \"\n2 " + ls, nil},
		{"both styles in one", talkOf("messages", `{"role":"user","content":[{"type":"text","text":" a "}]}`, askedLs, toldLs, `{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"cat","input":{}}]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"q"}]}`),
			"1 user \" a \"\n2 " + ls + "3 tool name=ls answers=c1 \"r\"\n4 assistant \"\"\n  calls cat c2 \"{}\"\n5 tool name=cat answers=c2 \"q\"\n", nil},
		{"blocks beside OpenAI's calls", talkOf("messages", `{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"}],"tool_calls":[{"id":"c1","function":{"name":"ls","arguments":"{}"}}]}`),
			"1 assistant thinks \"t\" \"x\"\n  calls ls c1 \"{}\"\n", nil},
		{"text in parts with a value stays as it is", talkOf("messages", `{"role":"user","content":[{"type":"text","value":" a "}]}`), "1 user \" a \"\n", nil},
		{"parts with a value", talkOf("messages", `{"role":"user","content":[{"type":"image_url","value":"a.png"},{"type":"text","value":" a "}]}`,
			`{"role":"assistant","content":[{"type":"reasoning","value":"t"},{"type":"text","value":"x"},{"type":"tool_call","value":"{\"name\": \"ls\", \"arguments\": {\"n\": 1.0}}"},{"type":"tool_call","value":"{\"name\": \"cat\", \"arguments\": {}}"}]}`,
			`{"role":"tool","content":[{"type":"text","value":"r"}]}`, `{"role":"tool","content":[{"type":"text","value":"q"}]}`),
			"1 user marks=1 \"[image]\\n a \"\n2 assistant thinks \"t\" \"x\"\n  calls ls  \"{\\\"n\\\": 1.0}\"\n  calls cat  \"{}\"\n3 tool name=ls \"r\"\n4 tool name=cat \"q\"\n", nil},
		{"a call in a part that can't be read", talkOf("messages", `{"role":"assistant","content":[{"type":"text","value":"x"},{"type":"tool_call","value":"{ls"}],"tool_calls":[7]}`),
			"1 assistant marks=32 \"x\\n{ls\\n7\"\n", []string{"note: malformed tool call, kept as text"}},
		{"calls in messages of their own", talkOf("messages", role("user", "a"), role("assistant", "x"), role("tool_call", `{"name":"ls","arguments":{"n": 1.0}}`), role("tool_call", `{"name":"cat","arguments":"{}"}`), role("tool_response", "r"), role("tool_response", "q"), role("assistant", "y")),
			"1 user \"a\"\n2 assistant \"x\"\n  calls ls  \"{\\\"n\\\": 1.0}\"\n  calls cat  \"{}\"\n3 tool name=ls \"r\"\n4 tool name=cat \"q\"\n5 assistant \"y\"\n", nil},
		{"a call behind the results is another message", talkOf("messages", role("function_call", `[{"name":"ls"},{"name":"cat"}]`), role("observation", "r"), role("observation", "q"), role("function_call", `{"name":"ls"}`)),
			"1 assistant \"\"\n  calls ls  \"\"\n  calls cat  \"\"\n2 tool name=ls \"r\"\n3 tool name=cat \"q\"\n4 assistant \"\"\n  calls ls  \"\"\n", nil},
		{"a call as an object", talkOf("messages", `{"role":"tool_call","content":{"name":"ls","arguments":{"n": 1.0}}}`), "1 assistant \"\"\n  calls ls  \"{\\\"n\\\": 1.0}\"\n", nil},
		{"a call that can't be read", talkOf("messages", role("assistant", "x"), role("tool_call", `{ls`), role("tool_call", `[]`)), "1 assistant \"x\"\n2 assistant marks=32 \"{ls\"\n3 assistant marks=32 \"[]\"\n", []string{"note: malformed tool call, kept as text"}},
		{"a result is plain text", talkOf("messages", role("tool_response", "<tool_response>\n{\"name\":\"x\",\"content\":1}\n</tool_response>")), "1 tool \"<tool_response>\\n{\\\"name\\\":\\\"x\\\",\\\"content\\\":1}\\n</tool_response>\"\n", nil},
		{"reasoning in the content stays there", talkOf("messages", role("assistant", "<think>\nt\n</think>\nx")), "1 assistant \"<think>\\nt\\n</think>\\nx\"\n", nil},
		{"reasoning in the content of ms-swift, which has no other place for it", talkOf("messages", `{"role":"assistant","content":"<think>\n t\n</think>\n\n\nx","loss":false}`, role("tool_call", `{"name":"ls"}`), `{"role":"assistant","content":"<think>u</think>","reasoning_content":"t","loss":true}`),
			"1 assistant thinks \" t\" \"\\nx\"\n  calls ls  \"\"\n2 assistant thinks \"t\" \"<think>u</think>\"\n", nil},
		{"neighbours with one id are one message", talkOf("messages", `{"role":"assistant","id":"m","content":"a"}`, `{"role":"assistant","id":"m","content":"b"}`, role("user", "c")), "1 assistant \"a\\nb\"\n2 user \"c\"\n", nil},
		{"an id of SWE-agent", talkOf("messages", askedLs, `{"role":"tool","content":"r","tool_call_ids":["c1"]}`), "1 " + ls + "2 tool name=ls answers=c1 \"r\"\n", nil},
		{"a name of Hermes", talkOf("messages", `{"role":"tool","content":"r","tool_name":"ls"}`), "1 tool name=ls \"r\"\n", nil},
		{"turns inside", talkOf("messages", from("human", "a"), from("gpt", "<think>t</think>b")), "1 user \"a\"\n2 assistant thinks \"t\" \"b\"\n", nil},
	} {
		c.run(t)
	}
}

// TestNoMessages: other records with a list of that name are not taken.
func TestNoMessages(t *testing.T) {
	for _, src := range []string{
		`{"messages":["a"]}`, `{"messages":[{"id":1,"text":"a"}]}`, `{"messages":{"role":"user"}}`, `{"messages":"a"}`, `{"messages":[{"role":{"a":1}}]}`,
		`{"prompt":"a","completion":"b"}`, `{"prompt":[{"role":"user","content":"a"}]}`, `{"type":"llm_input","sessionKey":"k","messages":[{"role":"user","content":"a"}]}`,
		`{"conversations":[{"id":"1","title":"t"}]}`, `{"query":"a","response":"b","history":[["a","b"]]}`, `{"instruction":"a","output":"b"}`,
	} {
		if rec, res := readAll(t, []byte(src+"\n"), ""); len(rec.msgs) > 0 || res.State.Counts.Skipped != 1 {
			t.Errorf("%s: %d messages, %+v", src, len(rec.msgs), res.State.Counts)
		}
	}
}
