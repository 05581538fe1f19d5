package main

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/list"
	"winnow/core/filter"
)

func (p *cli) statsCommand() *cobra.Command {
	by := ""
	cmd := with(&cobra.Command{
		Use:   "stats",
		Short: "Print statistics: scores, verdicts, tools, and a suggested threshold",
		Long: `Counts sessions, segments and verdicts, and shows how well scores agree with the
verdicts. With at least 20 approved and 10 rejected segments it suggests a
threshold: the highest score that keeps 95% of the approved ones.

The time of review is the sum of the times between two verdicts of one curator
that are at most five minutes apart; the first verdict after a longer pause
counts as half a minute.

With --by model it tells for each model that sessions name how many of its segments
were judged, which share of these was approved and between which shares that lies
with 95%, the mean score and how many calls of tools failed; --json also by type of
task. A model that a run made is called after the run.`,
		Example: `  winnow stats
  winnow stats --filter 'type:code after:30d' --json
  winnow stats --by model`,
		RunE: p.searching(func(ctx context.Context, s *database, n filter.Node) error {
			switch by {
			case "":
				return p.lister(s).Stats(ctx, n)
			case list.ByModel:
				return p.lister(s).Models(ctx, n)
			}
			return wrongUsage("stats: --by %q: must be %s", by, list.ByModel)
		}),
	}, p.filterFlag(filterHelp), p.jsonFlag("print as JSON, with --by one object a line"))
	cmd.Flags().StringVar(&by, "by", "", "compare by `WHAT`: "+list.ByModel)
	mustComplete(cmd.RegisterFlagCompletionFunc("by", completeWords([]string{list.ByModel})))
	return cmd
}
