package store

import (
	"context"
	"math"
	"slices"

	"github.com/go-json-experiment/json"

	"winnow/core/review"
)

// warmTries is how often a page is looked up again because a row of it left
// meanwhile.
const warmTries = 3

// warmed are rows that were found in memory, with what only memory tells of
// them.
type warmed struct {
	rows  []int64
	ids   []segmentID
	keys  []any // of their cursors, nil: as review.CursorOf makes them
	front []any // of their cursors
	alike map[int64]review.Alike
	loose bool
}

// warmPage is Segments from memory; ok is false if SQLite has to be asked.
func (s *Store) warmPage(ctx context.Context, q *review.Query) (list []review.Segment, w *warmed, ok bool, err error) {
	for range warmTries {
		w, ok, err := s.warmRows(ctx, q, q.Limit+1)
		if !ok || err != nil {
			return nil, nil, false, err
		}
		if len(w.rows) == 0 {
			return nil, w, true, nil
		}
		numbers, err := json.Marshal(w.rows)
		if err != nil {
			return nil, nil, false, err
		}
		if list, err = s.segmentRows(ctx, rowsSQL, string(numbers)); err != nil {
			return nil, nil, false, err
		}
		if slices.EqualFunc(list, w.ids, func(s review.Segment, id segmentID) bool { return s.ID == id.String() }) {
			return list, w, true, nil
		}
	}
	return nil, nil, false, nil
}

// rowsSQL reads rows in the order of their numbers in a list.
const rowsSQL = "SELECT " + segmentColumns + " FROM (SELECT key, value FROM json_each(?)) AS wanted CROSS JOIN task_segments ON task_segments.rowid = wanted.value ORDER BY wanted.key"

// warmRows returns up to limit rows of a query.
func (s *Store) warmRows(ctx context.Context, q *review.Query, limit int) (w *warmed, ok bool, err error) {
	o, desc, known := orderingOf(q)
	if !known || q.Limit < 1 {
		return nil, false, nil // SQLite says what is wrong
	}
	w = &warmed{}
	if o.by != byTurn { // whose turn it is depends on all
		if w.rows, w.ids, ok, err = s.hastyRows(ctx, q, limit); ok || err != nil {
			w.loose = q.Collapse
			return w, ok, err
		}
	}
	ok, err = s.selected(ctx, q.Filter, func(f *facets, in rowSet) error {
		return f.answer(w, q, o, desc, in, limit)
	})
	if err == errNoFacet {
		return nil, false, nil
	}
	return w, ok, err
}

// answer finds the rows of a query among those that pass its filter.
func (f *facets) answer(w *warmed, q *review.Query, o ordering, desc bool, in rowSet, limit int) error {
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
		w.alike = l.alikeOf(found)
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
	w.keys, w.front = make([]any, len(found)), make([]any, len(found))
	for i, slot := range found {
		w.rows, w.ids = append(w.rows, f.rowid[slot]), append(w.ids, f.id[slot])
		w.keys[i] = f.cursorKey(o, slot)
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
func (f *facets) cursorKey(o ordering, slot int32) any {
	switch o.by {
	case byChance:
		return shuffleOf(o.seed).of(f.rowid[slot])
	case byDoubt:
		return doubt(f.score[slot], math.Float64frombits(o.seed))
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

// warmIDs is IDs from memory.
func (s *Store) warmIDs(ctx context.Context, q *review.Query) (list []string, ok bool, err error) {
	all := *q
	all.Limit = 1
	w, ok, err := s.warmRows(ctx, &all, maxRows)
	if !ok || err != nil {
		return nil, false, err
	}
	for _, id := range w.ids {
		list = append(list, id.String())
	}
	return list, true, nil
}

// maxRows is more than there are.
const maxRows = 1<<31 - 1
