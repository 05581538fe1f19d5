package runs

import (
	"context"
	"time"
)

// TextStore is what making messages searchable needs of the store.
type TextStore interface {
	// IndexText makes messages searchable that are not so yet, for about as long
	// as budget, and reports whether there are more. It does nothing twice,
	// whatever ended it.
	IndexText(ctx context.Context, budget time.Duration) (more bool, err error)
	// IndexedShare tells how many messages are searchable, of all there are.
	IndexedShare(ctx context.Context) (done, all int64, err error)
}

// indexEvery is how long is written before progress is told: seldom enough that
// it costs nothing.
const indexEvery = time.Second

// Indexer makes messages searchable by their text.
type Indexer struct {
	Store TextStore
	// Progress, if not nil, is told how many messages are searchable, of all
	// there are.
	Progress func(done, all int64)
}

// Run works until all messages are searchable, or ctx ends; the next run goes on
// where it was.
func (x *Indexer) Run(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = x.Store.IndexText(ctx, indexEvery); err != nil {
			return err
		}
		if x.Progress == nil {
			continue
		}
		done, all, err := x.Store.IndexedShare(ctx)
		if err != nil {
			return err
		}
		x.Progress(done, all)
	}
	return nil
}
