package main

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/runs"
	"winnow/tui/draw"
)

func (p *cli) scoreCommand() *cobra.Command {
	var how running
	cmd := with(&cobra.Command{
		Use:   "score",
		Short: "Score the segments: how good each is, and why",
		Long: `Scores the segments that are not scored yet or have changed since. Measuring
(--by offline) takes microseconds and sends nothing anywhere; "winnow segment"
and the screen do it by themselves.

With --by llm a model judges the segments that no model has judged, whether or
not they are measured. With --by auto, [score] by in config.toml decides; if it
is not set, a model judges if [judge] names one.

With --again all segments are scored again, as after a change of weights.
Offline this is free, and what a model said stays; with --by llm the model is
asked again.

A segment that could not be judged keeps its score, and the next run tries it
again. Exit status 1 means that none could be judged, 3 that some could not.

With --json, "changed" counts the segments whose analysis changed, and "busy"
those that an agent was still writing: the next run scores them.`,
		Example: `  winnow score
  winnow score --by llm --limit 100
  winnow score --again --by offline`,
	}, p.filterFlag(filterHelp), p.limitFlag("segments"))
	f := cmd.Flags()
	f.StringVar(&how.by, "by", "auto", "`WHO` scores: auto (as configured), llm (a model judges), offline (measured only)")
	f.BoolVar(&how.again, "again", false, "also score segments that are scored already")
	return p.runCommand(cmd, &how, config.Scorers, func(ctx context.Context, s *database, asked filter.Node) error {
		who, err := models.NewScorer(s.Config, how.by, p.env.now)
		if err != nil {
			return err
		}
		if err := p.searchable(ctx, s, asked); err != nil {
			return err
		}
		g := p.desk(s).Scorer(who)
		g.Again, g.Limit, g.Filter = how.again, p.limit, asked
		return p.score(ctx, s, g, who, how)
	})
}

// measure scores what is new or changed, without a model.
func (p *cli) measure(ctx context.Context, s *database) (runs.ScoreReport, error) {
	who := models.Measuring(s.Config)
	return p.runScorer(ctx, p.desk(s).Scorer(who), p.runLine(&who.Asking))
}

func (p *cli) runScorer(ctx context.Context, g *runs.Scorer, line *runLine) (runs.ScoreReport, error) {
	g.Progress = func(pr runs.ScoreProgress) {
		line.show(runStep{pr.Segments, pr.AllSegments, "segment", "segments", pr.Tokens, pr.AllTokens, pr.Note})
	}
	defer line.done()
	return g.Run(ctx)
}

func (p *cli) score(ctx context.Context, s *database, g *runs.Scorer, who *models.Scorer, how running) error {
	line := p.runLine(&who.Asking)
	var report runs.ScoreReport
	err := p.leased(ctx, s, "score", "judge", line, func(ctx context.Context) (err error) {
		report, err = p.runScorer(ctx, g, line)
		return err
	})
	if ctx.Err() != nil && err != nil {
		return stopped("score", "scored", !how.again)
	}
	jsonErr := p.report(tell.ScoreOf(&report, who), func() {
		p.printScored(&report, who, how.again)
		tell.PrintUsage(p.out, who.Usage())
	})
	if jsonErr != nil {
		return jsonErr
	}
	p.explainScored(&report)
	if left := line.all - report.Segments; err != nil && left > 0 {
		p.warn("%s still to be scored", print.Plural(left, "segment is", "segments are"))
	}
	return runStatus("score", report.Segments, len(report.Failed), err)
}

// printScored says what a run did.
func (p *cli) printScored(r *runs.ScoreReport, who *models.Scorer, again bool) {
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
func (p *cli) explainScored(r *runs.ScoreReport) {
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
