package export

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/filter"
	"winnow/core/graph"
	"winnow/core/proposal"
	"winnow/core/review"
)

// library is a Source in memory. Its pages hold two segments at most, so that
// every test turns pages.
type library struct {
	segments []review.Segment
	sessions map[string]review.Session
	messages map[int64][]chat.Message
	edits    map[int64][]edit.Edit
	sealed   map[graph.Saying]bool
	contexts map[int64][]review.Context
	proposed map[string]proposal.Proposal // by segment
	replaced []string                     // by redactions
	onRead   func()                       // called before messages are returned
}

// add makes a session of the messages with one segment over all of them.
func (l *library) add(change func(*review.Segment, *review.Session), messages ...chat.Message) {
	n := len(l.segments)
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].N = i + 1
	}
	sess := review.Session{ID: fmt.Sprintf("session-%d", n), AgentID: "default", File: fmt.Sprintf("/data/%03d.jsonl", n), Format: "openai", Body: int64(n)}
	seg := review.Segment{
		ID: fmt.Sprintf("%08d-0000", n), SessionID: sess.ID, AgentID: "default", SessionFile: sess.File, Body: int64(n),
		Start: 1, End: len(messages), Digest: chat.DigestOf(messages), Verdict: review.Approved,
	}
	if change != nil {
		change(&seg, &sess)
	}
	if l.sessions == nil {
		l.sessions, l.messages = map[string]review.Session{}, map[int64][]chat.Message{}
	}
	l.segments = append(l.segments, seg)
	l.sessions[sess.ID], l.messages[seg.Body] = sess, messages
}

func (l *library) Segments(_ context.Context, q review.Query) (review.Page, error) {
	var p review.Page
	if q.Order != review.Natural {
		return p, fmt.Errorf("order %q", q.Order)
	}
	for i := range l.segments {
		seg := &l.segments[i]
		if seg.ID <= q.After.ID || !lets(q.Filter, seg) {
			continue
		}
		if len(p.Segments) == 2 {
			p.More = true
			break
		}
		p.Segments = append(p.Segments, *seg)
		p.Last = review.Cursor{ID: seg.ID}
	}
	return p, nil
}

// lets reports whether a filter of verdicts and staleness lets a segment through.
func lets(n filter.Node, seg *review.Segment) bool {
	switch n := n.(type) {
	case filter.And:
		return !slices.ContainsFunc(n, func(n filter.Node) bool { return !lets(n, seg) })
	case filter.Or:
		return slices.ContainsFunc(n, func(n filter.Node) bool { return lets(n, seg) })
	case filter.Not:
		return !lets(n.Of, seg)
	case filter.Term:
		return n.Field == filter.Has && seg.Stale || n.Value == string(seg.Verdict)
	}
	return true
}

func (l *library) Session(_ context.Context, id string) (review.Session, error) {
	s, ok := l.sessions[id]
	if !ok {
		return s, review.ErrNotFound
	}
	return s, nil
}

func (l *library) Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	if l.onRead != nil {
		l.onRead()
	}
	recorded, _ := l.RecordedMessages(ctx, body, from, to)
	if len(l.edits[body]) == 0 {
		return recorded, nil
	}
	var list []chat.Message
	over := edit.NewOverlay(l.edits[body])
	for i := range recorded {
		for m := range over.At(&recorded[i]) {
			list = append(list, *m)
		}
	}
	return list, nil
}

func (l *library) Proposals(_ context.Context, ids []string) (list []proposal.Proposal, _ error) {
	for _, id := range ids {
		if p, ok := l.proposed[id]; ok {
			list = append(list, p)
		}
	}
	return list, nil
}

func (l *library) RecordedMessages(_ context.Context, body int64, from, to int) ([]chat.Message, error) {
	all := l.messages[body]
	return all[min(from-1, len(all)):min(to, len(all))], nil
}

func (l *library) Edits(_ context.Context, body int64, from, to int) (list []edit.Edit, _ error) {
	for _, e := range l.edits[body] {
		if max(e.N, 1) >= from && e.N <= to { // as the store's
			list = append(list, e)
		}
	}
	return list, nil
}

func (l *library) EditedBy(_ context.Context, body int64, from, to int) (list []review.EditedBy, _ error) {
	for _, e := range l.edits[body] {
		if e.N >= from && e.N <= to {
			list = append(list, review.EditedBy{N: e.N, Part: e.Part, Op: e.Op, Why: e.Why, Clash: e.Clash, By: "ann"})
		}
	}
	return list, nil
}

func (l *library) Contexts(_ context.Context, body int64, _, to int) (list []review.Context, _ error) {
	for _, c := range l.contexts[body] {
		if c.N <= to {
			list = append(list, c)
		}
	}
	return list, nil
}

func (l *library) Sealed(context.Context) (map[graph.Saying]bool, error) { return l.sealed, nil }
func (l *library) TakenOut(context.Context) (replaced, dropped []string, err error) {
	return l.replaced, nil, nil
}

// edit lays edits over segment i, with the reason why. A zero message drops.
func (l *library) edit(i int, why edit.Why, n, part int, m chat.Message) {
	seg := &l.segments[i]
	op := edit.Set
	switch {
	case m.Role == "":
		op = edit.Drop
	case part > 0:
		op = edit.Add
	}
	if l.edits == nil {
		l.edits = map[int64][]edit.Edit{}
	}
	l.edits[seg.Body] = append(l.edits[seg.Body], edit.Edit{Place: edit.Place{Body: seg.Body, N: n, Part: part}, Op: op, Why: why, Message: m})
	slices.SortFunc(l.edits[seg.Body], func(a, b edit.Edit) int { return cmp.Or(a.N-b.N, a.Part-b.Part) })
	seg.Edited = edit.Digest(seg.Digest, seg.Start, l.edits[seg.Body])
}

// good adds n sessions that pass every check.
func good(n int) *library {
	l := &library{}
	for i := range n {
		l.add(nil, user(fmt.Sprint("question ", i)), says("answer"))
	}
	return l
}

func run(t *testing.T, l *library, opts Options) Report {
	t.Helper()
	r, err := Run(t.Context(), l, opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// folder lists the names in a folder.
func folder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// order lists the questions of a file by number.
func order(text string) (numbers []string) {
	for _, part := range strings.Split(text, "question ")[1:] {
		numbers = append(numbers, part[:strings.IndexByte(part, '"')])
	}
	return numbers
}

func TestRunWritesApprovedSegmentsInOrder(t *testing.T) {
	l := good(7)
	l.segments[2].Verdict = review.Rejected
	l.segments[3].Verdict = review.Pending
	l.segments[4].Verdict = review.Unsure
	l.segments[5].Stale, l.segments[5].Was, l.segments[5].Verdict = true, review.Approved, review.Pending
	path := filepath.Join(t.TempDir(), "out.jsonl")
	var calls int
	r, err := Run(t.Context(), l, Options{Path: path}, func(r Report) {
		if calls++; r.Candidates != calls {
			t.Errorf("progress of %d candidates at call %d", r.Candidates, calls)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, path)
	if got := order(text); !slices.Equal(got, []string{"0", "1", "6"}) {
		t.Errorf("wrote %v", got)
	}
	want := Report{
		As: "hf", Candidates: 3, Written: 3, Rows: 3, Trained: 3, Tokens: r.Tokens, Types: []Group{}, Tools: []Group{}, Bytes: int64(len(text)),
		Files: []File{{Path: path, Rows: 3, Bytes: int64(len(text)), SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(text)))}}, LeftOut: []LeftOut{}, Repairs: []RepairCount{},
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("report %+v\nwant %+v", r, want)
	}
	if r.Tokens != 3*(3+2) {
		t.Errorf("%d tokens", r.Tokens)
	}
	if rows, err := hf.Validate(strings.NewReader(text)); rows != 3 || err != nil {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestSelection(t *testing.T) {
	score := func(x float64) *float64 { return &x }
	const fine = `"metrics":{"format":{"score":1}},"flags":[]`
	l := good(12)
	for i, s := range []review.Segment{
		{Verdict: review.Approved, Score: score(0.9), Analysis: fine, TaskType: "code"},
		{Verdict: review.Pending, Score: score(0.8), Analysis: fine, TaskType: "data"},
		{Verdict: review.Unsure, Score: score(0.95), Analysis: `"metrics":{"format":null}`},
		{Verdict: review.Rejected, Score: score(1), Analysis: fine, TaskType: "code"},
		{Verdict: review.Approved, Score: score(0.7), Analysis: fine},
		{Verdict: review.Approved},
		{Verdict: review.Pending, Score: score(0.9), Analysis: `"metrics":{"format":{"score":0.5}}`},
		{Verdict: review.Pending, Score: score(0.9), Analysis: `"flags":["no_reasoning","truncated"]`},
		{Verdict: review.Pending, Score: score(0.9), Analysis: `"flags":`},
		{Verdict: review.Pending, Stale: true, Was: review.Approved},
		{Verdict: review.Pending, Stale: true, Was: review.Rejected},
		{Verdict: "", Score: score(0.9), Analysis: `"flags":null`},
	} {
		if s.Analysis != "" {
			s.Analysis = fmt.Sprintf(`{"version":1,"summary":{"overall_score":%g},%s}`, *s.Score, s.Analysis)
		}
		to := &l.segments[i]
		to.Verdict, to.Score, to.Analysis, to.TaskType, to.Stale, to.Was = s.Verdict, s.Score, s.Analysis, s.TaskType, s.Stale, s.Was
	}
	for name, c := range map[string]struct {
		sel  Selection
		want []int
	}{
		"approved":          {Selection{}, []int{0, 4, 5}},
		"any verdict":       {Selection{AnyVerdict: true}, []int{0, 1, 2, 4, 5, 6, 7, 8, 11}},
		"with a score":      {Selection{MinScore: score(0.8)}, []int{0}},
		"any, with a score": {Selection{AnyVerdict: true, MinScore: score(0.8)}, []int{0, 1, 2, 11}},
		"task type":         {Selection{AnyVerdict: true, TaskType: "code"}, []int{0}},
		"stale":             {Selection{Stale: true}, []int{0, 4, 5, 9}},
		"any and stale":     {Selection{Stale: true, AnyVerdict: true}, []int{0, 1, 2, 4, 5, 6, 7, 8, 9, 11}},
	} {
		var got []int
		for i := range l.segments {
			if c.sel.takes(&hf, &l.segments[i]) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: takes %v, want %v", name, got, c.want)
		}
	}
	// What the source is asked for must not hide what is taken.
	if got := run(t, l, Options{Check: true, Selection: Selection{Stale: true}}).Candidates; got != 4 {
		t.Errorf("%d candidates with stale ones", got)
	}
}

// A stale segment is taken by the verdict it had, and that is what is told.
func TestProvenanceTellsTheVerdictOfAStaleSegment(t *testing.T) {
	l := &library{}
	l.add(func(seg *review.Segment, _ *review.Session) {
		seg.Verdict, seg.Stale, seg.Was = review.Pending, true, review.Approved
	}, user("u"), says("a"))
	path := filepath.Join(t.TempDir(), "out.jsonl")
	run(t, l, Options{Path: path, Selection: Selection{Stale: true}})
	if got := read(t, path); !strings.Contains(got, `\"verdict\":\"approved\"`) {
		t.Error(got)
	}
}

func TestLimitCountsSamplesWritten(t *testing.T) {
	l := &library{}
	l.add(nil, user("question 0"))
	for i := range 4 {
		l.add(nil, user(fmt.Sprint("question ", i+1)), says("a"))
	}
	path := filepath.Join(t.TempDir(), "out.jsonl")
	r := run(t, l, Options{Path: path, Selection: Selection{Limit: 2}})
	if got := order(read(t, path)); !slices.Equal(got, []string{"1", "2"}) || r.Written != 2 || len(r.LeftOut) != 1 {
		t.Errorf("wrote %v, %+v", got, r)
	}
}

func TestUnansweredCallIsLeftOutWithAReason(t *testing.T) {
	l := good(1)
	l.add(nil, user("q"), calls("c9"), user("v"), says("a"))
	l.add(nil, user("q"), says("a"), says("b"))
	r := run(t, l, Options{Path: filepath.Join(t.TempDir(), "out.jsonl")})
	want := []LeftOut{{Segment: "00000001-0000", SessionFile: "/data/001.jsonl", Finding: Finding{Check: "unanswered_call", Message: 2, Detail: "the call of sh (c9) is not answered"}}}
	if r.Written != 2 || r.Candidates != 3 || !reflect.DeepEqual(r.LeftOut, want) {
		t.Errorf("%+v", r)
	}
	if got := r.LeftOut[0].Reason(); got != "message 2: the call of sh (c9) is not answered" {
		t.Error(got)
	}
	if !reflect.DeepEqual(r.Repairs, []RepairCount{{"joined", "adjacent assistant messages joined into one", 1}}) {
		t.Errorf("repairs %+v", r.Repairs)
	}
}

func TestNoSamplesWriteNoFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.jsonl")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := run(t, &library{}, Options{Path: path, Force: true})
	if r.Written != 0 || len(r.Files) != 0 || read(t, path) != "old" {
		t.Errorf("%+v", r)
	}
}

func TestCheckTouchesNothing(t *testing.T) {
	l := good(2)
	l.add(nil, user("q"))
	r := run(t, l, Options{Check: true})
	if r.Written != 2 || len(r.LeftOut) != 1 || len(r.Files) != 0 || r.Bytes == 0 {
		t.Errorf("%+v", r)
	}
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	for _, e := range ofSamples() {
		var texts [2]string
		for i := range texts {
			path := filepath.Join(t.TempDir(), "out.jsonl")
			run(t, good(20), Options{Path: path, As: e.Name, KeepNoReasoning: true})
			texts[i] = read(t, path)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s differs", e.Name)
		}
	}
}

func withTools(seg *review.Segment, sess *review.Session) { sess.Tools = toolsRecorded }

func TestOpenAISamplesWithoutToolsGoToTheirOwnFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.v1.jsonl")
	mixed := good(2)
	mixed.add(withTools, user("question 2"), says("a"))
	mixed.add(nil, user("question 3"), says("a"))
	r := run(t, mixed, Options{Path: path, As: "openai"})
	extra := filepath.Join(dir, "out.v1.notools.jsonl")
	if got := folder(t, dir); got != "out.v1.jsonl out.v1.notools.jsonl" {
		t.Fatal(got)
	}
	for file, want := range map[string][]string{path: {"2"}, extra: {"0", "1", "3"}} {
		if got := order(read(t, file)); !slices.Equal(got, want) {
			t.Errorf("%s holds %v", file, got)
		}
		if _, err := openai.Validate(strings.NewReader(read(t, file))); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	if len(r.Files) != 2 || r.Files[0].Path != path || r.Files[1].Rows != 3 || r.Files[0].Bytes+r.Files[1].Bytes != r.Bytes {
		t.Errorf("files %+v", r.Files)
	}
	// A file in the way of the second one is in the way as well.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), mixed, Options{Path: path, As: "openai"}, nil); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	// Without tools anywhere there is one file, and none of the old export.
	r = run(t, good(2), Options{Path: path, As: "openai", Force: true})
	if got := folder(t, dir); got != "out.v1.jsonl" || len(r.Files) != 1 || r.Files[0].Path != path || r.Files[0].Rows != 2 {
		t.Errorf("%s, %+v", got, r.Files)
	}
}

func BenchmarkRun(b *testing.B) {
	l := &library{}
	log := strings.Repeat("2026-01-02 15:04:05 INFO \"GET /index.html\" 200 in 12ms, 写入完成\n", 60)
	for range 200 {
		messages := []chat.Message{sys("You are a coding agent."), user("Please find out why the build fails.")}
		for i := range 15 {
			m := calls(fmt.Sprint("call_", i))
			m.Reasoning = strings.Repeat("The log says that the linker runs out of memory. ", 20)
			messages = append(messages, m, result(fmt.Sprint("call_", i), log))
		}
		l.add(withTools, append(messages, says("It was the linker."))...)
	}
	for _, e := range ofSamples() {
		b.Run(e.Name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "out.jsonl")
			for b.Loop() {
				r, err := Run(b.Context(), l, Options{Path: path, As: e.Name, Force: true}, nil)
				if err != nil || r.Written != 200 {
					b.Fatal(r, err)
				}
				b.SetBytes(r.Bytes)
			}
			b.ReportAllocs()
		})
	}
}
