package main

import (
	"context"
	"fmt"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/review"
	"winnow/tui/draw"
)

// logExports lists the exports, the latest first.
func (p *cli) logExports(ctx context.Context, s *database, limit int, asJSON bool) error {
	t := p.out.List(asJSON, print.Right("EXPORT"), print.Left("TIME (UTC)"), print.Left("CURATOR"), print.Left("FORMAT"), print.Right("SAMPLES"), print.Right("LEFT OUT"), print.Left("TARGET"))
	before := int64(0)
	return listRows(p, t, "reading the exports", limit, func(want int) ([]review.Exported, error) {
		return s.Exports(ctx, before, want)
	}, func(e *review.Exported) error {
		before = e.ID
		return t.Put(tell.ExportOf(e), fmt.Sprint(e.ID), tell.TimeText(e.At), e.Curator, e.Format, draw.Grouped(e.Samples), draw.Grouped(e.LeftOut), p.env.ShortPath(e.Target))
	}, "nothing was exported yet")
}
