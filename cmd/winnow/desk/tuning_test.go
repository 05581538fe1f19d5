package desk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/train"
	"winnow/store"
)

// TestARunStaysWithItsServer: a run whose server is configured no more asks no other one,
// and can be stopped all the same.
func TestARunStaysWithItsServer(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "winnow.db")
	now := func() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }
	st, err := store.Open(ctx, path, store.Options{Curator: "ann", Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	vars := map[string]string{"HOME": t.TempDir(), "WINNOW_TRAIN_BASE_URL": "https://other.example/v1"}
	c, err := config.Read(&config.Env{GOOS: "linux", User: func() string { return "ann" }, Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok }}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	d := &Desk{Store: st, Config: c, Path: path, Now: now, Command: func(words string) string { return "winnow " + words }}
	begin := func(s train.Status) int64 {
		t.Helper()
		r := train.Run{Curator: "ann", Cause: train.Asked, Backend: train.ByOpenAI, Status: s, Base: "qwen", Host: "first.example", Manifest: "ab", Exit: -1}
		if err := st.BeginRun(ctx, &r); err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	r, err := d.StopRun(ctx, begin(train.Uploading), false)
	if err != nil || r.Status != train.Cancelled || r.Error != "" {
		t.Errorf("without a job: %s %q, %v", r.Status, r.Error, err)
	}
	id := begin(train.Running)
	if err := st.Allow(ctx, "other.example"); err != nil {
		t.Fatal(err)
	}
	_, err = d.StopRun(ctx, id, false)
	for _, want := range []string{"first.example", "other.example", "winnow runs stop 2 --here"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if r, err = d.FindRun(ctx, id); err != nil || r.Status != train.Running {
		t.Errorf("%s, %v", r.Status, err)
	}
	r, err = d.StopRun(ctx, id, true)
	if want := "only here: its job at first.example may go on"; err != nil || r.Status != train.Cancelled || r.Error != want {
		t.Errorf("%s %q, %v", r.Status, r.Error, err)
	}
}

// TestNothingIsLeftOfABeginning: of a run that came to nothing while it was exported no
// texts of sessions lie about.
func TestNothingIsLeftOfABeginning(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "winnow.db")
	now := func() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }
	st, err := store.Open(ctx, path, store.Options{Curator: "ann", Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	d := &Desk{Store: st, Config: &config.Config{}, Path: path, Now: now}
	for _, why := range []error{context.Canceled, train.Nothing("nothing new"), os.ErrPermission} {
		r := train.Run{Curator: "ann", Cause: train.Asked, Backend: train.ByCommand, Status: train.Exporting, Exit: -1}
		if err := st.BeginRun(ctx, &r); err != nil {
			t.Fatal(err)
		}
		place := d.Trainer().Place(r.ID)
		if err := errors.Join(place.Make(&r), os.MkdirAll(filepath.Join(place.Data(), "half"), 0o700)); err != nil {
			t.Fatal(err)
		}
		if r, err := d.unbegun(ctx, r.ID, why); !errors.Is(err, why) || !r.Status.Ended() {
			t.Errorf("%s, %v", r.Status, err)
		}
		if _, err := os.Stat(string(place)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: it is there: %v", why, err)
		}
	}
}
