package facets

import (
	"context"
	"errors"
	"slices"

	"winnow/core/filter"
	"winnow/core/review"
)

// errEnough ends a search that has found enough.
var errEnough = errors.New("enough was found")

// findHastily is Find for whoever wants to see something soon: the rows are the
// first that the text index finds, in the order of the query. ok is false if there
// is nothing to hurry about.
func (l *Facets) findHastily(ctx context.Context, q *review.Query) (w *Found, ok bool, err error) {
	limit := q.Limit + 1
	text, rest, ok := filter.TakeText(q.Filter)
	if !q.Hasty || q.After.ID != "" || !ok {
		return nil, false, nil
	}
	if ok, err := l.Ready(ctx); !ok || err != nil {
		return nil, false, err
	}
	if set, _ := l.foundText(text); set != nil {
		return nil, false, nil
	}
	found, ok, err := l.together(ctx, q.Filter, limit)
	if err != nil {
		return nil, false, err
	}
	if ok {
		return l.inOrder(q, found)
	}
	texts, ok, err := l.textSets(ctx, rest)
	if !ok || err != nil {
		return nil, false, err
	}
	found = nil
	err = l.feed.Search(ctx, text, func(more []int64) error {
		l.mu.RLock()
		defer l.mu.RUnlock()
		if l.columns == nil || l.half || !l.texts.hold(texts) {
			return errNoFacet
		}
		f := l.columns
		passed, err := f.filter(rest, f.slotsOf(more).and(f.live), texts)
		if err != nil {
			return err
		}
		passed.each(func(slot int32) { found = append(found, f.rowid[slot]) })
		if len(found) >= limit {
			return errEnough
		}
		return nil
	})
	switch {
	case errors.Is(err, errNoFacet):
		return nil, false, nil
	case err != nil && !errors.Is(err, errEnough):
		return nil, false, err
	}
	return l.inOrder(q, found)
}

// inOrder returns rows as a query sorts them.
func (l *Facets) inOrder(q *review.Query, found []int64) (w *Found, ok bool, err error) {
	o, desc, _ := orderingOf(q)
	l.mu.RLock()
	defer l.mu.RUnlock()
	f := l.columns
	if f == nil || l.half {
		return nil, false, nil
	}
	var slots []int32
	f.slotsOf(found).and(f.live).each(func(slot int32) { slots = append(slots, slot) })
	slices.SortFunc(slots, func(a, b int32) int {
		to := f.spot(o, b)
		if desc != q.Back {
			return -f.compare(o, a, &to)
		}
		return f.compare(o, a, &to)
	})
	w = &Found{Loose: q.Collapse}
	for _, slot := range slots[:min(q.Limit+1, len(slots))] {
		w.add(f, o, slot)
	}
	return w, true, nil
}
