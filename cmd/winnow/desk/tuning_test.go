package desk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/train"
)

// TestARunStaysWithItsServer: a run whose server is configured no more asks no other one,
// and can be stopped all the same.
func TestARunStaysWithItsServer(t *testing.T) {
	ctx := t.Context()
	d := trains(t, map[string]string{"WINNOW_TRAIN_BASE_URL": "https://other.example/v1"})
	begin := func(s train.Status) int64 {
		t.Helper()
		r := train.Run{Curator: "ann", Cause: train.Asked, Backend: train.ByOpenAI, Status: s, Base: "qwen", Host: "first.example", Manifest: "ab", Exit: -1}
		if err := d.BeginRun(ctx, &r); err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	r, err := d.StopRun(ctx, begin(train.Uploading), false)
	if err != nil || r.Status != train.Cancelled || r.Error != "" {
		t.Errorf("without a job: %s %q, %v", r.Status, r.Error, err)
	}
	id := begin(train.Running)
	if err := d.Store.Allow(ctx, "other.example"); err != nil {
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
	d := trains(t, map[string]string{})
	for _, why := range []error{context.Canceled, train.Nothing("nothing new"), os.ErrPermission} {
		r := train.Run{Curator: "ann", Cause: train.Asked, Backend: train.ByCommand, Status: train.Exporting, Exit: -1}
		if err := d.BeginRun(ctx, &r); err != nil {
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
