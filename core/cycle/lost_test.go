package cycle

import (
	"testing"
	"time"

	"winnow/core/lease"
)

// A cycle that did not end is lost without its lease, and then nothing of it runs.
func TestSettle(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	steps := []Step{{Name: "import", Status: Done, Note: "as it is"}, {Name: "segment", Status: Running, Note: "at it"}}
	list := []Cycle{{ID: 1, Steps: steps}, {ID: 11, Steps: steps}, {ID: 2, Steps: steps}, {ID: 3, Ended: now, Steps: steps}}
	Settle(list, []lease.Lease{{Name: "cycle:11", Until: now.Add(1)}, {Name: "cycle:2", Until: now}}, now)
	for i, lost := range []bool{true, false, true, false} {
		c, want := list[i], steps[1]
		if lost {
			want.Status, want.Note = Failed, LostNote
		}
		if c.Lost != lost || c.Steps[0] != steps[0] || c.Steps[1] != want {
			t.Errorf("%+v, want lost %v", c, lost)
		}
	}
}
