package runs

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"winnow/core/chat"
	"winnow/core/review"
)

// underway is a run that is being done: what cutting and scoring have in common.
type underway struct {
	stop context.CancelCauseFunc

	mu      sync.Mutex // guards what follows, and what the run counts
	strikes strikes    // since a model did what it was asked to
}

// answered notes that a model did what it was asked to.
func (u *underway) answered() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.strikes.clear()
}

// ErrUnfinished is why nothing came of what was under way when a run ended.
var ErrUnfinished = errors.New("the run ended before it was done")

// reason returns why nothing came of a session or a segment, as a report says it:
// nil if that is no fault of its own. It stops the run if the store failed.
func (u *underway) reason(ctx context.Context, err error) error {
	var failed *review.StoreError
	switch {
	case errors.As(err, &failed):
		u.stop(failed.Err)
		return nil
	case ctx.Err() == nil:
		return err
	case errors.Is(context.Cause(ctx), context.Canceled):
		return nil // somebody asked for the end
	}
	return ErrUnfinished
}

// tryModel asks a model for what it must be able to do, and stops the run if it is
// not: nothing can be done, such as "cut".
func (u *underway) tryModel(ctx context.Context, done string, probe func(context.Context) error) {
	if ctx.Err() != nil {
		return
	}
	if err := probe(ctx); err != nil && ctx.Err() == nil {
		u.stop(unusable(done, err))
	}
}

// share has jobs goroutines, one per processor if that is 0, work on what list
// gives, until there is no more or ctx ends. worker is called in each: it returns
// what to do with one thing, and what to do at the end.
func share[T any](ctx context.Context, jobs int, worker func() (work func(T), end func()), list func(give func(T) error) error) error {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	next := make(chan T)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			work, end := worker()
			for one := range next {
				if ctx.Err() == nil {
					work(one)
				}
			}
			end()
		})
	}
	err := list(func(one T) error {
		select {
		case next <- one:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(next)
	workers.Wait()
	return err
}

// reader reads a conversation, numbered from 1, that a model is tried with.
func reader(talk ...chat.Message) func(ctx context.Context, from, to int, f func(*chat.Message) error) error {
	return func(_ context.Context, from, to int, f func(*chat.Message) error) error {
		if from < 1 || to > len(talk) {
			return fmt.Errorf("messages %d to %d of %d were asked for", from, to, len(talk))
		}
		for n := from; n <= to; n++ {
			m := talk[n-1]
			if err := f(&m); err != nil {
				return err
			}
		}
		return nil
	}
}
