package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"winnow/core/filter"
	"winnow/core/review"
)

// statsRow is what "stats --json" prints.
type statsRow struct {
	Sessions  int           `json:"sessions"`
	Messages  int           `json:"messages"`
	Segments  segmentStats  `json:"segments"`
	Bands     []bandRow     `json:"bands"`     // scores in steps of 0.05
	Suggested *suggestedRow `json:"suggested"` // null: there is none
	TaskTypes []groupRow    `json:"task_types"`
	Tools     []toolRow     `json:"tools"`
	Models    []groupRow    `json:"models"`
	Formats   []groupRow    `json:"formats"`
	Agents    []groupRow    `json:"agents"`
	Tokens    spreadRow     `json:"tokens"`
	Days      []dayRow      `json:"days"`
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

// verdictsRow counts segments by verdict.
type verdictsRow struct {
	Approved int `json:"approved"`
	Rejected int `json:"rejected"`
	Unsure   int `json:"unsure"`
	Pending  int `json:"pending"`
}

type bandRow struct {
	From float64 `json:"from"`
	To   float64 `json:"to"` // exclusive, but for the last one
	verdictsRow
}

type suggestedRow struct {
	Threshold float64 `json:"threshold"`
	Keeps     float64 `json:"keeps"` // of the approved
	Drops     float64 `json:"drops"` // of the rejected
}

type groupRow struct {
	Name     string `json:"name"` // "" unknown
	Segments int    `json:"segments"`
	verdictsRow
}

type toolRow struct {
	Name     string `json:"name"`
	Segments int    `json:"segments"` // that call it
	Calls    int    `json:"calls"`
	Failures int    `json:"failures"`
}

type spreadRow struct {
	Sum    int64 `json:"sum"`
	Median int   `json:"median"`
	P90    int   `json:"p90"`
	Max    int   `json:"max"`
}

type dayRow struct {
	Date     string  `json:"date"`
	Actions  int     `json:"actions"`  // verdicts, one on many segments counts once
	Segments int     `json:"segments"` // that got one
	Minutes  float64 `json:"minutes"`  // of review
}

func statsOf(st *review.Statistics) statsRow {
	s := statsRow{Sessions: st.Sessions, Messages: st.Messages, Segments: segmentStats{
		Total: st.Segments, Labeled: st.Labeled, MemoryExtracted: st.MemoryExtracted,
		MemoryEligible: st.MemoryEligible, SFTEligible: st.SFTEligible,
		Approved: st.ByVerdict[review.Approved], Rejected: st.ByVerdict[review.Rejected],
		Unsure: st.ByVerdict[review.Unsure], Pending: st.ByVerdict[review.Pending],
		Stale: st.Stale,
	}}
	b := &s.Segments.ScoreBuckets
	b.Excellent, b.Usable, b.Weak = st.Graded()
	if avg, ok := st.Average(); ok {
		s.Segments.AvgQualityScore = &avg
	}
	for i, b := range st.Bands {
		s.Bands = append(s.Bands, bandRow{float64(i) / 20, float64(i+1) / 20, verdictsRow(b)})
	}
	if t := st.Suggested; t.Threshold > 0 {
		s.Suggested = &suggestedRow{t.Threshold, t.Keeps, t.Drops}
	}
	s.TaskTypes, s.Models, s.Formats, s.Agents = groupRows(st.Types), groupRows(st.Models), groupRows(st.Formats), groupRows(st.Agents)
	s.Tools = make([]toolRow, 0, len(st.Tools))
	for _, t := range st.Tools {
		s.Tools = append(s.Tools, toolRow(t))
	}
	s.Tokens = spreadRow{st.Tokens.Sum, st.Tokens.Median, st.Tokens.P90, st.Tokens.Most}
	s.Days = make([]dayRow, 0, len(st.Days))
	for _, d := range st.Days {
		s.Days = append(s.Days, dayRow{d.Date, d.Actions, d.Segments, math.Round(d.Time.Minutes()*10) / 10})
	}
	return s
}

func groupRows(groups []review.Group) []groupRow {
	rows := make([]groupRow, 0, len(groups))
	for _, g := range groups {
		rows = append(rows, groupRow{g.Name, g.Segments, verdictsRow(g.ByBand)})
	}
	return rows
}

func (p *cli) statsCommand() *cobra.Command {
	var asked string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Describe the segments: scores, verdicts, tools, and where to put the threshold",
		Long: `Counts sessions, segments and verdicts, and shows how scores agree with what was
approved and rejected. A threshold is suggested from 20 approved and 10 rejected
segments on: the highest one that keeps 95% of the approved.

A minute of review is the time between two verdicts of one curator, if that is
not more than five minutes; the first verdict behind a pause counts as half of one.`,
		Example: `  winnow stats
  winnow stats --filter 'type:code after:30d' --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := p.parseFilter(asked)
			if err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				if err := p.searchable(cmd.Context(), s, n); err != nil {
					return err
				}
				return p.stats(cmd.Context(), s, n, asJSON)
			})
		},
	}
	p.filterFlag(cmd, &asked, filterHelp)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (p *cli) stats(ctx context.Context, s *database, n filter.Node, asJSON bool) error {
	at := s.Config.Thresholds()
	st, err := s.Statistics(ctx, n, at, p.env.zone)
	if err != nil {
		return fmt.Errorf("counting: %w", err)
	}
	if asJSON {
		return p.out.JSON(statsOf(&st))
	}
	p.printStats(&st, at)
	return nil
}
