package main

import (
	"context"
	"errors"
	"fmt"

	"winnow/cmd/winnow/desk"
	"winnow/core/filter"
	"winnow/core/hub"
)

// searchable prepares the database for a filter. Whoever asks a command by text
// expects a complete answer, and nobody else may be filling the text index: what
// is missing is made searchable first.
func (p *cli) searchable(ctx context.Context, s *database, n filter.Node) error {
	if !filter.HasText(n) {
		return nil
	}
	line := p.progress()
	defer line.Done()
	show := func(done, all int64) { line.Show("making the text searchable: " + desk.ShareText(done, all)) }
	done, all, err := s.IndexedShare(ctx)
	if err != nil || done == all {
		return err
	}
	show(done, all)
	err = (&hub.Indexer{Store: s.Store, Progress: show}).Run(ctx)
	return derived(ctx, err, "making the text searchable", "stopped while the text was made searchable: the next search goes on there")
}

// derived is the end of work on what is derived from the messages, which goes on
// where it was stopped.
func derived(ctx context.Context, err error, doing, stopped string) error {
	switch {
	case err != nil && ctx.Err() != nil:
		return &failure{exitInterrupted, errors.New(stopped)}
	case err != nil:
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}
