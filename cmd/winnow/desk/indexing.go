package desk

import (
	"context"
	"fmt"

	"winnow/core/hub"
	"winnow/tui"
	"winnow/tui/draw"
)

// indexing makes the messages of a database searchable behind the screen.
type indexing struct{ Store hub.TextStore }

// Unindexed implements tui.Indexing.
func (b indexing) Unindexed(ctx context.Context) (bool, error) {
	done, all, err := b.Store.IndexedShare(ctx)
	return done < all, err
}

// Index implements tui.Indexing.
func (b indexing) Index(ctx context.Context, report func(tui.Progress)) error {
	x := &hub.Indexer{Store: b.Store, Progress: func(done, all int64) {
		report(tui.Progress{Note: ShareText(done, all)})
	}}
	return x.Run(ctx)
}

// ShareText says how many messages are searchable, of all there are.
func ShareText(done, all int64) string {
	return fmt.Sprintf("%d%% of %s", 100*done/max(all, 1), draw.Plural(int(all), "message"))
}

// comparing finds segments that are alike behind the screen.
type comparing struct{ Store hub.AlikeStore }

// Unindexed implements tui.Indexing.
func (b comparing) Unindexed(ctx context.Context) (bool, error) {
	segments, others, err := b.Store.CountUnsigned(ctx)
	return segments+others > 0, err
}

// Index implements tui.Indexing.
func (b comparing) Index(ctx context.Context, report func(tui.Progress)) error {
	a := &hub.Aliker{Store: b.Store, Progress: func(done, all int) {
		report(tui.Progress{Segments: done, AllSegments: all})
	}}
	_, err := a.Run(ctx)
	return err
}
