package main

import (
	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/models"
	"winnow/core/hub"
	"winnow/tui/draw"
)

// printScored says what a run did.
func (p *cli) printScored(r *hub.ScoreReport, who *models.Scorer, again bool) {
	switch {
	case r.Segments > 0:
		p.out.Printf("%s\n", desk.ScoredText(r, who))
	case len(r.Failed) > 0 || r.Busy > 0:
		p.out.Printf("0 segments scored\n")
	case again:
		p.out.Printf("nothing to score: there are no segments to choose from\n")
	case who.Judge != nil:
		p.out.Printf("nothing to judge: all selected segments are judged; --again asks again\n")
	default:
		p.out.Printf("nothing to score: all selected segments are scored; --again scores them again\n")
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
		p.warn("%s kept changing: run %s when their agents are done", draw.Plural(r.Busy, "segment"), p.command("score"))
	}
}
