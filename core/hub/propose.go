package hub

import (
	"context"
	"errors"

	"winnow/core/chat"
	"winnow/core/segment"
)

// Propose returns how a cutter would cut all of a session, whatever its
// segments are now. Each cut has a topic if a user message of it gives one.
// Nothing is written.
func Propose(ctx context.Context, store CutStore, session string, cutter segment.Cutter) ([]segment.Cut, error) {
	s, err := store.SessionByID(ctx, session)
	if err != nil || s.Messages == 0 {
		return nil, err
	}
	t := newText(store, s)
	t.expect(1, s.Messages, s.Tokens)
	cuts := []segment.Cut{{Start: 1, End: s.Messages}}
	if s.Messages > uncut {
		if cuts, err = cutText(ctx, cutter, t, segment.Span{From: 1, To: s.Messages}); err != nil {
			return nil, err
		}
	}
	return cuts, nameCuts(ctx, t, cuts)
}

// errNamed ends the search for a topic.
var errNamed = errors.New("found")

// nameCuts gives topics to those of some cuts, neighbours in order, that have
// none.
func nameCuts(ctx context.Context, t *text, cuts []segment.Cut) error {
	for i := range cuts {
		c := &cuts[i]
		if c.Topic != "" {
			continue
		}
		err := t.each(ctx, c.Start, c.End, func(m *chat.Message) error {
			if m.Role == chat.User {
				c.Topic = segment.Title(m.Content)
			}
			if c.Topic != "" {
				return errNamed
			}
			return nil
		})
		if err != nil && !errors.Is(err, errNamed) {
			return err
		}
	}
	return nil
}
