package facets

import (
	"context"
	"slices"

	"winnow/core/filter"
)

// textSets are the segments that searches for text find.
type textSets map[filter.Text]*textSet

// textSet is what one search found. It holds as long as foundTexts.moved is the
// same.
type textSet struct {
	rows  rowSet
	moved int64
	slots int64 // foundTexts.slots when rows were found
}

func (t textSets) same(o textSets) bool {
	if len(t) != len(o) {
		return false
	}
	for text, set := range t {
		if o[text] != set {
			return false
		}
	}
	return true
}

// keptTexts is the number of searches whose sets are kept.
const keptTexts = 16

// foundTexts keeps the newest searches.
type foundTexts struct {
	// moved counts changes of which messages are in which segment, and of
	// which of them are in the text index.
	moved int64
	// slots counts changes of which messages a slot stands for.
	slots int64
	sets  textSets
	order []filter.Text // the oldest first
}

func (t *foundTexts) keep(text filter.Text, set *textSet) {
	if t.sets == nil {
		t.sets = textSets{}
	}
	t.order = append(slices.DeleteFunc(t.order, func(o filter.Text) bool { return o == text }), text)
	t.sets[text] = set
	if len(t.order) > keptTexts {
		delete(t.sets, t.order[0])
		t.order = slices.Delete(t.order, 0, 1)
	}
}

// hold reports whether the slots of sets are still of the segments that were
// found.
func (t *foundTexts) hold(sets textSets) bool {
	for _, set := range sets {
		if set.slots != t.slots {
			return false
		}
	}
	return true
}

// textSets searches for the texts of a filter. ok is false if the facets are
// not there any more.
func (l *Facets) textSets(ctx context.Context, n filter.Node) (sets textSets, ok bool, err error) {
	for _, text := range filter.Texts(n) {
		if sets[text] != nil {
			continue
		}
		set, _ := l.foundText(text)
		if set == nil {
			if set, err = l.findText(ctx, text); err != nil || set == nil {
				return nil, false, err
			}
		}
		if sets == nil {
			sets = textSets{}
		}
		sets[text] = set
	}
	return sets, true, nil
}

// foundText returns what a search has found, nil if it is not known, and the
// state of what is searched.
func (l *Facets) foundText(text filter.Text) (set *textSet, moved int64) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if set := l.texts.sets[text]; set != nil && set.moved == l.texts.moved {
		return set, l.texts.moved
	}
	return nil, l.texts.moved
}

// findText searches. What it finds is kept if nothing was moved meanwhile; else
// whoever asks next searches again. It is nil if the facets are not there any
// more.
func (l *Facets) findText(ctx context.Context, text filter.Text) (*textSet, error) {
	_, before := l.foundText(text)
	var found []int64
	err := l.feed.Search(ctx, text, func(rows []int64) error {
		found = append(found, rows...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Segments that came meanwhile get their slots.
	if ok, err := l.Ready(ctx); !ok || err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.columns == nil {
		return nil, nil
	}
	set := &textSet{l.columns.slotsOf(found), before, l.texts.slots}
	if l.texts.moved == before {
		l.texts.keep(text, set)
	}
	return set, nil
}

// slotsOf returns the slots of rows. Those that are not known have left.
func (f *columns) slotsOf(rows []int64) rowSet {
	set := newRowSet(f.size())
	for _, row := range rows {
		if slot, ok := f.slots[row]; ok {
			set.add(slot)
		}
	}
	return set
}
