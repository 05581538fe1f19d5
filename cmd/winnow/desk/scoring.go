package desk

import (
	"context"
	"fmt"

	"winnow/cmd/winnow/models"
	"winnow/core/runs"
	"winnow/tui/draw"
	"winnow/tui/work"
)

// Scoring scores the segments of a database in the background of the screen.
type Scoring struct {
	*Desk
	// Chosen returns who scores, unless the curator wants nothing sent. It is made
	// when it is asked for.
	Chosen func() (*models.Scorer, error)

	Last runs.ScoreReport // of the run that ended last and left something
}

// Plan implements work.Source. What can be measured is, even if the judge is
// configured in a way that makes no sense.
func (b *Scoring) Plan(ctx context.Context) (plan work.Plan, err error) {
	plan.Here, _, _, err = b.Desk.CountToScore(ctx, runs.ScoreQuery{Limit: 1})
	if err != nil {
		return plan, err
	}
	who, err := b.Chosen()
	if err != nil && plan.Here > 0 {
		return plan, nil // it is told when these are measured
	}
	if err != nil || who.Judge == nil {
		return plan, err
	}
	plan.Host, plan.Model = who.Host(), who.Model
	if plan.Sent, _, plan.Tokens, err = b.Desk.CountToScore(ctx, runs.ScoreQuery{Judge: true, Limit: 1, Request: who.Request}); err == nil {
		plan.Allow, err = b.allowing(ctx, plan.Host)
	}
	return plan, err
}

// Do implements work.Source.
func (b *Scoring) Do(ctx context.Context, send bool, report func(work.Progress)) (err error) {
	who := models.Measuring(b.Desk.Config)
	if send {
		who, err = b.Chosen()
	}
	if err == nil {
		err = b.mustAllow(ctx, who.Host())
	}
	if err != nil {
		return err
	}
	before, last := who.Usage().Cost, work.Progress{}
	g := b.Scorer(who)
	g.Progress = func(pr runs.ScoreProgress) {
		last = step(work.Progress{Segments: pr.Segments, AllSegments: pr.AllSegments, Tokens: pr.Tokens}, &who.Asking, before, pr.Note)
		report(last)
	}
	var r runs.ScoreReport
	err = b.Leased(ctx, "judge", "winnow", &who.Asking, func(others string) { report(work.Progress{Note: others}) }, func(ctx context.Context) (err error) {
		r, err = g.Run(ctx)
		return err
	})
	if len(r.Failed) > 0 {
		b.Last = r
	}
	last.Failed, last.Note = len(r.Failed), b.scoreNote(&r, who)
	report(last)
	return err
}

// scoreNote says in a line what a run brought, "" if that is nothing to be seen.
func (b *Scoring) scoreNote(r *runs.ScoreReport, who *models.Scorer) string {
	if n := len(r.Failed); n > 0 {
		return fmt.Sprintf("%s not scored: %s; %s tries again and says why", draw.Plural(n, "segment"), r.Failed[0].Err.Error(), b.Command("score"))
	}
	if who.Judge == nil || r.Segments == 0 {
		return ""
	}
	return ScoredText(r, who)
}

// Scorer returns what scores the segments of a database.
func (d *Desk) Scorer(who *models.Scorer) *runs.Scorer {
	return &runs.Scorer{Store: d.Store, Config: d.Config.Scoring(), Judge: who.Judge, Request: who.Request, Jobs: who.Jobs}
}

// ScoredText says in a line what was scored.
func ScoredText(r *runs.ScoreReport, who *models.Scorer) string {
	text := draw.Plural(r.Segments, "segment") + " scored " + who.Text("offline")
	if r.Scored > 0 {
		text += fmt.Sprintf(", %.2f on average", r.Mean())
	}
	if who.Judge == nil && r.Judged > 0 {
		text += "; of " + draw.Grouped(r.Judged) + " what a model said stays"
	}
	if same := r.Segments - r.Changed; same > 0 {
		text += "; " + draw.Grouped(same) + " as before"
	}
	return text
}
