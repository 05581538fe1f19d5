package list

import (
	"context"
	"fmt"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// Sessions prints the sessions that a filter lets through.
func (p *Printer) Sessions(ctx context.Context, asked filter.Node) error {
	t, row := p.SessionTable()
	after, none := "", "no sessions yet: load some with "+p.Command("import PATH")
	if asked != nil {
		none = "no session passes the filter"
	}
	return Rows(p, t, "listing sessions", func(want int) ([]review.Session, error) {
		return p.SessionsWith(ctx, asked, after, want)
	}, func(ses *review.Session) error {
		after = ses.Place
		return row(ses)
	}, none)
}

// SessionTable returns a table of sessions and what adds one to it.
func (p *Printer) SessionTable() (t *print.Table, row func(*review.Session) error) {
	t = p.Out.List(p.JSON, print.Left("ID"), print.Left("FORMAT"), print.Left("STARTED"), print.Right("MSGS"), print.Right("TOOLS"), print.Right("TOKENS"), print.Left("TITLE"))
	return t, func(row *review.Session) error {
		return t.Put(tell.SessionOf(row), review.Short(row.ID), row.Format, tell.StartText(row.Started), draw.Grouped(row.Messages), draw.Grouped(row.ToolCalls), draw.Grouped(row.Tokens), tell.MarkedTitle(row))
	}
}

// ByModel is what statistics can be compared by.
const ByModel = "model"

// Models prints what became of the segments that a filter lets through, by the models
// that wrote them.
func (p *Printer) Models(ctx context.Context, n filter.Node) error {
	list, err := p.Store.Models(ctx, n)
	if err != nil {
		return fmt.Errorf("counting: %w", err)
	}
	t := p.Out.List(p.JSON, print.Left("MODEL"), print.Right("SEGMENTS"), print.Right("JUDGED"), print.Left("APPROVED"), print.Right("SCORE"), print.Right("FAILED"))
	for i := range list {
		if err := t.Put(tell.ModelOf(&list[i]), tell.ModelCells(&list[i])...); err != nil {
			return err
		}
	}
	t.Flush()
	if len(list) == 0 && !p.JSON {
		p.Warn("%s", NoneLikeThat)
	}
	return nil
}

// Stats prints statistics of the segments that a filter lets through.
func (p *Printer) Stats(ctx context.Context, n filter.Node) error {
	at := p.Thresholds()
	st, err := p.Statistics(ctx, n, at, p.Zone)
	if err != nil {
		return fmt.Errorf("counting: %w", err)
	}
	if p.JSON {
		return p.Out.JSON(tell.StatsOf(&st))
	}
	tell.PrintStats(p.Out, &st, at)
	return nil
}
