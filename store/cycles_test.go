package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"winnow/core/cycle"
	"winnow/core/lease"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestALeaseIsTakenOverWhenItIsOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	a, b := openAt(t, path), openAt(t, path)
	take := func(s *Store, token string, at time.Time) (lease.Lease, bool) {
		t.Helper()
		held, ok, err := s.TakeLease(t.Context(), lease.Lease{Name: "segment", Token: token, Holder: "run " + token, Until: at.Add(time.Minute)}, at)
		if err != nil {
			t.Fatal(err)
		}
		return held, ok
	}
	before, err := a.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := take(a, "a", noon); !ok {
		t.Fatal("nobody had it")
	}
	if held, ok := take(b, "b", noon.Add(time.Minute-time.Millisecond)); ok || held.Holder != "run a" || held.Token != "a" || !held.Until.Equal(noon.Add(time.Minute)) {
		t.Errorf("%+v, taken %v", held, ok)
	}
	if ok, err := a.RenewLease(t.Context(), lease.Lease{Name: "segment", Token: "a", Until: noon.Add(75 * time.Second)}); !ok || err != nil {
		t.Errorf("not renewed: %v", err)
	}
	if _, ok := take(b, "b", noon.Add(time.Minute)); ok {
		t.Error("taken although it was renewed")
	}
	if _, ok := take(b, "b", noon.Add(75*time.Second)); !ok {
		t.Error("not taken although it is over")
	}
	if ok, err := a.RenewLease(t.Context(), lease.Lease{Name: "segment", Token: "a", Until: noon.Add(time.Hour)}); ok || err != nil {
		t.Errorf("renewed by who lost it: %v", err)
	}
	if err := a.ReturnLease(t.Context(), "segment", "a"); err != nil {
		t.Fatal(err)
	}
	if list, err := a.Leases(t.Context()); err != nil || len(list) != 1 || list[0].Token != "b" {
		t.Errorf("%+v, %v", list, err)
	}
	if err := b.ReturnLease(t.Context(), "segment", "b"); err != nil {
		t.Fatal(err)
	}
	if list, err := a.Leases(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if after, err := a.Version(t.Context()); err != nil || after != before {
		t.Errorf("version %d, was %d, %v", after, before, err)
	}
	clean(t, a)
}

// Of many that want a lease at once, one gets it.
func TestOneOfManyGetsALease(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	a, b := openAt(t, path), openAt(t, path)
	for round := range 20 {
		at := noon.Add(time.Duration(round) * time.Minute)
		var wait sync.WaitGroup
		var mu sync.Mutex
		got := 0
		for i := range 8 {
			s := []*Store{a, b}[i%2]
			wait.Go(func() {
				_, ok, err := s.TakeLease(context.Background(), lease.Lease{Name: "judge", Token: fmt.Sprint(round, i), Until: at.Add(time.Minute)}, at)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				if ok {
					got++
				}
			})
		}
		if wait.Wait(); got != 1 {
			t.Fatalf("round %d: %d got it", round, got)
		}
	}
}

func TestCyclesAreKept(t *testing.T) {
	s := openTemp(t)
	before, err := s.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lost := cycle.Cycle{Began: noon, Holder: "run 1"}
	alive := cycle.Cycle{Began: noon, Holder: "run 2"}
	for _, c := range []*cycle.Cycle{&lost, &alive} {
		if err := s.BeginCycle(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprint(cycle.LeaseName, c.ID)
		until := noon.Add(time.Duration(c.ID) * time.Minute)
		if _, ok, err := s.TakeLease(t.Context(), lease.Lease{Name: name, Token: "t", Until: until}, noon); !ok || err != nil {
			t.Fatal(err)
		}
		if err := s.PutStep(t.Context(), c.ID, &cycle.Step{Name: "segment", Status: cycle.Running, Began: noon.Add(time.Second), Todo: 5, Cost: 0.25}); err != nil {
			t.Fatal(err)
		}
		if err := s.PutStep(t.Context(), c.ID, &cycle.Step{Name: "import", Status: cycle.Done, Began: noon, Ended: noon.Add(time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.TakeLease(t.Context(), lease.Lease{Name: "cycles", Token: "t", Until: noon.Add(time.Minute)}, noon); err != nil {
		t.Fatal(err)
	}
	next := cycle.Cycle{Began: noon.Add(90 * time.Second), Holder: "run 3"}
	if err := s.BeginCycle(t.Context(), &next); err != nil {
		t.Fatal(err)
	}
	if err := s.EndCycle(t.Context(), next.ID, next.Began); err != nil {
		t.Fatal(err)
	}
	if held, err := s.Leases(t.Context()); err != nil || len(held) != 2 || held[0].Name != fmt.Sprint(cycle.LeaseName, alive.ID) || held[1].Name != "cycles" {
		t.Errorf("leases: %+v, %v", held, err)
	}
	list, err := s.Cycles(t.Context(), 10)
	if err != nil || len(list) != 3 || list[0].ID != next.ID || !list[0].Ended.Equal(next.Began) {
		t.Fatalf("%+v, %v", list, err)
	}
	if c := list[1]; !c.Ended.IsZero() || len(c.Steps) != 2 || c.Steps[0].Name != "import" || c.Steps[1].Status != cycle.Running || c.Steps[1].Todo != 5 {
		t.Errorf("the one that is alive: %+v", c)
	}
	if c := list[2]; c.Ended.IsZero() || len(c.Steps) != 2 || c.Steps[0].Status != cycle.Done || c.Steps[1].Status != cycle.Failed || c.Steps[1].Note == "" {
		t.Errorf("the one that ended without a word: %+v", c)
	}
	if list, err := s.Cycles(t.Context(), 1); err != nil || len(list) != 1 || list[0].ID != next.ID {
		t.Errorf("%+v, %v", list, err)
	}
	for since, want := range map[time.Duration]float64{0: 0.5, time.Second: 0.5, 2 * time.Second: 0} {
		if cost, err := s.CostSince(t.Context(), noon.Add(since)); err != nil || cost != want {
			t.Errorf("since %s: %v, %v", since, cost, err)
		}
	}
	if at, err := s.StepDone(t.Context(), "import"); err != nil || !at.Equal(noon.Add(time.Second)) {
		t.Errorf("%v, %v", at, err)
	}
	if at, err := s.StepDone(t.Context(), "judge"); err != nil || !at.IsZero() {
		t.Errorf("%v, %v", at, err)
	}
	if after, err := s.Version(t.Context()); err != nil || after != before {
		t.Errorf("version %d, was %d, %v", after, before, err)
	}
	clean(t, s)
}

func TestAttemptsAreKept(t *testing.T) {
	s := openTemp(t)
	for _, a := range []cycle.Attempt{
		{Kind: "segment", Key: "a", Input: "1", Tries: 1, Next: noon, Error: "no"},
		{Kind: "segment", Key: "b", Input: "1", Tries: 5, Error: "never"},
		{Kind: "judge", Key: "a", Input: "1", Tries: 1, Next: noon},
		{Kind: "segment", Key: "a", Input: "2", Tries: 2, Next: noon.Add(time.Hour), Error: "again"},
	} {
		if err := s.Tried(t.Context(), a.Kind, []string{"none"}, []cycle.Attempt{a}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Tried(t.Context(), "segment", []string{"c", "b"}, []cycle.Attempt{{Key: "c", Input: "1", Tries: 1}, {Key: "b", Input: "1", Tries: 5, Error: "never"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Tried(t.Context(), "segment", []string{"c"}, nil); err != nil {
		t.Fatal(err)
	}
	list, err := s.Attempts(t.Context(), "segment")
	if err != nil || len(list) != 2 || list[0].Input != "2" || list[0].Tries != 2 || !list[0].Next.Equal(noon.Add(time.Hour)) || !list[1].Next.IsZero() {
		t.Fatalf("%+v, %v", list, err)
	}
	if n, err := s.Retry(t.Context(), "segment", "c"); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := s.Retry(t.Context(), "judge", "a"); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := s.Retry(t.Context(), "segment", ""); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if list, err := s.Attempts(t.Context(), ""); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// What waits is read with its name: the topic of a segment, the title of a session, none
// of what is gone.
func TestWaitingIsNamed(t *testing.T) {
	s, ctx := openTemp(t), t.Context()
	w := recorded(t, s, "/s", wordy(8, rand.New(rand.NewPCG(1, 2))), 0, 4)
	segments, err := s.SegmentsOf(ctx, w.id)
	if err != nil || len(segments) != 2 {
		t.Fatal(segments, err)
	}
	session, err := s.Session(ctx, w.id)
	if err != nil || session.Title == "" {
		t.Fatal(session, err)
	}
	for _, a := range []cycle.Attempt{
		{Kind: "a", Key: segments[1].ID, Tries: 3, Next: noon, Error: "no"}, {Kind: "b", Key: w.id}, {Kind: "c", Key: "gone"}, {Kind: "d", Key: segments[0].ID},
	} {
		if err := s.Tried(ctx, a.Kind, nil, []cycle.Attempt{a}); err != nil {
			t.Fatal(err)
		}
	}
	list, names, err := s.Waiting(ctx, 3)
	if want := map[string]string{segments[1].ID: "task 1", w.id: session.Title}; err != nil || !reflect.DeepEqual(names, want) {
		t.Errorf("names %q, want %q, %v", names, want, err)
	}
	all, err := s.Attempts(ctx, "")
	if err != nil || len(all) != 4 || !reflect.DeepEqual(list, all[:3]) {
		t.Errorf("%+v, want the first of %+v, %v", list, all, err)
	}
}
