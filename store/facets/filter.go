package facets

import (
	"errors"
	"slices"

	"winnow/core/filter"
)

// errNoFacet says that a filter asks for what is not kept in memory.
var errNoFacet = errors.New("not kept in memory")

// filter returns which of the slots in pass. What a node does not need to be
// asked about, because another one has decided it, it is not: substrings of
// 200,000 topics take ten milliseconds, most others less than one.
func (f *columns) filter(n filter.Node, in rowSet, texts textSets) (rowSet, error) {
	switch n := n.(type) {
	case nil:
		return in, nil
	case filter.And:
		for _, of := range cheapFirst(n) {
			var err error
			if in, err = f.filter(of, in, texts); err != nil {
				return nil, err
			}
		}
		return in, nil
	case filter.Or:
		out := make(rowSet, len(in))
		for _, of := range cheapFirst(n) {
			got, err := f.filter(of, in.minus(out), texts)
			if err != nil {
				return nil, err
			}
			out.unite(got)
		}
		return out, nil
	case filter.Not:
		got, err := f.filter(n.Of, in, texts)
		if err != nil {
			return nil, err
		}
		return in.minus(got), nil
	case filter.Text:
		found, ok := texts[n]
		if !ok {
			return nil, errNoFacet
		}
		return in.and(found.rows), nil
	case filter.Term:
		return f.term(&n, in)
	}
	return nil, errNoFacet
}

// cheapFirst returns nodes in the order in which they are asked.
func cheapFirst(nodes []filter.Node) []filter.Node {
	sorted := slices.Clone(nodes)
	slices.SortStableFunc(sorted, func(a, b filter.Node) int { return costOf(a) - costOf(b) })
	return sorted
}

// costOf is about how long a node takes, in arbitrary units.
func costOf(n filter.Node) int {
	sum := 0
	switch n := n.(type) {
	case filter.Text:
		return 1 // it is a set already
	case filter.Term:
		switch info, _ := filter.Lookup(string(n.Field)); info.Column {
		case "topic":
			return 40
		case "session.session_file":
			return 10
		}
		return 4
	case filter.Not:
		return costOf(n.Of)
	case filter.And:
		for _, of := range n {
			sum += costOf(of)
		}
	case filter.Or:
		for _, of := range n {
			sum += costOf(of)
		}
	}
	return sum
}
