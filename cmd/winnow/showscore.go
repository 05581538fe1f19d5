package main

import (
	"github.com/go-json-experiment/json/jsontext"

	"winnow/cmd/winnow/tell"
	"winnow/core/review"
)

// analysisJSON is the analysis of a segment as it is stored: its reasons name
// messages by the numbers at its "start". Without one it is nil; one that is no
// JSON becomes a text.
func analysisJSON(g *review.Segment) jsontext.Value { return tell.RecordedJSON(g.Analysis) }
