package versions

import (
	"fmt"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// Revert returns the changes that bring a session from some edits to others, both
// sorted by place, at messages, by their numbers; none are all of them. recorded is
// asked for the sums of recorded messages. It is a review.ErrConflict if one of the
// edits to come was made on another message than is recorded in its place now: it
// clashes. The changes are refused if by then another message stands somewhere than
// the edits from which they lead have there.
func Revert(session string, from, to []edit.Edit, recorded func(n int) (chat.Sum, error), messages ...int) (list []review.EditChange, err error) {
	wanted := make(map[int]bool, len(messages))
	for _, n := range messages {
		wanted[n] = true
	}
	change := func(p edit.Place, now, then *edit.Edit) {
		if Same(now, then) || redactedAlike(now, then) || len(messages) > 0 && !wanted[p.N] || err != nil {
			return
		}
		c := review.EditChange{Session: session, N: p.N, Part: p.Part}
		if then != nil {
			if then.Clash {
				err = fmt.Errorf("%w: message %d is recorded otherwise since: its edit can't come back", review.ErrConflict, p.N)
				return
			}
			c.Op, c.Why, c.Message, c.Untrained = then.Op, then.Why, then.Message, then.Untrained
		}
		var seen chat.Sum
		if seen, err = standing(p, now, then, recorded); err == nil {
			c.Seen = &seen
			list = append(list, c)
		}
	}
	for i, k := 0, 0; i < len(from) || k < len(to); {
		switch {
		case k == len(to) || i < len(from) && ComparePlaces(from[i].Place, to[k].Place) < 0:
			change(from[i].Place, &from[i], nil)
			i++
		case i == len(from) || ComparePlaces(from[i].Place, to[k].Place) > 0:
			change(to[k].Place, nil, &to[k])
			k++
		default:
			change(to[k].Place, &from[i], &to[k])
			i, k = i+1, k+1
		}
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// redactedAlike reports whether a redaction stands where another edit of the same text
// is to: it stays one, as what it took out stays out.
func redactedAlike(now, then *edit.Edit) bool {
	return now != nil && then != nil && !now.Clash && !then.Clash && now.Why == edit.Redact &&
		now.Op == then.Op && now.Untrained == then.Untrained && chat.SumOf(&now.Message) == chat.SumOf(&then.Message)
}

// standing is the sum of what stands at a place with the edit now, zero for nothing;
// then is another edit of what is recorded there.
func standing(p edit.Place, now, then *edit.Edit, recorded func(n int) (chat.Sum, error)) (chat.Sum, error) {
	switch {
	case now != nil && !now.Clash && now.Op != edit.Drop:
		return chat.SumOf(&now.Message), nil
	case now != nil && !now.Clash, p.Part > 0:
		return chat.Sum{}, nil
	case then != nil:
		return then.Base, nil
	}
	return recorded(p.N)
}
