package desk

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

// Plan implements tui.Segmenting.
func (b *Segmenting) Plan(ctx context.Context) (tui.CutPlan, error) {
	sessions, _, tokens, err := b.Desk.CountToCut(ctx, hub.CutQuery{Limit: 1})
	if err != nil || sessions == 0 {
		return tui.CutPlan{}, err
	}
	who, err := b.chosen()
	if err != nil {
		return tui.CutPlan{}, err
	}
	plan := tui.CutPlan{Sessions: sessions, Tokens: tokens}
	if plan.Host, plan.Model = who.Host(), who.Model; plan.Host != "" {
		plan.Allowed, err = b.Desk.Allowed(ctx, plan.Host)
	}
	return plan, err
}

// Allow implements tui.Segmenting.
func (b *Segmenting) Allow(ctx context.Context, host string) error {
	return b.Desk.Allow(ctx, host)
}

// Cut implements tui.Segmenting.
func (b *Segmenting) Cut(rules bool) tui.Job {
	return func(ctx context.Context, report func(tui.Progress)) error {
		who := models.ByRules(b.Desk.Config)
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
func (b *Segmenting) allowed(ctx context.Context) (*models.Cutter, error) {
	who, err := b.chosen()
	if err != nil || who.Silent() {
		return who, err
	}
	host := who.Host()
	switch yes, err := b.Desk.Allowed(ctx, host); {
	case err != nil:
		return nil, err
	case !yes:
		return nil, errors.New("nothing may be sent to " + host + " yet")
	}
	return who, nil
}

func (b *Segmenting) run(ctx context.Context, who *models.Cutter, report func(tui.Progress)) error {
	var last tui.Progress
	before := who.Usage().Cost // of earlier runs
	g := &hub.Segmenter{Store: b.Desk.Store, Cutter: who.Cutter, Jobs: who.Jobs}
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
