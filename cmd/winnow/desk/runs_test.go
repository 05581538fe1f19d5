package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/train"
	"winnow/store"
)

// TestRunsOnTheScreen: runs are told with their last loss, and each with its samples, the
// end of its log and a warning; a run that ended and goes on is read anew.
func TestRunsOnTheScreen(t *testing.T) {
	ctx, folder := t.Context(), t.TempDir()
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	path := filepath.Join(folder, "winnow.db")
	st, err := store.Open(ctx, path, store.Options{Curator: "ann", Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	d := &Desk{Store: st, Config: &config.Config{}, Path: path, Now: func() time.Time { return now }}
	begin := func(model string, samples int, by string) int64 {
		t.Helper()
		r := train.Run{Curator: "ann", Cause: train.Asked, Backend: train.ByOpenAI, Status: train.Exporting, Base: "qwen", Created: now}
		if err := st.BeginRun(ctx, &r); err != nil {
			t.Fatal(err)
		}
		var list []train.Sample
		for i := range samples {
			list = append(list, train.Sample{Detail: fmt.Sprintf("%s%04d", by, i), Segment: "gone", Split: train.Train, Model: by})
		}
		if _, err := st.PutSamples(ctx, r.ID, list, func(r *train.Run) error {
			r.Status, r.Model = train.Running, model
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := st.NameModel(ctx, model, r.ID); err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	become := func(id int64, s train.Status, loss float64) {
		t.Helper()
		if err := st.AddPoints(ctx, id, []train.Point{{Step: int(100 * loss), Name: "loss", Value: loss}}); err != nil {
			t.Fatal(err)
		}
		if _, err := st.ChangeRun(ctx, id, func(r *train.Run) error { r.Status = s; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	first := begin("ours-1", 3, "opus")
	become(first, train.Failed, 1)
	second := begin("ours-2", 4, "ours-1")
	p, l := &pipelined{Desk: d}, &trained{Desk: d}
	losses := func(want string) {
		t.Helper()
		s, err := p.Pipeline(ctx)
		if got := fmt.Sprint(s.Losses[first].Value, s.Losses[second].Value); err != nil || got != want || len(s.Runs) != 2 {
			t.Errorf("%s, want %s; %d runs, %v", got, want, len(s.Runs), err)
		}
		if due, err := p.DueText(ctx); err != nil || due == "" {
			t.Errorf("due %q, %v", due, err)
		}
	}
	losses("1 0")
	become(first, train.Running, 2)
	losses("2 0")
	become(first, train.Succeeded, 3)
	become(second, train.Running, 1)
	losses("3 1")
	if _, err := st.ChangeRun(ctx, second, func(r *train.Run) error { r.Status, r.Ended = train.Cancelled, now; return nil }); err != nil {
		t.Fatal(err)
	}
	losses("3 1")
	if err := st.AddPoints(ctx, second, []train.Point{{Step: 900, Name: "loss", Value: 5}}); err != nil { // its worker is stopped after it
		t.Fatal(err)
	}
	losses("3 5")

	s, err := l.Run(ctx, first)
	if err != nil || s.Warning != "" || s.Log != nil || s.AllWithdrawn != 3 || len(s.Points) != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	r, err := st.FindRun(ctx, second)
	if err == nil {
		err = d.Trainer().Place(second).Make(&r)
	}
	if err != nil {
		t.Fatal(err)
	}
	log := d.Trainer().Place(second).Log()
	if err := os.WriteFile(log, []byte(strings.Repeat("line\n", 40_000)+"10%\r20%\r30%\n\n\xff\x1b[2Jlast"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err = l.Run(ctx, second)
	if n := len(s.Log); err != nil || n != mostLog || !s.LogCut || s.Log[n-1] != "\xff\x1b[2Jlast" || s.Log[n-2] != "30%" {
		t.Errorf("%q, %v", s.Log, err)
	}
	if want := "4 of 4 samples were written by models that this one comes from: it learns from itself"; s.Warning != want {
		t.Errorf("warning %q", s.Warning)
	}
	list, err := l.Samples(ctx, second, "ours-10001", 2)
	if err != nil || len(list) != 2 || list[0].Detail != "ours-10002" || list[0].Why == "" || list[0].Title != "" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := l.Run(ctx, 99); err == nil {
		t.Error("a run that is not there was read")
	}
	if s, err = l.Run(ctx, first); err != nil || s.Run.ID != first || s.Warning != "" {
		t.Errorf("%+v, %v", s.Run, err)
	}
}
