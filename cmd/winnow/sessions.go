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
	var asJSON bool
	var limit int
	var text string
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List the sessions",
		Args:  noArguments,
	}
	cmd.RunE = p.searching(&text, &limit, func(ctx context.Context, s *database, asked filter.Node) error {
		return p.sessions(ctx, s, asked, limit, asJSON)
	})
	p.filterFlag(cmd, &text, "only sessions with a segment that passes `Q`: see winnow help filters")
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `N` sessions (0: all)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per session")
	return cmd
}

func (p *cli) sessions(ctx context.Context, s *database, asked filter.Node, limit int, asJSON bool) error {
	t := p.out.List(asJSON, print.Left("ID"), print.Left("FORMAT"), print.Left("STARTED"), print.Right("MSGS"), print.Right("TOOLS"), print.Right("TOKENS"), print.Left("TITLE"))
	after, none := "", "no sessions yet: load some with "+p.command("import PATH")
	if asked != nil {
		none = "no session passes the filter"
	}
	return listRows(p, t, "listing sessions", limit, func(want int) ([]review.Session, error) {
		return s.SessionsWith(ctx, asked, after, want)
	}, func(row *review.Session) error {
		after = row.Place
		return t.Put(tell.SessionOf(row), review.Short(row.ID), row.Format, tell.StartText(row.Started), draw.Grouped(row.Messages), draw.Grouped(row.ToolCalls), draw.Grouped(row.Tokens), tell.MarkedTitle(row))
	}, none)
}
