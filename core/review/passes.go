package review

import "winnow/core/filter"

// Passes tells what is known of a filter from a segment's verdict alone:
// whether it may pass, and whether it may not.
func Passes(n filter.Node, v Verdict) (may, mayNot bool) {
	switch n := n.(type) {
	case nil:
		return true, false
	case filter.And:
		may = true
		for _, of := range n {
			m, not := Passes(of, v)
			may, mayNot = may && m, mayNot || not
		}
		return may, mayNot
	case filter.Or:
		mayNot = true
		for _, of := range n {
			m, not := Passes(of, v)
			may, mayNot = may || m, mayNot && not
		}
		return may, mayNot
	case filter.Not:
		may, mayNot = Passes(n.Of, v)
		return mayNot, may
	case filter.Term:
		switch {
		case n.Field == filter.Status:
			same := n.Value == string(v)
			return same, !same
		case (n.Field == filter.Reviewer || n.Field == filter.Reviewed) && v == Pending:
			return false, true
		}
	}
	return true, true
}
