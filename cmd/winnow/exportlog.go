package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/cmd/winnow/print"
	"winnow/core/review"
	"winnow/tui/draw"
)

// exportRow is an export in JSON.
type exportRow struct {
	ID         int64                 `json:"id"`
	At         time.Time             `json:"at"`
	Curator    string                `json:"curator"`
	Target     string                `json:"target"`
	Format     string                `json:"format"`
	Options    jsontext.Value        `json:"options"`
	Candidates int                   `json:"candidates"`
	Samples    int                   `json:"samples"`
	Rows       int                   `json:"rows"`
	Tokens     int                   `json:"tokens"`
	LeftOut    int                   `json:"left_out"`
	Files      []review.ExportedFile `json:"files"`
}

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
				row := exportRow{
					e.ID, utc(e.At), e.Curator, e.Target, e.Format, jsontext.Value(e.Options), e.Candidates, e.Samples, e.Rows, e.Tokens, e.LeftOut, e.Files,
				}
				if err := p.out.JSON(row); err != nil {
					return err
				}
				continue
			}
			t.Row(fmt.Sprint(e.ID), timeText(e.At), e.Curator, e.Format, draw.Grouped(e.Samples), draw.Grouped(e.LeftOut), p.env.ShortPath(e.Target))
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
