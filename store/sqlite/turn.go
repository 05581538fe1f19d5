package sqlite

import (
	"context"
	"sync"
)

// turn says who in this process may write. A waiting curator goes before a
// waiting import; among equals it is first come, first served.
type turn struct {
	mu     sync.Mutex
	taken  bool
	urgent []chan struct{} // curators
	others []chan struct{} // imports
}

// take waits for the turn. Whoever took it must give it back.
func (t *turn) take(ctx context.Context, urgent bool) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	t.mu.Lock()
	if !t.taken {
		t.taken = true
		t.mu.Unlock()
		return nil
	}
	queue := &t.others
	if urgent {
		queue = &t.urgent
	}
	called := make(chan struct{})
	*queue = append(*queue, called)
	t.mu.Unlock()

	select {
	case <-called:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	for i, c := range *queue {
		if c == called {
			*queue = append((*queue)[:i], (*queue)[i+1:]...)
			t.mu.Unlock()
			return context.Cause(ctx)
		}
	}
	t.mu.Unlock()
	// Called at the very moment of giving up: pass it on.
	t.give()
	return context.Cause(ctx)
}

// wanted reports whether a curator waits.
func (t *turn) wanted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.urgent) > 0
}

// give hands the turn to the next in the queue.
func (t *turn) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	queue := &t.urgent
	if len(*queue) == 0 {
		queue = &t.others
	}
	if len(*queue) == 0 {
		t.taken = false
		return
	}
	close((*queue)[0])
	*queue = (*queue)[1:]
}
