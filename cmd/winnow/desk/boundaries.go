package desk

import (
	"context"

	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/segment"
	"winnow/core/segment/offline"
	"winnow/store"
	"winnow/tui"
)

// boundaries changes the boundaries of a database's segments as the screen
// asks for it.
type boundaries struct{ *store.Store }

// Recut implements tui.Editor.
func (c boundaries) Recut(ctx context.Context, r tui.Recut) (review.Entry, error) {
	return runs.Recut(ctx, c.Store, runs.Edit(r))
}

// Propose implements tui.Editor. It is the offline segmenter's cut, whatever
// is configured: a look at it sends nothing anywhere.
func (c boundaries) Propose(ctx context.Context, session string) ([]segment.Cut, error) {
	return runs.Propose(ctx, c.Store, session, offline.New())
}
