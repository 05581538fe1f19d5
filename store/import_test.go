package store

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/store/sqlite"
)

func TestWriteImportKeepsEverything(t *testing.T) {
	s := openTemp(t)
	list := talk(10, "hello")
	w := write("/a.jsonl", list)
	ids := put(t, s, w)
	st, err := s.LoadSession(t.Context(), "default", "/a.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Messages(t.Context(), st.Body, 1, 10)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, list) {
		t.Errorf("messages differ:\n%+v\n%+v", got, list)
	}
	heads, err := s.Heads(t.Context(), st.Body, 1, 10)
	if err != nil {
		t.Fatal(err)
	}
	var want []any
	var have []any
	for i := range list {
		want = append(want, w.Sessions[0].Chunks[i/3].Heads[i%3])
		have = append(have, heads[i])
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("heads differ:\n%+v\n%+v", have, want)
	}
	if st.LastChunk != 10 || len(st.Segments) != 1 || !bytes.Equal(st.Segments[0].HashState, w.Sessions[0].Segments[0].HashState) {
		t.Errorf("stored session %+v", st)
	}
	if st.Segments[0].ID != ids[0] || st.Segments[0].Digest != chat.DigestOf(list) {
		t.Errorf("segment %+v", st.Segments[0])
	}
	page, err := s.Segments(t.Context(), reviewAll(10))
	if err != nil || len(page.Segments) != 1 {
		t.Errorf("page %+v %v", page, err)
	}
}

// grow returns the write that brings a session of write's shape from some
// messages to all of list: the last chunk is written again.
func grow(t *testing.T, s *Store, file string, list []chat.Message, segments ...review.SegmentWrite) hub.ImportWrite {
	t.Helper()
	st, err := s.LoadSession(t.Context(), "default", file)
	if err != nil {
		t.Fatal(err)
	}
	keep := max(st.LastChunk-1, 0)
	row := st.Session
	row.Tally = review.Tally{}
	for i := range list {
		row.Tally.Add(&list[i])
	}
	return hub.ImportWrite{
		Source:   hub.Source{AgentID: "default", Path: file, Sessions: 1},
		Sessions: []hub.SessionWrite{{Session: row, Trail: review.Trail{Held: 1}, KeepTo: keep, Chunks: pack(list[keep:], 3), Segments: segments}},
	}
}

func clean(t testing.TB, s *Store) {
	t.Helper()
	found, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range found {
		t.Error(found[i].String())
	}
}

func TestAppendExtendsTheSameRows(t *testing.T) {
	s := openTemp(t)
	list := talk(11, "hello")
	id := put(t, s, write("/a", list[:7]))[0]
	before, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	w := seg(list, 1, 11, 0)
	w.ID = id
	put(t, s, grow(t, s, "/a", list, w))
	after, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	if after.ID != before.ID || after.Body != before.Body || !after.CreatedAt.Equal(before.CreatedAt) {
		t.Errorf("the session changed: %+v, was %+v", after.Session, before.Session)
	}
	got, err := s.Messages(t.Context(), after.Body, 1, 99)
	if err != nil || !reflect.DeepEqual(got, list) {
		t.Errorf("%d messages %v", len(got), err)
	}
	if got := segment(t, s, id); got.End != 11 || got.Fingerprint != chat.DigestOf(list).Fingerprint {
		t.Errorf("segment %+v", got)
	}
	clean(t, s)
}

func TestRewrittenSessionGetsANewBody(t *testing.T) {
	s := openTemp(t)
	old, list := talk(7, "old"), talk(5, "new")
	id := put(t, s, write("/a", old))[0]
	judge(t, s, "ann", review.Approved, id)
	before, _ := s.LoadSession(t.Context(), "default", "/a")
	w := write("/a", list)
	w.Sessions[0].NewBody = true
	w.Sessions[0].Retire = []string{id}
	next := put(t, s, w)[0]
	after, _ := s.LoadSession(t.Context(), "default", "/a")
	if after.ID != before.ID || after.Body == before.Body {
		t.Errorf("session %s body %d, was %s body %d", after.ID, after.Body, before.ID, before.Body)
	}
	if got, _ := s.Messages(t.Context(), before.Body, 1, 99); !reflect.DeepEqual(got, old) {
		t.Errorf("the old messages are gone")
	}
	if _, err := s.Segment(t.Context(), id); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("retired segment: %v", err)
	}
	if got := segment(t, s, next); got.Body != after.Body {
		t.Errorf("the new segment lies in body %d of %d", got.Body, after.Body)
	}
	clean(t, s)
}

func TestUnchangedSegmentsMoveToTheNewBody(t *testing.T) {
	s := openTemp(t)
	list := talk(8, "x")
	w := write("/a", list)
	w.Sessions[0].Segments = []review.SegmentWrite{seg(list, 1, 4, 0), seg(list, 5, 8, 1)}
	put(t, s, w)
	w.Sessions[0].NewBody = true
	w.Sessions[0].Segments = w.Sessions[0].Segments[:1] // the second is not written
	put(t, s, w)
	clean(t, s)
}

// Two equal segments carry the fingerprints of the plain run and of the second
// of its kind; when the first leaves, the second becomes the first.
func TestFingerprintsThatMoveBetweenRowsDoNotMeet(t *testing.T) {
	s := openTemp(t)
	list := talk(12, "")
	for i := range list {
		list[i].Content = list[i%4].Content
	}
	number := func(w review.SegmentWrite, n int) review.SegmentWrite {
		h := chat.NewHasher()
		for i := range list[w.Start-1 : w.End] {
			h.Add(&list[w.Start-1+i])
		}
		w.Nth, w.Fingerprint = n, h.Nth(n)
		return w
	}
	for i := range list {
		list[i].ToolCalls, list[i].ToolCallID, list[i].Reasoning = nil, "", ""
	}
	w := write("/a", list)
	w.Sessions[0].Segments = []review.SegmentWrite{
		number(seg(list, 1, 4, 0), 1), number(seg(list, 5, 8, 1), 2), number(seg(list, 9, 12, 2), 3),
	}
	ids := put(t, s, w)
	judge(t, s, "ann", review.Approved, ids...)
	// The three change places in a circle.
	change := grow(t, s, "/a", list)
	for i, start := range []int{5, 9, 1} {
		m := number(seg(list, start, start+3, (i+1)%3), (i+1)%3+1)
		m.ID = ids[i]
		change.Sessions[0].Segments = append(change.Sessions[0].Segments, m)
	}
	put(t, s, change)
	for _, id := range ids {
		if got := segment(t, s, id); got.Verdict != review.Approved || got.Stale {
			t.Errorf("%s became %s, stale %v, by changing its place", got.Short(), got.Verdict, got.Stale)
		}
	}
	clean(t, s)
}

func TestWriteImportIsAllOrNothing(t *testing.T) {
	s := openTemp(t)
	good, bad := write("/a", talk(4, "x")), write("/b", talk(4, "y"))
	bad.Sessions[0].Segments[0].End = 3 // leaves message 4 uncovered
	if _, err := s.WriteImport(t.Context(), []hub.ImportWrite{good, bad}); !errors.Is(err, review.ErrConflict) {
		t.Errorf("segments that do not cover: %v", err)
	}
	if good.Sessions[0].Segments[0].ID != "" {
		t.Error("an id was given to a segment that was not kept")
	}
	if all, _ := s.Sessions(t.Context(), "", 10); len(all) != 0 {
		t.Errorf("half of a failed import was kept: %+v", all)
	}
	put(t, s, good)
	clean(t, s)
}

func TestKeepToMustBeAChunkBorder(t *testing.T) {
	s := openTemp(t)
	list := talk(9, "x")
	id := put(t, s, write("/a", list))[0]
	for _, keep := range []int{4, 20} {
		w := grow(t, s, "/a", list)
		w.Sessions[0].KeepTo = keep
		if _, err := s.WriteImport(t.Context(), []hub.ImportWrite{w}); !errors.Is(err, review.ErrConflict) {
			t.Errorf("keep to %d: %v", keep, err)
		}
	}
	shorter := seg(list, 1, 6, 0)
	shorter.ID = id
	w := grow(t, s, "/a", list[:6], shorter)
	w.Sessions[0].KeepTo, w.Sessions[0].Chunks = 6, nil
	put(t, s, w)
	clean(t, s)
}

func TestTheLedgerIsKept(t *testing.T) {
	s := openTemp(t)
	ctx := t.Context()
	issue := func(line int64, sev session.Severity, reason string) session.Issue {
		return session.Issue{Line: line, Offset: line * 10, Length: 5, Severity: sev, Reason: reason}
	}
	w := write("/a", talk(4, "x"))
	w.Issues = []session.Issue{issue(1, session.Bad, "no JSON"), issue(2, session.Skipped, "blank"), issue(3, session.Skipped, "blank"), issue(4, session.Pending, "unfinished")}
	w.Source.Pending = 1
	put(t, s, w)
	sources, err := s.Sources(ctx, "default")
	if err != nil {
		t.Fatal(err)
	}
	src := sources["/a"]
	w.Source.ID = src.ID
	if !reflect.DeepEqual(*src, w.Source) {
		t.Errorf("source %+v\nwant %+v", *src, w.Source)
	}
	counts, err := s.IssueCounts(ctx, src.ID)
	want := []IssueCount{{session.Skipped, "blank", 2}, {session.Bad, "no JSON", 1}, {session.Pending, "unfinished", 1}}
	if err != nil || !reflect.DeepEqual(counts, want) {
		t.Errorf("counts %+v %v", counts, err)
	}
	page, err := s.Issues(ctx, src.ID, 0, 3)
	if err != nil || len(page) != 3 || page[0].Issue != w.Issues[0] {
		t.Errorf("page %+v %v", page, err)
	}
	rest, err := s.Issues(ctx, src.ID, page[2].ID, 3)
	if err != nil || len(rest) != 1 || rest[0].Issue != w.Issues[3] {
		t.Errorf("rest %+v %v", rest, err)
	}
	put(t, s, hub.ImportWrite{Source: w.Source, Resolved: true, Issues: []session.Issue{issue(4, session.Bad, "no JSON")}})
	if page, _ = s.Issues(ctx, src.ID, 0, 9); len(page) != 4 || page[3].Severity != session.Bad {
		t.Errorf("after the pending line was completed: %+v", page)
	}
	put(t, s, hub.ImportWrite{Source: w.Source, Fresh: true})
	if page, _ = s.Issues(ctx, src.ID, 0, 9); len(page) != 0 {
		t.Errorf("after reading again: %+v", page)
	}
}

func TestMoveSource(t *testing.T) {
	s := openTemp(t)
	ctx := t.Context()
	list := talk(4, "x")
	first := write("/old\xff/a", list) // paths are bytes
	other := write("/old\xff/a#L7", list)
	first.Sessions = append(first.Sessions, other.Sessions...)
	put(t, s, first, write("/b", list))
	ids := []string{first.Sessions[0].Segments[0].ID, first.Sessions[1].Segments[0].ID}
	judge(t, s, "ann", review.Approved, ids...)
	sources, _ := s.Sources(ctx, "default")
	src := sources["/old\xff/a"]
	if err := s.MoveSource(ctx, src.ID, "/b"); !errors.Is(err, review.ErrConflict) {
		t.Errorf("onto another source: %v", err)
	}
	if err := s.MoveSource(ctx, 99, "/c"); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("unknown source: %v", err)
	}
	if err := s.MoveSource(ctx, src.ID, "/new/é"); err != nil {
		t.Fatal(err)
	}
	sessions, err := s.Sessions(ctx, "", 10)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for i := range sessions {
		if sessions[i].SourceID == src.ID {
			files = append(files, sessions[i].File)
		}
	}
	slices.Sort(files)
	if want := []string{"/new/é", "/new/é#L7"}; !reflect.DeepEqual(files, want) {
		t.Errorf("files %q", files)
	}
	for _, id := range ids {
		got := segment(t, s, id)
		if got.Verdict != review.Approved {
			t.Errorf("a moved source lost a verdict: %+v", got)
		}
	}
	if list, _ := s.SourceList(ctx, "", 10); len(list) != 2 || list[1].Path != "/new/é" {
		t.Errorf("sources %+v", list)
	}
	clean(t, s)
}

func TestIDsThatShareTheirFirstDigitsAreDrawnAgain(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir()+"/w.db", Options{Clock: newClock().Now, Rand: &repeating{}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list := talk(8, "x")
	w := write("/a", list)
	w.Sessions[0].Segments = []review.SegmentWrite{seg(list, 1, 4, 0), seg(list, 5, 8, 1)}
	ids := put(t, s, w)
	if review.Short(ids[0]) == review.Short(ids[1]) {
		t.Errorf("ids %q", ids)
	}
}

// repeating gives every eight bytes four times with another end, so that ids
// begin alike.
type repeating struct{ n int }

func (r *repeating) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r.n / 16 / 4)
		if r.n%16 > 8 {
			p[i] = byte(r.n / 16)
		}
		r.n++
	}
	return len(p), nil
}

func TestAFullDiskKeepsNothingOfTheStep(t *testing.T) {
	s := openTemp(t)
	put(t, s, write("/a", talk(4, "x")))
	limit := func(pages string) {
		err := s.db.Write(t.Context(), sqlite.Machine, func(tx *sqlite.Tx) error {
			_, err := tx.Exec("PRAGMA max_page_count = " + pages)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // SQLite takes the present size instead: no page more
	big := write("/b", talk(4, "y"))
	big.Sessions[0].Chunks[0].Data = make([]byte, 1<<20)
	_, err := s.WriteImport(t.Context(), []hub.ImportWrite{write("/c", talk(4, "z")), big})
	if !errors.Is(err, ErrFull) || strings.Contains(err.Error(), "\n") {
		t.Errorf("full disk: %v", err)
	}
	if all, _ := s.Sessions(t.Context(), "", 10); len(all) != 1 {
		t.Errorf("%d sessions", len(all))
	}
	limit("1000000")
	put(t, s, write("/b", talk(4, "y")))
	clean(t, s)
}

func TestASessionTwiceInOneTransaction(t *testing.T) {
	s := openTemp(t)
	list := talk(8, "x")
	id := put(t, s, write("/a", list[:4]))[0]
	var writes []hub.ImportWrite
	for _, n := range []int{6, 8} {
		longer := seg(list, 1, n, 0)
		longer.ID = id
		writes = append(writes, grow(t, s, "/a", list[:n], longer))
	}
	put(t, s, writes...)
	st, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Messages(t.Context(), st.Body, 1, 99); err != nil || !reflect.DeepEqual(got, list) {
		t.Errorf("%d messages %v", len(got), err)
	}
	clean(t, s)
}
