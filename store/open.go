package store

import (
	"context"
	"errors"
	"path/filepath"

	"winnow/store/sqlite"
)

// Open opens the database at path, making the folders and the file if needed
// and bringing an older schema up to date (a copy of the older database stays
// beside it). It refuses a newer schema (ErrNewer) and a file that is no
// database of ours (ErrForeign).
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	steps, err := readSteps()
	if err != nil {
		return nil, say("%w", err)
	}
	return open(ctx, path, opt, steps)
}

func open(ctx context.Context, path string, opt Options, steps []sqlite.Step) (*Store, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, say("%w", err)
	}
	s, err := newStore(full, opt)
	if err != nil {
		return nil, say("%w", err)
	}
	if err := s.checkLog(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	err = s.db.SetUp(ctx, schemaOf(steps), s.notice)
	if err != nil {
		err = s.fail("open "+full, err)
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}
