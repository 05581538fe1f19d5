package main

import (
	"strings"

	"winnow/core/filter"
	"winnow/core/review"
)

// filterHelp describes the flag --filter.
const filterHelp = "only what `Q` says: has:copies, or -has:copies for the others"

// parseFilter reads what --filter says. So far it knows one field with one
// value. Nothing asked for is nil.
func parseFilter(q string) (filter.Node, error) {
	var nodes []filter.Node
	for _, word := range strings.Fields(q) {
		field, not := strings.CutPrefix(word, "-")
		if !not {
			field = word
		}
		if field != "has:copies" {
			return nil, wrongUsage("--filter %q: unknown: known are has:copies and -has:copies", word)
		}
		term := review.Has("copies")
		if not {
			term = filter.Not{Of: term}
		}
		nodes = append(nodes, term)
	}
	return filter.All(nodes...), nil
}
