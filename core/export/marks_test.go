package export

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A format that has no place for training marks says so, and how many messages
// are trained that should not be.
func TestMarksThatAFormatCannotCarryAreCounted(t *testing.T) {
	marking := Marking()
	for _, e := range Emitters() {
		l := &library{}
		l.add(nil, user("a"), says("b"), user("c"), says("d"), user("e"), says("f"))
		l.segments[0].Masked = []int{2}
		can := slices.Contains(marking, e.Name)
		if told := strings.Contains(e.Losses, "training marks"); told == can {
			t.Errorf("%s: marks are carried: %t, but its losses are %q", e.Name, can, e.Losses)
		}
		for _, c := range []struct {
			train Train
			off   int
		}{{TrainAll, 1}, {TrainLast, 2}} {
			for _, opts := range []Options{{Check: true}, {Path: filepath.Join(t.TempDir(), "out.jsonl")}} {
				opts.As, opts.Train, opts.KeepNoReasoning = e.Name, c.train, true
				want := 0
				if !can {
					want = c.off
				}
				if r := run(t, l, opts); r.Written != 1 || r.Unmarked != want {
					t.Errorf("%s, train %q: %d of %d samples, %d unmarked, want %d", e.Name, c.train, r.Written, r.Candidates, r.Unmarked, want)
				}
			}
		}
	}
}
