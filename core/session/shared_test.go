package session_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

// TestSharedFiles reads every real and hostile file there is and checks that
// each line is accounted for, and that pieces give what the whole gives.
func TestSharedFiles(t *testing.T) {
	for _, path := range sharedFiles(t, "hostile", "decoys", "openai", "anthropic", "nanobot", "messages", "gemini", "swe-agent", "claude-code-small", "agents-small", "pi") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src := decodedFile(t, path)
			rec, res := readAll(t, src, "")
			checkTotals(t, src, rec, res)
			t.Logf("%d messages, %+v, pending %d, format %q, seen %q", len(rec.msgs), res.State.Counts, res.Pending, res.State.Format, res.Seen)
			for _, i := range rec.issues[:min(len(rec.issues), 6)] {
				t.Logf("  %+v", i)
			}
			rounds := 4
			if len(src) > 200<<10 {
				rounds = 1
			}
			rng := rand.New(rand.NewPCG(1, uint64(len(src))))
			for range rounds {
				samePieces(t, src, randomEnds(rng, len(src)))
			}
		})
	}
}

// TestHostileSessions: one session of 88 messages, broken in many ways, is
// recovered from each, as far as its messages are there.
func TestHostileSessions(t *testing.T) {
	want := map[string]int{
		"session.jsonl": 88, "session-copy.jsonl": 88, "session-reserialised.jsonl": 88, "session-prefix.jsonl": 24, "dup_session_twice.jsonl": 176,
		"array.json": 88, "pretty.jsonl": 88, "bom_crlf.jsonl": 88, "glued.jsonl": 88, "gzip_as.jsonl": 88, "no_final_newline.jsonl": 88, "split_in_string.jsonl": 88,
		"blank_and_space_lines.jsonl": 20, "cr_only.jsonl": 20, "gbk.jsonl": 20, "nul_lines.jsonl": 20, "nul_tail.jsonl": 20, "utf16le.jsonl": 20,
		"garbage_between.jsonl": 59, "deep_nesting.jsonl": 2, "roles.jsonl": 6, "tool_linkage.jsonl": 10, "truncated_mid_rune.jsonl": 6,
	}
	var clean []chat.Message
	for _, path := range sharedFiles(t, "hostile") {
		rec, res := readAll(t, decodedFile(t, path), "")
		name := filepath.Base(path)
		if n, listed := want[name]; listed && len(rec.msgs) != n {
			t.Errorf("%s: %d messages, want %d", name, len(rec.msgs), n)
		}
		if len(rec.msgs) == 0 && res.Seen == "" {
			t.Errorf("%s: gave nothing and says nothing", name)
		}
		if name == "session.jsonl" {
			clean = rec.msgs
		}
	}
	for _, path := range sharedFiles(t, "hostile") {
		rec, _ := readAll(t, decodedFile(t, path), "")
		if len(rec.msgs) != len(clean) {
			continue
		}
		for i, m := range rec.msgs {
			if m.Content != clean[i].Content || m.Role != clean[i].Role || m.Name != clean[i].Name || !reflect.DeepEqual(m.ToolCalls, clean[i].ToolCalls) {
				t.Errorf("%s: message %d is %s\nwant %s", filepath.Base(path), i+1, brief(m), brief(clean[i]))
			}
		}
	}
}

func randomEnds(rng *rand.Rand, n int) []int {
	ends := make([]int, rng.IntN(5)+1)
	for i := range ends {
		ends[i] = rng.IntN(n + 1)
	}
	slices.Sort(ends)
	return ends
}

// samePieces checks that reading src in pieces gives what one reading gives.
func samePieces(t testing.TB, src []byte, ends []int) {
	t.Helper()
	samePiecesWith(t, src, ends, session.Options{})
}

func samePiecesWith(t testing.TB, src []byte, ends []int, opt session.Options) {
	t.Helper()
	want, wantRes := readFrom(t, bytes.NewReader(src), opt)
	got, gotRes := readPieces(t, src, ends, opt)
	if !reflect.DeepEqual(got.msgs, want.msgs) {
		t.Errorf("ends %v: %d messages, want %d", ends, len(got.msgs), len(want.msgs))
		for i := range min(len(got.msgs), len(want.msgs)) {
			if !reflect.DeepEqual(got.msgs[i], want.msgs[i]) {
				t.Errorf("first difference: %s\nwant %s", brief(got.msgs[i]), brief(want.msgs[i]))
				break
			}
		}
	}
	if a, b := got.settled(), want.settled(); !reflect.DeepEqual(a, b) {
		t.Errorf("ends %v: issues differ: %d, want %d", ends, len(a), len(b))
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Errorf("first difference: %+v, want %+v", a[i], b[i])
				break
			}
		}
	}
	if got.meta != want.meta && !reflect.DeepEqual(got.meta, want.meta) {
		t.Errorf("ends %v: meta %+v, want %+v", ends, got.meta, want.meta)
	}
	if !reflect.DeepEqual(got.others, want.others) {
		t.Errorf("ends %v: sessions %q differ from %q", ends, got.keys, want.keys)
	}
	if !reflect.DeepEqual(normal(gotRes.State), normal(wantRes.State)) || gotRes.Pending != wantRes.Pending {
		t.Errorf("ends %v: state %+v pending %d, want %+v pending %d", ends, gotRes.State, gotRes.Pending, wantRes.State, wantRes.Pending)
	}
}

func brief(m chat.Message) string {
	s := fmt.Sprintf("%+v", m)
	return s[:min(len(s), 600)]
}

func normal(s session.State) session.State {
	if len(s.Decoder) == 0 {
		s.Decoder = nil
	}
	return s
}
