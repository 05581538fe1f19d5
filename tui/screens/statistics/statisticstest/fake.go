// Package statisticstest is a library that is described, for tests.
package statisticstest

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
)

// Fake answers with what it was made with, and keeps the questions.
type Fake struct {
	mu        sync.Mutex
	St        review.Statistics
	Asked     []string // filters
	Cancelled int
	Err       error
}

// Statistics implements statistics.Library.
func (f *Fake) Statistics(ctx context.Context, n filter.Node, _ metric.Thresholds, _ *time.Location) (review.Statistics, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Asked = append(f.Asked, filter.Print(n))
	if ctx.Err() != nil {
		f.Cancelled++
	}
	return f.St, cmp.Or(ctx.Err(), f.Err)
}

// Sample are those of a library that is half reviewed.
func Sample() *Fake {
	var st review.Statistics
	st.Segments, st.Sessions, st.Messages, st.Stale = 8931, 2104, 120_345, 12
	st.ByVerdict = map[review.Verdict]int{}
	for band, b := range map[int]review.ByBand{
		19: {Approved: 210, Rejected: 3, Pending: 400}, 18: {Approved: 420, Rejected: 12, Unsure: 8, Pending: 900},
		17: {Approved: 300, Rejected: 20, Unsure: 12, Pending: 1500}, 16: {Approved: 93, Rejected: 7, Unsure: 20, Pending: 2000},
		15: {Approved: 40, Rejected: 31, Unsure: 9, Pending: 1200}, 14: {Approved: 10, Rejected: 80, Pending: 700},
		13: {Approved: 1, Rejected: 2, Pending: 500}, 12: {Pending: 300}, 10: {Rejected: 110, Pending: 43},
	} {
		st.Bands[band] = b
		st.Histogram[band] = b.Judged() + b.Unsure + b.Pending
		st.Scored += st.Histogram[band]
		st.ScoreSum += float64(st.Histogram[band]) * (float64(band) + 0.5) / 20
		for v, n := range map[review.Verdict]int{review.Approved: b.Approved, review.Rejected: b.Rejected, review.Unsure: b.Unsure, review.Pending: b.Pending} {
			st.ByVerdict[v] += n
		}
	}
	st.Segments = st.Scored
	st.Labeled, st.MemoryEligible, st.SFTEligible = st.Scored, 7990, 5301
	st.Suggested = review.Suggestion{Threshold: 0.74, Keeps: 0.95, Drops: 0.8}
	st.Types = []review.Group{
		{Name: "code", Segments: 6000, ByBand: review.ByBand{Approved: 800, Rejected: 90, Unsure: 30, Pending: 5080}},
		{Name: "data", Segments: 2000, ByBand: review.ByBand{Approved: 3, Rejected: 1, Pending: 1996}},
		{Name: "", Segments: 931, ByBand: review.ByBand{Pending: 931}},
	}
	for i := range 27 {
		st.Tools = append(st.Tools, review.ToolUse{Name: fmt.Sprintf("tool_%02d", i), Segments: 100 - i, Calls: 900 - 10*i, Failures: i * 7, Errors: i * 3, Exits: i * 5})
	}
	st.Tools[0].Name, st.Tools[1].Name = "terminal", "\x1b[2Jwipe\u202e数据库"
	st.Models = []review.Group{
		{Name: "claude-sonnet-4-5-20250929", Segments: 5000, ByBand: review.ByBand{Approved: 700, Rejected: 100, Pending: 4200}},
		{Name: "GPT-5", Segments: 2900, ByBand: review.ByBand{Approved: 80, Rejected: 60, Pending: 2760}},
		{Name: "gpt-5-codex", Segments: 800, ByBand: review.ByBand{Pending: 800}},
		{Name: "gpt-5-codex-mini", Segments: 200, ByBand: review.ByBand{Pending: 200}},
	}
	st.Formats = []review.Group{{Name: "claude-code", Segments: 8000, ByBand: review.ByBand{Approved: 1000, Rejected: 200, Pending: 6800}}, {Name: "codex", Segments: 931, ByBand: review.ByBand{Pending: 931}}}
	st.Agents = []review.Group{{Name: "default", Segments: 8900, ByBand: review.ByBand{Pending: 8900}}, {Name: "main", Segments: 31, ByBand: review.ByBand{Pending: 31}}}
	st.Tokens = review.Distribution{Sum: 41_234_567, Median: 2103, P90: 14_200, Most: 190_021}
	st.Days = []review.ReviewDay{
		{Date: "2026-11-18", Actions: 212, Segments: 300, Time: 65 * time.Minute},
		{Date: "2026-11-19", Actions: 3, Segments: 900, Time: 30 * time.Second},
	}
	return &Fake{St: st}
}
