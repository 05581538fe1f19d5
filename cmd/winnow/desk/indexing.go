package desk

import (
	"context"
	"fmt"

	"winnow/core/runs"
	"winnow/tui/draw"
	"winnow/tui/work"
)

// indexing makes the messages of a database searchable in the background.
type indexing struct{ Store runs.TextStore }

// Plan implements work.Source.
func (b indexing) Plan(ctx context.Context) (work.Plan, error) {
	done, all, err := b.Store.IndexedShare(ctx)
	return work.Plan{Here: int(all - done)}, err
}

// Do implements work.Source.
func (b indexing) Do(ctx context.Context, _ bool, report func(work.Progress)) error {
	x := &runs.Indexer{Store: b.Store, Progress: func(done, all int64) {
		report(work.Progress{Note: ShareText(done, all)})
	}}
	return x.Run(ctx)
}

// ShareText says how many messages are searchable, of all there are.
func ShareText(done, all int64) string {
	return fmt.Sprintf("%d%% of %s", 100*done/max(all, 1), draw.Plural(int(all), "message"))
}

// comparing finds segments that are alike in the background.
type comparing struct{ Store runs.AlikeStore }

// Plan implements work.Source.
func (b comparing) Plan(ctx context.Context) (work.Plan, error) {
	segments, others, err := b.Store.CountUnsigned(ctx)
	return work.Plan{Here: segments + others}, err
}

// Do implements work.Source.
func (b comparing) Do(ctx context.Context, _ bool, report func(work.Progress)) error {
	a := &runs.Aliker{Store: b.Store, Progress: func(done, all int) {
		report(work.Progress{Segments: done, AllSegments: all})
	}}
	_, err := a.Run(ctx)
	return err
}
