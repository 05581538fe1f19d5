package main

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/core/filter"
)

func (p *cli) statsCommand() *cobra.Command {
	return with(&cobra.Command{
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
		RunE: p.searching(func(ctx context.Context, s *database, n filter.Node) error {
			return p.lister(s).Stats(ctx, n)
		}),
	}, p.filterFlag(filterHelp), p.jsonFlag("print as JSON"))
}
