package session_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

const (
	claudeTalk = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"One"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"First"}]}}
{"type":"assistant","uuid":"a2","parentUuid":"a1","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}
{"type":"user","uuid":"r1","parentUuid":"a2","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]}}
{"type":"system","uuid":"x1","parentUuid":"r1","sessionId":"s","subtype":"turn_duration"}
{"type":"user","uuid":"u2","parentUuid":"x1","sessionId":"s","message":{"role":"user","content":"Two"}}
{"type":"assistant","uuid":"a3","parentUuid":"u2","sessionId":"s","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"Second"}]}}
`
	claudeBoundary = `{"type":"system","subtype":"compact_boundary","uuid":"%s","parentUuid":null,"logicalParentUuid":"%s","sessionId":"s","content":"Conversation compacted","compactMetadata":{"trigger":"auto",%s}}
{"type":"user","uuid":"%[1]ss","parentUuid":"%[1]s","sessionId":"s","isCompactSummary":true,"message":{"role":"user","content":"Summary"}}
{"type":"user","uuid":"%[1]su","parentUuid":"%[1]ss","sessionId":"s","message":{"role":"user","content":"Go on"}}
`
	piTalk = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/x"}
{"type":"message","id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"One","timestamp":1}}
{"type":"message","id":"e2","parentId":"e1","timestamp":"2026-01-01T00:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"First"}],"stopReason":"stop"}}
{"type":"model_change","id":"e3","parentId":"e2","timestamp":"2026-01-01T00:00:03Z","modelId":"m"}
{"type":"message","id":"e4","parentId":"e3","timestamp":"2026-01-01T00:00:04Z","message":{"role":"user","content":"Two","timestamp":1}}
{"type":"message","id":"e5","parentId":"e4","timestamp":"2026-01-01T00:00:05Z","message":{"role":"assistant","content":[{"type":"text","text":"Second"}],"stopReason":"stop"}}
`
	codexTalk = `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/x"}}
{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"Rules"}]}}
{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}}
{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"One"}]}}
{"timestamp":"2026-01-01T00:00:03Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"First"}]}}
{"timestamp":"2026-01-01T00:00:04Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Two"}]}}
{"timestamp":"2026-01-01T00:00:05Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Second"}]}}
{"timestamp":"2026-01-01T00:00:06Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Two"}]}}
`
)

func boundary(id, after, meta string) string { return fmt.Sprintf(claudeBoundary, id, after, meta) }

func compacted(history string) string {
	return `{"timestamp":"2026-01-01T00:00:07Z","type":"compacted","payload":{"message":"So far","replacement_history":` + history + "}}\n"
}

func codexSaid(role, text string) string {
	return fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":"input_text","text":%q}]}`, role, text)
}

// What a compaction kept is told as the recorder wrote it, and as the messages are
// numbered; reading a growing file tells the same.
func TestCompactionsTellWhatTheyKept(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"claude, all of a segment": {claudeTalk + boundary("b1", "a3", `"preservedSegment":{"headUuid":"u2","anchorUuid":"b1s","tailUuid":"a3"}`),
			"6:4-5 7:4-5"},
		"claude, an answer in several lines": {claudeTalk + boundary("b1", "a3", `"preservedSegment":{"headUuid":"a2","tailUuid":"x1"}`), "6:2-3 7:2-3"},
		"claude, the old names":              {claudeTalk + boundary("b1", "a3", `"preservedSegment":{"head":"u2","tail":"a3"}`), "6:4-5 7:4-5"},
		"claude, as it is streamed":          {strings.Replace(claudeTalk+boundary("b1", "a3", `"preserved_segment":{"head_uuid":"u2","tail_uuid":"u2"}`), "compactMetadata", "compact_metadata", 1), "6:4-4 7:4-4"},
		"claude, each entry": {claudeTalk + boundary("b1", "a3", `"preservedSegment":{"headUuid":"u1","tailUuid":"a3"},"preservedMessages":{"uuids":["u1","a1","a2","r1","a3"],"allUuids":[]}`),
			"6:1-3,5-5 7:1-3,5-5"},
		"claude, an entry that is not there": {claudeTalk + boundary("b1", "a3", `"preservedMessages":{"uuids":["u1","q"]}`), "6:? 7:?"},
		"claude, nothing is told":            {claudeTalk + boundary("b1", "a3", `"preTokens":5`), "6:? 7:?"},
		"claude, twice": {claudeTalk + boundary("b1", "a3", `"preservedSegment":{"headUuid":"u2","tailUuid":"a3"}`) + boundary("b2", "b1u", `"preservedSegment":{"headUuid":"u2","tailUuid":"b1u"}`),
			"6:4-5 7:4-5 9:4-5,8-8 10:4-5,8-8"},
		"pi":                      {piTalk + `{"type":"compaction","id":"e6","parentId":"e5","timestamp":"2026-01-01T00:00:06Z","summary":"So far","firstKeptEntryId":"e4"}` + "\n", "5:3-4"},
		"pi, from no message on":  {piTalk + `{"type":"compaction","id":"e6","parentId":"e5","timestamp":"2026-01-01T00:00:06Z","summary":"So far","firstKeptEntryId":"e3"}` + "\n", "5:3-4"},
		"pi, an id of no entry":   {piTalk + `{"type":"compaction","id":"e6","parentId":"e5","timestamp":"2026-01-01T00:00:06Z","summary":"So far","firstKeptEntryId":"q"}` + "\n", "5:?"},
		"pi, over an earlier one": {piTalk + `{"type":"compaction","id":"e6","parentId":"e5","timestamp":"2026-01-01T00:00:06Z","summary":"So far","firstKeptEntryId":"e5"}` + "\n" + `{"type":"compaction","id":"e7","parentId":"e6","timestamp":"2026-01-01T00:00:06Z","summary":"So far","firstKeptEntryId":"e5"}` + "\n", "5:4-4 6:4-4"},
		"pi, a branch that was left": {piTalk + `{"type":"compaction","id":"e6","parentId":"e2","timestamp":"2026-01-01T00:00:06Z","summary":"So far","firstKeptEntryId":"e2"}` + "\n" +
			`{"type":"branch_summary","id":"e7","parentId":"e6","timestamp":"2026-01-01T00:00:06Z","summary":"Left"}` + "\n", "3:2-2 4:2-3"},
		"codex, prompts":             {codexTalk + compacted("["+codexSaid("developer", "Rules")+","+codexSaid("user", "One")+","+codexSaid("user", "Two")+","+codexSaid("user", "So far")+"]"), "8:3-3,7-7"},
		"codex, the same prompt":     {codexTalk + compacted("["+codexSaid("user", "Two")+","+codexSaid("user", "Two")+`,{"type":"compaction","encrypted_content":"x"}]`), "8:5-5,7-7"},
		"codex, surroundings":        {codexTalk + compacted("["+codexSaid("user", "<environment_context>x</environment_context>")+","+codexSaid("user", "One")+"]"), "8:2-3"},
		"codex, other surroundings":  {codexTalk + compacted("["+codexSaid("user", "<environment_context>y</environment_context>")+","+codexSaid("user", "One")+"]"), "8:?"},
		"codex, nothing":             {codexTalk + compacted("["+codexSaid("user", "So far")+"]"), "8:"},
		"codex, an answer":           {codexTalk + compacted("["+codexSaid("assistant", "First")+"]"), "8:?"},
		"codex, without its history": {codexTalk + compacted("null"), "8:?"},
	} {
		t.Run(name, func(t *testing.T) {
			src := []byte(c.text)
			whole, _ := readAll(t, src, "")
			if got := keptOf(whole); got != c.want {
				t.Errorf("kept %q, want %q", got, c.want)
			}
			var ends []int
			for i := range src {
				if src[i] == '\n' {
					ends = append(ends, i/2, i+1)
				}
			}
			for i := 1; i < len(ends); i++ {
				ends[i] = max(ends[i], ends[i-1])
			}
			pieces, _ := readPieces(t, src, ends, session.Options{})
			if !reflect.DeepEqual(pieces.msgs, whole.msgs) {
				t.Errorf("in pieces: kept %q", keptOf(pieces))
			}
		})
	}
}

// A branch that takes a compaction away, and a later one on the path that goes on.
func TestCompactionsOfBranchesKeepWhatTheyKept(t *testing.T) {
	src := piTalk + `{"type":"compaction","id":"e6","parentId":"e5","timestamp":"2026-01-01T00:00:06Z","summary":"So far","firstKeptEntryId":"e5"}
{"type":"message","id":"e7","parentId":"e2","timestamp":"2026-01-01T00:00:07Z","message":{"role":"user","content":"Other","timestamp":1}}
{"type":"compaction","id":"e8","parentId":"e7","timestamp":"2026-01-01T00:00:08Z","summary":"So far","firstKeptEntryId":"e2"}
`
	rec, _ := readAll(t, []byte(src), "")
	if got, want := keptOf(rec), "4:2-3"; got != want {
		t.Errorf("the path kept %q, want %q", got, want)
	}
	_, branch := rec.session("b=e4")
	if got, want := keptOf(&record{msgs: *branch}), "3:2-2"; got != want {
		t.Errorf("the branch kept %q, want %q", got, want)
	}
	src += `{"type":"message","id":"e9","parentId":"e6","timestamp":"2026-01-01T00:00:09Z","message":{"role":"user","content":"Back","timestamp":1}}
{"type":"compaction","id":"e10","parentId":"e9","timestamp":"2026-01-01T00:00:10Z","summary":"So far","firstKeptEntryId":"e4"}
`
	rec, _ = readAll(t, []byte(src), "")
	if got, want := keptOf(rec), "5:4-4 7:3-4,6-6"; got != want {
		t.Errorf("back again the path kept %q, want %q", got, want)
	}
	pieces, _ := readPieces(t, []byte(src), []int{strings.Index(src, `{"type":"compaction","id":"e8"`), bytes.LastIndexByte([]byte(src[:len(src)-1]), '\n') + 1}, session.Options{})
	if got, want := keptOf(pieces), keptOf(rec); got != want {
		t.Errorf("in pieces the path kept %q, want %q", got, want)
	}
}

// keptOf writes the numbers of compactions, each with what it kept.
func keptOf(r *record) string {
	var out []string
	for i := range r.msgs {
		m := &r.msgs[i]
		runs, known := m.Keeps()
		if !m.Marks.Has(chat.MarkCompaction) {
			if known {
				out = append(out, "no compaction")
			}
			continue
		}
		var parts []string
		for _, run := range runs {
			parts = append(parts, fmt.Sprintf("%d-%d", run[0], run[1]))
		}
		if !known {
			parts = []string{"?"}
		}
		out = append(out, fmt.Sprintf("%d:%s", m.N, strings.Join(parts, ",")))
	}
	return strings.Join(out, " ")
}
