package rows

import (
	"context"
	"maps"
	"math"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// Filter is a filter of the list.
type Filter struct {
	Node filter.Node // nil lets all through
	Text string      // as it was typed
	Key  string      // its printed form, which tells filters apart
	// What every frame asks for: how the header tells it, what is left of it
	// without its status, and whether it searches for text.
	Pretty string
	Base   filter.Node
	Finds  bool
}

// Passes tells what is known of a filter from a segment's verdict alone:
// whether it may pass, and whether it may not.
func Passes(n filter.Node, v review.Verdict) (may, mayNot bool) {
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
		case (n.Field == filter.Reviewer || n.Field == filter.Reviewed) && v == review.Pending:
			return false, true
		}
	}
	return true, true
}

// Counts is what was counted of a filter.
type Counts struct {
	Key     string        // of the filter that was counted
	Passing review.Counts // what passes it
	Base    review.Counts // what passes it but for its status
	// Done and All are messages in the text index and messages there are, for
	// a filter with text.
	Done, All int64
}

// Count counts what passes a filter.
func Count(ctx context.Context, lib Library, f Filter) (t Counts, err error) {
	t.Key = f.Key
	if f.Finds {
		if t.Done, t.All, err = lib.TextShare(ctx); err != nil {
			return t, err
		}
	}
	if t.Passing, err = lib.Count(ctx, f.Node); err != nil {
		return t, err
	}
	switch {
	case f.Base == nil: // the totals say it
	case filter.Print(f.Base) == f.Key:
		t.Base = t.Passing
	default:
		t.Base, err = lib.Count(ctx, f.Base)
	}
	t.Passing.ByVerdict, t.Base.ByVerdict = maps.Clone(t.Passing.ByVerdict), maps.Clone(t.Base.ByVerdict) // ours to change
	return t, err
}

// CountsOf are the counts of everything.
func CountsOf(t *review.Totals) review.Counts {
	return review.Counts{Segments: t.Segments, ByVerdict: t.ByVerdict, Stale: t.Stale, Scored: t.Scored, Histogram: t.Histogram}
}

// Move counts n segments more under a verdict.
func Move(c *review.Counts, v review.Verdict, n int) {
	if c.ByVerdict != nil {
		c.ByVerdict[v] = max(0, c.ByVerdict[v]+n)
	}
}

// NewFilter returns a filter that was typed as a text.
func NewFilter(n filter.Node, text string, g *draw.Glyphs) Filter {
	return Filter{
		Node: n, Text: text, Key: filter.Print(n),
		Pretty: g.Filter(n), Base: filter.Without(n, filter.Status), Finds: filter.HasText(n),
	}
}

// ThresholdSteps is how many steps the scale of thresholds has, from 0 to 1.
const ThresholdSteps = 20

// NextThreshold returns the threshold so many steps up the scale from x, or down;
// one between two steps goes to the next step first.
func NextThreshold(x float64, steps int) float64 {
	at := x * ThresholdSteps
	if near := math.Round(at); math.Abs(at-near) < 1e-6 {
		at = near + float64(steps)
	} else if steps > 0 {
		at = math.Ceil(at)
	} else {
		at = math.Floor(at)
	}
	return math.Round(max(0, min(at, ThresholdSteps))) / ThresholdSteps
}
