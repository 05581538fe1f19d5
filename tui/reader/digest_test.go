package reader

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/chat"
	"winnow/core/rawjson"
	"winnow/core/review"
)

// work is a long session of an agent: prompts, reading, edits, checks that fail and
// pass, answers.
func work(turns int) *fakeStore {
	var all []chat.Message
	at := 0
	say := func(m chat.Message) {
		at += 7
		m.Timestamp = fmt.Sprintf("2026-03-01T%02d:%02d:%02dZ", 8+at/3600%12, at/60%60, at%60)
		all = append(all, m)
	}
	use := func(id, tool, args, gave string, isError bool) {
		say(assistant("", call(id, tool, args)))
		m := result(tool, gave)
		m.ToolCallID, m.IsError = id, isError
		say(m)
	}
	say(chat.Message{Role: chat.System, Content: "You are a careful engineer.\nNever guess."})
	for i := range turns {
		say(user(fmt.Sprintf("Request %d: the parser test fails one run in ten.\nFind out why, please.", i+1)))
		for j := range 3 {
			use(fmt.Sprint("r", i, j), "Read", fmt.Sprintf(`{"file_path":"/home/ann/p/file%d.go"}`, j), "package p\n\nfunc f() {}\n\n// end", false)
		}
		use(fmt.Sprint("e", i), "Edit", `{"file_path":"/home/ann/p/parser.go","old_string":"a","new_string":"b\nc"}`, "done", false)
		use(fmt.Sprint("t", i), "Bash", `{"command":"go test ./... 2>&1 | tail -5"}`, "Exit code 1\n--- FAIL: TestParser", true)
		use(fmt.Sprint("u", i), "Bash", fmt.Sprintf(`{"command":"git push origin try-%d"}`, i), "Exit code 128\nfatal: no such remote", true)
		use(fmt.Sprint("v", i), "Bash", `{"command":"go test ./..."}`, "ok  \tp\t0.1s", false)
		say(assistant(fmt.Sprintf("Answer %d: the test shared a map.\n\nEach case has its own now; 共享的地图 🙂 is gone.", i+1)))
	}
	return storeOf(all...)
}

// digested shows the digest of a store.
func digested(t testing.TB, s *fakeStore, w, h int) *pane {
	t.Helper()
	p := open(t, s, w, h)
	p.do(p.ToggleDigest())
	return p
}

func TestGoldenDigest(t *testing.T) {
	for name, size := range map[string][2]int{"80x24": {80, 24}, "120x40": {120, 40}, "200x60": {200, 60}} {
		t.Run(name, func(t *testing.T) {
			golden.RequireEqual(t, digested(t, work(4), size[0], size[1]).View(size[0], size[1]))
		})
	}
}

// TestDigestKeepsThePlace: c and c again lead back to the message.
func TestDigestKeepsThePlace(t *testing.T) {
	p := open(t, work(30), 80, 24)
	for _, n := range []int{1, 7, 200, p.store.count} {
		p.do(p.Show(n))
		p.do(p.ToggleDigest())
		if p.cursor != n || !p.Status().Digest || !strings.HasPrefix(p.Status().Notice, "digest of 481 messages") {
			t.Errorf("message %d: %+v", n, p.Status())
		}
		if !slices.ContainsFunc(p.lines(), func(row string) bool { return strings.HasPrefix(row, p.glyphs.accent) }) {
			t.Errorf("message %d: the cursor is not on the screen:\n%s", n, p.screen())
		}
		p.do(p.ToggleDigest())
		if p.cursor != n || p.Status().Digest || p.Status().Notice != "whole: all 481 messages" {
			t.Errorf("message %d: %+v", n, p.Status())
		}
	}
}

// TestDigestStep: enter opens a step in place, and closes it.
func TestDigestStep(t *testing.T) {
	p := digested(t, work(2), 100, 40)
	p.do(p.Top())
	at := slices.IndexFunc(p.lines(), func(row string) bool { return strings.Contains(row, "git push") })
	_, _, cmd := p.Press(at)
	p.do(cmd)
	p.want("fatal: no such remote", "Request 1")
	before := p.screen()
	step := func() {
		t.Helper()
		cmd, ok := p.ToggleStep()
		if !ok {
			t.Fatal("no digest")
		}
		p.do(cmd)
	}
	step()
	p.want("✗", "Request 1", "Answer 2")
	step()
	if now := p.screen(); strings.ReplaceAll(now, "▌", " ") != strings.ReplaceAll(before, "▌", " ") {
		t.Errorf("closed:\n%s\nbefore:\n%s", now, before)
	}
	p.do(p.ToggleAllFolds())
	cleared := len(p.steps) == 0
	p.do(p.ToggleAllFolds())
	p.do(p.Top())
	p.want("You are a careful engineer.", "user 2 ──")
	p.do(p.ToggleAllFolds())
	p.want("user      Request 1")
	if !cleared {
		t.Error("a step stayed open")
	}
}

// TestDigestMoves: every line is reached, a row at a time and by jumps, and a find
// opens what holds the hit.
func TestDigestMoves(t *testing.T) {
	p := digested(t, work(12), 80, 24)
	groups := p.sketch().groups
	for _, go1 := range []func(){func() { p.do(p.Scroll(1)) }, func() { p.do(p.NextMessage()) }} {
		p.do(p.Top())
		seen := map[int]bool{}
		for range 3 * len(groups) {
			seen[p.lineOf(p.cursor)] = true
			go1()
		}
		if len(seen) != len(groups) {
			t.Errorf("%d of %d lines were reached", len(seen), len(groups))
		}
	}
	for range 3 * len(groups) {
		p.do(p.Scroll(-1))
	}
	if p.lineOf(p.cursor) != 1 {
		t.Errorf("back at %d", p.cursor)
	}
	p.do(p.NextPrompt())
	p.do(p.NextFailure())
	if _, to := p.group(p.cursor); to < 12 {
		t.Errorf("the failure is at %d", p.cursor)
	}
	p.do(p.Find("no such remote"))
	p.want("fatal: no such remote")
	if p.told(p.cursor) {
		t.Error("the step with the hit is closed")
	}
}

// TestDigestByLength: long segments open as digests, and only those.
func TestDigestByLength(t *testing.T) {
	for from, want := range map[int]bool{0: false, 32: true, 33: true, 34: false} {
		s := work(2)
		p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), Digest: from}), store: s, w: 80, h: 24}
		p.do(p.Resize(80, 24))
		p.do(p.Open(s.segment()))
		if s.count != 33 || p.Status().Digest != want {
			t.Errorf("%d messages, digests from %d on: %v", s.count, from, p.Status().Digest)
		}
	}
}

// TestDigestOfLittle: none, few, and messages that can't be read.
func TestDigestOfLittle(t *testing.T) {
	p := digested(t, storeOf(user("hi"), assistant("Hello!")), 80, 10)
	p.want("user      hi", "assistant Hello!")
	p = digested(t, storeOf(user("")), 80, 10)
	p.want("(empty)")
	s := work(1)
	s.fail = map[int]bool{3: true}
	p = digested(t, s, 80, 10)
	p.want("could not be read: chunk is")
	p.Close()
	p.do(p.ToggleDigest())
	if cmd, ok := p.ToggleStep(); cmd != nil || ok {
		t.Error("a step of nothing")
	}
}

// partStore knows that its messages are one of three segments.
type partStore struct{ *fakeStore }

func (partStore) SegmentsOf(context.Context, string) ([]review.Segment, error) {
	return make([]review.Segment, 3), nil
}

func TestDigestOfAPart(t *testing.T) {
	s := work(2)
	p := &pane{TB: t, Reader: New(Options{Fetch: partStore{s}, Styles: plainStyles(), Digest: 1}), store: s, w: 100, h: 24}
	p.do(p.Resize(100, 24))
	seg := s.segment()
	seg.SessionID, seg.Index = "a", 1
	p.do(p.Open(seg))
	p.want("part 2 of 3 of a session · 33 messages")
}

// TestDigestSaysThatItReads: until all messages are read, a line says how far.
func TestDigestSaysThatItReads(t *testing.T) {
	p := open(t, work(200), 80, 24)
	cmd := p.ToggleDigest()
	p.want("reading 0 of 3,201 messages")
	p.do(cmd)
	p.want("user", "Req")
	rows := 0
	for _, g := range p.sketch().groups {
		rows += len(g.Rows)
	}
	if rows > 60 {
		t.Errorf("%d rows", rows)
	}
}

// TestDigestIsCalm: nothing a recording holds drives the terminal.
func TestDigestIsCalm(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			m := assistant(text, call("1", text, text), call("2", "x", `{"command":`+string(rawjson.AppendString(nil, text))+`}`))
			m.Reasoning = text
			p := digested(t, storeOf(chat.Message{Role: chat.System, Content: text}, user(text), m, result(text, "Error: "+text), result(text, text), user(text), assistant(text)), 70, 40)
			p.do(p.Bottom())
			p.do(p.ToggleAllFolds())
			p.do(p.Resize(30, 12))
			p.w, p.h = 30, 12
			p.do(p.ToggleAllFolds())
		})
	}
}

// BenchmarkDigestFrames goes through the digest of 5,000 messages, steps opened and
// closed.
func BenchmarkDigestFrames(b *testing.B) {
	p := digested(b, work(294), 200, 60)
	k := clock{p: p}
	open := func(r *Reader) tea.Cmd { cmd, _ := r.ToggleStep(); return cmd }
	steps := [...]func(*Reader) tea.Cmd{
		(*Reader).NextMessage, open, (*Reader).PageDown, func(r *Reader) tea.Cmd { return r.Scroll(1) }, open, (*Reader).NextFailure, (*Reader).NextPrompt,
		(*Reader).Bottom, (*Reader).ToggleAllFolds, (*Reader).HalfUp, (*Reader).ToggleAllFolds, (*Reader).ToggleDigest, (*Reader).ToggleDigest, (*Reader).Top,
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f := steps[i%len(steps)]
		k.frame(func() tea.Cmd { return f(p.Reader) })
	}
	k.report(b)
}
