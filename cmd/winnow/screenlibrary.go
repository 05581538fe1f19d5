package main

import (
	"context"
	"errors"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store"
)

// screenLibrary is a database as the screen asks for it.
type screenLibrary struct{ *store.Store }

// TextShare implements tui.Library.
func (l screenLibrary) TextShare(ctx context.Context) (done, all int64, err error) {
	return l.IndexedShare(ctx)
}

// Judge implements tui.Library. A verdict is for what was shown, also if that was
// cut anew behind the screen.
func (l screenLibrary) Judge(ctx context.Context, j review.Judgement) (review.Entry, error) {
	return hub.JudgeShown(ctx, l.Store, j)
}

// warm loads behind the screen what lists are filtered and sorted by; until
// that is done, and if it fails, they take longer. The function that it returns
// ends it.
func (p *cli) warm(ctx context.Context, s *database) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Warm(ctx) }()
	return func() {
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			p.warn("filters were slow: %v", err)
		}
	}
}
