package desk

import (
	"context"
	"fmt"

	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/runs"
	"winnow/tui/draw"
	"winnow/tui/work"
)

// Segmenting cuts the sessions of a database in the background of the screen.
type Segmenting struct {
	*Desk
	// chosen returns who cuts, unless the curator wants rules. It is made when it
	// is asked for: a screen that has nothing to cut needs none.
	chosen func() (*models.Cutter, error)

	Last runs.CutReport // of the run that ended last
}

// Plan implements work.Source.
func (b *Segmenting) Plan(ctx context.Context) (plan work.Plan, err error) {
	sessions, _, tokens, err := b.Desk.CountToCut(ctx, runs.CutQuery{Limit: 1})
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
func (b *Segmenting) Do(ctx context.Context, send bool, report func(work.Progress)) (err error) {
	who := models.ByRules(b.Desk.Config)
	if send {
		who, err = b.chosen()
	}
	if err == nil {
		err = b.mustAllow(ctx, who.Host())
	}
	if err != nil {
		return err
	}
	before, last := who.Usage().Cost, work.Progress{}
	g := &runs.Segmenter{Store: b.Desk.Store, Cutter: who.Cutter, Jobs: who.Jobs}
	g.Progress = func(pr runs.CutProgress) {
		last = step(work.Progress{Sessions: pr.Sessions, AllSessions: pr.AllSessions, Tokens: pr.Tokens}, &who.Asking, before, pr.Note)
		report(last)
	}
	var r runs.CutReport
	err = b.Leased(ctx, "segment", "winnow", &who.Asking, func(others string) { report(work.Progress{Note: others}) }, func(ctx context.Context) (err error) {
		r, err = g.Run(ctx)
		return err
	})
	b.Last = r
	last.Failed, last.Note = len(r.Failed), b.cutNote(ctx, &r)
	report(last)
	return err
}

// cutNote says in a line what a run brought, "" if that is nothing to be seen.
func (b *Segmenting) cutNote(ctx context.Context, r *runs.CutReport) string {
	if len(r.Failed) == 0 && r.GoOn == 0 && r.Segments <= r.Sessions {
		return ""
	}
	text := draw.Plural(r.Sessions, "session") + " cut into " + draw.Plural(r.Segments, "segment")
	if t, err := b.Desk.Totals(ctx); err == nil && t.Segments > r.Segments { // of short sessions, and those cut before
		text += ", " + draw.Grouped(t.Segments) + " in all"
	}
	if n := len(r.Failed); n > 0 {
		text = fmt.Sprintf("%s not cut: %s; %s tries again and says why", draw.Plural(n, "session"), r.Failed[0].Err.Error(), b.Command("segment"))
	}
	if r.GoOn > 0 {
		text += "; " + print.Plural(r.GoOn, "judged segment goes", "judged segments go") + " on: stale"
	}
	return text
}
