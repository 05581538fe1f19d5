package main

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/list"
	"winnow/core/filter"
)

// lister prints lists of a database.
func (p *cli) lister(s *database) *list.Printer {
	return &list.Printer{Desk: p.desk(s), Out: p.out, JSON: p.asJSON, Limit: p.limit, Zone: p.env.zone, Warn: p.warn}
}

func (p *cli) sessionsCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "sessions",
		Short: "List the sessions",
		RunE: p.searching(func(ctx context.Context, s *database, asked filter.Node) error {
			return p.lister(s).Sessions(ctx, asked)
		}),
	}, p.filterFlag(sessionsHelp), p.limitFlag("sessions"), p.jsonFlag("print one JSON object per session"))
}
