package main

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/metric"
	"winnow/core/review"
)

// scoreLines prints why a segment has its score: what is said of it in general,
// its flags, and what each metric found, the lowest score first.
func scoreLines(g *review.Segment, line func(name, value string)) {
	if g.Analysis == "" {
		return
	}
	a, err := metric.Parse(g.Analysis)
	if err != nil {
		line("reason", err.Error())
		return
	}
	line("summary", a.ReasonFor(g.Start))
	var flags []string
	for _, f := range a.Flags {
		flags = append(flags, string(f))
	}
	line("flags", strings.Join(flags, ", "))
	for _, r := range a.Reasons(g.Start) {
		score, weight := r.Score, strconv.FormatFloat(r.Weight, 'f', -1, 64)
		line("reason", scoreText(&score)+" "+r.Metric+" (weight "+weight+"): "+r.Reason)
	}
}

// analysisJSON is the analysis of a segment as it is stored: its reasons name
// messages by the numbers at its "start". Without one it is nil; one that is no
// JSON becomes a text.
func analysisJSON(g *review.Segment) jsontext.Value { return recordedJSON(g.Analysis) }
