package store

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
)

func TestIDsByPrefix(t *testing.T) {
	s := openTemp(t)
	id := four(t, s)[0]
	all, err := s.Sessions(t.Context(), "", 10)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	session := all[0].ID
	for _, c := range []struct {
		prefix string
		want   error
	}{
		{id, nil}, {id[:8], nil}, {strings.ToUpper(id[:9]), nil}, {id[:3], review.ErrNotFound}, {"", review.ErrNotFound},
		{id + "0", review.ErrNotFound}, {"%%%%%", review.ErrNotFound}, {"zzzz", review.ErrNotFound}, {"\xff\xff\xff\xff", review.ErrNotFound},
	} {
		got, err := s.Segment(t.Context(), c.prefix)
		if !errors.Is(err, c.want) || c.want == nil && got.ID != id {
			t.Errorf("segment %q: %s %v", c.prefix, got.ID, err)
		}
	}
	for prefix, n := range map[string]int{"": 4, id[:1]: 1, strings.ToUpper(id[:2]): 1, id: 1, id + "0": 0, "~": 0, "\xff": 0} {
		got, err := s.SegmentsWith(t.Context(), prefix, 10)
		ok := len(got) >= n && (n != 1 || slices.ContainsFunc(got, func(g review.Segment) bool { return g.ID == id }))
		if err != nil || !ok || n == 0 && len(got) > 0 {
			t.Errorf("segments with %q: %v %v", prefix, got, err)
		}
	}
	if got, err := s.SegmentsWith(t.Context(), "", 2); err != nil || len(got) != 2 || got[0].ID >= got[1].ID {
		t.Errorf("two segments: %v %v", got, err)
	}
	if got, err := s.Session(t.Context(), session[:8]); err != nil || !reflect.DeepEqual(got, all[0]) {
		t.Errorf("session %+v %v", got, err)
	}
	change(t, s.Path(), "UPDATE trajectory_records SET id = 'abcd1' || id; INSERT INTO trajectory_records (id, session_file, created_at, body) SELECT 'abcd2', 'x', created_at, body FROM trajectory_records")
	if _, err := s.Session(t.Context(), "abcd"); !errors.Is(err, review.ErrAmbiguous) {
		t.Errorf("two sessions begin with abcd: %v", err)
	}
}

func TestASessionRowKeepsEveryField(t *testing.T) {
	s := openTemp(t)
	for i, completed := range []*bool{nil, ptr(true), ptr(false)} {
		w := write(fmt.Sprint("/", i), talk(4, "x"))
		row := &w.Sessions[0].Session
		*row = review.Session{
			AgentID: "default", File: row.File, Format: "anthropic", NativeID: "n\x00\xff", Title: "標題 🙂", Model: "m", Completed: completed,
			Started: "2026-05-03T12:00:00Z", Ended: "2026-05-03T13:00:00Z", Dir: "/work", Tools: "[]", Metadata: `{"a":1}`, Parent: "p", Segmented: true,
			Tally: row.Tally,
		}
		put(t, s, w)
		got, err := s.LoadSession(t.Context(), "default", row.File)
		if err != nil {
			t.Fatal(err)
		}
		want := *row
		want.ID, want.Place, want.SourceID, want.Body, want.CreatedAt = got.ID, review.PlaceOf(row.File, 1), int64(i+1), got.Body, got.CreatedAt
		if !reflect.DeepEqual(got.Session, want) || got.ID == "" || got.Body == 0 || got.CreatedAt.IsZero() {
			t.Errorf("session %+v\nwant %+v", got.Session, want)
		}
	}
	if _, err := s.LoadSession(t.Context(), "another", "/0"); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("a session of another agent: %v", err)
	}
}

func TestASegmentRowKeepsEveryField(t *testing.T) {
	s := openTemp(t)
	list := talk(4, "x")
	w := write("/a", list)
	sw := &w.Sessions[0].Segments[0]
	at := s.now()
	sw.Segment = review.Segment{
		Start: 1, End: 4, Digest: chat.DigestOf(list), Nth: 1, Topic: "t", CutBy: review.CutModel, Labeled: true, Score: ptr(0.25), TaskType: "code",
		Analysis: `{"version":1}`, Verdict: review.Pending, Stale: true, Was: review.Approved, WasBy: "ann", WasAt: at, Note: "n", Tags: []string{"a", "b,\"c"},
		Tally: sw.Tally,
	}
	id := put(t, s, w)[0]
	got := segment(t, s, id)
	st, _ := s.LoadSession(t.Context(), "default", "/a")
	want := sw.Segment
	want.SessionID, want.AgentID, want.SessionFile, want.Place, want.Body = st.ID, "default", "/a", review.PlaceOf("/a", 1), st.Body
	want.CreatedAt, want.UpdatedAt = got.CreatedAt, got.UpdatedAt
	if !reflect.DeepEqual(got, want) || got.CreatedAt.IsZero() {
		t.Errorf("segment %+v\nwant %+v", got, want)
	}
	of, err := s.SegmentsOf(t.Context(), st.ID)
	if err != nil || len(of) != 1 || !reflect.DeepEqual(of[0], want) {
		t.Errorf("segments of the session %+v %v", of, err)
	}
}

func TestPagesOfSessionsAndSourcesLoseNone(t *testing.T) {
	s := openTemp(t)
	var want []string
	for i := range 9 {
		w := write(fmt.Sprint("/", i/3), talk(4, "x")) // the same files for three agents
		w.Source.AgentID, w.Sessions[0].Session.AgentID = fmt.Sprint("agent", i%3), fmt.Sprint("agent", i%3)
		put(t, s, w)
		want = append(want, fmt.Sprintf("/%d agent%d", i/3, i%3))
	}
	var sessions, sources []string
	for after := ""; ; {
		page, err := s.Sessions(t.Context(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			sessions, after = append(sessions, r.File+" "+r.AgentID), r.Place
		}
	}
	for after := ""; ; {
		page, err := s.SourceList(t.Context(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			sources, after = append(sources, r.Path+" "+r.AgentID), r.Path
		}
	}
	slices.Sort(sessions)
	slices.Sort(sources)
	if !slices.Equal(sessions, want) || !slices.Equal(sources, want) {
		t.Errorf("sessions %q\nsources %q", sessions, sources)
	}
}

func TestTotals(t *testing.T) {
	s := openTemp(t)
	list := talk(24, "x")
	w := write("/a", list)
	w.Sessions[0].Segments = nil
	for i, score := range []float64{0, 0.05, 0.7, 0.7499, 1} {
		sw := seg(list, i*4+1, i*4+4, i)
		sw.Score, sw.Labeled, sw.Stale = ptr(score), true, i == 2
		w.Sessions[0].Segments = append(w.Sessions[0].Segments, sw)
	}
	w.Sessions[0].Segments = append(w.Sessions[0].Segments, seg(list, 21, 24, 5))
	ids := put(t, s, w)
	judge(t, s, "ann", review.Approved, ids[:2]...)
	judge(t, s, "ann", review.Rejected, ids[5])
	got, err := s.Totals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := review.Totals{
		Sessions: 1, Segments: 6, Labeled: 5, Stale: 1, Messages: 24, Scored: 5,
		ByVerdict: map[review.Verdict]int{review.Approved: 2, review.Rejected: 1, review.Pending: 3},
	}
	want.Histogram[0], want.Histogram[1], want.Histogram[14], want.Histogram[19] = 1, 1, 2, 1
	if math.Abs(got.ScoreSum-2.4999) > 1e-9 {
		t.Errorf("sum of scores %v", got.ScoreSum)
	}
	got.ScoreSum = 0
	for v, n := range got.ByVerdict {
		if n == 0 {
			delete(got.ByVerdict, v)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("totals %+v\nwant %+v", got, want)
	}
	put(t, s, hub.ImportWrite{Source: w.Source, Sessions: []hub.SessionWrite{func() hub.SessionWrite {
		again := write("/a", list[:4]).Sessions[0]
		again.NewBody, again.Retire = true, ids
		return again
	}()}})
	if got, _ = s.Totals(t.Context()); got.Segments != 1 || got.Scored != 0 || got.ScoreSum != 0 || got.Messages != 4 {
		t.Errorf("after all but one left: %+v", got)
	}
	clean(t, s)
}

func TestRangesOfMessages(t *testing.T) {
	s := openTemp(t)
	put(t, s, write("/0", talk(4, "before")), write("/a", talk(10, "x")), write("/b", talk(4, "behind")))
	st, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, first, n int }{
		{1, 10, 1, 10}, {4, 6, 4, 3}, {3, 4, 3, 2}, {10, 10, 10, 1}, {-5, 2, 1, 2}, {8, 1 << 40, 8, 3}, {0, math.MaxInt, 1, 10},
		{11, 20, 0, 0}, {5, 4, 0, 0}, {1 << 40, 1 << 41, 0, 0},
	} {
		list, err := s.Messages(t.Context(), st.Body, c.from, c.to)
		heads, err2 := s.Heads(t.Context(), st.Body, c.from, c.to)
		if err != nil || err2 != nil || len(list) != c.n || len(heads) != c.n || c.n > 0 && (list[0].N != c.first || heads[0].N != c.first) {
			t.Errorf("%d to %d: %d messages, %d heads, want %d from %d (%v %v)", c.from, c.to, len(list), len(heads), c.n, c.first, err, err2)
		}
	}
	if list, err := s.Messages(t.Context(), 99, 1, 5); err != nil || len(list) != 0 {
		t.Errorf("unknown body: %v %v", list, err)
	}
	calls := 0
	err = s.EachMessage(t.Context(), st.Body, 1, 10, func(m *chat.Message) error {
		calls++
		if m.N == 5 {
			return io.EOF
		}
		return nil
	})
	if err != io.EOF || calls != 5 {
		t.Errorf("stopped after %d calls with %v", calls, err)
	}
}

func TestABodyThatWasJudgedStays(t *testing.T) {
	s := openTemp(t)
	put(t, s, write("/a", talk(4, "x")))
	w := write("/a", talk(4, "y"))
	st, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	// A verdict was given on the old messages: they stay.
	if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{st.Segments[0].ID}, Verdict: review.Rejected}); err != nil {
		t.Fatal(err)
	}
	w.Sessions[0].NewBody, w.Sessions[0].Retire = true, []string{st.Segments[0].ID}
	put(t, s, w)
	if n := rowsOf(t, s, st.Body); n == 0 {
		t.Error("the old messages are gone")
	}
}
