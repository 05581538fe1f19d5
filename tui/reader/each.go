package reader

import (
	"context"

	"winnow/core/chat"
	"winnow/core/segment"
)

// eacher is what reads messages one after the other, without holding them.
type eacher interface {
	EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
}

// Each returns what reads messages for a comparison: without holding them, if
// fetch can.
func Each(fetch interface {
	Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
}) segment.EachFunc {
	if s, ok := fetch.(eacher); ok {
		return s.EachMessage
	}
	return func(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
		for at := from; at <= to; at += runMessages {
			messages, err := fetch.Messages(ctx, body, at, min(to, at+runMessages-1))
			if err != nil {
				return err
			}
			for i := range messages {
				if err := f(&messages[i]); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
