package main

import (
	"context"
	"fmt"

	"winnow/core/hub"
	"winnow/tui"
	"winnow/tui/draw"
)

// screenIndexing makes the messages of a database searchable behind the screen.
type screenIndexing struct{ store hub.TextStore }

// Unindexed implements tui.Indexing.
func (b screenIndexing) Unindexed(ctx context.Context) (bool, error) {
	done, all, err := b.store.IndexedShare(ctx)
	return done < all, err
}

// Index implements tui.Indexing.
func (b screenIndexing) Index(ctx context.Context, report func(tui.Progress)) error {
	x := &hub.Indexer{Store: b.store, Progress: func(done, all int64) {
		report(tui.Progress{Note: shareText(done, all)})
	}}
	return x.Run(ctx)
}

// shareText says how many messages are searchable, of all there are.
func shareText(done, all int64) string {
	return fmt.Sprintf("%d%% of %s", 100*done/max(all, 1), draw.Plural(int(all), "message"))
}
