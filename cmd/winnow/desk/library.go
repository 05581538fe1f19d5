package desk

import (
	"context"

	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store"
)

// Library is a database as the screen asks for it.
type Library struct{ *store.Store }

// TextShare implements tui.Library.
func (l Library) TextShare(ctx context.Context) (done, all int64, err error) {
	return l.IndexedShare(ctx)
}

// Judge implements tui.Library. A verdict is for what was shown, also if that was
// cut anew in the background.
func (l Library) Judge(ctx context.Context, j review.Judgement) (review.Entry, error) {
	return runs.JudgeShown(ctx, l.Store, j)
}
