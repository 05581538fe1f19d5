package store

import (
	"context"
	"sync"

	"winnow/core/review"
)

// watch tells whether the database changed, for a look at it many times a
// minute.
type watch struct {
	mu sync.Mutex
	// data counts what anybody committed, content what is more than a claim or the
	// state of a screen.
	data, content int64
	arrived       int64 // the newest change of an upload
	read          bool  // claims are those of data
	claims        []review.Claim
}

const (
	contentVersionSQL = "SELECT version, (SELECT coalesce(max(seq), 0) FROM ingests) FROM content"
	changeContentSQL  = "UPDATE content SET version = version + 1"
)

// Version returns a number that changes whenever anybody, in this process or
// another, has changed what the database holds. Claims and the states of
// screens do not count: nobody has to read anything again for them. It is
// review.ErrGone once the file is not there any more.
func (s *Store) Version(ctx context.Context) (int64, error) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	err := s.db.Gone()
	if err == nil {
		err = s.look(ctx)
	}
	if err != nil {
		return 0, s.fail("watch", err)
	}
	return s.watch.content, nil
}

// Commits returns a number that changes with every commit, also of what is no change of
// Version.
func (s *Store) Commits(ctx context.Context) (int64, error) {
	n, err := s.db.Version(ctx)
	return n, s.fail("watch", err)
}

// look notes whether anything was committed since the last look; the caller
// holds watch.mu.
func (s *Store) look(ctx context.Context) error {
	w := &s.watch
	data, err := s.db.Version(ctx)
	if err != nil || data == w.data {
		return err
	}
	if err := s.db.Rows(ctx, contentVersionSQL).One(&w.content, &w.arrived); err != nil {
		return err
	}
	w.data, w.read = data, false
	return nil
}
