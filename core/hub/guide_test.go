package hub

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"winnow/core/review"
	"winnow/core/runs"
)

// What is passed over does not count against the limit, and once it is enough nothing
// more is begun.
func TestRunsAreGuided(t *testing.T) {
	for _, by := range []review.CutBy{review.CutModel, review.CutOffline} {
		b := newBench(t)
		for i := range 5 {
			b.write(fmt.Sprint("s", i), talk(4+i, 20))
		}
		b.load()
		run := func(limit int, guide runs.Guide[runs.CutRef]) (done []int, all int) {
			guide.Ended = func(r *runs.CutRef, err error) {
				if err != nil {
					t.Error(err)
				}
				done = append(done, r.Messages)
			}
			g := &runs.Segmenter{Store: b.store, Cutter: &everyN{n: 4, by: by}, Jobs: 1, Limit: limit, Guide: guide}
			g.Progress = func(p runs.CutProgress) { all = p.AllSessions }
			if _, err := g.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			return done, all
		}
		if done, all := run(2, runs.Guide[runs.CutRef]{Skip: func(r *runs.CutRef) bool { return r.Messages < 6 }}); !slices.Equal(done, []int{6, 7}) || all != 2 {
			t.Errorf("%s: %v of %d", by, done, all)
		}
		if done, all := run(0, runs.Guide[runs.CutRef]{Skip: func(r *runs.CutRef) bool { return r.Messages == 8 }, Enough: func() bool { return true }}); len(done) > 0 || all != 2 {
			t.Errorf("%s: %v of %d", by, done, all)
		}
		var asked atomic.Int32 // by who gives work, and by who does it
		if done, all := run(0, runs.Guide[runs.CutRef]{Enough: func() bool { return asked.Add(1) > 2 }}); len(done) > 1 || all != 3 {
			t.Errorf("%s: %v of %d", by, done, all)
		}
	}
}
