package cycle

import (
	"context"
	"fmt"
	"sync"
	"time"

	"winnow/core/lease"
)

// Usage is what a model took.
type Usage struct {
	In, Out int // tokens
	Cost    float64
}

// Order is what a step is to do, and what it tells meanwhile. It is safe for concurrent
// use, but for Moved.
type Order struct {
	Limit int       // things at most, 0 any number
	Now   time.Time // when the step began
	// Quiet is since when a session must not have changed: others are being written.
	Quiet time.Time

	keeper   *lease.Keeper
	attempts *attempts
	budget   *budget
	moved    func(Step)
}

// Hold runs f under a lease. If another program has it, the step is skipped, once Do
// returns the error.
func (o *Order) Hold(ctx context.Context, name string, f func(ctx context.Context, token string) error) error {
	return o.keeper.Hold(ctx, name, f)
}

// Moved says how far a step is.
func (o *Order) Moved(s Step) { o.moved(s) }

// FailedBefore reports whether something failed in an earlier cycle. Skip need not be asked
// of what did not.
func (o *Order) FailedBefore(key string) bool {
	_, there := o.attempts.known[key]
	return there
}

// Skip reports whether something failed, and it is not the time to try it again.
func (o *Order) Skip(key, input string) bool { return o.attempts.skip(key, input, o.Now) }

// Over forgets what failed before and is no longer to be done, as over says of each key:
// somebody else did it, or it is gone.
func (o *Order) Over(over func(key string) (bool, error)) error {
	for key := range o.attempts.known {
		yes, err := over(key)
		if err != nil {
			return err
		}
		if yes {
			o.Did(key)
		}
	}
	return nil
}

// Failed notes why something failed. It counts once the step ends or is stopped,
// unless it is found out that a model cannot be used.
func (o *Order) Failed(key, input string, err error) { o.attempts.failed(key, input, err) }

// Did notes that something was done, which may have failed before.
func (o *Order) Did(key string) { o.attempts.did(key) }

// Enough reports whether the budget is used up, now that the step used so much. It is
// asked before something is begun, and then the step waits.
func (o *Order) Enough(used Usage) bool { return o.budget.enough(used) }

// budget is what may be used. The zero value is without limits.
type budget struct {
	tokens, usedTokens int     // of the cycle; 0: any number
	cost, usedCost     float64 // of the day; 0: any

	mu   sync.Mutex
	over string // what is used up
}

func (b *budget) enough(used Usage) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.over != "":
	case b.cost > 0 && b.usedCost+used.Cost >= b.cost:
		b.over = fmt.Sprintf("today's budget of $%.2f is used", b.cost)
	case b.tokens > 0 && b.usedTokens+used.In+used.Out >= b.tokens:
		b.over = fmt.Sprintf("the %d tokens of this cycle are used", b.tokens)
	}
	return b.over != ""
}
