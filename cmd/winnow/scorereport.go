package main

import (
	"math"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/models"
	"winnow/core/hub"
	"winnow/core/metric"
	"winnow/tui/draw"
)

// scoreRow is what "score --json" prints.
type scoreRow struct {
	By       string           `json:"by"`
	Model    string           `json:"model,omitzero"`
	Host     string           `json:"host,omitzero"`
	Segments int              `json:"segments"` // that were scored
	Changed  int              `json:"changed"`  // of them, whose analysis is another one now
	Messages int              `json:"messages"` // that they have
	Mean     *float64         `json:"avg_quality_score"`
	Busy     int              `json:"busy"` // that changed all the time
	Failed   []failedScoreRow `json:"failed"`
	Usage    modelUsage       `json:"usage"`
}

type failedScoreRow struct {
	ID          string `json:"id"`
	SessionFile string `json:"session_file"`
	StartLine   int    `json:"start_line"`
	Reason      string `json:"reason"`
}

func scoreRowOf(r *hub.ScoreReport, who *models.Scorer) scoreRow {
	row := scoreRow{
		By: metric.Offline, Model: who.Model, Host: who.Host(), Segments: r.Segments, Changed: r.Changed, Messages: r.Messages,
		Busy: r.Busy, Failed: []failedScoreRow{}, Usage: usageOf(who.Usage()),
	}
	if who.Judge != nil {
		row.By = metric.Judged
	}
	if r.Scored > 0 {
		mean := math.Round(r.Mean()*1e4) / 1e4
		row.Mean = &mean
	}
	for _, f := range r.Failed {
		row.Failed = append(row.Failed, failedScoreRow{f.Segment, f.File, f.Start, f.Err.Error()})
	}
	return row
}

// printScored says what a run did.
func (p *cli) printScored(r *hub.ScoreReport, who *models.Scorer, again bool) {
	switch {
	case r.Segments > 0:
		p.out.Printf("%s\n", desk.ScoredText(r, who))
	case len(r.Failed) > 0 || r.Busy > 0:
		p.out.Printf("0 segments scored\n")
	case again:
		p.out.Printf("nothing to score: there are no such segments\n")
	case who.Judge != nil:
		p.out.Printf("nothing to judge: all such segments are; --again asks anew\n")
	default:
		p.out.Printf("nothing to score: all such segments are; --again scores them anew\n")
	}
}

// explainScored says on stderr what was not scored and why.
func (p *cli) explainScored(r *hub.ScoreReport) {
	for i, f := range r.Failed {
		if i == explained {
			p.warn("%s more could not be scored: --json lists them", draw.Plural(len(r.Failed)-i, "segment"))
			break
		}
		what := "not scored"
		if f.Asked {
			what = "not judged, its score stays as it is"
		}
		p.warn("%s: message %d on: %s: %s", f.File, f.Start, what, f.Err.Error())
	}
	if r.Busy > 0 {
		p.warn("%s changed all the time: %s scores them when it is quiet", draw.Plural(r.Busy, "segment"), p.command("score"))
	}
}
