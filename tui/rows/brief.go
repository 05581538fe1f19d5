package rows

import (
	"winnow/core/clean"
	"winnow/core/metric"
	"winnow/tui/draw"
)

// brief is what an analysis says in short: its metrics, the lowest one first.
type brief struct {
	analysis string
	Metrics  []string
	Evidence metric.Evidence
}

// Explain has the brief of the selected segment at hand: every frame tells it.
func (w *Window) Explain() {
	s := w.Selected()
	if s == nil || s.Analysis == w.Brief.analysis {
		return
	}
	w.Brief = brief{analysis: s.Analysis}
	if an, err := metric.Parse(s.Analysis); err == nil {
		w.Brief.Evidence = an.Summary.Evidence
		for _, r := range an.Reasons(s.Start) {
			w.Brief.Metrics = append(w.Brief.Metrics, clean.Line(draw.Head(r.Metric))+" "+metric.ScoreText(r.Score))
		}
	}
}
