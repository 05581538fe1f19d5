package session_test

import (
	"strings"
	"testing"
)

// said is a turn of the model, gave one of its tools.
func said(text string) string { return from("gpt", text) }
func gave(text string) string { return from("tool", text) }

const (
	callLs   = "<tool_call>\n{\"name\": \"ls\", \"arguments\": {\"n\": 1.0}}\n</tool_call>"
	callCat  = "<tool_call>\n{\"name\": \"cat\", \"arguments\": {}}\n</tool_call>"
	lsCalled = "\n  calls ls  \"{\\\"n\\\": 1.0}\"\n"
)

// response is a result as Hermes has it.
func response(id, name, content string) string {
	return "<tool_response>\n{\"tool_call_id\": \"" + id + "\", \"name\": \"" + name + "\", \"content\": " + content + "}\n</tool_response>"
}

// TestShareGPTRoles has one case per rule on who speaks.
func TestShareGPTRoles(t *testing.T) {
	for _, c := range []talkCase{
		{"roles", shared(from("system", "s"), from("human", "a"), from("user", "b"), from("gpt", "c"), from("assistant", "d"), from("tool", "e"), from("observation", "f"), from("bot", "g")),
			"1 system \"s\"\n2 user \"a\"\n3 user \"b\"\n4 assistant \"c\"\n5 assistant \"d\"\n6 tool \"e\"\n7 tool \"f\"\n", []string{`note: element left out, unknown role "bot": 1`}},
		{"neighbours stay apart", shared(from("human", "a"), from("human", "b"), said("c"), said("d")), "1 user \"a\"\n2 user \"b\"\n3 assistant \"c\"\n4 assistant \"d\"\n", nil},
		{"role and content inside", shared(role("user", "a"), askedLs, toldLs, role("assistant", "<think>t</think>b")), "1 user \"a\"\n2 assistant \"x\"\n  calls ls c1 \"{\\\"n\\\": 1.0}\"\n3 tool name=ls answers=c1 \"r\"\n4 assistant \"<think>t</think>b\"\n", nil},
		{"role names of both", shared(`{"role":"human","content":"a"}`, `{"role":"gpt","value":"<think>t</think>b"}`, `{"role":"assistant","value":"c"}`), "1 user \"a\"\n2 assistant thinks \"t\" \"b\"\n3 assistant \"c\"\n", nil},
		{"pairs", talkOf("conversation", `{"system":"s","human":"a","assistant":"b"}`, `{"input":"c","output":"<think>t</think>d"}`), "1 system \"s\"\n2 user \"a\"\n3 assistant \"b\"\n4 user \"c\"\n5 assistant thinks \"t\" \"d\"\n", nil},
		{"a value that is no text", shared(`{"from":"human","value":null}`, `{"from":"human","value":7}`, `{"from":"human","value":[{"type":"text","text":"a"},{"type":"image"}]}`, `{"from":"gpt","value":{}}`), "1 user marks=1 \"a\\n[image]\"\n",
			[]string{"note: element left out, no text, reasoning or calls: 1", "note: element left out, content is not text: 1, number", "note: element left out, content is not text: 1, object"}},
		{"what a turn tells of itself", shared(`{"from":"gpt","value":"a","id":"i","timestamp":5,"model":"m"}`), "1 assistant \"a\"\n", nil},
		{"tags in what others say are text", shared(from("system", "<think>x</think>"+callLs), from("human", "<think>x</think>"+callLs), said("b")),
			"1 system \"<think>x</think><tool_call>\\n{\\\"name\\\": \\\"ls\\\", \\\"arguments\\\": {\\\"n\\\": 1.0}}\\n</tool_call>\"\n2 user \"<think>x</think><tool_call>\\n{\\\"name\\\": \\\"ls\\\", \\\"arguments\\\": {\\\"n\\\": 1.0}}\\n</tool_call>\"\n3 assistant \"b\"\n", nil},
	} {
		c.run(t)
	}
}

// TestShareGPTReasoning has one case per rule on leading think blocks.
func TestShareGPTReasoning(t *testing.T) {
	stray := []string{"note: stray closing tag of reasoning removed, with what it repeats"}
	for _, c := range []talkCase{
		{"a leading block", shared(said("<think>\n t \n</think>\n  x ")), "1 assistant thinks \" t \" \"  x \"\n", nil},
		{"two of them", shared(said("<think>\nt\n</think>\n<think>u</think>\nx")), "1 assistant thinks \"t\\n\\nu\" \"x\"\n", nil},
		{"an empty block is none", shared(said("<think>\n</think>\nx")), "1 assistant \"x\"\n", nil},
		{"an empty block, reasoning and a stray end", shared(said("<think>\n</think>\nt\n</think>\nx")), "1 assistant marks=16 thinks \"t\" \"x\"\n", stray},
		{"reasoning and text once more", shared(said("<think>\nt u\n</think>\nx y\n</think>\nt\nu\n</think>\n\nx y\n" + callLs)), "1 assistant marks=16 thinks \"t u\" \"x y\"" + lsCalled, stray},
		{"what is new between stray ends", shared(said("<think>\nt\n</think>\nx\n</think>\nu\n</think>\ny")), "1 assistant marks=16 thinks \"t\\n\\nx\\n\\nu\" \"y\"\n", stray},
		{"an end in the arguments of a call", shared(said("<think>\n</think>\nx\n<tool_call>\n{\"name\": \"ls\", \"arguments\": {\"a\": \"</think>\"}}\n</tool_call>")), "1 assistant \"x\"\n  calls ls  \"{\\\"a\\\": \\\"</think>\\\"}\"\n", nil},
		{"a call before a stray end", shared(said("<think>\nt\n</think>\nx\n" + callLs + "\n</think>\ny")), "1 assistant marks=16 thinks \"t\\n\\nx\" \"y\"" + lsCalled, stray},
		{"an end in code", shared(said("<think>\nt\n</think>\nwrite `</think>`")), "1 assistant thinks \"t\" \"write `</think>`\"\n", nil},
		{"an end that no block stands before", shared(said("x</think>y")), "1 assistant \"x</think>y\"\n", nil},
		{"a scratchpad", shared(said("<REASONING_SCRATCHPAD>t</REASONING_SCRATCHPAD>\nx")), "1 assistant thinks \"t\" \"x\"\n", nil},
		{"blocks behind text are text", shared(said("x <think>t</think>")), "1 assistant \"x <think>t</think>\"\n", nil},
		{"a block that does not end is text", shared(said("<think>t")), "1 assistant \"<think>t\"\n", nil},
		{"nothing but an empty block", shared(from("human", "a"), said("<think>\n</think>")), "1 user \"a\"\n", []string{"note: element left out, no text, reasoning or calls: 1"}},
		{"a call inside of the reasoning is none", shared(said("<think>\n" + callLs + "\n</think>\nx")), "1 assistant thinks \"<tool_call>\\n{\\\"name\\\": \\\"ls\\\", \\\"arguments\\\": {\\\"n\\\": 1.0}}\\n</tool_c\"…64 \"x\"\n", nil},
	} {
		c.run(t)
	}
}

// TestShareGPTCalls has one case per rule on calls between tags.
func TestShareGPTCalls(t *testing.T) {
	malformed := []string{"note: malformed tool call, kept as text"}
	for _, c := range []talkCase{
		{"arguments stay as recorded", shared(said("<think>\nt\n</think>\nx\n" + callLs)), "1 assistant thinks \"t\" \"x\"" + lsCalled, nil},
		{"parallel calls", shared(said("x\n" + callLs + "\n" + callCat)), "1 assistant \"x\"" + lsCalled + "  calls cat  \"{}\"\n", nil},
		{"arguments as text, and an id", shared(said(`<tool_call>{"id":"c1","name":"ls","arguments":"{\"n\":1}"}</tool_call>`)), "1 assistant \"\"\n  calls ls c1 \"{\\\"n\\\":1}\"\n", nil},
		{"only the line breaks of the tags are cut", shared(said("\n x\n\n" + callLs + "\n y \n" + callCat + "\nz\n")), "1 assistant \"\\n x\\n\\n y \\nz\\n\"" + lsCalled + "  calls cat  \"{}\"\n", nil},
		{"an end tag in the arguments", shared(said("<tool_call>\n{\"name\": \"ls\", \"arguments\": {\"a\": \"</tool_call>\"}}\n</tool_call>")), "1 assistant \"\"\n  calls ls  \"{\\\"a\\\": \\\"</tool_call>\\\"}\"\n", nil},
		{"what does not parse stays", shared(said("x\n<tool_call>\n{ls}\n</tool_call>")), "1 assistant marks=32 \"x\\n<tool_call>\\n{ls}\\n</tool_call>\"\n", malformed},
		{"a call without a name stays", shared(said("<tool_call>\n{\"arguments\": {}}\n</tool_call>")), "1 assistant marks=32 \"<tool_call>\\n{\\\"arguments\\\": {}}\\n</tool_call>\"\n", malformed},
		{"what parses beside it is a call", shared(said("<tool_call>\n{ls}\n</tool_call>\n" + callLs + "\n<tool_call>{}</tool_call>")), "1 assistant marks=32 \"<tool_call>\\n{ls}\\n</tool_call>\\n<tool_call>{}</tool_call>\"" + lsCalled, malformed},
		{"a line break inside of a string is no JSON", shared(said("<tool_call>{\"name\":\"ls\",\"arguments\":{\"a\":\"1\n2\"}}</tool_call>")), "1 assistant marks=32 \"<tool_call>{\\\"name\\\":\\\"ls\\\",\\\"arguments\\\":{\\\"a\\\":\\\"1\\n2\\\"}}</tool_call>\"\n", malformed},
		{"a call that ends with the text", shared(said("x\n<tool_call>\n{\"name\": \"ls\"}\n")), "1 assistant \"x\"\n  calls ls  \"\"\n", []string{"note: tool call without its closing tag"}},
		{"a call that is cut off", shared(said("x\n<tool_call>\n{\"name\": \"ls")), "1 assistant marks=32 \"x\\n<tool_call>\\n{\\\"name\\\": \\\"ls\"\n", malformed},
	} {
		c.run(t)
	}
}

// TestShareGPTResults has one case per rule on results between tags.
func TestShareGPTResults(t *testing.T) {
	two := said(callLs + "\n" + callCat)
	const ls, cat = "  calls ls c1 \"{\\\"n\\\": 1.0}\"\n", "  calls cat c2 \"{}\"\n"
	for _, c := range []talkCase{
		{"one message per response, matched by order", shared(two, gave(response("c1", "ls", `"r\n1"`)+"\n"+response("c2", "cat", `{"n": 1.0}`))),
			"1 assistant \"\"\n" + ls + cat + "2 tool name=ls answers=c1 \"r\\n1\"\n3 tool name=cat answers=c2 \"{\\\"n\\\": 1.0}\"\n", nil},
		{"one turn per response", shared(two, gave(response("c1", "ls", `"r"`)), gave(response("c2", "cat", `"q"`)), said("x")),
			"1 assistant \"\"\n" + ls + cat + "2 tool name=ls answers=c1 \"r\"\n3 tool name=cat answers=c2 \"q\"\n4 assistant \"x\"\n", nil},
		{"a response is missing", shared(two, gave(response("c1", "ls", `"r"`)), said("x")), "1 assistant \"\"\n" + ls + "  calls cat  \"{}\"\n2 tool name=ls answers=c1 \"r\"\n3 assistant \"x\"\n", nil},
		{"ids that are used again", shared(said(callLs), gave(response("c1", "ls", `"r"`)), said(strings.Replace(callLs, "ls", "cat", 1)), gave(response("c1", "cat", `"q"`))),
			"1 assistant \"\"\n" + ls + "2 tool name=ls answers=c1 \"r\"\n3 assistant \"\"\n" + strings.Replace(ls, "ls c1", "cat c1", 1) + "4 tool name=cat answers=c1 \"q\"\n", nil},
		{"beyond the calls the name is not known", shared(said(callLs), gave(response("c1", "ls", `"r"`)+"\n"+response("c9", "unknown", `"q"`))),
			"1 assistant \"\"\n" + ls + "2 tool name=ls answers=c1 \"r\"\n3 tool answers=c9 \"q\"\n", nil},
		{"a result without an id has that of its call", shared(said(`<tool_call>{"id":"c1","name":"ls"}</tool_call>`), gave("r")), "1 assistant \"\"\n  calls ls c1 \"\"\n2 tool name=ls answers=c1 \"r\"\n", nil},
		{"without tags", shared(said(callLs), gave(" r\n")), "1 assistant \"\"" + lsCalled + "2 tool name=ls \" r\\n\"\n", nil},
		{"bare", shared(said(callLs), gave("<tool_response>\n r\n\n</tool_response>")), "1 assistant \"\"" + lsCalled + "2 tool name=ls \" r\\n\"\n", nil},
		{"other JSON is the content", shared(two, gave("<tool_response>\n{\"content\": 1}\n</tool_response>\n<tool_response>\n[{\"name\": \"</tool_response>\"}]\n</tool_response>")),
			"1 assistant \"\"" + lsCalled + "  calls cat  \"{}\"\n2 tool name=ls \"{\\\"content\\\": 1}\"\n3 tool name=cat \"[{\\\"name\\\": \\\"</tool_response>\\\"}]\"\n", nil},
		{"a name is enough", shared(said(callLs), gave("<tool_response>\n{\"name\": \"ls\", \"content\": \"r\"}\n</tool_response>")), "1 assistant \"\"" + lsCalled + "2 tool name=ls \"r\"\n", nil},
		{"a name that was not called is content", shared(said(callLs), gave("<tool_response>\n{\"name\": \"a.txt\", \"content\": \"r\"}\n</tool_response>")), "1 assistant \"\"" + lsCalled + "2 tool name=ls \"{\\\"name\\\": \\\"a.txt\\\", \\\"content\\\": \\\"r\\\"}\"\n", nil},
		{"more beside the content is kept", shared(said(callLs), gave("<tool_response>\n{\"tool_call_id\": \"c1\", \"name\": \"ls\", \"content\": \"r\", \"rows\": 2}\n</tool_response>")),
			"1 assistant \"\"\n" + ls + "2 tool name=ls answers=c1 \"{\\\"tool_call_id\\\": \\\"c1\\\", \\\"name\\\": \\\"ls\\\", \\\"content\\\": \\\"r\\\", \\\"rows\\\": 2}\"\n", nil},
		{"a mark of failure", shared(said(callLs), gave("<tool_response>\n{\"tool_call_id\": \"c1\", \"content\": \"r\", \"is_error\": true}\n</tool_response>")), "1 assistant \"\"\n" + ls + "2 tool name=ls answers=c1 failed \"r\"\n", nil},
		{"text around the responses", shared(two, gave("<tool_response>\nr\n</tool_response> and\n<tool_response>\nq\n</tool_response>\nmore")), "1 assistant \"\"" + lsCalled + "  calls cat  \"{}\"\n2 tool name=ls \"r and\\n\"\n3 tool name=cat \"q\\nmore\"\n", []string{"note: text outside of the tool responses, kept after one"}},
		{"a response that is cut off", shared(said(callLs), gave("<tool_response>\n{\"name\": \"ls\", \"content\": \"r")), "1 assistant \"\"" + lsCalled + "2 tool name=ls \"{\\\"name\\\": \\\"ls\\\", \\\"content\\\": \\\"r\"\n", []string{"note: tool response without its closing tag"}},
		{"an empty response stays", shared(said(callLs), gave("<tool_response>\n</tool_response>")), "1 assistant \"\"" + lsCalled + "2 tool name=ls \"\"\n", nil},
		{"no call before it", shared(from("human", "a"), gave(response("c1", "ls", `"r"`))), "1 user \"a\"\n2 tool name=ls answers=c1 \"r\"\n", nil},
	} {
		c.run(t)
	}
}

// TestLLaMAFactory has one case per rule of its variant.
func TestLLaMAFactory(t *testing.T) {
	call := func(text string) string { return from("function_call", text) }
	saw := func(text string) string { return from("observation", text) }
	const pair = `[{"name": "ls", "arguments": {"n": 1.0}}, {"name": "cat", "arguments": "{}"}]`
	const called = "1 assistant \"\"\n  calls ls  \"{\\\"n\\\": 1.0}\"\n  calls cat  \"{}\"\n"
	for _, c := range []talkCase{
		{"one call", shared(call(`{"name": "ls", "arguments": {"n": 1.0}}`), saw("[1, 2]")), "1 assistant \"\"" + lsCalled + "2 tool name=ls \"[1, 2]\"\n", nil},
		{"parallel calls, results with a border", shared(call(pair), saw("r\n</tool_response>\n<tool_response>\n\nq")), called + "2 tool name=ls \"r\"\n3 tool name=cat \"\\nq\"\n", nil},
		{"parallel calls, a list of results", shared(call(pair), saw(`["r", {"n": 1.0}]`)), called + "2 tool name=ls \"r\"\n3 tool name=cat \"{\\\"n\\\": 1.0}\"\n", nil},
		{"a list elsewhere is one result", shared(call(pair), gave(`["r", "q"]`)), called + "2 tool name=ls \"[\\\"r\\\", \\\"q\\\"]\"\n", nil},
		{"a list of another length is one result", shared(call(pair), saw(`["r"]`)), called + "2 tool name=ls \"[\\\"r\\\"]\"\n", nil},
		{"a list behind the first result is one result", shared(call(pair), saw("r"), saw(`["a", "b"]`)), called + "2 tool name=ls \"r\"\n3 tool name=cat \"[\\\"a\\\", \\\"b\\\"]\"\n", nil},
		{"calls in a row are one message", shared(call(`{"name": "ls", "arguments": {"n": 1.0}}`), call(`{"name": "cat", "arguments": {}}`), saw("r"), saw("q")), called + "2 tool name=ls \"r\"\n3 tool name=cat \"q\"\n", nil},
		{"a call with reasoning begins a message", shared(call(`{"name": "ls", "arguments": {"n": 1.0}}`), call(`<think>t</think>{"name": "cat"}`)), "1 assistant \"\"" + lsCalled + "2 assistant thinks \"t\" \"\"\n  calls cat  \"\"\n", nil},
		{"a call behind a result begins a message", shared(call(pair), saw("r"), call(`{"name": "rm"}`), saw("q")), called + "2 tool name=ls \"r\"\n3 assistant \"\"\n  calls rm  \"\"\n4 tool name=rm \"q\"\n", nil},
		{"reasoning in front", shared(call("<think>\nt\n</think>\n\n" + pair)), strings.Replace(called, "1 assistant", "1 assistant thinks \"t\"", 1), nil},
		{"a stray end of the reasoning in front", shared(call("<think>\n</think>\nt\n</think>\n" + pair)), strings.Replace(called, "1 assistant", "1 assistant marks=16 thinks \"t\"", 1), []string{"note: stray closing tag of reasoning removed, with what it repeats"}},
		{"a call without a result before", shared(saw("r"), from("gpt", "x")), "1 tool \"r\"\n2 assistant \"x\"\n", nil},
		{"a call that can't be read", shared(call("ls")), "1 assistant marks=32 \"ls\"\n", []string{"note: malformed tool call, kept as text"}},
		{"one bad call of a list", shared(call(`[{"name": "ls"}, 7]`)), "1 assistant marks=32 \"[{\\\"name\\\": \\\"ls\\\"}, 7]\"\n", []string{"note: malformed tool call, kept as text"}},
		{"tags in place of JSON", shared(call(callLs)), "1 assistant \"\"" + lsCalled, nil},
		{"what is said before a call is a message of its own", shared(from("gpt", "x"), call(`{"name": "ls", "arguments": {"n": 1.0}}`)), "1 assistant \"x\"\n2 assistant \"\"" + lsCalled, nil},
	} {
		c.run(t)
	}
}
