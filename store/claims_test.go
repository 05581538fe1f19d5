package store

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"winnow/core/review"
)

// claim is what a program gets of what it would go on to.
func claim(t testing.TB, s *Store, program, reads string, next ...string) string {
	t.Helper()
	got, err := s.Claim(t.Context(), review.Claiming{Program: program, Curator: program, Reads: reads, Next: next})
	if err != nil {
		t.Fatal(err)
	}
	return got.Next
}

func TestWhatOneHoldsAnotherIsNotLedTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	a, b := openAt(t, path), openAt(t, path)
	ids := four(t, a)
	if got := claim(t, a, "ann", ids[0], ids[1:]...); got != ids[1] {
		t.Errorf("ann goes on to %s", got)
	}
	if got := claim(t, b, "ben", "", ids...); got != ids[2] {
		t.Errorf("ben, with one read and one reserved: %s", got)
	}
	if got := claim(t, a, "ann", ids[1], ids[2:]...); got != ids[3] {
		t.Errorf("ann goes on to %s", got)
	}
	if got := claim(t, b, "ben", ids[2], ids...); got != ids[0] {
		t.Errorf("what ann left is not free: %q", got)
	}
	judge(t, a, "ann", review.Approved, ids[0])
	if got := claim(t, b, "ben", ids[2], ids...); got != "" {
		t.Errorf("a judged one: %s", got)
	}
	got, err := b.Claim(t.Context(), review.Claiming{Program: "ben", Curator: "ben", Reads: ids[1], Next: ids, Judged: true})
	if err != nil || got.Next != ids[0] || len(got.Others) != 2 {
		t.Errorf("%+v %v", got, err)
	}
	if err := a.Release(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	all, err := a.Claims(t.Context())
	if err != nil || len(all) != 2 || all[0].Curator != "ben" || all[0].Segment != ids[1] || all[0].Next || !all[1].Next {
		t.Errorf("%+v %v", all, err)
	}
	clean(t, a)
}

func TestClaimsOfAProgramThatIsGoneEnd(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "w.db"), Options{Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ids := four(t, s)
	claim(t, s, "gone", ids[0])
	now = now.Add(review.ClaimFor - time.Second)
	if got := claim(t, s, "ben", "", ids[0]); got != "" {
		t.Error("taken before it was over")
	}
	now = now.Add(2 * time.Second)
	if got := claim(t, s, "ben", "", ids[0]); got != ids[0] {
		t.Errorf("%q although it is over", got)
	}
}

func TestClaimsAreNoChangeOfContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	a, b := openAt(t, path), openAt(t, path)
	ids := four(t, a)
	version := func() int64 {
		v, err := a.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	seen := version()
	for _, s := range []*Store{a, b} {
		claim(t, s, "ann", ids[0], ids[1])
		if all, err := a.Claims(t.Context()); err != nil || len(all) != 2 {
			t.Errorf("%+v %v", all, err)
		}
		if v := version(); v != seen {
			t.Errorf("a claim made version %d of %d", v, seen)
		}
	}
	judge(t, b, "ann", review.Approved, ids[0])
	if version() == seen {
		t.Error("a verdict left the version")
	}
	seen = version()
	judge(t, b, "ann", review.Approved, ids[0])
	if version() != seen {
		t.Error("the same verdict again changed the version")
	}
}

// However many ask at once, no two are led to the same segment.
func TestNoTwoAreLedToTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	first := openAt(t, path)
	var ids []string
	for _, c := range "abcdefghij" {
		ids = append(ids, put(t, first, write("/"+string(c), talk(2, string(c))))...)
	}
	var mu sync.Mutex
	got := map[string]string{}
	var all sync.WaitGroup
	for _, c := range "0123456789" {
		s, program := openAt(t, path), string(c)
		all.Go(func() {
			c, err := s.Claim(context.Background(), review.Claiming{Program: program, Curator: program, Next: ids})
			mu.Lock()
			defer mu.Unlock()
			if other := got[c.Next]; err != nil || other != "" {
				t.Errorf("%s and %s get %q: %v", other, program, c.Next, err)
			}
			got[c.Next] = program
		})
	}
	all.Wait()
	if len(got) != 10 || got[""] != "" {
		t.Errorf("%v", got)
	}
}

// What an open screen costs that nobody touches.
func BenchmarkLook(b *testing.B) {
	s := openTemp(b)
	for b.Loop() {
		if _, err := s.Version(b.Context()); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Claims(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClaim(b *testing.B) {
	s := openTemp(b)
	ids := four(b, s)
	for i := 0; b.Loop(); i++ {
		claim(b, s, "ann", ids[i%4], ids...)
	}
}
