package session_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

const piHeader = `{"type":"session","id":"S","version":3,"timestamp":"t0","cwd":"/w"}`

// piEntry is an entry of Pi with an id; a parent of "-" is null, of "" is not
// recorded.
func piEntry(id, parent, fields string) string {
	switch parent {
	case "":
	case "-":
		fields += `,"parentId":null`
	default:
		fields += `,"parentId":"` + parent + `"`
	}
	if id != "" {
		fields += `,"id":"` + id + `"`
	}
	return `{` + fields + `,"timestamp":"t"}`
}

func piMessage(id, parent, message string) string {
	return piEntry(id, parent, `"type":"message","message":{`+message+`}`)
}

func piSays(id, parent, role, text string) string {
	return piMessage(id, parent, `"role":"`+role+`","content":[{"type":"text","text":"`+text+`"}]`)
}

// TestPi has one case per rule on what the entries of Pi give.
func TestPi(t *testing.T) {
	aborted := piMessage("", "", `"role":"assistant","content":[],"stopReason":"aborted","errorMessage":"x"`)
	for _, c := range []ruleCase{
		{"text in a string or in blocks", lines(piHeader, piMessage("", "", `"role":"user","content":"a"`), piMessage("", "", `"role":"user","content":[{"type":"text","text":"b"},{"type":"image","data":"x"}]`)),
			[]told{user("a"), {role: chat.User, content: "b\n[image]", marks: chat.MarkImage}}, session.Counts{Read: 3}, nil},
		{"an answer in blocks", lines(piHeader, piMessage("", "", `"role":"assistant","content":[{"type":"thinking","thinking":"h"},{"type":"thinking","thinking":"m"},{"type":"text","text":"a"},{"type":"toolCall","id":"1","name":"n","arguments":{"x": 1.0}}]`)),
			[]told{{role: chat.Assistant, content: "a", reasoning: "h\n\nm", calls: `1/n/{"x": 1.0}`}}, session.Counts{Read: 2}, nil},
		{"answers with one id are two", lines(piHeader, piSays("1", "-", "assistant", "a"), piSays("1", "-", "assistant", "b")), []told{assistant("a"), assistant("b")}, session.Counts{Read: 3}, nil},
		{"a call without a name stays as text", lines(piHeader, piMessage("", "", `"role":"assistant","content":[{"type":"toolCall","id":"1"}]`)),
			[]told{{role: chat.Assistant, content: `{"type":"toolCall","id":"1"}`, marks: chat.MarkMalformedCall}}, session.Counts{Read: 2}, []string{"note: malformed tool call, kept as text"}},
		{"what the user ran is his message", lines(piHeader, piMessage("", "", `"role":"bashExecution","command":"c","output":"o","exitCode":0`), piMessage("", "", `"role":"bashExecution","command":"c","output":"","exitCode":1,"cancelled":true`),
			piMessage("", "", `"role":"bashExecution","command":"c","output":"o","excludeFromContext":true`)),
			[]told{user("Ran `c`\n```\no\n```"), user("Ran `c`\n(no output)\n\n(command cancelled)")}, session.Counts{Read: 3, Skipped: 1}, []string{"skipped: command that the model was not shown"}},
		{"what extensions put in is the user's", lines(piHeader, piEntry("", "", `"type":"custom_message","customType":"x","content":"a","display":false`), piMessage("", "", `"role":"custom","content":"b"`), piMessage("", "", `"role":"hookMessage","content":"c"`)),
			[]told{user("a"), user("b"), user("c")}, session.Counts{Read: 4}, nil},
		{"summaries are marked system messages", lines(piHeader, piEntry("", "", `"type":"compaction","summary":"a"`), piEntry("", "", `"type":"branch_summary","summary":"b"`), piMessage("", "", `"role":"compactionSummary","summary":"c"`)),
			[]told{{role: chat.System, content: "a", marks: chat.MarkCompaction}, {role: chat.System, content: "b", marks: chat.MarkCompaction}, {role: chat.System, content: "c", marks: chat.MarkCompaction}}, session.Counts{Read: 4}, nil},
		{"an empty answer says that it failed", lines(piHeader, aborted, aborted), nil, session.Counts{Read: 2, Skipped: 1}, []string{"note: answer of no text, reasoning or calls: x", "skipped: no text, reasoning or calls"}},
		{"unknown things are named", lines(piHeader, piEntry("1", "", `"type":"dance"`), piMessage("2", "1", `"role":"judge","content":"x"`), piMessage("3", "2", `"content":"x"`), piEntry("4", "3", `"type":"compact"`)), nil,
			session.Counts{Read: 1, Skipped: 2, Bad: 2}, []string{"skipped: pi entry: dance", `bad: unknown role "judge"`, "bad: role is not text: nothing", "skipped: pi entry: compact"}},
		{"the end of a file, without its header", lines(piMessage("", "", `"role":"toolResult","toolCallId":"1","toolName":"n","content":"r"`), piSays("", "", "user", "a")), []told{tool("n", "r"), user("a")}, session.Counts{Read: 2}, nil},
		{"another agent's entries", lines(`{"type":"session_start","id":"x","cwd":"/"}`, piSays("1", "x", "user", "a")), nil, session.Counts{Skipped: 2},
			[]string{"skipped: droid session, which winnow does not read", "skipped: droid session, which winnow does not read"}},
	} {
		c.run(t)
	}
}

// TestPiTree: the session is the path to its newest entry, whatever entries
// stand between the messages; what was given up is a branch.
func TestPiTree(t *testing.T) {
	note := func(id, parent string) string { return piEntry(id, parent, `"type":"label","targetId":"1"`) }
	u := func(id, parent string) string { return piSays(id, parent, "user", "u"+id) }
	for name, c := range map[string]struct {
		src  string
		want map[string]string
	}{
		"one path":                       {lines(piHeader, u("1", "-"), u("2", "1"), u("3", "2")), map[string]string{"": "u1|u2|u3"}},
		"no ids":                         {lines(piHeader, u("", ""), u("", ""), u("", "")), map[string]string{"": "u|u|u"}},
		"a fork":                         {lines(piHeader, u("1", "-"), u("2", "1"), u("3", "1")), map[string]string{"": "u1|u3", "b=2": "u2"}},
		"a fork behind other entries":    {lines(piHeader, note("n", "-"), u("1", "n"), note("m", "1"), u("2", "m"), note("o", "m"), u("3", "o")), map[string]string{"": "u1|u3", "b=2": "u2"}},
		"a fork before the first":        {lines(piHeader, note("n", "-"), u("1", "n"), u("2", "1"), u("3", "n")), map[string]string{"": "u3", "b=1": "u1|u2"}},
		"a second beginning":             {lines(piHeader, u("1", "-"), u("2", "1"), u("3", "-")), map[string]string{"": "u3", "b=1": "u1|u2"}},
		"back to what was left":          {lines(piHeader, u("1", "-"), u("2", "1"), u("3", "1"), u("4", "2")), map[string]string{"": "u1|u2|u4", "b=3": "u3"}},
		"parents are never named":        {lines(piHeader, u("1", "-"), u("2", "-"), u("3", "-")), map[string]string{"": "u1|u2|u3"}},
		"a parent that is not there":     {lines(piHeader, u("1", "S"), u("2", "x"), u("3", "2")), map[string]string{"": "u1|u2|u3"}},
		"an entry without an id between": {lines(piHeader, u("1", "-"), u("2", "1"), u("", ""), u("4", "2")), map[string]string{"": "u1|u2|u|u4"}},
		"an entry without an id goes with the one before": {lines(piHeader, u("1", "-"), u("2", "1"), u("", ""), u("4", "2"), u("5", "2")), map[string]string{"": "u1|u2|u|u5", "b=4": "u4"}},
		"an empty answer between":                         {lines(piHeader, u("1", "-"), u("2", "1"), piSays("3", "2", "assistant", ""), u("4", "3"), u("5", "3")), map[string]string{"": "u1|u2|u5", "b=4": "u4"}},
	} {
		t.Run(name, func(t *testing.T) {
			rec, _ := readAll(t, []byte(c.src), "")
			for key, want := range c.want {
				if got := textsIn(rec, key); got != want {
					t.Errorf("session %q has %s, want %s", key, got, want)
				}
			}
			for _, key := range rec.keys {
				if c.want[key] == "" && textsIn(rec, key) != "" {
					t.Errorf("session %q has %s", key, textsIn(rec, key))
				}
			}
			for end := 0; end < len(c.src); end += slower {
				samePieces(t, []byte(c.src), []int{end})
			}
		})
	}
}

// TestPiMeta: the header and later entries tell about the session.
func TestPiMeta(t *testing.T) {
	src := lines(`{"type":"session","id":"S","timestamp":"t0","cwd":"/w","provider":"p","modelId":"m1","parentSession":"C:\\s\\2026_P-1.jsonl"}`,
		piEntry("1", "-", `"type":"model_change","modelId":"m2"`), piEntry("2", "1", `"type":"session_info","name":"T"`),
		piMessage("3", "2", `"role":"assistant","content":"a","model":"m2","stopReason":"stop","usage":{"input":1,"output":2,"cacheRead":4,"cacheWrite":8}`))
	rec, _ := readAll(t, []byte(src), "")
	m := rec.meta
	if m.NativeID != "S" || m.Started != "t0" || m.Dir != "/w" || m.Model != "m2" || m.Title != "T" || m.Extra != `{"provider":"p","parentSession":"C:\\s\\2026_P-1.jsonl"}` {
		t.Errorf("%+v", m)
	}
	if m.Origin != (session.Origin{Kind: session.Continuation, NativeID: "P-1"}) || m.Usage != (session.Usage{Input: 13, Output: 2, Cached: 4}) {
		t.Errorf("%+v", m)
	}
	if got := rec.msgs[0]; got.NativeID != "3" || got.ParentID != "2" || got.Model != "m2" || got.StopReason != "stop" || got.Timestamp != "t" {
		t.Errorf("%+v", got)
	}
}

// TestPiCompleted: an answer that failed before it had a text is no message,
// but says how the session did until another one comes to its end.
func TestPiCompleted(t *testing.T) {
	empty := func(stop string) string {
		return piMessage("", "", `"role":"assistant","content":[],"stopReason":"`+stop+`"`)
	}
	text := piMessage("", "", `"role":"assistant","content":"a","stopReason":"stop"`)
	for want, srcs := range map[string][]string{
		"unknown": {lines(piHeader, text), lines(piHeader, empty("stop"))},
		"false":   {lines(piHeader, text, empty("error")), lines(piHeader, empty("aborted"), piSays("", "", "user", "u"))},
		"true":    {lines(piHeader, empty("error"), text)},
	} {
		for _, src := range srcs {
			rec, _ := readAll(t, []byte(src), "")
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

// FuzzPi puts anything where Pi puts a message and what an entry follows.
func FuzzPi(f *testing.F) {
	f.Add(`"role":"assistant","content":[{"type":"toolCall","id":"1","name":"n","arguments":{}}],"stopReason":"stop"`, "1", uint16(90))
	f.Add(`"role":"bashExecution","command":"c","output":"o"`, "2", uint16(200))
	f.Add(`"role":"toolResult","toolCallId":"1","content":[{"type":"image"}],"isError":true`, "-", uint16(300))
	f.Add(`"role":"assistant","content":[],"stopReason":"error"`, "3", uint16(400))
	f.Fuzz(func(t *testing.T, message, parent string, split uint16) {
		checkRead(t, []byte(lines(piHeader, piSays("1", "-", "user", "a"), piMessage("2", "1", message), piSays("3", parent, "user", "b"), piMessage("4", parent, message),
			piEntry(parent, "3", `"type":"label"`), piSays("5", "2", "assistant", "c"), piSays("6", "3", "user", "d"))), int(split))
	})
}

func BenchmarkReadPi(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 7))
	var src bytes.Buffer
	src.WriteString(piHeader + "\n")
	last := 0
	entry := func(message obj) {
		last++
		line(&src, obj{"type": "message", "id": fmt.Sprintf("%08x", last), "parentId": fmt.Sprintf("%08x", last-1), "timestamp": "2026-03-08T14:55:52.140Z", "message": message})
	}
	for i := 0; src.Len() < 16<<20; i++ {
		id := fmt.Sprintf("toolu_%08d", i)
		if i%4 == 0 {
			entry(obj{"role": "user", "content": []obj{{"type": "text", "text": prose(rng, 300)}}, "timestamp": int64(1772981752140)})
		}
		entry(obj{"role": "assistant", "content": []obj{{"type": "thinking", "thinking": prose(rng, 200+rng.IntN(1800))}, {"type": "text", "text": prose(rng, 100)},
			{"type": "toolCall", "id": id, "name": "bash", "arguments": obj{"command": prose(rng, 80)}}}, "model": "m", "stopReason": "toolUse", "usage": obj{"input": 1, "output": 2}})
		entry(obj{"role": "toolResult", "toolCallId": id, "toolName": "bash", "content": []obj{{"type": "text", "text": prose(rng, 200+rng.IntN(8000))}}, "isError": false})
	}
	benchRead(b, src.Bytes())
}
