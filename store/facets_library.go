package store

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"winnow/store/sqlite"
)

// library keeps the facets of a Store: they are loaded once, behind everything
// else, and brought up to date whenever somebody asks for them. Without them,
// and while they are far behind, SQLite is asked.
//
// What changed is read from segment_changes, which triggers fill, so that it
// does not matter who changed it. Nobody sees half of a change: what was
// changed together is read in one transaction and written under one lock.
type library struct {
	// updating is held, as its one element is taken, by whoever reads changes.
	updating chan struct{}
	writes   atomic.Int64 // by machines, see trimSoon
	step     int          // rows that are loaded at a time

	mu     sync.RWMutex
	facets *facets // nil: not loaded
	seen   int64   // the last change that is in the facets
	half   bool    // others belong to it: nobody may ask
	recent []selection
	texts  foundTexts
}

func newLibrary() *library { return &library{updating: make(chan struct{}, 1), step: loadStep} }

// maxBehind is the number of changes that are read while somebody waits: a
// tenth of a second, as long as SQLite takes to answer. More are read in the
// background.
const maxBehind = 12_000

// loadStep is the number of rows that are read at a time: about 20 ms.
const loadStep = 4096

// Warm loads what lists are filtered and sorted by into memory, about 70 MB for
// 200,000 segments, so that Count, Values and Segments answer within
// milliseconds. It takes a second or two, in which it keeps nobody waiting, and
// needs to be called once; what changes later, whoever does it, is read when it
// is asked for.
func (s *Store) Warm(ctx context.Context) error {
	l := s.library
	if err := l.lock(ctx); err != nil {
		return s.fail("read the segments", err)
	}
	defer l.unlock()
	err := s.follow(ctx)
	if err == nil && !l.loaded() { // or not any more
		err = s.loadFacets(ctx)
	}
	return s.fail("read the segments", err)
}

func (l *library) lock(ctx context.Context) error {
	select {
	case l.updating <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *library) unlock() { <-l.updating }

func (l *library) loaded() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.facets != nil
}

// forget makes SQLite answer until the facets are loaded again.
func (l *library) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.facets, l.recent = nil, nil
}

// loadFacets reads everything. What changes meanwhile is read again at the end,
// so that it does not matter that not all is of one moment.
func (s *Store) loadFacets(ctx context.Context) error {
	_, seen, err := s.changesKept(ctx)
	if err != nil {
		return err
	}
	f := newFacets()
	all, err := s.countSQL(ctx, nil)
	if err != nil {
		return err
	}
	f.reserve(all.Segments + all.Segments/64) // some come meanwhile
	if err := s.loadSessions(ctx, f); err != nil {
		return err
	}
	if err := s.loadSegments(ctx, f); err != nil {
		return err
	}
	if err := s.loadClusters(ctx, f); err != nil {
		return err
	}
	f.topic.all = bytes.Clone(f.topic.all)
	l := s.library
	for {
		c, err := s.readChanges(ctx, seen)
		if err != nil {
			return err
		}
		if c.lost {
			return errors.New("so much changed meanwhile that it has to begin again")
		}
		c.apply(f)
		if seen = c.to; !c.more {
			break
		}
	}
	for by := range byChance { // whoever sorts by it first does not wait
		if ctx.Err() == nil {
			f.placed(ordering{by: by})
		}
	}
	f.placed(ordering{by: byTurn})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.facets, l.seen, l.half, l.recent = f, seen, false, nil
	l.texts.moved++
	l.texts.slots++
	return nil
}

// Both are read from the indexes that filters in SQL are answered from, which are
// a fifth of the rows.
const (
	loadSessionsSQL = "SELECT " + sessionFacetColumns + " FROM trajectory_records r INDEXED BY trajectory_records_facets " +
		"WHERE r.body > ? ORDER BY r.body LIMIT ?"
	loadSegmentsSQL = "SELECT " + facetColumns + "0 FROM task_segments s INDEXED BY task_segments_facets " +
		"WHERE (s.place, s.start_line, s.id) > (?, ?, ?) ORDER BY s.place, s.start_line, s.id LIMIT ?"
)

func (s *Store) loadSessions(ctx context.Context, f *facets) error {
	var r sessionFacet
	return s.inSteps(ctx, func() (n int, err error) {
		rows, err := s.db.Readers.Query(ctx, loadSessionsSQL, r.body, s.library.step)
		if err != nil {
			return 0, err
		}
		err = sqlite.Each(rows, func() error {
			err := rows.Scan(r.dest()...)
			f.sessions.put(&r)
			n++
			return err
		})
		return n, err
	})
}

func (s *Store) loadSegments(ctx context.Context, f *facets) error {
	scan := newFacetScan()
	return s.inSteps(ctx, func() (n int, err error) {
		file, start, id := scan.place()
		rows, err := s.db.Readers.Query(ctx, loadSegmentsSQL, file, start, id, s.library.step)
		if err != nil {
			return 0, err
		}
		err = sqlite.Each(rows, func() error {
			if err := rows.Scan(scan.dest...); err != nil {
				return err
			}
			r, err := scan.read()
			if err == nil {
				f.put(r)
				n++
			}
			return err
		})
		return n, err
	})
}

// inSteps calls read, which returns the number of rows that it found, until
// there are no more. No statement stays open for long: the log could not be
// emptied.
func (s *Store) inSteps(ctx context.Context, read func() (n int, err error)) error {
	for {
		if s.closing.Load() {
			return context.Canceled
		}
		n, err := read()
		if err != nil || n < s.library.step {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// upToDate brings the facets up to date; ok is false if SQLite has to be asked.
func (s *Store) upToDate(ctx context.Context) (ok bool, err error) {
	l := s.library
	if !l.loaded() {
		return false, nil
	}
	_, last, err := s.changesKept(ctx)
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
		s.followSoon()
		return false, nil
	}
	if err := l.lock(ctx); err != nil {
		return false, err
	}
	err = s.follow(ctx)
	l.unlock()
	if err == nil && !l.loaded() {
		s.followSoon()
		return false, nil
	}
	return err == nil, err
}

// followSoon reads many changes in the background.
func (s *Store) followSoon() {
	select {
	case s.library.updating <- struct{}{}:
	default:
		return // somebody does it already
	}
	s.background.Go(func() {
		defer s.library.unlock()
		ctx := context.Background()
		err := s.follow(ctx)
		if err == nil && !s.library.loaded() {
			err = s.loadFacets(ctx)
		}
		if err != nil {
			s.library.forget() // SQLite answers, and will say what is wrong
		}
	})
}

// follow reads what changed since the facets were read last. The caller holds
// updating.
func (s *Store) follow(ctx context.Context) error {
	l := s.library
	for more := true; more; {
		l.mu.RLock()
		loaded, seen := l.facets != nil, l.seen
		l.mu.RUnlock()
		if !loaded {
			return nil
		}
		c, err := s.readChanges(ctx, seen)
		if err != nil {
			return err
		}
		if c.lost {
			l.forget()
			return nil
		}
		if more = c.more; c.to > seen {
			l.mu.Lock()
			l.update(c)
			l.mu.Unlock()
		}
	}
	return nil
}
