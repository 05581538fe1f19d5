package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
)

func (p *cli) statsCommand() *cobra.Command {
	var asked string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Describe the segments: scores, verdicts, tools, and where to put the threshold",
		Long: `Counts sessions, segments and verdicts, and shows how scores agree with what was
approved and rejected. A threshold is suggested from 20 approved and 10 rejected
segments on: the highest one that keeps 95% of the approved.

A minute of review is the time between two verdicts of one curator, if that is
not more than five minutes; the first verdict behind a pause counts as half of one.`,
		Example: `  winnow stats
  winnow stats --filter 'type:code after:30d' --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := p.parseFilter(asked)
			if err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				if err := p.searchable(cmd.Context(), s, n); err != nil {
					return err
				}
				return p.stats(cmd.Context(), s, n, asJSON)
			})
		},
	}
	p.filterFlag(cmd, &asked, filterHelp)
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
