package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/core/review"
	"winnow/store"
)

// besideGoal is for 99 of 100 verdicts that are given while another process
// imports; besideVerdicts is how many are measured, with a pause between them.
const (
	besideGoal     = 50 * time.Millisecond
	besideVerdicts = 500
	besidePause    = 5 * time.Millisecond
)

// besideImport measures verdicts while another process imports, first from a
// process that does nothing else, then from one that indexes the new text
// meanwhile, as the screen does.
func (b *bench) besideImport() error {
	defer b.remove("few", "sessions", "beside.db")
	if _, err := b.generate("few", "--size", "5000000"); err != nil {
		return err
	}
	if _, _, err := b.imports("beside.db", "few"); err != nil {
		return err
	}
	if _, err := b.generate("sessions", "--size", fmt.Sprint(b.size)); err != nil {
		return err
	}
	ctx := context.Background()
	s, err := store.Open(ctx, b.path("beside.db"), store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	for _, indexing := range []bool{false, true} {
		what := "verdict while another process imports, p99"
		if indexing {
			what = "  and this one indexes text"
		}
		times, err := b.judgeBeside(ctx, s, indexing)
		if err != nil {
			return err
		}
		slices.Sort(times)
		of := func(percent int) time.Duration { return times[(len(times)-1)*percent/100] }
		b.atMost(what, milliseconds(besideGoal), milliseconds(of(99)), "ms")
		b.row("  p50, p90, slowest", "–", fmt.Sprintf("%.4g, %.4g, %.4g ms", milliseconds(of(50)), milliseconds(of(90)), milliseconds(of(100))), "")
	}
	return nil
}

// judgeBeside gives verdicts one by one while another process imports the
// sessions, again and again as those of other agents, and returns how long each
// took.
func (b *bench) judgeBeside(ctx context.Context, s *store.Store, indexing bool) (times []time.Duration, err error) {
	page, err := s.Segments(ctx, review.Query{Limit: 50})
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	imported, indexed := make(chan error, 1), make(chan error, 1)
	go func() {
		var err error
		for n := 0; ctx.Err() == nil && err == nil; n++ {
			_, _, err = b.winnow("beside.db", "import", "--agent", fmt.Sprintf("%v-%d", indexing, n), b.path("sessions"))
		}
		imported <- err
	}()
	go func() {
		var err error
		for indexing && ctx.Err() == nil && err == nil {
			if _, err = s.IndexText(ctx, time.Second); errors.Is(err, context.Canceled) {
				err = nil
			}
		}
		indexed <- err
	}()
	for n := 0; len(times) < besideVerdicts && err == nil; n++ {
		g := &page.Segments[n%len(page.Segments)]
		g.Verdict = review.Verdicts[(slices.Index(review.Verdicts[:], g.Verdict)+1)%len(review.Verdicts)] // another one: the same is not written
		began := time.Now()
		var e review.Entry
		e, err = s.Judge(ctx, review.Judgement{Curator: "bench", Verdict: g.Verdict, IDs: []string{g.ID}})
		times = append(times, time.Since(began))
		if err == nil && len(e.Changes) == 0 {
			err = fmt.Errorf("the verdict of segment %s was not written", g.ID)
		}
		time.Sleep(besidePause)
	}
	stop()
	return times, errors.Join(err, <-imported, <-indexed)
}
