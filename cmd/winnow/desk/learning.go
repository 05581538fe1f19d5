package desk

import (
	"context"
	"time"

	"winnow/core/runs"
	"winnow/tui/work"
)

// Learner learns from the verdicts that the configuration says.
func (d *Desk) Learner() *runs.Learner {
	l := &runs.Learner{Store: d.Store, Now: d.Now}
	if d.Text("learn.from") == "me" {
		l.Whose = d.Text("reviewer")
	}
	return l
}

// learning learns in the background how likely segments would be approved.
type learning struct {
	*Desk
	took time.Duration // the last time
}

// How long verdicts are waited for, so that many are learned from at once: no less
// than quietLeast, and so long that the machine is busy with it for a small part of
// the time.
const (
	quietLeast = 4 * time.Second
	quietTimes = 20
)

// Plan implements work.Source.
func (b *learning) Plan(ctx context.Context) (work.Plan, error) {
	due, err := b.Learner().Due(ctx)
	if !due {
		return work.Plan{}, err
	}
	return work.Plan{Here: 1, Wait: max(quietLeast, quietTimes*b.took)}, err
}

// Do implements work.Source.
func (b *learning) Do(ctx context.Context, _ bool, _ func(work.Progress)) error {
	began := b.Now()
	_, err := b.Learner().Run(ctx)
	b.took = b.Now().Sub(began)
	return err
}
