package runs

import (
	"context"
	"sync"
)

// turns has what is done for one key done by one goroutine at a time.
type turns struct {
	mu    sync.Mutex
	taken map[string]chan struct{}
}

// take waits for the turn of a key. release gives it to the next one.
func (t *turns) take(ctx context.Context, key string) (release func(), err error) {
	for {
		t.mu.Lock()
		busy, is := t.taken[key]
		if !is {
			free := make(chan struct{})
			if t.taken == nil {
				t.taken = map[string]chan struct{}{}
			}
			t.taken[key] = free
			t.mu.Unlock()
			return func() {
				t.mu.Lock()
				defer t.mu.Unlock()
				delete(t.taken, key)
				close(free)
			}, nil
		}
		t.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
