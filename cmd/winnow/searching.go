package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"winnow/core/filter"
)

// searchEvery is how long the text index is filled between two looks at how
// far it is: as long as a number on the screen may stand still.
const searchEvery = 500 * time.Millisecond

// searchable prepares the database for a filter. Whoever asks a command by text
// expects a complete answer, and nobody else fills the index for it: what is
// missing is made searchable first. What lists are made of is read into memory,
// so that a text is searched for once and not for each page.
func (p *cli) searchable(ctx context.Context, s *database, n filter.Node) error {
	if !filter.HasText(n) {
		return nil
	}
	line := p.progress()
	defer line.done()
	for more := true; more; {
		done, all, err := s.IndexedShare(ctx)
		if err != nil {
			return err
		}
		line.show(fmt.Sprintf("making the text searchable: %d%% of %s", 100*done/max(all, 1), plural(all, "message", "messages")))
		more, err = s.IndexText(ctx, searchEvery)
		if ctx.Err() != nil {
			line.done()
			return &failure{exitInterrupted, fmt.Errorf("stopped while %s were made searchable: the next search goes on there", plural(all-done, "message", "messages"))}
		}
		if err != nil {
			return fmt.Errorf("making the text searchable: %w", err)
		}
	}
	if err := s.Warm(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return ctx.Err()
}
