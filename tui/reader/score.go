package reader

import (
	"strconv"
	"strings"

	"winnow/core/clean"
	"winnow/core/metric"
	"winnow/tui/reader/gist"
)

// scoreBlockOf tells why a segment that begins at message start has its score:
// the lowest metrics in a line, and all reasons below it. ok is false
// without an analysis, and for one that can't be read.
func scoreBlockOf(analysis string, start int, dot string) (b block, ok bool) {
	if analysis == "" {
		return block{}, false
	}
	a, err := metric.Parse(analysis)
	if err != nil {
		return block{}, false
	}
	reasons := a.Reasons(start)
	score := "none"
	if known := a.Summary.OverallScore; known != nil {
		score = a.Summary.Evidence.After(metric.ScoreText(*known), dot)
	}
	b = block{kind: scoreBlock, label: "score " + score}
	brief := string(a.Summary.TaskType)
	for _, r := range reasons {
		brief += ", " + gist.Line(r.Metric) + " " + metric.ScoreText(r.Score)
	}
	b.brief = strings.TrimPrefix(brief, ", ")
	var text strings.Builder
	line := func(s string) {
		if s = clean.Line(s); s != "" {
			text.WriteString(s + "\n")
		}
	}
	line(a.ReasonFor(start))
	for _, r := range reasons {
		weight := " (weight " + strconv.FormatFloat(r.Weight, 'f', -1, 64) + ")"
		line(metric.ScoreText(r.Score) + " " + r.Metric + weight + ": " + r.Reason)
	}
	if flags := a.FlagText(); flags != "" {
		line("flags: " + flags)
	}
	if a.Scorer == metric.Judged {
		line("judged by " + a.Model)
	}
	b.text = strings.TrimRight(text.String(), "\n")
	return b, true
}
