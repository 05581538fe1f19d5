package facets

import (
	"context"
	"slices"

	"winnow/core/review"
)

// Found are rows in the order of a query, with what only memory tells of them.
type Found struct {
	Rows  []int64
	IDs   []string
	Keys  []any                  // of their cursors, nil: as review.CursorOf makes them
	Alike map[int64]review.Alike // see review.Page
	Loose bool
	// Before are the rows of the list that precede the first of these in it, of Of
	// in all: 0 in all if that is not known.
	Before, Of int

	front []any // of their cursors
}

// Cursor returns the cursor of one of the rows.
func (w *Found) Cursor(q *review.Query, s *review.Segment) review.Cursor {
	c := review.CursorOf(q.Order, s)
	i := slices.Index(w.IDs, s.ID)
	if i < len(w.Keys) && w.Keys[i] != nil {
		c.Key = w.Keys[i]
	}
	if i < len(w.front) {
		c.Front = w.front[i]
	}
	return c
}

// Find returns the rows of a page, and one more.
func (l *Facets) Find(ctx context.Context, q *review.Query) (w *Found, ok bool, err error) {
	o, desc, known := orderingOf(q)
	if !known || q.Limit < 1 {
		return nil, false, nil // the database says what is wrong
	}
	if o.Column != review.ByTurn { // whose turn it is depends on all
		if w, ok, err := l.findHastily(ctx, q); ok || err != nil {
			return w, ok, err
		}
	}
	w = &Found{}
	ok, err = l.selected(ctx, q.Filter, func(f *columns, in rowSet) error {
		return f.answer(w, q, o, desc, in)
	})
	if err == errNoFacet {
		return nil, false, nil
	}
	return w, ok, err
}

// add adds a row, the key of whose cursor only the store can tell.
func (w *Found) add(f *columns, o *ordering, slot int32) {
	w.Rows, w.IDs = append(w.Rows, f.rowid[slot]), append(w.IDs, f.id[slot].String())
	if o.Key == nil {
		w.Keys = append(w.Keys, o.cursorKey(f, slot))
	}
}

// answer finds the rows of a query among those that pass its filter.
func (f *columns) answer(w *Found, q *review.Query, o *ordering, desc bool, in rowSet) error {
	limit := q.Limit + 1
	var slots []int32
	if o.Column == review.ByTurn {
		o.turns, slots = f.turnList(in, q.Quotas)
	} else {
		slots = f.placed(o)
	}
	var found []int32
	var l *collapsed
	switch {
	case q.Collapse:
		l = &collapsed{f: f, o: o, slots: slots, in: in, desc: desc, open: f.openClusters(q), groups: map[int32]*group{}}
		var known bool
		if found, known = l.page(q, limit); !known {
			return errNoFacet
		}
		w.Alike = l.alikeOf(found)
	default:
		var behind *spot
		if q.After.ID != "" {
			at, known := f.spotOf(o, q.After)
			if !known {
				return errNoFacet
			}
			behind = &at
		}
		found = f.page(o, slots, in, desc != q.Back, behind, limit)
	}
	if len(found) > 0 {
		first := found[0]
		if q.Back {
			first = found[len(found)-1]
		}
		w.Before, w.Of = f.standing(slots, in, desc, l, first)
	}
	if l != nil {
		w.front = make([]any, len(found))
	}
	for i, slot := range found {
		w.add(f, o, slot)
		if l == nil {
			continue
		}
		if front, ok := l.beneath(slot); ok {
			w.front[i] = f.spot(o, front)
		}
	}
	return nil
}
