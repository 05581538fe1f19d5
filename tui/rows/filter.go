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
