package store

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"winnow/core/filter"
	"winnow/core/review"
)

// fillIndex makes all text searchable.
func fillIndex(t *testing.T, s *Store) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.IndexText(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
}

func snapshot(t *testing.T, s *Store) *Snapshot {
	t.Helper()
	n, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

// seen renders what is seen, page by page.
func seen(t *testing.T, from interface {
	Segments(context.Context, review.Query) (review.Page, error)
}, only filter.Node) (list []string) {
	t.Helper()
	for q := (review.Query{Limit: 2, Filter: only}); ; {
		page, err := from.Segments(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range page.Segments {
			list = append(list, fmt.Sprint(page.Segments[i].SessionFile, " ", page.Segments[i].Verdict))
		}
		if !page.More {
			return list
		}
		q.After = page.Last
	}
}

func TestASnapshotIsOneState(t *testing.T) {
	s := openTemp(t)
	ids := put(t, s, write("/a", talk(8, "apple")), write("/b", talk(8, "pear")), write("/c", talk(8, "apple")), write("/d", talk(4, "x")))
	judge(t, s, "ann", review.Approved, ids[0], ids[1])
	fillIndex(t, s)
	approved, apples := review.HasVerdict(review.Approved), filter.Text{Value: "apple"}
	n := snapshot(t, s)
	all, good, found := seen(t, n, nil), seen(t, n, approved), fmt.Sprint(seen(t, n, apples))
	if len(all) != 4 || len(good) != 2 || found != "[/a approved /c pending]" {
		t.Fatal(all, good, found)
	}

	// Nothing that others do is seen, and they need not wait.
	judge(t, s, "ann", review.Rejected, ids...)
	put(t, s, write("/aa", talk(8, "apple")), write("/e", talk(8, "pear")))
	fillIndex(t, s)
	for name, got := range map[string][2]any{
		"all": {seen(t, n, nil), all}, "approved": {seen(t, n, approved), good}, "text": {seen(t, n, apples), found},
	} {
		if fmt.Sprint(got[0]) != fmt.Sprint(got[1]) {
			t.Errorf("%s: %v, before %v", name, got[0], got[1])
		}
	}
	if now := seen(t, s, nil); len(now) != 6 {
		t.Errorf("the store lists %v", now)
	}
	if got := seen(t, snapshot(t, s), apples); len(got) != 3 {
		t.Errorf("a later snapshot finds %v", got)
	}
	if _, err := n.Segments(t.Context(), review.Query{Limit: 1, Order: review.BestScore}); err == nil {
		t.Error("another order")
	}
}

func TestASnapshotIsReadFromSeveralGoroutines(t *testing.T) {
	s := openTemp(t)
	put(t, s, write("/a", talk(40, "x")), write("/b", talk(40, "y")))
	n := snapshot(t, s)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			page, err := n.Segments(context.Background(), reviewAll(5))
			for i := range page.Segments {
				seg := &page.Segments[i]
				messages, err := n.Messages(context.Background(), seg.Body, seg.Start, seg.End)
				if err != nil || len(messages) != 40 {
					t.Error(len(messages), err)
				}
				if _, err := n.Session(context.Background(), seg.SessionID); err != nil {
					t.Error(err)
				}
			}
			if err != nil || len(page.Segments) != 2 {
				t.Error(len(page.Segments), err)
			}
		})
	}
	all.Wait()
}

func TestAStoreOnlyForReadingHasSnapshots(t *testing.T) {
	s := openTemp(t)
	put(t, s, write("/a", talk(8, "x")))
	path := s.Path()
	r, err := Open(t.Context(), path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got := seen(t, snapshot(t, r), nil); len(got) != 1 {
		t.Error(got)
	}
}
