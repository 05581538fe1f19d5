package main

import (
	"context"
	"runtime/debug"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/runs"
	"winnow/tui/draw"
)

func (p *cli) segmentCommand() *cobra.Command {
	var how running
	cmd := with(&cobra.Command{
		Use:   "segment",
		Short: "Cut the sessions into segments, one per task",
		Long: `Cuts the sessions that are not cut yet or have new messages. It asks a model if
one is configured ([llm] model in config.toml); otherwise it follows rules and
sends nothing anywhere.

The last task of a session may continue in the new messages, so its segment is
cut again together with them; if you judged it and it grew, it is stale. All
other segments that you judged or cut yourself stay as they are. New and changed
segments are then scored without a model; "winnow score" can ask one.

With --again all sessions are cut again, except what a curator cut. Verdicts
stay where the content is the same; other judged segments become stale.

A session that could not be cut stays as it was, and the next run tries it
again. Exit status 1 means that none could be cut, 3 that some could not.

With --json, "changed" counts the sessions whose segments changed, "go_on" the
judged segments that continue in new messages and are stale, and "busy" the
sessions that an agent was still writing: the next run cuts them.`,
		Example: `  winnow segment
  winnow segment --by llm --limit 20
  winnow segment --again --filter -has:copies`,
	}, p.filterFlag(sessionsHelp), p.limitFlag("sessions"))
	f := cmd.Flags()
	f.StringVar(&how.by, "by", "auto", "`WHO` cuts: auto (a model if one is configured), llm, offline (rules)")
	f.BoolVar(&how.again, "again", false, "also cut what is cut or judged already, except what a curator cut")
	return p.runCommand(cmd, &how, models.Cutters, func(ctx context.Context, s *database, asked filter.Node) error {
		who, err := models.NewCutter(s.Config, how.by, p.env.now)
		if err != nil {
			return err
		}
		if err := p.searchable(ctx, s, asked); err != nil {
			return err
		}
		g := &runs.Segmenter{Store: s.Store, Cutter: who.Cutter, Jobs: who.Jobs, Again: how.again, Limit: p.limit, Filter: asked}
		return p.segment(ctx, s, g, who, how)
	})
}

// cutGarbage stands for garbage while sessions are cut, which takes less memory
// than to import them: 125 MB for two sessions of 8 MB at once.
const cutGarbage = 300

func (p *cli) segment(ctx context.Context, s *database, g *runs.Segmenter, who *models.Cutter, how running) error {
	defer debug.SetGCPercent(debug.SetGCPercent(cutGarbage))
	line := p.runLine(&who.Asking)
	g.Progress = func(pr runs.CutProgress) {
		line.show(runStep{pr.Sessions, pr.AllSessions, "session", "sessions", pr.Tokens, pr.AllTokens, pr.Note})
	}
	var report runs.CutReport
	err := p.leased(ctx, s, "segment", "segment", line, func(ctx context.Context) (err error) {
		report, err = g.Run(ctx)
		return err
	})
	line.done()
	if ctx.Err() != nil && err != nil {
		return stopped("segment", "cut", !how.again)
	}
	scored, scoreErr := p.measure(ctx, s)
	jsonErr := p.report(tell.CutRowOf(&report, &scored, who), func() {
		p.printCut(&report, who, line.all, how.again)
		if scored.Segments > 0 {
			p.out.Printf("%s\n", desk.ScoredText(&scored, models.Measuring(s.Config)))
		}
	})
	if jsonErr != nil {
		return jsonErr
	}
	p.explainCut(&report)
	if left := line.all - report.Sessions; err != nil && left > 0 {
		p.warn("%s still to be cut", print.Plural(left, "session is", "sessions are"))
	}
	p.explainScored(&scored)
	if err == nil && ctx.Err() != nil {
		return stopped("segment", "cut and scored", !how.again)
	}
	if err := runStatus("segment", report.Sessions, len(report.Failed), err); err != nil {
		return err
	}
	return runStatus("segment: scoring", scored.Segments, len(scored.Failed), scoreErr)
}

// printCut says what a run did; all is how many sessions there were to cut.
func (p *cli) printCut(r *runs.CutReport, who *models.Cutter, all int, again bool) {
	switch {
	case all == 0 && again:
		p.out.Printf("nothing to cut: there are no sessions\n")
	case all == 0:
		p.out.Printf("nothing to cut: all selected sessions are cut; --again cuts them again\n")
	case r.Sessions == 0 && len(r.Failed) > 0:
		p.out.Printf("0 sessions cut\n")
	case r.Sessions > 0:
		p.out.Printf("%s cut into %s %s", draw.Plural(r.Sessions, "session"), draw.Plural(r.Segments, "segment"), who.Text("by rules"))
		if same := r.Sessions - r.Changed; same > 0 {
			p.out.Printf("; %s as before", draw.Grouped(same))
		}
		p.out.Printf("\n")
	}
	tell.PrintUsage(p.out, who.Usage())
}

// explainCut says on stderr what was not cut and why, and what to know of the
// rest.
func (p *cli) explainCut(r *runs.CutReport) {
	for i, f := range r.Failed {
		if i == explained {
			p.warn("%s more could not be cut: --json lists them", draw.Plural(len(r.Failed)-i, "session"))
			break
		}
		p.warn("%s: not cut: %s", f.File, f.Err.Error())
	}
	if r.Busy > 0 {
		p.warn("%s kept changing: run %s when their agents are done", draw.Plural(r.Busy, "session"), p.command("segment"))
	}
	if r.GoOn > 0 {
		verb := print.Plural(r.GoOn, "judged segment goes", "judged segments go")
		p.warn("%s on in new messages and must be judged again: %s lists them", verb, p.command("list --stale"))
	}
}
