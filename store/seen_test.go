package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// seenBy returns what is kept of what a curator has seen.
func seenBy(t testing.TB, s *Store, body int64, curator string) review.Spans {
	t.Helper()
	list, err := scanSpans(s.db.Rows(t.Context(), "SELECT first, last FROM seen WHERE body = ? AND curator = ? ORDER BY first", body, curator))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func see(t testing.TB, s *Store, body int64, spans ...review.Span) {
	t.Helper()
	if err := s.See(t.Context(), body, spans); err != nil {
		t.Fatal(err)
	}
}

func sameSpans(t testing.TB, what string, got review.Spans, want ...review.Span) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// by opens the database of a store for another curator.
func by(t testing.TB, s *Store, curator string) *Store {
	t.Helper()
	o, err := Open(t.Context(), s.Path(), Options{Clock: newClock().Now, Curator: curator})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

// TestWhatIsSeenIsMerged: ranges neither overlap nor touch, hold no message that is
// not there, and are written where something is new.
func TestWhatIsSeenIsMerged(t *testing.T) {
	s := openTemp(t)
	seg := seenSession(t, s, 20)
	for _, step := range []struct {
		see  []review.Span
		kept []review.Span
	}{
		{[]review.Span{{First: 5, Last: 6}}, []review.Span{{First: 5, Last: 6}}},
		{[]review.Span{{First: 9, Last: 9}}, []review.Span{{First: 5, Last: 6}, {First: 9, Last: 9}}},
		{[]review.Span{{First: 7, Last: 7}}, []review.Span{{First: 5, Last: 7}, {First: 9, Last: 9}}},
		{[]review.Span{{First: 1, Last: 2}, {First: 8, Last: 8}}, []review.Span{{First: 1, Last: 2}, {First: 5, Last: 9}}},
		{[]review.Span{{First: 6, Last: 7}}, []review.Span{{First: 1, Last: 2}, {First: 5, Last: 9}}},
		{[]review.Span{{First: -3, Last: 0}, {First: 18, Last: 99}}, []review.Span{{First: 1, Last: 2}, {First: 5, Last: 9}, {First: 18, Last: 20}}},
		{[]review.Span{{First: 1, Last: 20}}, []review.Span{{First: 1, Last: 20}}},
	} {
		see(t, s, seg.Body, step.see...)
		sameSpans(t, fmt.Sprint(step.see), seenBy(t, s, seg.Body, "ann"), step.kept...)
	}
	see(t, s, 99, review.Span{First: 1, Last: 2}) // no body
	sameSpans(t, "of nothing", seenBy(t, s, 99, "ann"))
	got, err := s.Seen(t.Context(), seg.Body, 4, 7)
	if err != nil {
		t.Fatal(err)
	}
	sameSpans(t, "within", got, review.Span{First: 4, Last: 7})
}

// TestEachCuratorHasSeenTheirOwn: in rows, filters and counts, in memory as in the
// database.
func TestEachCuratorHasSeenTheirOwn(t *testing.T) {
	ann := openTemp(t)
	seg := seenSession(t, ann, 20)
	bob, nobody := by(t, ann, "bob"), by(t, ann, "")
	stores := map[*Store]int{ann: 0, bob: 0, nobody: 0}
	look := func(what string) {
		t.Helper()
		for s, want := range stores {
			got, err := s.Segment(t.Context(), seg.ID)
			if err != nil || got.Seen != want {
				t.Errorf("%s: %q has seen %d, want %d: %v", what, s.curator, got.Seen, want, err)
			}
			page, err := s.Segments(t.Context(), review.Query{Limit: 9, Filter: parsed(t, fmt.Sprintf("seen:%d%%", 5*want))})
			if err != nil || len(page.Segments) != 1 || page.Segments[0].Seen != want {
				t.Errorf("%s: %q lists %+v, %v", what, s.curator, page.Segments, err)
			}
			few, err := s.Count(t.Context(), parsed(t, "seen<50%"))
			if err != nil || (few.Segments == 1) != (want < 10) {
				t.Errorf("%s: %q counts %d, %v", what, s.curator, few.Segments, err)
			}
		}
	}
	look("nothing")
	version, err := ann.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	see(t, ann, seg.Body, review.Span{First: 3, Last: 8})
	see(t, bob, seg.Body, review.Span{First: 1, Last: 15})
	stores[ann], stores[bob] = 6, 15
	look("from the database")
	for s := range stores {
		if err := s.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	look("from memory")
	see(t, ann, seg.Body, review.Span{First: 1, Last: 10})
	stores[ann] = 10
	look("changed")
	if now, err := ann.Version(t.Context()); err != nil || now != version {
		t.Errorf("version %d became %d, %v: all would be read again", version, now, err)
	}
	n, err := ann.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if page, err := n.Segments(t.Context(), review.Query{Limit: 9, Filter: parsed(t, "seen>=50%")}); err != nil || len(page.Segments) != 1 {
		t.Errorf("a snapshot has %d, %v", len(page.Segments), err)
	}
}

// TestAppendsKeepWhatWasSeen: the last chunk is written anew, and what is the same in
// it was seen; a message that went on was not.
func TestAppendsKeepWhatWasSeen(t *testing.T) {
	s := openTemp(t)
	seg := seenSession(t, s, 8)
	see(t, s, seg.Body, review.Span{First: 2, Last: 8})
	longer := talk(12, "word")
	longer[7].Content += " and it goes on"
	writeAgain(t, s, seg, 6, false, longer) // chunks have three messages
	sameSpans(t, "after an append", seenBy(t, s, seg.Body, "ann"), review.Span{First: 2, Last: 7})
	got, err := s.Segment(t.Context(), seg.ID)
	if err != nil || got.Seen != 6 || got.Messages != 12 {
		t.Errorf("%d of %d, %v", got.Seen, got.Messages, err)
	}
	writeAgain(t, s, seg, 3, false, longer[:5])
	sameSpans(t, "of what is left", seenBy(t, s, seg.Body, "ann"), review.Span{First: 2, Last: 5})
}

// TestNewBodiesTakeAlongWhatWasSeen where a segment stays as it is, and dropped ones
// keep nothing.
func TestNewBodiesTakeAlongWhatWasSeen(t *testing.T) {
	s := openTemp(t)
	seg := seenSession(t, s, 8)
	see(t, s, seg.Body, review.Span{First: 2, Last: 3}, review.Span{First: 7, Last: 8})
	writeAgain(t, s, seg, 0, true, talk(8, "word"))
	got, err := s.Segment(t.Context(), seg.ID)
	if err != nil || got.Body == seg.Body || got.Seen != 4 {
		t.Fatalf("%d of body %d, %v", got.Seen, got.Body, err)
	}
	sameSpans(t, "the new body", seenBy(t, s, got.Body, "ann"), review.Span{First: 2, Last: 3}, review.Span{First: 7, Last: 8})
	sameSpans(t, "the old body", seenBy(t, s, seg.Body, "ann"))
	writeAgain(t, s, seg, 0, true, talk(8, "other"))
	if got, err = s.Segment(t.Context(), seg.ID); err != nil || got.Seen != 0 {
		t.Errorf("%d of other messages were seen, %v", got.Seen, err)
	}
}

// TestSeenIsLookedUpByItsKey: neither what is asked nor what triggers do walks
// through a table.
func TestSeenIsLookedUpByItsKey(t *testing.T) {
	s := openTemp(t)
	mixed(t, s, 20)
	feed := "SELECT rowid FROM task_segments INDEXED BY task_segments_body WHERE body = ? AND start_line <= ? AND start_line + messages > ?"
	for _, text := range []string{seenSQL, seenBodySQL, unseeSQL, tellSeenSQL, feed} {
		steps := planOf(t, s, text, make([]any, strings.Count(text, "?"))...)
		for line := range strings.Lines(steps) {
			if strings.HasPrefix(strings.TrimSpace(line), "SCAN") && !strings.Contains(line, "VIRTUAL TABLE") {
				t.Errorf("%s:\n%s", text, steps)
			}
		}
	}
}

// seenSession returns the only segment of a session of n messages.
func seenSession(t testing.TB, s *Store, n int) review.Segment {
	t.Helper()
	put(t, s, write("/s", talk(n, "word")))
	page, err := s.Segments(t.Context(), review.Query{Limit: 2})
	if err != nil || len(page.Segments) != 1 {
		t.Fatal(len(page.Segments), err)
	}
	return page.Segments[0]
}

// writeAgain writes the session of a segment with these messages, in the place of those
// after keep, or all of them in a new body.
func writeAgain(t testing.TB, s *Store, of review.Segment, keep int, anew bool, list []chat.Message) {
	t.Helper()
	w := write("/s", list)
	one := &w.Sessions[0]
	one.NewBody, one.KeepTo, one.Segments[0].ID = anew, keep, of.ID
	one.Chunks = pack(list[keep:], 3)
	put(t, s, w)
}
