package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"winnow/cmd/winnow/models"
	"winnow/core/hub"
	"winnow/tui"
	"winnow/tui/draw"
)

// screenScoring scores the segments of a database behind the screen.
type screenScoring struct {
	*cli
	db *database
	by string // "auto" or "offline"

	once sync.Once // guards what follows
	who  *models.Scorer
	err  error

	last hub.ScoreReport // of the run that ended last and left something
}

// scorer returns who scores, unless the curator wants nothing sent.
func (b *screenScoring) scorer() (*models.Scorer, error) {
	b.once.Do(func() { b.who, b.err = models.NewScorer(b.db.Config, b.by, b.env.now) })
	return b.who, b.err
}

// Plan implements tui.Scoring. What can be measured is, even if the judge is
// configured in a way that makes no sense.
func (b *screenScoring) Plan(ctx context.Context) (plan tui.ScorePlan, err error) {
	plan.Segments, _, _, err = b.db.CountToScore(ctx, hub.ScoreQuery{Limit: 1})
	if err != nil {
		return plan, err
	}
	who, err := b.scorer()
	if err != nil && plan.Segments > 0 {
		return plan, nil // it is told when these are measured
	}
	if err != nil || who.Judge == nil {
		return plan, err
	}
	plan.Host, plan.Model = who.Host(), who.Model
	if plan.Judge, _, plan.Tokens, err = b.db.CountToScore(ctx, hub.ScoreQuery{Judge: true, Limit: 1, Request: who.Request}); err == nil {
		plan.Allowed, err = b.db.Allowed(ctx, plan.Host)
	}
	return plan, err
}

// Allow implements tui.Scoring.
func (b *screenScoring) Allow(ctx context.Context, host string) error {
	return b.db.Allow(ctx, host)
}

// Measure implements tui.Scoring.
func (b *screenScoring) Measure() tui.Job {
	return func(ctx context.Context, report func(tui.Progress)) error {
		return b.run(ctx, models.Measuring(b.db.Config), report)
	}
}

// Judge implements tui.Scoring.
func (b *screenScoring) Judge() tui.Job {
	return func(ctx context.Context, report func(tui.Progress)) error {
		who, err := b.scorer()
		if err != nil || who.Judge == nil {
			return err
		}
		switch yes, err := b.db.Allowed(ctx, who.Host()); {
		case err != nil:
			return err
		case !yes:
			return errors.New("nothing may be sent to " + who.Host() + " yet")
		}
		return b.run(ctx, who, report)
	}
}

func (b *screenScoring) run(ctx context.Context, who *models.Scorer, report func(tui.Progress)) error {
	var last tui.Progress
	before := who.Usage().Cost // of earlier runs
	g := b.db.scoring(who)
	g.Progress = func(pr hub.ScoreProgress) {
		last = tui.Progress{
			Segments: pr.Segments, AllSegments: pr.AllSegments, Tokens: pr.Tokens, Cost: models.CostText(who.Usage().Cost - before),
		}
		if pr.Note != "" {
			last.Note = "failed: " + pr.Note
		}
		report(last)
	}
	r, err := g.Run(ctx)
	if len(r.Failed) > 0 {
		b.last = r
	}
	last.Failed, last.Note = len(r.Failed), b.scoreNote(&r, who)
	report(last)
	return err
}

// scoreNote says in a line what a run brought, "" if that is nothing to be seen.
func (b *screenScoring) scoreNote(r *hub.ScoreReport, who *models.Scorer) string {
	if n := len(r.Failed); n > 0 {
		return fmt.Sprintf("%s not scored: %s; %s tries again and says why", draw.Plural(n, "segment"), r.Failed[0].Err.Error(), b.command("score"))
	}
	if who.Judge == nil || r.Segments == 0 {
		return ""
	}
	return scoredText(r, who)
}
