package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/learn"
	"winnow/core/runs"
	"winnow/tui/draw"
)

func (p *cli) learnCommand() *cobra.Command {
	var off bool
	return with(&cobra.Command{
		Use:   "learn",
		Short: "Learn from verdicts how likely you would approve each segment",
		Long: `Learns what you mean by good, from the segments that you approved and rejected,
and stores for each segment how likely you would approve it: "likely" in lists,
filters and orders. Nothing is sent anywhere, and nothing is decided by it. The
screen does it by itself as verdicts come.

It prints what it was made of, and how well it foretells verdicts on sessions that
it was not learned from: the AUC, the Brier score, and of each step of likely the
share that was approved; then what weighs most. It takes 15 approved and 15
rejected segments. If your verdicts follow nothing that is measured, it says so,
and no segment gets a value.

By default your own verdicts count; [learn] from = "all" takes those of all
curators. --off forgets all of it and learns nothing more in this database, until
"winnow learn" is run again; [learn] enabled = false has the screen learn nothing.`,
		Example: `  winnow learn
  winnow list --filter 'likely>=0.8 status:pending' --sort -likely`,
		RunE: p.onDatabase(func(ctx context.Context, s *database, _ []string) error { return p.learn(ctx, s, off) }),
	}, boolFlag(&off, "off", "forget what was learned, and learn nothing more"), p.jsonFlag("print as JSON"))
}

func (p *cli) learn(ctx context.Context, s *database, off bool) error {
	l := p.desk(s).Learner()
	line := p.progress()
	l.Progress = func(done, all int) {
		line.Show(fmt.Sprintf("learning: %s of %s", draw.Grouped(done), draw.Plural(all, "segment")))
	}
	l.Again = !off
	learned, err := p.learned(ctx, s, l, off)
	line.Done()
	if err := derived(ctx, err, "learning", "stopped while segments were told: the next run goes on there"); err != nil {
		return err
	}
	return p.report(learned, func() { tell.PrintLearned(p.out, &learned) })
}

// learned learns, or forgets; of a database that can't be written to it returns what
// was learned.
func (p *cli) learned(ctx context.Context, s *database, l *runs.Learner, off bool) (learn.Learned, error) {
	switch {
	case off:
		if err := l.Forget(ctx); err != nil {
			return learn.Learned{}, err
		}
		return s.Learned(ctx)
	case s.ReadOnly():
		return s.Learned(ctx)
	}
	return l.Run(ctx)
}
