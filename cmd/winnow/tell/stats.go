package tell

import (
	"math"

	"winnow/core/review"
)

// Stats is what "stats --json" prints.
type Stats struct {
	Sessions  int           `json:"sessions"`
	Messages  int           `json:"messages"`
	Segments  SegmentStats  `json:"segments"`
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

// SegmentStats counts segments.
type SegmentStats struct {
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

// StatsOf returns the row of statistics.
func StatsOf(st *review.Statistics) Stats {
	s := Stats{Sessions: st.Sessions, Messages: st.Messages, Segments: SegmentStats{
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
