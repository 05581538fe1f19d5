package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/segment"
	"winnow/core/segment/offline"
)

// recordings returns the folder of recorded conversations, "" if it is not
// beside the checkout.
func recordings(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "shared", "data"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// TestGoals: the known sets reach their goals, in each of two orders.
func TestGoals(t *testing.T) {
	data := recordings(t)
	if data == "" {
		return
	}
	j := &judge{cutter: offline.New(), seeds: 2, out: io.Discard}
	if err := j.known(data); err != nil {
		t.Errorf("%v\n%s\n%s", err, strings.Join(j.table.sets, "\n"), strings.Join(j.table.wholes, "\n"))
	}
}

// TestAppending: whatever is appended to a recorded session, or to a join of
// such, moves no cut but the last.
func TestAppending(t *testing.T) {
	data := recordings(t)
	if data == "" {
		return
	}
	o := offline.New()
	for _, path := range []string{"openai/tau_60_runs_concat.jsonl", "claude-code/largest.jsonl", "claude-code/growing-3.jsonl", "claude-code/api-error.jsonl", "pi/large-session.jsonl", "nanobot/cli_direct.jsonl", "nanobot/cron_ee40e6bb.jsonl"} {
		sessions, err := readFile(filepath.Join(data, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sessions {
			growing(t, o, s.name, s.msgs)
			growing(t, o, s.name, trimmed(s.msgs))
		}
	}
}

// growing cuts some forty beginnings of a session.
func growing(t *testing.T, o *offline.Cutter, name string, msgs []chat.Message) {
	t.Helper()
	msgs = append([]chat.Message(nil), msgs...)
	for i := range msgs {
		msgs[i].N = i + 1
	}
	cut := func(n int) []segment.Cut {
		cuts, err := o.Cut(context.Background(), text(msgs[:n]))
		if err == nil {
			err = segment.CheckCuts(cuts, 1, n)
		}
		if err != nil {
			t.Fatal(err)
		}
		return cuts
	}
	if len(msgs) == 0 {
		return
	}
	whole := cut(len(msgs))
	for n := 1; n < len(msgs); n += 1 + len(msgs)/40 {
		for i, c := range cut(n)[:max(0, len(cut(n))-2)] {
			if c != whole[i] {
				t.Errorf("%s: of %d messages segment %d is %+v, of all it is %+v", name, n, i, c, whole[i])
				return
			}
		}
	}
}

// TestRealSessions: no session of Claude Code or Pi is cut at an answer, a
// command, an interruption or a compaction, and each segment has both sides.
func TestRealSessions(t *testing.T) {
	data := recordings(t)
	if data == "" {
		return
	}
	o := offline.New()
	var files []string
	for _, dir := range []string{"claude-code", "claude-code-small", "pi", "agents-small", "nanobot", "gemini", "hostile"} {
		_ = filepath.WalkDir(filepath.Join(data, dir), func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, path)
			}
			return nil
		})
	}
	for _, path := range files {
		sessions, err := readFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sessions {
			cuts, err := o.Cut(context.Background(), text(s.msgs))
			if err == nil {
				err = segment.CheckCuts(cuts, 1, len(s.msgs))
			}
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			for _, c := range cuts[1:] {
				m := s.msgs[c.Start-1]
				for _, never := range []string{"yes", "ok", "continue", "[Request interrupted", "<command-", "<local-command", "<system-reminder", "This session is being continued"} {
					if strings.HasPrefix(m.Content, never) {
						t.Errorf("%s: cut at %q", s.name, first(m.Content, 40))
					}
				}
				if m.Role != chat.User && m.Role != chat.System || m.Marks.Has(chat.MarkCompaction) {
					t.Errorf("%s: cut at message %d, role %s", s.name, c.Start, m.Role)
				}
			}
			if len(cuts) == 1 {
				continue
			}
			for _, c := range cuts {
				roles := map[chat.Role]bool{}
				for _, m := range s.msgs[c.Start-1 : c.End] {
					roles[m.Role] = true
				}
				if !roles[chat.User] || !roles[chat.Assistant] {
					t.Errorf("%s: segment %d–%d has roles %v", s.name, c.Start, c.End, roles)
				}
			}
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		found, wanted []int
		hits          int
	}{
		{nil, nil, 0},
		{[]int{5, 9}, []int{5, 9}, 2},
		{[]int{4, 10}, []int{5, 9}, 2},
		{[]int{3, 11}, []int{5, 9}, 0},
		{[]int{4, 5, 6}, []int{5}, 1},
		{[]int{5}, []int{4, 6}, 1},
		{[]int{5, 6}, []int{4, 5}, 2},
		{[]int{4, 5}, []int{5, 6}, 2},
	} {
		if got := match(c.found, c.wanted); got.hit != c.hits {
			t.Errorf("%v of %v: %d hits, want %d", c.found, c.wanted, got.hit, c.hits)
		}
	}
}

func TestConditions(t *testing.T) {
	msgs := []chat.Message{
		{Role: chat.System, Content: "rules"},
		{Role: chat.User, Content: "Hi there! I need a hotel. It is for two."},
		{Role: chat.Assistant, Content: "Booked."},
		{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{Name: "close"}}},
		{Role: chat.Tool, Content: "closed"},
		{Role: chat.User, Content: "Thanks! " + stopMark},
	}
	want := map[string][]string{
		"a":          {"rules", "Hi there! I need a hotel. It is for two.", "Booked.", "", "closed", "Thanks! " + stopMark},
		"b":          {"Hi there! I need a hotel. It is for two.", "Booked."},
		"c words":    {"I need a hotel. It is for two.", "Booked."},
		"c sentence": {"I need a hotel. It is for two.", "Booked."},
	}
	for _, c := range conditions() {
		var got []string
		for _, m := range c.change(msgs) {
			got = append(got, m.Content)
		}
		if !reflect.DeepEqual(got, want[c.name]) {
			t.Errorf("%s: %q, want %q", c.name, got, want[c.name])
		}
	}
	if got := withoutFirstSentence("Hello, I need a hotel. It has to be near the station."); got != "It has to be near the station." {
		t.Errorf("%q", got)
	}
	if got := opened([]chat.Message{{Role: chat.User, Content: "你好！"}, {Role: chat.Assistant, Content: "您好"}}, withoutGreeting); len(got) != 1 {
		t.Errorf("a bare greeting leaves %d messages", len(got))
	}
}
