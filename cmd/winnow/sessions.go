package main

import (
	"context"
	"fmt"

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
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return wrongUsage("--limit %d: must not be negative", limit)
			}
			asked, err := p.parseFilter(text)
			if err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return p.sessions(cmd.Context(), s, asked, limit, asJSON)
			})
		},
	}
	p.filterFlag(cmd, &text, "only sessions that have a segment which passes `Q`: see winnow help filters")
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `N` sessions (0: all)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per session")
	return cmd
}

func (p *cli) sessions(ctx context.Context, s *database, asked filter.Node, limit int, asJSON bool) error {
	if err := p.searchable(ctx, s, asked); err != nil {
		return err
	}
	t := p.out.Table(print.Left("ID"), print.Left("FORMAT"), print.Left("STARTED"), print.Right("MSGS"), print.Right("TOOLS"), print.Right("TOKENS"), print.Left("TITLE"))
	n, after := 0, ""
	for {
		want := pageSize
		if limit > 0 {
			want = min(want, limit-n)
		}
		page, err := s.SessionsWith(ctx, asked, after, want)
		if err != nil {
			return fmt.Errorf("listing sessions: %w", err)
		}
		for i := range page {
			row := &page[i]
			if limit > 0 && n == limit {
				break // a page may be a little longer than asked for
			}
			n, after = n+1, row.Place
			if asJSON {
				if err := p.out.JSON(tell.SessionOf(row)); err != nil {
					return err
				}
				continue
			}
			t.Row(review.Short(row.ID), row.Format, tell.StartText(row.Started), draw.Grouped(row.Messages), draw.Grouped(row.ToolCalls), draw.Grouped(row.Tokens), tell.MarkedTitle(row))
		}
		t.Flush()
		if len(page) < want || (limit > 0 && n >= limit) {
			break
		}
	}
	if n == 0 && asked != nil {
		p.warn("no session is like that")
	} else if n == 0 {
		p.warn("no sessions yet: load some with %s", p.command("import PATH"))
	}
	return nil
}
