package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
)

func TestCuratorsGoFirst(t *testing.T) {
	var q turn
	ctx := t.Context()
	if err := q.take(ctx, false); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var order []string
	var all sync.WaitGroup
	wait := func(name string, urgent bool) {
		started := len(q.waiting())
		all.Go(func() {
			if err := q.take(ctx, urgent); err != nil {
				t.Error(err)
			}
			mu.Lock()
			order = append(order, name)
			mu.Unlock()
			q.give()
		})
		for len(q.waiting()) == started {
			runtime.Gosched()
		}
	}
	wait("import 1", false)
	wait("import 2", false)
	wait("curator 1", true)
	wait("curator 2", true)
	q.give()
	all.Wait()
	if got := fmt.Sprint(order); got != "[curator 1 curator 2 import 1 import 2]" {
		t.Error(got)
	}
}

// waiting returns who waits.
func (t *turn) waiting() []chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append(append([]chan struct{}(nil), t.urgent...), t.others...)
}

func TestGivingUpATurn(t *testing.T) {
	var q turn
	if err := q.take(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := q.take(ctx, true); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	late, stop := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() { gone <- q.take(late, true) }()
	for len(q.waiting()) == 0 {
		runtime.Gosched()
	}
	stop()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	q.give()
	if err := q.take(t.Context(), false); err != nil {
		t.Error(err)
	}
}
