package statisticstest

import (
	"context"

	"winnow/core/learn"
)

// Likely is what was learned from verdicts, and what speaks for each segment and
// against it.
type Likely struct {
	Got learn.Learned
	Why learn.Reasons
}

// Learned implements statistics.Likely.
func (l Likely) Learned(context.Context) (learn.Learned, error) { return l.Got, nil }

// WhyLikely implements reasons.Likely.
func (l Likely) WhyLikely(context.Context, string) (learn.Reasons, bool, error) {
	return l.Why, l.Why.Likely > 0, nil
}

// SampleLikely was learned from half a hundred verdicts.
func SampleLikely() Likely {
	return Likely{
		Got: learn.Learned{Whose: "ann", Model: learn.Model{
			Version: learn.Version, Approved: 25, Rejected: 35, Sessions: 41, Penalty: 30,
			Figures: learn.Figures{AUC: .7312, Brier: .2071, Base: .2431, Bands: []learn.Band{
				{From: 0, To: .2, Segments: 4, Believed: .16}, {From: .2, To: .4, Segments: 31, Believed: .31, Approved: 9},
				{From: .4, To: .6, Segments: 18, Believed: .49, Approved: 10}, {From: .6, To: .8, Segments: 7, Believed: .68, Approved: 6},
			}},
			Columns: []learn.Column{{Kind: "count", Name: "failures", Mean: 1, Scale: 1, Weight: -.4}},
		}},
		Why: learn.Reasons{Likely: .82, For: []string{"no failure left open", "short"}, Against: []string{"calls \x1b[2Jtool\u202e", "9 failures"}},
	}
}
