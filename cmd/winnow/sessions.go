package main

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

func (p *cli) sessionsCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "sessions",
		Short: "List the sessions",
		RunE:  p.searching(p.sessions),
	}, p.filterFlag(sessionsHelp), p.limitFlag("sessions"), p.jsonFlag("print one JSON object per session"))
}

func (p *cli) sessions(ctx context.Context, s *database, asked filter.Node) error {
	t := p.out.List(p.asJSON, print.Left("ID"), print.Left("FORMAT"), print.Left("STARTED"), print.Right("MSGS"), print.Right("TOOLS"), print.Right("TOKENS"), print.Left("TITLE"))
	after, none := "", "no sessions yet: load some with "+p.command("import PATH")
	if asked != nil {
		none = "no session passes the filter"
	}
	return listRows(p, t, "listing sessions", func(want int) ([]review.Session, error) {
		return s.SessionsWith(ctx, asked, after, want)
	}, func(row *review.Session) error {
		after = row.Place
		return t.Put(tell.SessionOf(row), review.Short(row.ID), row.Format, tell.StartText(row.Started), draw.Grouped(row.Messages), draw.Grouped(row.ToolCalls), draw.Grouped(row.Tokens), tell.MarkedTitle(row))
	}, none)
}
