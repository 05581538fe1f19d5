package training

import (
	"cmp"
	"fmt"
	"slices"

	"winnow/core/train"
	"winnow/store/sqlite"
)

// Promote changes a run so that its result is the one to use, and returns what became of
// that and of the run in whose place it is.
func Promote(t *sqlite.Tx, id int64, f func(*train.Run) error) (u train.Run, list []train.Promotion, err error) {
	u, err = Find(t.Rows, id)
	before, listErr := runs(t.Rows(promotedSQL, id))
	if err = cmp.Or(err, listErr); err != nil {
		return u, nil, err
	}
	before = append([]train.Run{u}, before...)
	if u, err = Change(t, id, f); err != nil {
		return u, nil, err
	}
	for i := range before {
		now, err := Find(t.Rows, before[i].ID)
		if err != nil {
			return u, nil, err
		}
		list = append(list, train.Promotion{Run: now.ID, Before: before[i].Standing(), After: now.Standing()})
	}
	return u, list, nil
}

// Restand gives runs the standing that they had before or after an entry. why says what
// is in the way of that, "" if nothing is: one of them is not as it was left, or another
// one is promoted.
func Restand(t *sqlite.Tx, list []train.Promotion) (apply func() error, why string, err error) {
	now := make([]train.Run, len(list))
	those, promotes := map[int64]bool{}, false
	for i := range list {
		p := &list[i]
		if now[i], err = Find(t.Rows, p.Run); err != nil {
			return nil, "", err
		}
		if !now[i].Standing().Same(p.Before) {
			return nil, fmt.Sprintf("run %d was promoted or gave place since", p.Run), nil
		}
		those[p.Run], promotes = true, promotes || !p.After.At.IsZero()
	}
	others, err := runs(t.Rows(promotedSQL, 0))
	if at := slices.IndexFunc(others, func(u train.Run) bool { return promotes && !those[u.ID] }); at >= 0 {
		return nil, fmt.Sprintf("run %d was promoted since", others[at].ID), nil
	}
	return func() error {
		for i := range list {
			u, p := &now[i], &list[i]
			if u.Note == p.Before.Note { // else somebody wrote another one
				u.Note = p.After.Note
			}
			u.Promoted, u.PromotedBy = p.After.At, p.After.By
			if err := put(t, u); err != nil {
				return err
			}
		}
		return nil
	}, "", err
}
