package runs

import (
	"context"

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
	t := newText(store, s).shown(store, s)
	t.expect(1, s.Messages, s.Tokens)
	cuts := []segment.Cut{{Start: 1, End: s.Messages}}
	if s.Messages > segment.SingleMax {
		if cuts, err = cutText(ctx, cutter, t, segment.Span{From: 1, To: s.Messages}); err != nil {
			return nil, err
		}
	}
	for i := range cuts {
		if cuts[i].Topic == "" {
			if cuts[i].Topic, err = t.title(ctx, cuts[i].Start, cuts[i].End); err != nil {
				return nil, err
			}
		}
	}
	return cuts, nil
}

// Title returns the title that the text of messages from..to of a session
// gives, "" if it gives none.
func Title(ctx context.Context, store CutStore, session string, from, to int) (string, error) {
	s, err := store.SessionByID(ctx, session)
	if err != nil {
		return "", err
	}
	return newText(store, s).shown(store, s).title(ctx, from, to)
}
