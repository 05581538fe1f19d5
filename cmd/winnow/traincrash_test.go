package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"winnow/core/export/lineage"
	"winnow/core/review"
	"winnow/core/train"
	"winnow/core/train/work"
	"winnow/store"
)

// stages are what a run has come to when something of it is killed.
var stages = []string{"nothing", "a row", "a worker", "an epoch", "a result"}

// TestKilledAtAnyMoment: whatever is killed while runs begin, train and go on, and whenever,
// no run counts twice and no sample is forgotten.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel() // mostly it waits
	s := emptySchool(t, 300*time.Millisecond, "epochs=3")
	s.lessons("lessons", 12+runKills/3, "tiny", "other")
	waiting := s.list("status:pending")
	s.judge("approve", waiting[:12]...)
	waiting = waiting[12:]
	random := rand.New(rand.NewPCG(7, 7))
	begun, became := 0, map[train.Status]int{}
	for i := range runKills {
		args := []string{"train", "--again"}
		list := s.runs()
		switch {
		case i%3 == 1 && len(list) > 0 && list[0].Status != train.Succeeded && list[0].Manifest != "":
			args = []string{"runs", "resume", fmt.Sprint(list[0].ID)}
		case i%3 == 2:
			s.judge("approve", waiting[0])
			waiting = waiting[1:]
		}
		if args[0] == "train" {
			begun++
		}
		s.killed(random, len(list), i%len(stages), args...)
		s.until(func() bool { // it ended, or is found to be lost
			open := slices.DeleteFunc(s.runs(), func(r train.Run) bool { return r.Status.Ended() })
			if len(open) > 0 && s.worker(open[0].ID) == 0 {
				s.ok("runs")
			}
			return len(open) == 0
		})
		s.whole(begun)
		if list := s.runs(); len(list) > 0 {
			became[list[0].Status]++
		}
	}
	if became[train.Succeeded] == runKills {
		t.Error("nothing was killed in time")
	}
	s.does("train", "--again", "--wait")
	s.whole(begun + 1)
	if r := s.runs()[0]; r.Status != train.Succeeded {
		t.Errorf("%+v", r)
	}
	s.with(func(db *store.Store) error {
		counts, err := db.ToTrain(context.Background())
		if counts.New > 0 || counts.Ready == 0 {
			t.Errorf("not all that was approved is trained: %+v", counts)
		}
		return err
	})
	s.ok("doctor")
}

// killed begins a command that begins a run or goes on with one, and kills it, the worker
// or the trainer when the run has come so far, or a moment later.
func (s *school) killed(random *rand.Rand, before, stage int, args ...string) {
	s.t.Helper()
	if stage == 3 && args[0] == "train" {
		s.holds(1)
	}
	cmd := s.process(args...)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var last train.Run
	s.until(func() bool {
		list := s.runs()
		if len(list) == 0 || len(list) == before && args[0] == "train" {
			return stage == 0 || len(ended) > 0
		}
		last = list[0]
		switch stages[stage] {
		case "a worker":
			return last.Status != train.Exporting && last.Status != train.Queued
		case "an epoch":
			log, _ := os.ReadFile(s.place(last.ID).Log())
			return bytes.Contains(log, []byte("epoch")) || last.Status.Ended() && len(ended) > 0
		case "a result":
			_, err := os.Stat(filepath.Join(string(s.place(last.ID)), "result.json"))
			return err == nil || last.Status.Ended() && len(ended) > 0
		}
		return true
	})
	most := 30 * time.Millisecond
	if stage == 0 {
		most *= 10
	}
	select {
	case <-time.After(time.Duration(random.Int64N(int64(most)))):
	case err := <-ended:
		ended <- err
	}
	what := 1 + random.IntN(3)
	if stage < 2 || what&1 != 0 && stage == 2 {
		_ = cmd.Process.Kill()
	}
	if pid := s.worker(last.ID); stage > 1 && what&1 != 0 {
		kill(pid)
	}
	if list := s.runs(); stage > 1 && what&2 != 0 && len(list) > 0 {
		kill(list[0].PID)
	}
	_ = os.Remove(s.hold)
	<-ended
}

// whole checks that runs have samples and data, or neither, that there are no more of them
// than were begun, and that each approved content is trained, held back or new.
func (s *school) whole(begun int) {
	s.t.Helper()
	list := s.runs()
	slices.Reverse(list)
	if len(list) > begun {
		s.t.Errorf("%d runs of %d", len(list), begun)
	}
	held, trained := map[string]bool{}, map[string]bool{}
	s.with(func(db *store.Store) error {
		for i := range list {
			r := &list[i]
			samples, err := db.RunSamples(context.Background(), r.ID, "", 1000)
			if err != nil {
				return err
			}
			if (r.Manifest == "") != (len(samples) == 0) || len(samples) != r.Samples+r.Validation {
				s.t.Errorf("run %d is %s: manifest %q, %d samples of %d and %d", r.ID, r.Status, r.Manifest, len(samples), r.Samples, r.Validation)
			}
			if r.Manifest == "" {
				if r.Status != train.Cancelled && r.Status != train.Failed {
					s.t.Errorf("run %d is %s without data", r.ID, r.Status)
				}
				continue
			}
			if sum, err := work.SumOf(filepath.Join(s.place(r.ID).Data(), filepath.FromSlash(lineage.ManifestName))); err != nil || sum != r.Manifest {
				s.t.Errorf("run %d: the sum is %s, %v", r.ID, sum, err)
			}
			fresh := 0
			for _, one := range samples {
				if one.Split == train.Validation {
					held[one.Detail], held[one.Session] = true, true
				} else if !trained[one.Detail] {
					fresh++
					trained[one.Detail] = r.Status == train.Succeeded
				}
			}
			if fresh != r.New {
				s.t.Errorf("run %d has %d new samples, and not %d", r.ID, fresh, r.New)
			}
		}
		page, err := db.Segments(context.Background(), review.Query{Filter: review.HasVerdict(review.Approved), Limit: 1000})
		if err != nil {
			return err
		}
		var want train.Counts
		for i := range page.Segments {
			seg := &page.Segments[i]
			switch detail := train.DetailOf(seg.Digest); {
			case held[detail] || held[seg.SessionID]:
				want.Held++
			case !trained[detail]:
				want.New++
				fallthrough
			default:
				want.Ready++
			}
		}
		counts, err := db.ToTrain(context.Background())
		if counts.Ready != want.Ready || counts.New != want.New || counts.Held != want.Held {
			s.t.Errorf("there are %+v to train, and not %+v", counts, want)
		}
		return err
	})
}
