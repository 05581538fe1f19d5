package facets

import (
	"context"
	"reflect"
	"slices"

	"winnow/core/filter"
)

// selection is a filter that was asked for, and what it lets through. It is kept
// up to date with the facets.
type selection struct {
	filter filter.Node
	texts  textSets
	rows   rowSet
}

// keptSelections is the filter of the list, that of its counts without the
// status, and those of a curator who goes to and fro.
const keptSelections = 6

// selected calls f with the facets and the rows of them that a filter lets through.
// Neither changes until f returns. ok is false, and f was not called, if SQLite
// has to be asked instead.
func (l *Facets) selected(ctx context.Context, n filter.Node, f func(*columns, rowSet) error) (ok bool, err error) {
	if ok, err := l.Ready(ctx); !ok || err != nil {
		return false, err
	}
	texts, ok, err := l.textSets(ctx, n)
	if !ok || err != nil {
		return false, err
	}
	l.mu.RLock()
	if l.columns == nil || l.half || !l.texts.hold(texts) {
		l.mu.RUnlock()
		return false, nil
	}
	rows, known := l.known(n, texts)
	seen := l.seen
	if !known {
		if rows, err = l.columns.filter(n, l.columns.live, texts); err != nil {
			l.mu.RUnlock()
			return false, nil // SQLite knows better
		}
	}
	err = f(l.columns, rows)
	l.mu.RUnlock()
	if !known && n != nil {
		l.remember(selection{n, texts, rows}, seen)
	}
	return true, err
}

// known returns what a filter let through that was asked for lately.
func (l *Facets) known(n filter.Node, texts textSets) (rowSet, bool) {
	for _, sel := range l.recent {
		if reflect.DeepEqual(sel.filter, n) && sel.texts.same(texts) {
			return sel.rows, true
		}
	}
	return nil, false
}

// remember keeps what a filter let through when seen was the last change.
func (l *Facets) remember(sel selection, seen int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.columns == nil || l.half || l.seen != seen {
		return
	}
	l.recent = slices.DeleteFunc(l.recent, func(o selection) bool { return reflect.DeepEqual(o.filter, sel.filter) })
	if len(l.recent) == keptSelections {
		l.recent = slices.Delete(l.recent, 0, 1)
	}
	l.recent = append(l.recent, sel)
}

// update writes changes into the facets and into what was selected of them.
func (l *Facets) update(c *Changes) {
	f := l.columns
	changed, moved := f.apply(c)
	l.seen, l.half = c.To, c.More
	if moved {
		l.texts.slots++
	}
	text := moved || c.Text
	if text {
		l.texts.moved++
	}
	kept := l.recent[:0]
	for _, sel := range l.recent {
		if text && len(sel.texts) > 0 {
			continue // the sets are of other messages
		}
		now, err := f.filter(sel.filter, changed.and(f.live), sel.texts)
		if err != nil {
			continue
		}
		sel.rows = sel.rows.grown(f.size()).minus(changed)
		sel.rows.unite(now)
		kept = append(kept, sel)
	}
	clear(l.recent[len(kept):])
	l.recent = kept
}
