// Package facets keeps in memory what lists of segments are filtered and sorted
// by: columns of all segments and sessions, about 250 bytes and the topic for each
// segment. What takes a database a tenth of a second for 200,000 segments takes a
// millisecond here. Where the columns come from is the matter of a Feed: the
// package imports nothing but core, and knows no SQL.
package facets

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"winnow/core/filter"
	"winnow/core/review"
)

// Facets are a copy of what a Feed has, which is loaded once and brought up to
// date whenever somebody asks. Without it, and while it is far behind, whoever
// asks is told to ask the database: ok is false then.
//
// Nobody sees half of a change: what was changed together is read as of one
// moment and written under one lock. Facets are safe for concurrent use.
type Facets struct {
	feed       Feed
	background func(func())
	// updating is held, as its one element is taken, by whoever reads changes.
	updating chan struct{}

	mu      sync.RWMutex
	columns *columns // nil: not loaded
	seen    int64    // the last change that is in the columns
	half    bool     // others belong to it: nobody may ask
	recent  []selection
	texts   foundTexts
}

// New returns facets that are not loaded yet. Much that changed is read by
// background, which runs a function and does not wait for it.
func New(feed Feed, background func(func())) *Facets {
	return &Facets{feed: feed, background: background, updating: make(chan struct{}, 1)}
}

// maxBehind is the number of changes that are read while somebody waits: a
// tenth of a second, as long as SQLite takes to answer. More are read in the
// background.
const maxBehind = 12_000

// Warm loads everything, unless it is loaded, and reads what changed since.
func (l *Facets) Warm(ctx context.Context) error {
	if err := l.lock(ctx); err != nil {
		return err
	}
	defer l.unlock()
	return l.followOrLoad(ctx)
}

// followOrLoad brings the columns up to date, or loads them if they are not there,
// or not any more. The caller holds updating.
func (l *Facets) followOrLoad(ctx context.Context) error {
	err := l.follow(ctx)
	if err == nil && !l.Loaded() {
		err = l.load(ctx)
	}
	return err
}

func (l *Facets) lock(ctx context.Context) error {
	select {
	case l.updating <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Facets) unlock() { <-l.updating }

// Loaded reports whether everything was loaded.
func (l *Facets) Loaded() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.columns != nil
}

// forget gives the columns up until they are loaded again.
func (l *Facets) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.columns, l.recent = nil, nil
}

// load reads everything. What changes meanwhile is read again at the end, so that
// it does not matter that not all is of one moment.
func (l *Facets) load(ctx context.Context) error {
	_, seen, err := l.feed.Kept(ctx)
	if err != nil {
		return err
	}
	all, err := l.feed.Len(ctx)
	if err != nil {
		return err
	}
	f := newColumns()
	f.reserve(all + all/64) // some come meanwhile
	if err := l.feed.Sessions(ctx, func(r *Session) { f.sessions.put(r) }); err != nil {
		return err
	}
	if err := l.feed.Rows(ctx, func(r *Row) { f.put(r) }); err != nil {
		return err
	}
	err = l.feed.Clusters(ctx, func(row, cluster int64) {
		if slot, ok := f.slots[row]; ok {
			f.setCluster(slot, cluster)
		}
	})
	if err != nil {
		return err
	}
	f.topic.all = bytes.Clone(f.topic.all)
	for {
		c, err := l.feed.Changes(ctx, seen)
		if err != nil {
			return err
		}
		if c.Lost {
			return errors.New("so much changed meanwhile that it has to begin again")
		}
		f.apply(c)
		if seen = c.To; !c.More {
			break
		}
	}
	for _, p := range f.orders { // whoever sorts by it first does not wait
		if asks := p.Key == nil && p.Column != review.ByTurn; !asks && ctx.Err() == nil {
			f.placed(orderedBy(p.By))
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.columns, l.seen, l.half, l.recent = f, seen, false, nil
	l.texts.moved++
	l.texts.slots++
	return nil
}

// Ready brings the columns up to date; ok is false if they are not loaded, or
// being read in the background.
func (l *Facets) Ready(ctx context.Context) (ok bool, err error) {
	if !l.Loaded() {
		return false, nil
	}
	_, last, err := l.feed.Kept(ctx)
	if err != nil {
		return false, err
	}
	l.mu.RLock()
	behind := last - l.seen
	l.mu.RUnlock()
	if behind == 0 {
		return true, nil
	}
	if behind < 0 || behind > maxBehind {
		l.followSoon()
		return false, nil
	}
	if err := l.lock(ctx); err != nil {
		return false, err
	}
	err = l.follow(ctx)
	l.unlock()
	if err == nil && !l.Loaded() {
		l.followSoon()
		return false, nil
	}
	return err == nil, err
}

// followSoon reads many changes in the background.
func (l *Facets) followSoon() {
	select {
	case l.updating <- struct{}{}:
	default:
		return // somebody does it already
	}
	l.background(func() {
		defer l.unlock()
		if err := l.followOrLoad(context.Background()); err != nil {
			l.forget() // the database answers, and will say what is wrong
		}
	})
}

// follow reads what changed since the columns were read last. The caller holds
// updating.
func (l *Facets) follow(ctx context.Context) error {
	for more := true; more; {
		l.mu.RLock()
		loaded, seen := l.columns != nil, l.seen
		l.mu.RUnlock()
		if !loaded {
			return nil
		}
		c, err := l.feed.Changes(ctx, seen)
		if err != nil {
			return err
		}
		if c.Lost {
			l.forget()
			return nil
		}
		if more = c.More; c.To > seen {
			l.mu.Lock()
			l.update(c)
			l.mu.Unlock()
		}
	}
	return nil
}

// Count counts the segments that a filter lets through, nil for all.
func (l *Facets) Count(ctx context.Context, n filter.Node) (c review.Counts, ok bool, err error) {
	ok, err = l.selected(ctx, n, func(f *columns, in rowSet) error {
		c = f.count(in)
		return nil
	})
	return c, ok, err
}
