package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
)

func (p *cli) statsCommand() *cobra.Command {
	var text string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Print statistics: scores, verdicts, tools, and a suggested threshold",
		Long: `Counts sessions, segments and verdicts, and shows how well scores agree with the
verdicts. With at least 20 approved and 10 rejected segments it suggests a
threshold: the highest score that keeps 95% of the approved ones.

The time of review is the sum of the times between two verdicts of one curator
that are at most five minutes apart; the first verdict after a longer pause
counts as half a minute.`,
		Example: `  winnow stats
  winnow stats --filter 'type:code after:30d' --json`,
		Args: noArguments,
	}
	cmd.RunE = p.searching(&text, new(int), func(ctx context.Context, s *database, asked filter.Node) error {
		return p.stats(ctx, s, asked, asJSON)
	})
	p.filterFlag(cmd, &text, filterHelp)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (p *cli) stats(ctx context.Context, s *database, n filter.Node, asJSON bool) error {
	at := s.Config.Thresholds()
	st, err := s.Statistics(ctx, n, at, p.env.zone)
	if err != nil {
		return fmt.Errorf("counting: %w", err)
	}
	if asJSON {
		return p.out.JSON(tell.StatsOf(&st))
	}
	tell.PrintStats(p.out, &st, at)
	return nil
}
