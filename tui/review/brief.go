package review

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
)

// brief is what an analysis says in short: its metrics, the lowest one first.
type brief struct {
	analysis string
	metrics  []string
}

// explain has the brief of the selected segment at hand: every frame tells it.
func (w *window) explain() {
	s := w.Selected()
	if s == nil || s.Analysis == w.brief.analysis {
		return
	}
	w.brief = brief{analysis: s.Analysis}
	if an, err := metric.Parse(s.Analysis); err == nil {
		for _, r := range an.Reasons(s.Start) {
			w.brief.metrics = append(w.brief.metrics, clean.Line(draw.Head(r.Metric))+" "+shortScore(r.Score))
		}
	}
}

// Why tells in short what a segment's score is made of, in as many cells as
// there are.
func (r *Room) Why(s *review.Segment, room int) string {
	if s == nil || s.Analysis == "" {
		return ""
	}
	text := r.ScoreAndTask(s) + " why:"
	for i, part := range r.List.brief.metrics {
		if ansi.StringWidth(text)+1+ansi.StringWidth(part) > room {
			if i == 0 {
				return ""
			}
			break
		}
		text += " " + part
	}
	return text
}

// shortScore writes a score in three cells: .88, or 1.0.
func shortScore(x float64) string {
	if text := metric.ScoreText(x); x < 1 {
		return strings.TrimPrefix(text, "0")
	}
	return "1"
}
