package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/core/inbox"
	"winnow/core/lease"
)

// How often an inbox is tried that somebody has who imports from it, and after how many
// tries the service manager hears that this still goes on, and for how long it may.
const (
	openEvery   = 100 * time.Millisecond
	extendEvery = 100
	extendBy    = time.Minute
)

// open opens the inbox. A "winnow run" that has it has it for as long as it imports, and
// is waited for.
func (c *command) open(ctx context.Context, s Store, dir string) (*inbox.Box, error) {
	told := ""
	for try := 0; ; try++ {
		box, err := inbox.Open(dir)
		if !errors.Is(err, inbox.ErrTaken) {
			return box, err
		}
		list, leasesErr := s.Leases(ctx)
		i := slices.IndexFunc(list, func(l lease.Lease) bool { return l.Name == "import" && l.Until.After(c.Now()) })
		if leasesErr != nil || i < 0 {
			return nil, err
		}
		if by := list[i].Holder; by != told {
			told = by
			c.Warn("%s imports from %s: listens when that is done", by, c.Short(dir))
		}
		if try%extendEvery == 0 {
			_ = notify(c.Get("NOTIFY_SOCKET"), fmt.Sprintf("EXTEND_TIMEOUT_USEC=%d", extendBy.Microseconds()))
		}
		if err := c.pause(ctx, openEvery); err != nil {
			return nil, err
		}
	}
}

// pause waits, or returns why ctx ended.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
