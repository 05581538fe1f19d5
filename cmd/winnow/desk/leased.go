package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"winnow/cmd/winnow/models"
	"winnow/core/lease"
	"winnow/tui/draw"
)

// Keeper returns what takes leases for a part of the program, as "winnow run".
func (d *Desk) Keeper(holder string) *lease.Keeper {
	return &lease.Keeper{
		Store: d.Store, Holder: fmt.Sprintf("%s, pid %d", holder, os.Getpid()), Now: d.Now, After: time.After, Rand: d.Rand, Lasts: d.Lease,
	}
}

// looks is how often it is looked, while a lease lasts, whether somebody gave theirs back.
const looks = 12

// Leased does what a model is asked for under a lease of a name, so that no two programs
// ask for the same; what asks none is done at once. While another program has the lease,
// told is told who, and how far they are; what they leave is done after.
func (d *Desk) Leased(ctx context.Context, name, holder string, who *models.Asking, told func(string), do func(context.Context) error) error {
	if who.Silent() {
		return do(ctx)
	}
	k := d.Keeper(holder)
	for {
		err := k.Hold(ctx, name, func(ctx context.Context, _ string) error { return do(ctx) })
		var held *lease.Held
		if errors.As(err, &held) {
			told(d.atWork(ctx, held))
		} else if !errors.Is(err, lease.ErrLost) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-k.After(k.Length() / looks):
		}
	}
}

// atWork says who is at it, and how far: "winnow run, pid 4121, 12 of 30".
func (d *Desk) atWork(ctx context.Context, h *lease.Held) string {
	list, err := d.Cycles(ctx, 3) // several may be under way
	if err != nil {
		return h.Holder
	}
	for i := range list {
		for _, s := range list[i].Steps {
			if list[i].Holder == h.Holder && s.Name == h.Name && s.Ended.IsZero() && s.Todo > 0 {
				return fmt.Sprintf("%s, %s of %s", h.Holder, draw.Grouped(s.Done), draw.Grouped(s.Todo))
			}
		}
	}
	return h.Holder
}
