package httpd

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"winnow/core/inbox"
)

// receipts writes what became of uploads to the database, many at once, so that no
// client waits behind an import for its turn to write. What is not written yet is found
// here. They are no promise: that is what was uploaded itself.
type receipts struct {
	s    *Server
	wake chan struct{}

	mu     sync.Mutex // guards what follows
	fresh  map[string]*inbox.Arrival
	failed string // why they could not be written last, "" if they could
}

func newReceipts(s *Server) *receipts {
	return &receipts{s: s, wake: make(chan struct{}, 1), fresh: map[string]*inbox.Arrival{}}
}

// mostFresh is how many wait to be written at most: others are given up, what came of
// an import last, since a row that is there already would else say "stored" for ever.
const mostFresh = 10_000

// imported reports whether it says what came of an import.
func imported(a *inbox.Arrival) bool { return a.Outcome != inbox.Stored && a.Outcome != inbox.Refused }

// put keeps what became of an upload.
func (r *receipts) put(a inbox.Arrival) {
	r.mu.Lock()
	if r.fresh[a.ID] == nil && len(r.fresh) >= mostFresh && imported(&a) {
		for id, other := range r.fresh {
			if !imported(other) {
				delete(r.fresh, id)
				break
			}
		}
	}
	if r.fresh[a.ID] != nil || len(r.fresh) < mostFresh {
		r.fresh[a.ID] = &a
	}
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// find returns an upload by its id.
func (r *receipts) find(ctx context.Context, id string) (inbox.Arrival, bool, error) {
	r.mu.Lock()
	a := r.fresh[id]
	r.mu.Unlock()
	if a != nil {
		return *a, true, nil
	}
	return r.s.Store.Ingest(ctx, id)
}

// The time in which receipts gather before they are written, and that until the next
// try if that failed.
const gatherTime, againTime = 100 * time.Millisecond, 5 * time.Second

// run writes them until ctx ends, and then the last ones.
func (r *receipts) run(ctx context.Context) {
	for {
		select {
		case <-r.wake:
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), againTime)
			defer cancel()
			r.write(last)
			return
		}
		wait := gatherTime
		for ok := false; !ok && ctx.Err() == nil; {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
			if ok = r.write(ctx); !ok {
				wait = againTime
			}
		}
	}
}

// write writes those that wait.
func (r *receipts) write(ctx context.Context) bool {
	r.mu.Lock()
	list := slices.SortedFunc(maps.Values(r.fresh), func(a, b *inbox.Arrival) int { return a.At.Compare(b.At) })
	r.mu.Unlock()
	if len(list) == 0 {
		return true
	}
	err := r.s.Store.PutIngests(ctx, list)
	why := ""
	if err != nil {
		why = err.Error()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && why != r.failed && ctx.Err() == nil {
		r.s.Warn("the list of uploads is not written: %v: tried again", err)
	}
	r.failed = why
	for _, a := range list {
		if err == nil && r.fresh[a.ID] == a { // else it changed meanwhile
			delete(r.fresh, a.ID)
		}
	}
	return err == nil
}
