package tell

import (
	"math"

	"winnow/core/review"
)

// Stats is what "stats --json" prints.
type Stats struct {
	Sessions  int                 `json:"sessions"`
	Messages  int                 `json:"messages"`
	Segments  SegmentStats        `json:"segments"`
	Bands     []bandRow           `json:"bands"`     // scores in steps of 0.05
	Suggested *review.Suggestion  `json:"suggested"` // null: there is none
	TaskTypes []review.Group      `json:"task_types"`
	Tools     []review.ToolUse    `json:"tools"`
	Models    []review.Group      `json:"models"`
	Formats   []review.Group      `json:"formats"`
	Agents    []review.Group      `json:"agents"`
	Tokens    review.Distribution `json:"tokens"`
	Days      []dayRow            `json:"days"`
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

type bandRow struct {
	From float64 `json:"from"`
	To   float64 `json:"to"` // exclusive, but for the last one
	review.ByBand
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
	}, TaskTypes: st.Types, Models: st.Models, Formats: st.Formats, Agents: st.Agents, Tools: st.Tools, Tokens: st.Tokens}
	b := &s.Segments.ScoreBuckets
	b.Excellent, b.Usable, b.Weak = st.Graded()
	if avg, ok := st.Average(); ok {
		s.Segments.AvgQualityScore = &avg
	}
	for i, b := range st.Bands {
		s.Bands = append(s.Bands, bandRow{float64(i) / 20, float64(i+1) / 20, b})
	}
	if st.Suggested.Threshold > 0 {
		s.Suggested = &st.Suggested
	}
	for _, d := range st.Days {
		s.Days = append(s.Days, dayRow{d.Date, d.Actions, d.Segments, math.Round(d.Time.Minutes()*10) / 10})
	}
	return s
}
