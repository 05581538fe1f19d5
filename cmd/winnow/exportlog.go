package main

import (
	"context"
	"fmt"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/tui/draw"
)

// logExports lists the exports, the latest first.
func (p *cli) logExports(ctx context.Context, s *database, limit int, asJSON bool) error {
	t := p.out.Table(print.Right("EXPORT"), print.Left("TIME (UTC)"), print.Left("CURATOR"), print.Left("FORMAT"), print.Right("SAMPLES"), print.Right("LEFT OUT"), print.Left("TARGET"))
	n := 0
	for before := int64(0); ; {
		want := pageSize
		if limit > 0 {
			want = min(want, limit-n)
		}
		list, err := s.Exports(ctx, before, want)
		if err != nil {
			return fmt.Errorf("reading the exports: %w", err)
		}
		for i := range list {
			e := &list[i]
			n, before = n+1, e.ID
			if asJSON {
				if err := p.out.JSON(tell.ExportOf(e)); err != nil {
					return err
				}
				continue
			}
			t.Row(fmt.Sprint(e.ID), tell.TimeText(e.At), e.Curator, e.Format, draw.Grouped(e.Samples), draw.Grouped(e.LeftOut), p.env.ShortPath(e.Target))
		}
		t.Flush()
		if len(list) < want || n == limit && limit > 0 {
			break
		}
	}
	if n == 0 {
		p.warn("nothing was exported yet")
	}
	return nil
}
