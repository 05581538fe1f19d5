package versions

import (
	"fmt"
	"slices"

	"winnow/core/edit"
	"winnow/core/review"
)

// Revert returns the changes that bring a session from some edits to others, both
// sorted by place, at messages, by their numbers; none are all of them. It is a
// review.ErrConflict if one of them was made on another message than is recorded in
// its place now: clashes says so.
func Revert(session string, from, to []edit.Edit, clashes func(*edit.Edit) bool, messages ...int) (list []review.EditChange, err error) {
	change := func(p edit.Place, now, then *edit.Edit) {
		if Same(now, then) || len(messages) > 0 && !slices.Contains(messages, p.N) || err != nil {
			return
		}
		c := review.EditChange{Session: session, N: p.N, Part: p.Part}
		if then != nil {
			if clashes(then) {
				err = fmt.Errorf("%w: message %d is recorded otherwise since: its edit can't come back", review.ErrConflict, p.N)
				return
			}
			c.Op, c.Why, c.Message, c.Untrained = then.Op, then.Why, then.Message, then.Untrained
		}
		list = append(list, c)
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
