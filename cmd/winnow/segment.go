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
	"winnow/core/hub"
)

func (p *cli) segmentCommand() *cobra.Command {
	var how running
	cmd := &cobra.Command{
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
	}
	f := cmd.Flags()
	f.StringVar(&how.by, "by", "auto", "`WHO` cuts: auto (a model if one is configured), llm, offline (rules)")
	p.filterFlag(cmd, &how.filter, "only sessions with a segment that passes `Q`: see winnow help filters")
	f.IntVar(&how.limit, "limit", 0, "at most `N` sessions (0: all)")
	f.BoolVar(&how.again, "again", false, "also cut what is cut or judged already, except what a curator cut")
	return p.runCommand(cmd, &how, models.Cutters, func(ctx context.Context, s *database, asked filter.Node) error {
		who, err := models.NewCutter(s.Config, how.by, p.env.now)
		if err != nil {
			return err
		}
		if err := p.searchable(ctx, s, asked); err != nil {
			return err
		}
		g := &hub.Segmenter{Store: s.Store, Cutter: who.Cutter, Jobs: who.Jobs, Again: how.again, Limit: how.limit, Filter: asked}
		return p.segment(ctx, s, g, who, how)
	})
}

// cutGarbage stands for garbage while sessions are cut, which takes less memory
// than to import them: 125 MB for two sessions of 8 MB at once.
const cutGarbage = 300

func (p *cli) segment(ctx context.Context, s *database, g *hub.Segmenter, who *models.Cutter, how running) error {
	defer debug.SetGCPercent(debug.SetGCPercent(cutGarbage))
	line := p.runLine(&who.Asking)
	g.Progress = func(pr hub.CutProgress) {
		line.show(runStep{pr.Sessions, pr.AllSessions, "session", "sessions", pr.Tokens, pr.AllTokens, pr.Note})
	}
	report, err := g.Run(ctx)
	line.done()
	if ctx.Err() != nil && err != nil {
		return stopped("segment", "cut", !how.again)
	}
	scored, scoreErr := p.measure(ctx, s)
	if how.asJSON {
		if err := p.out.JSON(tell.CutRowOf(&report, &scored, who)); err != nil {
			return err
		}
	} else {
		p.printCut(&report, who, line.all, how.again)
		if scored.Segments > 0 {
			p.out.Printf("%s\n", desk.ScoredText(&scored, models.Measuring(s.Config)))
		}
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
