package desk

import (
	"context"
	"fmt"
	"sync"

	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/hub"
	"winnow/tui/draw"
	"winnow/tui/work"
)

// Segmenting cuts the sessions of a database behind the screen.
type Segmenting struct {
	*Desk
	by string // "auto" or "offline"

	once sync.Once // guards what follows
	who  *models.Cutter
	err  error

	Last hub.CutReport // of the run that ended last
}

// chosen returns who cuts, unless the curator wants rules. It is made when it
// is asked for: a screen that has nothing to cut needs none.
func (b *Segmenting) chosen() (*models.Cutter, error) {
	b.once.Do(func() { b.who, b.err = models.NewCutter(b.Desk.Config, b.by, b.Now) })
	return b.who, b.err
}

// Plan implements work.Source.
func (b *Segmenting) Plan(ctx context.Context) (plan work.Plan, err error) {
	sessions, _, tokens, err := b.Desk.CountToCut(ctx, hub.CutQuery{Limit: 1})
	if err != nil || sessions == 0 {
		return plan, err
	}
	who, err := b.chosen()
	switch {
	case err != nil:
		return plan, err
	case who.Host() == "":
		return work.Plan{Here: sessions}, nil
	}
	plan = work.Plan{Sent: sessions, Tokens: tokens, Host: who.Host(), Model: who.Model}
	plan.Allow, err = b.allowing(ctx, plan.Host)
	return plan, err
}

// Do implements work.Source.
func (b *Segmenting) Do(ctx context.Context, send bool, report func(work.Progress)) error {
	if !send {
		return b.run(ctx, models.ByRules(b.Desk.Config), report)
	}
	who, err := b.chosen()
	if err == nil && !who.Silent() {
		err = b.mustAllow(ctx, who.Host())
	}
	if err != nil {
		return err
	}
	return b.run(ctx, who, report)
}

func (b *Segmenting) run(ctx context.Context, who *models.Cutter, report func(work.Progress)) error {
	var last work.Progress
	before := who.Usage().Cost // of earlier runs
	g := &hub.Segmenter{Store: b.Desk.Store, Cutter: who.Cutter, Jobs: who.Jobs}
	g.Progress = func(pr hub.CutProgress) {
		last = work.Progress{
			Sessions: pr.Sessions, AllSessions: pr.AllSessions, Tokens: pr.Tokens, Cost: models.CostText(who.Usage().Cost - before),
		}
		if pr.Note != "" {
			last.Note = "failed: " + pr.Note
		}
		report(last)
	}
	r, err := g.Run(ctx)
	b.Last = r
	last.Failed, last.Note = len(r.Failed), b.cutNote(&r)
	report(last)
	return err
}

// cutNote says in a line what a run brought, "" if that is nothing to be seen.
func (b *Segmenting) cutNote(r *hub.CutReport) string {
	if len(r.Failed) == 0 && r.GoOn == 0 && r.Segments <= r.Sessions {
		return ""
	}
	text := draw.Plural(r.Sessions, "session") + " in " + draw.Plural(r.Segments, "segment")
	if n := len(r.Failed); n > 0 {
		text = fmt.Sprintf("%s not cut: %s; %s tries again and says why", draw.Plural(n, "session"), r.Failed[0].Err.Error(), b.Command("segment"))
	}
	if r.GoOn > 0 {
		text += "; " + print.Plural(r.GoOn, "judged segment goes", "judged segments go") + " on: stale"
	}
	return text
}
