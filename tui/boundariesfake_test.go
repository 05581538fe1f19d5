package tui

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/keys"
	room "winnow/tui/review"
)

// fakeEditor cuts the sessions of a fakeLibrary. It counts what it is asked.
type fakeEditor struct {
	lib  *fakeLibrary
	cuts []segment.Cut // the machine's

	mu       sync.Mutex
	recuts   []room.Recut // those that were kept
	asked    int          // for segments
	proposed int
	ids      int
	fail     error
}

func (e *fakeEditor) SegmentsOf(ctx context.Context, session string) ([]review.Segment, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked++
	if e.fail != nil {
		return nil, e.fail
	}
	e.lib.mu.Lock()
	defer e.lib.mu.Unlock()
	return e.lib.of(session), ctx.Err()
}

// of returns the segments of a session in order.
func (l *fakeLibrary) of(session string) []review.Segment {
	rows := slices.DeleteFunc(slices.Clone(l.segments), func(s review.Segment) bool { return s.SessionID != session })
	slices.SortFunc(rows, func(a, b review.Segment) int { return a.Start - b.Start })
	return rows
}

func (e *fakeEditor) Recut(_ context.Context, r room.Recut) (review.Entry, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.fail != nil {
		return review.Entry{}, e.fail
	}
	e.lib.mu.Lock()
	defer e.lib.mu.Unlock()
	rows := e.lib.of(r.Session)
	if fmt.Sprint(rows) != fmt.Sprint(r.Known) {
		return review.Entry{}, fmt.Errorf("/data/mixed.jsonl: %w", review.ErrConflict)
	}
	out := segment.Reconcile(rows, r.Pieces, true)
	entry := review.Entry{Curator: r.Curator, Action: r.Action, Recut: &review.Recut{Session: r.Session, Before: rows}}
	for i := range out.Rows {
		s := out.Rows[i].Segment
		if s.ID == "" {
			e.ids++
			s.ID = fmt.Sprintf("%08x-0000-4000-8000-000000000000", 0xabc0+e.ids)
			s.SessionID, s.SessionFile, s.Messages = r.Session, rows[0].SessionFile, s.End-s.Start+1
		}
		entry.Recut.After = append(entry.Recut.After, s)
	}
	e.lib.replace(r.Session, entry.Recut.After)
	e.lib.journal, e.lib.undone = append(e.lib.journal, entry), nil
	e.recuts = append(e.recuts, r)
	return entry, nil
}

// replace gives a session other segments.
func (l *fakeLibrary) replace(session string, rows []review.Segment) {
	l.segments = slices.DeleteFunc(l.segments, func(s review.Segment) bool { return s.SessionID == session })
	l.segments = append(l.segments, rows...)
	slices.SortStableFunc(l.segments, order(review.Natural))
	l.version++
}

func (e *fakeEditor) Propose(ctx context.Context, _ string) ([]segment.Cut, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.proposed++
	return e.cuts, ctx.Err()
}

// mixedSession is a session of three tasks: four segments, one of them cut at
// the wrong place, with pauses, failures and hostile text.
func mixedSession() *fakeLibrary {
	call := func(name, args string) []chat.ToolCall { return []chat.ToolCall{{Name: name, Arguments: args}} }
	messages := []chat.Message{
		{Role: chat.System, Content: "You are a careful assistant.\nUse the tools."},
		{Role: chat.User, Content: "The parser test fails one run in ten. Find out **why**."},
		{Role: chat.Assistant, Content: "I run it often enough to see it fail.", ToolCalls: call("terminal", `{"command":"go test -run Parser -count=20 ./…"}`)},
		{Role: chat.Tool, Name: "terminal", Content: "--- FAIL: TestParser (0.01s)\n  concurrent map writes", IsError: true},
		{Role: chat.Assistant, Reasoning: "A map.", ToolCalls: append(call("read_file", `{"path":"parser.go"}`), call("read_file", `{"path":"lookup.go"}`)...)},
		{Role: chat.Tool, Name: "read_file", Content: `{"content":"package parser\n\nvar cache = map[string]int{}"}`},
		{Role: chat.Tool, Name: "read_file", Content: "package parser"},
		{Role: chat.Assistant, Content: "The test shares a map between goroutines. I guarded it with a mutex."},
		{Role: chat.User, Content: "thanks! now plot the monthly totals of sales.csv"},
		{Role: chat.Assistant, ToolCalls: call("python", `{"code":"import pandas as pd\ndf = pd.read_csv('sales.csv')"}`)},
		{Role: chat.Tool, Name: "python", Content: "month,total\n2026-01,12"},
		{Role: chat.Assistant, Content: "The plot is in totals.png."},
		{Role: chat.User, Content: "把数据库迁移到新的服务器并检查所有索引是否正确"},
		{Role: chat.Assistant, ToolCalls: call("ssh\x1b[31m", `{"command":"pg_dump \u001b]0;owned\u0007 | psql"}`)},
		{Role: chat.Tool, Name: "ssh\x1b[31m", Content: "\x1b[2J\x1b]0;pwn\x07\u202edone\r\n\x00"},
		{Role: chat.Assistant, Content: "<think>\nNothing to say.\n</think>"},
		{Role: chat.User, Content: "Summary of what was done so far", Marks: chat.MarkCompaction},
		{Role: chat.Assistant, Content: "🧪 All 12 indexes are there. 👩‍👩‍👧"},
	}
	at := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	pauses := map[int]time.Duration{4: 90 * time.Second, 9: 12 * time.Minute, 13: 26 * time.Hour, 18: 5 * time.Hour}
	for i := range messages {
		at = at.Add(20*time.Second + pauses[i+1])
		messages[i].N, messages[i].Timestamp = i+1, at.Format(time.RFC3339)
	}
	lib := &fakeLibrary{segments: manySegments(6), version: 1, messages: messages, titles: map[string]string{"mixed": "Parser, sales \x1b[2J and a move"}}
	set := func(i, from, to int, v review.Verdict, by review.CutBy, topic string) {
		s := &lib.segments[i]
		s.SessionID, s.SessionFile, s.Body, s.Index = "mixed", "/data/mixed.jsonl", 77, i-1
		s.Start, s.End, s.Messages, s.Verdict, s.CutBy, s.Topic = from, to, to-from+1, v, by, topic
		s.Digest = chat.Digest{Fingerprint: fmt.Sprint("f", i)}
	}
	set(1, 1, 8, review.Approved, review.CutModel, "Fix flaky parser test")
	set(2, 9, 10, review.Pending, review.CutOffline, "Plot monthly totals")
	set(3, 11, 12, review.Rejected, review.CutOffline, "month,total")
	set(4, 13, 18, review.Pending, review.CutProvisional, "")
	lib.segments[1].Reviewer, lib.segments[3].Reviewer = "bob", "ann"
	return lib
}

// machineOfMixed is where the machine would cut it.
var machineOfMixed = []segment.Cut{
	{Start: 1, End: 8, Topic: "Parser test"}, {Start: 9, End: 12, Topic: "Sales"},
	{Start: 13, End: 15, Topic: "Move the\x07 database"}, {Start: 16, End: 16, Topic: "One"}, {Start: 17, End: 18},
}

// startBoundaries starts a screen on the session and opens its boundaries from
// the segment that is at the given row of the list.
func startBoundaries(t *testing.T, lib *fakeLibrary, row, w, h int, with ...func(*Options)) (*harness, *fakeEditor) {
	t.Helper()
	e := &fakeEditor{lib: lib, cuts: machineOfMixed}
	x := start(t, lib, w, h, append([]func(*Options){func(o *Options) { o.Editor = e }}, with...)...)
	x.app.List.Pick(row)
	x.press("b")
	if x.app.in(keys.InBoundaries) == nil {
		t.Fatalf("no boundaries:\n%s", x.screen())
	}
	return x, e
}

// starts returns where the segments of the draft begin.
func (x *harness) starts() string {
	var list []string
	lines := x.lines()
	for i, l := range lines[:len(lines)-1] {
		if strings.HasPrefix(l, " "+x.app.G.Band[0]) {
			list = append(list, numberIn(lines[i+1]))
		}
	}
	return strings.Join(list, " ")
}

// message is the number of the message under the cursor.
func (x *harness) message() int {
	n, _ := strconv.Atoi(numberIn(x.marked()))
	return n
}

// numberIn is the first number in a text.
func numberIn(text string) string { return regexp.MustCompile(`\d+`).FindString(text) }

// cuts returns the screen of boundaries.
func (x *harness) cuts() *seated { return x.app.in(keys.InBoundaries) }
