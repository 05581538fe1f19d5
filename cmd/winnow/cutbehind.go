package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/hub"
	"winnow/tui"
	"winnow/tui/draw"
)

// screenSegmenting cuts the sessions of a database behind the screen.
type screenSegmenting struct {
	*cli
	db *database
	by string // "auto" or "offline"

	once sync.Once // guards what follows
	who  *models.Cutter
	err  error

	last hub.CutReport // of the run that ended last
}

// cutter returns who cuts, unless the curator wants rules. It is made when it
// is asked for: a screen that has nothing to cut needs none.
func (b *screenSegmenting) cutter() (*models.Cutter, error) {
	b.once.Do(func() { b.who, b.err = models.NewCutter(b.db.Config, b.by, b.env.now) })
	return b.who, b.err
}

// Plan implements tui.Segmenting.
func (b *screenSegmenting) Plan(ctx context.Context) (tui.CutPlan, error) {
	sessions, _, tokens, err := b.db.CountToCut(ctx, hub.CutQuery{Limit: 1})
	if err != nil || sessions == 0 {
		return tui.CutPlan{}, err
	}
	who, err := b.cutter()
	if err != nil {
		return tui.CutPlan{}, err
	}
	plan := tui.CutPlan{Sessions: sessions, Tokens: tokens}
	if plan.Host, plan.Model = who.Host(), who.Model; plan.Host != "" {
		plan.Allowed, err = b.db.Allowed(ctx, plan.Host)
	}
	return plan, err
}

// Allow implements tui.Segmenting.
func (b *screenSegmenting) Allow(ctx context.Context, host string) error {
	return b.db.Allow(ctx, host)
}

// Cut implements tui.Segmenting.
func (b *screenSegmenting) Cut(rules bool) tui.Job {
	return func(ctx context.Context, report func(tui.Progress)) error {
		who := models.ByRules(b.db.Config)
		if !rules {
			var err error
			if who, err = b.allowed(ctx); err != nil {
				return err
			}
		}
		return b.run(ctx, who, report)
	}
}

// allowed returns who cuts, if that sends nothing to where nothing may be sent.
func (b *screenSegmenting) allowed(ctx context.Context) (*models.Cutter, error) {
	who, err := b.cutter()
	if err != nil || who.Silent() {
		return who, err
	}
	host := who.Host()
	switch yes, err := b.db.Allowed(ctx, host); {
	case err != nil:
		return nil, err
	case !yes:
		return nil, errors.New("nothing may be sent to " + host + " yet")
	}
	return who, nil
}

func (b *screenSegmenting) run(ctx context.Context, who *models.Cutter, report func(tui.Progress)) error {
	var last tui.Progress
	before := who.Usage().Cost // of earlier runs
	g := &hub.Segmenter{Store: b.db.Store, Cutter: who.Cutter, Jobs: who.Jobs}
	g.Progress = func(pr hub.CutProgress) {
		last = tui.Progress{
			Sessions: pr.Sessions, AllSessions: pr.AllSessions, Tokens: pr.Tokens, Cost: models.CostText(who.Usage().Cost - before),
		}
		if pr.Note != "" {
			last.Note = "failed: " + pr.Note
		}
		report(last)
	}
	r, err := g.Run(ctx)
	b.last = r
	last.Failed, last.Note = len(r.Failed), b.cutNote(&r)
	report(last)
	return err
}

// cutNote says in a line what a run brought, "" if that is nothing to be seen.
func (b *screenSegmenting) cutNote(r *hub.CutReport) string {
	if len(r.Failed) == 0 && r.GoOn == 0 && r.Segments <= r.Sessions {
		return ""
	}
	text := draw.Plural(r.Sessions, "session") + " in " + draw.Plural(r.Segments, "segment")
	if n := len(r.Failed); n > 0 {
		text = fmt.Sprintf("%s not cut: %s; %s tries again and says why", draw.Plural(n, "session"), r.Failed[0].Err.Error(), b.command("segment"))
	}
	if r.GoOn > 0 {
		text += "; " + print.Plural(r.GoOn, "judged segment goes", "judged segments go") + " on: stale"
	}
	return text
}
