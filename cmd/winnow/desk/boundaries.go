package desk

import (
	"context"

	"winnow/core/hub"
	"winnow/core/review"
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
	return hub.Recut(ctx, c.Store, hub.Edit(r))
}

// Propose implements tui.Editor. It is the offline segmenter's cut, whatever
// is configured: a look at it sends nothing anywhere.
func (c boundaries) Propose(ctx context.Context, session string) ([]segment.Cut, error) {
	return hub.Propose(ctx, c.Store, session, offline.New())
}
