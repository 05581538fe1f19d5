package hub

import (
	"fmt"
	"testing"

	"winnow/core/review"
	"winnow/core/runs"
)

// Sessions that are cut without a model are stored some at a time; what a model
// says of one is stored at once.
func TestSessionsAreStoredTogether(t *testing.T) {
	for by, most := range map[review.CutBy]int{review.CutOffline: 40/16 + 2, review.CutModel: 40} {
		b := newBench(t)
		for i := range 40 {
			b.write(fmt.Sprint("s", i), talk(6, 20))
		}
		b.load()
		if r := b.cut(&everyN{n: 3, by: by}, false); r.Sessions != 40 || r.Segments != 80 {
			t.Errorf("%s: %+v", by, r)
		}
		if n := b.store.cutTransactions; n > most || by == review.CutModel && n < most {
			t.Errorf("%s: %d transactions", by, n)
		}
	}
}

// One session that changed since is cut again, and does not keep those that
// wait with it from being stored.
func TestOneChangedSessionAmongOthers(t *testing.T) {
	b := newBench(t)
	for i := range 5 {
		b.write(fmt.Sprint("s", i), talk(6, 20))
	}
	b.load()
	changed := false
	b.store.beforeCuts = func(int) {
		if !changed {
			changed = true
			b.write("s2", talk(9, 20))
			b.load()
		}
	}
	c := &everyN{n: 3}
	g := &runs.Segmenter{Store: b.store, Cutter: c, Jobs: 1}
	if r, err := g.Run(t.Context()); err != nil || r.Sessions != 5 || r.Messages != 4*6+9 || len(c.asked) != 6 {
		t.Errorf("%+v, %v; asked for %v", r, err, c.asked)
	}
}
