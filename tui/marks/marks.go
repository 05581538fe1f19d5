// Package marks is which segments a curator marked, for what is done to several at
// once, and the range of rows that is being marked. It draws nothing and asks nobody;
// tui/review has its keys.
//
// It imports nothing of winnow. Its tests are beside it.
package marks

import (
	"maps"
	"slices"
)

// Set are the segments that are marked, by id. They stay marked wherever the list
// goes. The zero Set is empty.
type Set struct {
	IDs  map[string]bool
	Span *Span // the range that is being marked, nil for none
	// Away are those that the filter does not let through, of the filter with
	// the key.
	Away    map[string]bool
	AwayKey string
	Asked   int // number of the last question about them
}

// Span is a range of rows from one that was selected to the one that is.
type Span struct {
	From, To string // ids of the rows at its ends
	List     string // the list that it is of
	Asking   bool   // for its rows
	Closed   bool   // it ends with the answer,
	End      string // at this row

	added map[string]bool // those that it marked
}

// Begin begins a range at a row of a list.
func (m *Set) Begin(id, list string) {
	m.Span = &Span{From: id, To: id, List: list, added: map[string]bool{}}
	m.Extend([]string{id})
}

// Put marks a segment, or takes its mark away.
func (m *Set) Put(id string, on bool) {
	if !on {
		delete(m.IDs, id)
		delete(m.Away, id)
		return
	}
	if m.IDs == nil {
		m.IDs = map[string]bool{}
	}
	m.IDs[id] = true
}

// List returns the ids of what is marked, in a fixed order.
func (m *Set) List() []string { return slices.Sorted(maps.Keys(m.IDs)) }

// Extend makes the range these rows: what it marked before and does not hold any more
// is not marked.
func (m *Set) Extend(ids []string) {
	s := m.Span
	now := make(map[string]bool, len(ids))
	for _, id := range ids {
		now[id] = true
		if !m.IDs[id] {
			m.Put(id, true)
			s.added[id] = true
		}
	}
	for id := range s.added {
		if !now[id] {
			m.Put(id, false)
			delete(s.added, id)
		}
	}
}

// Clear takes all marks away.
func (m *Set) Clear() { *m = Set{Asked: m.Asked + 1} }

// Between returns the ids of a list from one row to another, whichever comes first;
// nil if one of them is not in it.
func Between(ids []string, from, to string) []string {
	first, last := slices.Index(ids, from), slices.Index(ids, to)
	if first < 0 || last < 0 {
		return nil
	}
	return ids[min(first, last) : max(first, last)+1]
}
