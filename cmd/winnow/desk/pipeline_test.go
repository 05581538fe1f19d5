package desk

import (
	"path/filepath"
	"testing"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/cycle"
	"winnow/core/lease"
	"winnow/store"
)

// TestPipelineIsReadOnce: as long as nobody commits nothing is read again, but what a
// program was at that was killed ends with its lease.
func TestPipelineIsReadOnce(t *testing.T) {
	ctx, now := t.Context(), time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	st, err := store.Open(ctx, filepath.Join(t.TempDir(), "w.db"), store.Options{Curator: "ann", Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	tried := func(key string) {
		t.Helper()
		if err := st.Tried(ctx, "judge", nil, []cycle.Attempt{{Key: key, Tries: 1, Error: "no"}}); err != nil {
			t.Fatal(err)
		}
	}
	c := cycle.Cycle{Began: now}
	if err := st.BeginCycle(ctx, &c); err != nil {
		t.Fatal(err)
	}
	if err := st.PutStep(ctx, c.ID, &cycle.Step{Name: "judge", Status: cycle.Running, Began: now}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := st.TakeLease(ctx, lease.Lease{Name: "cycle:1", Token: "t", Until: now.Add(time.Minute)}, now); err != nil {
		t.Fatal(err)
	}
	tried("a")
	p := &pipelined{Desk: &Desk{Store: st, Config: &config.Config{}, Now: clock}}
	first, err := p.Pipeline(ctx)
	if err != nil || len(first.Attempts) != 1 || len(first.Leases) != 1 || first.Cycles[0].Lost || first.Cycles[0].Steps[0].Status != cycle.Running {
		t.Fatalf("%+v, %v", first, err)
	}
	now = now.Add(time.Minute)
	second, err := p.Pipeline(ctx)
	if err != nil || len(second.Leases) != 0 || !second.Cycles[0].Lost || second.Cycles[0].Steps[0].Status != cycle.Failed || first.Cycles[0].Lost {
		t.Errorf("%+v, %v", second, err)
	}
	if &second.Attempts[0] != &first.Attempts[0] {
		t.Error("it was read again")
	}
	tried("b")
	if third, err := p.Pipeline(ctx); err != nil || len(third.Attempts) != 2 {
		t.Errorf("%+v, %v", third, err)
	}
}
