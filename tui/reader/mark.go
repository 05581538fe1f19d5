package reader

import (
	"cmp"
	"context"
	"slices"
	"sort"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/words"
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
	m := termsOf(r.marked)
	if len(m) == 0 {
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

// terms finds several texts as a search in the database does.
type terms []*words.Finder

func termsOf(texts []filter.Text) terms {
	var list terms
	for _, t := range texts {
		if q, err := words.NewQuery(t.Value, t.Prefix); err == nil {
			list = append(list, &words.Finder{Query: q})
		}
	}
	return list
}

// termHits bounds what is found of one text in one block: more than are kept.
const termHits = hitsKept

// each implements finding. Where two texts overlap, the one that begins first
// counts.
func (m terms) each(ctx context.Context, text string, buf []byte, f func(from, to int) bool) []byte {
	if len(m) == 1 {
		m[0].Matches(ctx, text, f)
		return buf
	}
	type bounds struct{ from, to int }
	var all []bounds
	for _, t := range m {
		n := len(all)
		t.Matches(ctx, text, func(from, to int) bool {
			all = append(all, bounds{from, to})
			return len(all)-n < termHits
		})
	}
	slices.SortFunc(all, func(a, b bounds) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	next := 0
	for _, h := range all {
		if h.from < next {
			continue
		}
		if !f(h.from, h.to) {
			break
		}
		next = h.to
	}
	return buf
}
