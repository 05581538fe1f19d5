package cycle

import (
	"fmt"
	"slices"
	"time"

	"winnow/core/lease"
)

// LostNote is the note of a step whose program ended in the midst of it.
const LostNote = "the program ended before this was done"

// Settle marks cycles as Lost that did not end and have no lease any more, and what they
// were at as failed, as the next cycle will.
func Settle(list []Cycle, leases []lease.Lease, now time.Time) {
	for i := range list {
		c := &list[i]
		name := fmt.Sprint(LeaseName, c.ID)
		if !c.Ended.IsZero() || slices.ContainsFunc(leases, func(l lease.Lease) bool { return l.Name == name && l.Until.After(now) }) {
			continue
		}
		c.Lost = true
		c.Steps = slices.Clone(c.Steps)
		for k := range c.Steps {
			if s := &c.Steps[k]; s.Status == Running {
				s.Status, s.Note = Failed, LostNote
			}
		}
	}
}
