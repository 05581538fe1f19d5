package main

import (
	"slices"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// ofAnalyses are the fields of a filter that nothing is known of before a
// segment is scored.
var ofAnalyses = []filter.Field{filter.Score, filter.Type, filter.Tool, filter.Flag, filter.After, filter.Before, filter.Metric}

// warnUnscored says how many segments are not scored yet, if what was asked for
// goes by scores: nothing is silently left out.
func (p *cli) warnUnscored(t *review.Totals, q *review.Query) {
	left := t.Segments - t.Labeled
	sorted := q.Order == review.BestScore || q.Order == review.WorstScore
	if left <= 0 || !sorted && !asksAnalyses(q.Filter) {
		return
	}
	verb := "are"
	if left == 1 {
		verb = "is"
	}
	p.warn("%s of %s %s not scored yet: %s", draw.Grouped(left), draw.Plural(t.Segments, "segment"), verb, p.command("score"))
}

// asksAnalyses reports whether a filter has a term about what scoring finds.
func asksAnalyses(n filter.Node) bool {
	for t := range filter.Terms(n) {
		if slices.Contains(ofAnalyses, t.Field) {
			return true
		}
	}
	return false
}
