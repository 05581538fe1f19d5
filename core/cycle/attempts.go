package cycle

import (
	"context"
	"sync"
	"time"

	"winnow/core/llm"
)

// pauses are the times after which something that failed is tried again, one after the
// other.
var pauses = []time.Duration{time.Hour, 4 * time.Hour, 24 * time.Hour, 24 * time.Hour}

// pause is how long something is left alone that failed so often, 0 for as long as
// nothing changes.
func pause(tries int) time.Duration {
	if tries < 1 || tries > len(pauses) {
		return 0
	}
	return pauses[tries-1]
}

// attempts are what failed of one step, before and now.
type attempts struct {
	store Store
	kind  string
	known map[string]Attempt

	mu   sync.Mutex
	now  map[string]Attempt
	done map[string]bool
	down error // why a model could not be used
}

func readAttempts(ctx context.Context, s Store, kind string) (*attempts, error) {
	list, err := s.Attempts(ctx, kind)
	a := &attempts{store: s, kind: kind, known: map[string]Attempt{}, now: map[string]Attempt{}, done: map[string]bool{}}
	for _, one := range list {
		a.known[one.Key] = one
	}
	return a, err
}

func (a *attempts) skip(key, input string, now time.Time) bool {
	one, there := a.known[key]
	return there && one.Input == input && (one.Next.IsZero() || now.Before(one.Next))
}

func (a *attempts) failed(key, input string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if llm.Unavailable(err) {
		a.down = err
		return
	}
	one := Attempt{Kind: a.kind, Key: key, Input: input, Tries: 1, Error: err.Error()}
	if before := a.known[key]; before.Input == input {
		one.Tries += before.Tries
	}
	a.now[key] = one
}

func (a *attempts) did(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done[key] = true
}

// keep keeps what was done at a time and, if that counts, what failed.
func (a *attempts) keep(ctx context.Context, at time.Time, failures bool) error {
	var done []string
	for key := range a.done {
		if _, there := a.known[key]; there {
			done = append(done, key)
		}
	}
	var failed []Attempt
	for _, one := range a.now {
		if !failures {
			break
		}
		if wait := pause(one.Tries); wait > 0 {
			one.Next = at.Add(wait)
		}
		failed = append(failed, one)
	}
	if len(done)+len(failed) == 0 {
		return nil
	}
	return a.store.Tried(ctx, a.kind, done, failed)
}
