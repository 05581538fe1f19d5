package hub

import (
	"context"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
)

// goesOn reports whether a judged segment seems to go on in the span behind
// it. A cutter that costs nothing is asked for both together; else what the
// first message is decides.
func (c *cutting) goesOn(ctx context.Context, judged *review.Segment, span segment.Span) (bool, error) {
	if c.g.Cutter.By() != review.CutOffline || span.From == span.To {
		begins := false
		err := c.text.each(ctx, span.From, span.From, func(m *chat.Message) error {
			begins = segment.Begins(m)
			return nil
		})
		return !begins, err
	}
	both := segment.Span{From: judged.Start, To: span.To}
	cuts, ok := c.answered(both)
	var err error
	if !ok {
		cuts, err = cutText(ctx, c.g.Cutter, c.text, both)
	}
	for _, cut := range cuts {
		if cut.Start == span.From {
			return false, err
		}
	}
	return true, err
}
