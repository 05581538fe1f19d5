package main

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"winnow/core/review"
)

// statsRow is what "stats --json" prints.
type statsRow struct {
	Sessions int          `json:"sessions"`
	Messages int          `json:"messages"`
	Segments segmentStats `json:"segments"`
}

type segmentStats struct {
	Total           int      `json:"total"`
	Labeled         int      `json:"labeled"`
	MemoryEligible  int      `json:"memory_eligible"`
	SFTEligible     int      `json:"sft_eligible"`
	MemoryExtracted int      `json:"memory_extracted"`
	Approved        int      `json:"approved"`
	Rejected        int      `json:"rejected"`
	Unsure          int      `json:"unsure"`
	Pending         int      `json:"pending"`
	Stale           int      `json:"stale"`
	AvgQualityScore *float64 `json:"avg_quality_score"` // null: nothing is scored
	ScoreBuckets    buckets  `json:"score_buckets"`
}

// buckets counts scores: excellent from 0.85, usable from 0.7, weak below.
type buckets struct {
	Excellent int `json:"excellent"`
	Usable    int `json:"usable"`
	Weak      int `json:"weak"`
}

// The first steps of 0.05 of the better buckets.
const (
	usableStep    = 14 // 0.70
	excellentStep = 17 // 0.85
)

func bucketsOf(histogram [20]int) buckets {
	var b buckets
	for step, n := range histogram {
		switch {
		case step >= excellentStep:
			b.Excellent += n
		case step >= usableStep:
			b.Usable += n
		default:
			b.Weak += n
		}
	}
	return b
}

func statsOf(t review.Totals) statsRow {
	s := statsRow{Sessions: t.Sessions, Messages: t.Messages, Segments: segmentStats{
		Total: t.Segments, Labeled: t.Labeled, MemoryExtracted: t.Memory,
		Approved: t.ByVerdict[review.Approved], Rejected: t.ByVerdict[review.Rejected],
		Unsure: t.ByVerdict[review.Unsure], Pending: t.ByVerdict[review.Pending],
		Stale: t.Stale, ScoreBuckets: bucketsOf(t.Histogram),
	}}
	if t.Scored > 0 {
		avg := math.Round(t.ScoreSum/float64(t.Scored)*1e4) / 1e4
		s.Segments.AvgQualityScore = &avg
	}
	return s
}

func (p *cli) statsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count sessions, segments and verdicts",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return p.stats(cmd.Context(), s, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (p *cli) stats(ctx context.Context, s *database, asJSON bool) error {
	totals, err := s.Totals(ctx)
	if err != nil {
		return fmt.Errorf("counting: %w", err)
	}
	row := statsOf(totals)
	if totals.Scored > 0 {
		if err := row.Segments.countEligible(ctx, s); err != nil {
			return err
		}
	}
	if asJSON {
		return p.out.JSON(row)
	}
	g := row.Segments
	t := p.out.table(left(""), right(""))
	t.headed = true
	for _, line := range [...]struct {
		name string
		n    int
	}{
		{"sessions", row.Sessions}, {"messages", row.Messages}, {"segments", g.Total},
		{"  approved", g.Approved}, {"  rejected", g.Rejected}, {"  unsure", g.Unsure},
		{"  pending", g.Pending}, {"  stale", g.Stale}, {"scored", g.Labeled},
	} {
		t.row(line.name, count(line.n))
	}
	if g.AvgQualityScore != nil {
		t.row("  excellent", count(g.ScoreBuckets.Excellent))
		t.row("  usable", count(g.ScoreBuckets.Usable))
		t.row("  weak", count(g.ScoreBuckets.Weak))
		t.row("  average", strconv.FormatFloat(*g.AvgQualityScore, 'f', 2, 64))
	}
	t.row("reviewed", percent(totals.Done(), g.Total))
	t.flush()
	return nil
}

// percent rounds down: 100% means all.
func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return strconv.Itoa(n*100/of) + "%"
}
