package desk

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/train"
	"winnow/store"
)

// trains is a desk with a configuration and an empty database.
func trains(t *testing.T, vars map[string]string) *Desk {
	t.Helper()
	path := filepath.Join(t.TempDir(), "winnow.db")
	now := func() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }
	st, err := store.Open(t.Context(), path, store.Options{Curator: "ann", Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	vars["HOME"] = t.TempDir()
	c, err := config.Read(&config.Env{GOOS: "linux", User: func() string { return "ann" }, Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok }}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return &Desk{Store: st, Config: c, Path: path, Now: now, Rand: rand.Reader, Command: func(words string) string { return "winnow " + words }}
}

// served is a desk whose runs a server trains that is away, and a run of it.
func served(t *testing.T, s train.Status, remote train.Remote) (*Desk, train.Run) {
	t.Helper()
	d := trains(t, map[string]string{"WINNOW_TRAIN_BASE_URL": "http://127.0.0.1:1/v1", "WINNOW_TRAIN_BACKEND": "openai"})
	r := train.Run{Curator: "ann", Cause: train.Asked, Backend: train.ByOpenAI, Status: s, Base: "qwen", Host: "127.0.0.1:1", Manifest: "ab", Exit: -1, Started: d.Now(), Remote: remote}
	if err := d.BeginRun(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.Allow(t.Context(), r.Host); err != nil {
		t.Fatal(err)
	}
	return d, r
}

// TestAJobNeedsItsDataNoMore: a job that goes on is looked at, and is stopped, whatever
// became of what it was made of.
func TestAJobNeedsItsDataNoMore(t *testing.T) {
	d, r := served(t, train.Running, train.Remote{File: "f", Job: "j"})
	_, step := d.StepRun(t.Context(), r.ID)
	_, stop := d.StopRun(t.Context(), r.ID, false)
	for _, err := range []error{step, stop} {
		if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") || strings.Contains(err.Error(), "data") {
			t.Errorf("%v: its server was not asked", err)
		}
	}
}

// TestWhatWasWithdrawnIsNotSent: a run that waits for its server ends if any of its samples
// would train no more.
func TestWhatWasWithdrawnIsNotSent(t *testing.T) {
	d, r := served(t, train.Uploading, train.Remote{})
	if _, err := d.PutSamples(t.Context(), r.ID, []train.Sample{{Detail: "gone", Segment: "gone", Split: train.Train}}, func(*train.Run) error { return nil }); err != nil {
		t.Fatal(err)
	}
	r, err := d.StepRun(t.Context(), r.ID)
	if want := "1 of the samples of run 1 would train no more"; err != nil || r.Status != train.Cancelled || !strings.Contains(r.Error, want) {
		t.Errorf("%s %q, %v", r.Status, r.Error, err)
	}
}

// TestEachPageSaysWhatIsWithdrawn: samples say why they would train no more, however many
// of these there are.
func TestEachPageSaysWhatIsWithdrawn(t *testing.T) {
	d, r := served(t, train.Uploading, train.Remote{})
	var list []train.Sample
	for i := range mostWithdrawn + 100 {
		list = append(list, train.Sample{Detail: fmt.Sprintf("%04d", i), Segment: "gone", Split: train.Train})
	}
	if _, err := d.PutSamples(t.Context(), r.ID, list, func(*train.Run) error { return nil }); err != nil {
		t.Fatal(err)
	}
	lib, after, n := &trained{Desk: d}, "", 0
	for {
		page, err := lib.Samples(t.Context(), r.ID, after, 90)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for i := range page {
			if after = page[i].Detail; page[i].Why == "" {
				t.Errorf("sample %s has no reason", after)
			}
			n++
		}
	}
	if n != len(list) {
		t.Errorf("%d samples, want %d", n, len(list))
	}
}
