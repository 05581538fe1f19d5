package facets

import (
	"context"
	"slices"

	"winnow/core/filter"
	corewords "winnow/core/words"
)

// together finds segments that pass a filter with several words, where one
// passage holds all of them: their rows, in the order of the index. All that hold
// each of the words, which takes long if they are frequent, are not searched for
// then. ok is false if that finds fewer than limit, or does not apply.
func (l *Facets) together(ctx context.Context, n filter.Node, limit int) (found []int64, ok bool, err error) {
	words, rest, ok := splitWords(n)
	if !ok {
		return nil, false, nil
	}
	rows, err := l.feed.Together(ctx, words)
	if err != nil {
		return nil, false, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.columns == nil || l.half {
		return nil, false, nil
	}
	f := l.columns
	passed, err := f.filter(rest, f.slotsOf(rows).and(f.live), nil)
	if err != nil {
		return nil, false, nil // as if there were no facets
	}
	passed.each(func(slot int32) { found = append(found, f.rowid[slot]) })
	return found, len(found) >= limit, nil
}

// splitWords takes apart the words that a filter of several searches for, and its
// rest. ok is false if it is another one, or if finding its words in a passage is
// not enough to know.
func splitWords(n filter.Node) (words []string, rest filter.Node, ok bool) {
	and, _ := n.(filter.And)
	texts := 0
	var others []filter.Node
	for _, of := range and {
		text, ok := of.(filter.Text)
		if !ok {
			others = append(others, of)
			continue
		}
		q, err := corewords.NewQuery(text.Value, text.Prefix)
		if err != nil || !q.Sure || q.Prefix != "" {
			return nil, nil, false
		}
		words = append(words, q.Words...)
		texts++
	}
	rest = filter.All(others...)
	if texts < 2 || filter.HasText(rest) {
		return nil, nil, false
	}
	slices.Sort(words)
	return slices.Compact(words), rest, true
}
