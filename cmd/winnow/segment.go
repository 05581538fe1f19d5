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
		Long: `Cuts the sessions that are not cut yet, or have messages that are not: with a
model if one is configured ([llm] model in config.toml), else by rules, without
sending anything anywhere. The last task of a session may go on in what was
added, so it is cut anew together with that: if you judged it and it goes on,
it is stale. All else that you judged or cut yourself stays as it is.
Segments that are new or changed are scored then, without a model: "winnow score"
asks one.

With --again everything is cut anew that no curator cut: verdicts stay where
the content stays, other judged segments become stale.

A session that could not be cut is left as it was and tried again the next
time. Exit status 1 says that none could, 3 that some could not.

With --json, "changed" counts the sessions whose segments are others now,
"go_on" the judged segments that go on in what was added after them and are
stale, and "busy" the sessions that an agent was writing: the next run cuts
them.`,
		Example: `  winnow segment
  winnow segment --by llm --limit 20
  winnow segment --again --filter -has:copies`,
	}
	f := cmd.Flags()
	f.StringVar(&how.by, "by", "auto", "`WHO` cuts: auto (a model if one is configured), llm, offline (rules)")
	p.filterFlag(cmd, &how.filter, "only sessions that have a segment which passes `Q`: see winnow help filters")
	f.IntVar(&how.limit, "limit", 0, "at most `N` sessions (0: all)")
	f.BoolVar(&how.again, "again", false, "also what is cut or judged already, but nothing that a curator cut")
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
