package facets

import (
	"context"
	"math"

	"winnow/core/review"
)

// Found are rows in the order of a query, with what only memory tells of them.
type Found struct {
	Rows  []int64
	Keys  []any                  // of their cursors, nil: as review.CursorOf makes them
	Alike map[int64]review.Alike // see review.Page
	Loose bool

	ids   []ID
	front []any // of their cursors
}

// IDs returns the ids of the rows.
func (w *Found) IDs() []string {
	list := make([]string, len(w.ids))
	for i, id := range w.ids {
		list[i] = id.String()
	}
	return list
}

// Cursor returns the cursor of a row, the i-th that was found.
func (w *Found) Cursor(q *review.Query, s *review.Segment, i int) review.Cursor {
	c := review.CursorOf(q.Order, s)
	if i < len(w.Keys) && w.Keys[i] != nil {
		c.Key = w.Keys[i]
	}
	if i < len(w.front) {
		c.Front = w.front[i]
	}
	return c
}

// Find returns up to limit rows of a query, whatever its own limit.
func (l *Facets) Find(ctx context.Context, q *review.Query, limit int) (w *Found, ok bool, err error) {
	o, desc, known := orderingOf(q)
	if !known || q.Limit < 1 {
		return nil, false, nil // the database says what is wrong
	}
	w = &Found{}
	if o.by != byTurn { // whose turn it is depends on all
		if w.Rows, w.ids, ok, err = l.hastyRows(ctx, q, limit); ok || err != nil {
			w.Loose = q.Collapse
			return w, ok, err
		}
	}
	ok, err = l.selected(ctx, q.Filter, func(f *columns, in rowSet) error {
		return f.answer(w, q, o, desc, in, limit)
	})
	if err == errNoFacet {
		return nil, false, nil
	}
	return w, ok, err
}

// answer finds the rows of a query among those that pass its filter.
func (f *columns) answer(w *Found, q *review.Query, o ordering, desc bool, in rowSet, limit int) error {
	var slots []int32
	if o.by == byTurn {
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
	w.Keys, w.front = make([]any, len(found)), make([]any, len(found))
	for i, slot := range found {
		w.Rows, w.ids = append(w.Rows, f.rowid[slot]), append(w.ids, f.id[slot])
		w.Keys[i] = f.cursorKey(o, slot)
		if l == nil {
			continue
		}
		if front, ok := l.beneath(slot); ok {
			w.front[i] = f.spot(o, front)
		}
	}
	return nil
}

// cursorKey is the key of a cursor that only the store can tell.
func (f *columns) cursorKey(o ordering, slot int32) any {
	switch o.by {
	case byChance:
		return review.ShuffleOf(o.seed).Of(f.rowid[slot])
	case byDoubt:
		return review.DoubtOf(f.score[slot], math.Float64frombits(o.seed))
	case byTurn:
		return o.turns[slot]
	}
	return nil
}

// orderingOf returns how a query sorts, and whether the highest come first.
func orderingOf(q *review.Query) (o ordering, desc, ok bool) {
	o.by, desc, ok = sortingOf(q.Order)
	switch o.by {
	case byChance:
		o.seed = q.Seed
	case byDoubt:
		o.seed = math.Float64bits(q.Threshold)
	}
	return o, desc, ok
}
