package reader

import (
	"slices"
	"sort"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/tui/reader/match"
)

// Mark shows where the texts that a filter searched for stand, in each segment
// that is opened from now on: they are drawn as hits that NextHit and PrevHit go
// to, while there is no find.
func (r *Reader) Mark(texts []filter.Text) tea.Cmd {
	if slices.Equal(texts, r.marked) {
		return nil
	}
	r.marked = slices.Clone(texts)
	if r.find != nil && r.find.quiet {
		r.stopFind()
	}
	return r.markTexts()
}

// markTexts looks for the marked texts in the segment shown, unless something is
// looked for.
func (r *Reader) markTexts() tea.Cmd {
	if r.seg.ID == "" || r.find != nil {
		return nil
	}
	m := match.TermsOf(r.marked)
	if m == nil {
		return nil
	}
	return r.search(m, search{query: r.marked[0].Value, quiet: true, begin: r.seg.Start})
}

// beside returns the number, from 0, of the hit that a step is to go on from so
// that it comes to the first one in a message or after it, or with a step back
// to the last one up to it.
func (s *search) beside(n, step int) int {
	i := sort.Search(s.count(), func(i int) bool { h := s.at(i); return h.n >= n })
	if step > 0 {
		return i - 1
	}
	return sort.Search(s.count(), func(i int) bool { h := s.at(i); return h.n > n })
}
