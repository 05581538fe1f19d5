package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"winnow/core/llm/llmtest"
)

// TestFailingModelsProposeNothing checks that a segment stays as it is when no summary
// comes that may be used: what failed is noted with its reason, there is nothing to
// accept, and the exit status says so.
func TestFailingModelsProposeNothing(t *testing.T) {
	b := newBench(t)
	b.ok("import", b.file("long.jsonl", crashRow(1, false)+"\n"))
	b.ok("segment", "--by", "offline")
	b.vars["WINNOW_LLM_MODEL"], b.vars["WINNOW_LLM_RETRIES"] = "tiny", "0"
	for _, bad := range []struct {
		name   string
		reply  llmtest.Reply
		check  string
		reason string
	}{
		{"hangs", llmtest.Hang(), "no_answer", "no answer from"},
		{"cuts off", llmtest.Cut(), "no_answer", "broke off"},
		{"says nothing", llmtest.Answer(" \n"), "empty", "says nothing"},
		{"null", llmtest.Reasoned("thoughts"), "empty", "says nothing"},
		{"length", llmtest.Finished("half a sum", "length"), "no_answer", "cut off"},
		{"429", llmtest.Status(429, "slow down", "Retry-After-Ms", "1"), "no_answer", "429"},
		{"500", llmtest.Status(500, "broken"), "no_answer", "500"},
		{"401", llmtest.Status(401, "who"), "no_answer", "401"},
		{"garbage", llmtest.Garbage(), "no_answer", "not in OpenAI's form"},
		{"another language", llmtest.Answer("Der Agent hat sich die Teile nacheinander angesehen und ist dann mit dem nächsten weitergegangen, bis alles fertig war."), "language", "in de"},
		{"invents", llmtest.Answer("The agent looked at the part and mended src/never/there.go with TICKET-99812."), "invented", "nowhere"},
		{"calls", llmtest.Answer("<tool_call>\n{\"name\": \"read\", \"arguments\": {}}\n</tool_call>"), "tag", "tool_call"},
		{"ten times", llmtest.Answer(strings.Repeat("The agent looked at the part and then went on with the next of them. ", 80)), "too_long", "tokens"},
		{"refuses", llmtest.Refused("I will not"), "no_answer", "refuses"},
	} {
		server := llmtest.Start(t, bad.reply)
		b.vars["WINNOW_LLM_BASE_URL"], b.vars["WINNOW_LLM_TIMEOUT"] = server.URL, "5s"
		if bad.name == "hangs" {
			b.vars["WINNOW_LLM_TIMEOUT"] = "100ms"
		}
		code := b.run("compress", "--by", "llm", "--to", "300", "--summary", "40", "--again", "--json")
		out := b.stdout.String()
		if code != exitPartly || !strings.Contains(out, `"proposed":0,`) || !strings.Contains(out, `"reasons":{"`+bad.check+`":1}`) || !strings.Contains(out, bad.reason) {
			t.Errorf("%s: exit status %d, %s%s", bad.name, code, out, b.stderr.String())
		}
		if list := b.ok("list", "--filter", "compression:failed", "--json"); strings.Count(list, "\n") != 1 {
			t.Errorf("%s: not noted: %s", bad.name, list)
		}
		_, id, _ := strings.Cut(b.stdout.String(), `"id":"`)
		id, _, _ = strings.Cut(id, `"`)
		if code := b.run("compress", "accept", id); code != exitFailed || !strings.Contains(b.stderr.String(), " failed, and there is nothing to judge: ") || !strings.Contains(b.stderr.String(), bad.reason) {
			t.Errorf("%s: accepted by id: %d %s", bad.name, code, b.stderr.String())
		}
		if code := b.run("compress", "accept", "--filter", "messages>0", "--yes"); code != exitDone || b.stdout.Len() > 0 {
			t.Errorf("%s: accepted: %d %s", bad.name, code, b.stdout.String())
		}
	}
	// One that was proposed already stays.
	b.ok("compress", "--to", "300", "--summary", "40")
	if code := b.run("compress", "--by", "llm", "--to", "300", "--summary", "40", "--again"); code != exitPartly {
		t.Errorf("exit status %d: %s", code, b.stderr.String())
	}
	if list := b.ok("list", "--filter", "compression:proposed", "--json"); strings.Count(list, "\n") != 1 {
		t.Errorf("it is gone: %s", list)
	}
}

// crashRow is the k-th conversation of a batch, as messages or as turns.
func crashRow(k int, turns bool) string {
	ask, look := fmt.Sprintf("Mend part %d.", k), fmt.Sprintf("Part %d is a long part. %s", k, strings.Repeat("Much is in it. ", 12))
	var list []map[string]any
	if turns {
		list = append(list, map[string]any{"from": "human", "value": ask})
	} else {
		list = append(list, map[string]any{"role": "user", "content": ask})
	}
	for i := range 6 {
		id := fmt.Sprint("c", i)
		if turns {
			list = append(list, map[string]any{"from": "gpt", "value": "I look at it, and then I go on with the next of them."}, map[string]any{"from": "tool", "value": look})
			continue
		}
		call := map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "look", "arguments": "{}"}}
		list = append(list, map[string]any{"role": "assistant", "content": "I look at it, and then I go on with the next of them.", "tool_calls": []any{call}},
			map[string]any{"role": "tool", "tool_call_id": id, "content": look})
	}
	key := "messages"
	if turns {
		key = "conversations"
	}
	row, _ := json.Marshal(map[string]any{key: list})
	return string(row)
}
