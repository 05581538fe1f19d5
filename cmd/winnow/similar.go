package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/tui/draw"
)

// similarRow is one line of "similar --json": segments that are alike, the one
// with the best score first.
type similarRow struct {
	Best     string   `json:"best"`
	Segments []string `json:"segments"`
}

func (p *cli) similarCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "similar",
		Short: "Find the segments that are nearly the same",
		Long: `Lists groups of nearly equal segments among those that pass a filter. Segments
are nearly equal if what users and assistants say has a similarity of at least
0.7, as for "winnow export --dedupe near". In each group the best score comes
first. Segments that were not compared yet are compared before, which the screen
also does by itself.`,
		Example: `  winnow similar
  winnow similar --filter status:pending --json | jq -r '.segments[1:][]' | xargs winnow reject`,
		RunE: p.searching(p.similar),
	}, p.filterFlag(filterHelp), p.jsonFlag("print one JSON object per group"))
}

func (p *cli) similar(ctx context.Context, s *database, n filter.Node) error {
	if err := p.compare(ctx, s); err != nil {
		return err
	}
	t, row := p.lister(s).SegmentTable(true, false)
	groups, segments := 0, 0
	err := s.EachAlike(ctx, n, func(group []review.Segment) error {
		slices.SortStableFunc(group, func(a, b review.Segment) int { return cmp.Compare(scoreOrNone(&b), scoreOrNone(&a)) })
		groups, segments = groups+1, segments+len(group)
		if p.asJSON {
			line := similarRow{Best: group[0].ID}
			for i := range group {
				line.Segments = append(line.Segments, group[i].ID)
			}
			return p.out.JSON(line)
		}
		if groups > 1 {
			t.Row("")
		}
		for i := range group {
			if err := row(&group[i]); err != nil {
				return err
			}
		}
		return nil
	})
	t.Flush()
	if err != nil || p.asJSON {
		return err
	}
	if groups == 0 {
		p.warn("no two segments are nearly equal")
		return nil
	}
	p.out.Printf("\n%s in %s\n", draw.Plural(segments, "segment"), draw.Plural(groups, "group"))
	return nil
}

// scoreOrNone is the score of a segment, below all others without one.
func scoreOrNone(s *review.Segment) float64 {
	if s.Score == nil {
		return -1
	}
	return *s.Score
}

// compare compares what was not compared yet.
func (p *cli) compare(ctx context.Context, s *database) error {
	if s.ReadOnly() {
		segments, others, err := s.CountUnsigned(ctx)
		if err == nil && segments+others > 0 {
			p.warn("not all segments are compared: the database is read-only")
		}
		return err
	}
	line := p.progress()
	defer line.Done()
	a := &runs.Aliker{Store: s.Store, Progress: func(done, all int) {
		line.Show(fmt.Sprintf("comparing: %s of %s", draw.Grouped(done), draw.Plural(all, "segment")) + line.Left(int64(done), int64(all)))
	}}
	_, err := a.Run(ctx)
	return derived(ctx, err, "comparing segments", "stopped while segments were compared: the next run goes on there")
}
