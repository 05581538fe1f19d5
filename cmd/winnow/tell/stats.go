package tell

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/core/memory"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
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
	Reasons   []review.Group      `json:"reasons"` // given for verdicts
	Tokens    review.Distribution `json:"tokens"`
	Days      []dayRow            `json:"days"`
	Memories  []memory.Count      `json:"memories,omitempty"` // by status and kind
	Steps     StepStats           `json:"steps"`
}

// StepStats is how far the steps of a run are: sessions that are cut, or are to be, and
// segments that are scored, or are to be, and that memories were looked for in.
type StepStats struct {
	Segmented       int `json:"segmented"`
	SegmentPending  int `json:"segment_pending"`
	Labeled         int `json:"labeled"`
	LabelPending    int `json:"label_pending"`
	MemoryExtracted int `json:"memory_extracted"`
}

// SegmentStats counts segments.
type SegmentStats struct {
	Total           int `json:"total"`
	Labeled         int `json:"labeled"`
	MemoryEligible  int `json:"memory_eligible"`
	SFTEligible     int `json:"sft_eligible"`
	MemoryExtracted int `json:"memory_extracted"`
	Approved        int `json:"approved"`
	Rejected        int `json:"rejected"`
	Unsure          int `json:"unsure"`
	Pending         int `json:"pending"`
	Stale           int `json:"stale"`

	Compressions map[review.Compression]int `json:"compressions,omitempty"` // by what became of them

	AvgQualityScore *float64 `json:"avg_quality_score"` // null: nothing is scored
	ScoreBuckets    struct {
		Excellent int `json:"excellent"` // from 0.85
		Usable    int `json:"usable"`    // from 0.7
		Weak      int `json:"weak"`
	} `json:"score_buckets"`
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
		Stale: st.Stale, Compressions: st.Compressions,
	}, Steps: StepStats{
		Segmented: st.Sessions - st.Uncut, SegmentPending: st.Uncut,
		Labeled: st.Labeled, LabelPending: st.Segments - st.Labeled, MemoryExtracted: st.MemoryExtracted,
	}, Memories: st.Memories, TaskTypes: st.Types, Models: st.Models, Formats: st.Formats, Agents: st.Agents, Reasons: st.Reasons, Tools: st.Tools, Tokens: st.Tokens}
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

// statsRows is how many rows of a kind are printed for people; --json has all.
const statsRows = 12

// PrintStats prints statistics for people: tables with a blank line between.
func PrintStats(o *print.Output, st *review.Statistics, at metric.Thresholds) {
	printCounts(o, st, at)
	printBands(o, st)
	printMemories(o, st.Memories)
	printGroups(o, "TASK TYPE", st.Types)
	printTools(o, st.Tools)
	printGroups(o, "MODEL", st.Models)
	printGroups(o, "FORMAT", st.Formats)
	if len(st.Agents) > 1 {
		printGroups(o, "AGENT", st.Agents)
	}
	printGroups(o, "REASON", st.Reasons)
	printDays(o, st.Days)
}

func printCounts(o *print.Output, st *review.Statistics, at metric.Thresholds) {
	g := StatsOf(st).Segments
	t := o.Table(print.Left(""), print.Right(""), print.Left(""))
	t.Headed = true
	for _, line := range [...]struct {
		name string
		n    int
	}{
		{"sessions", st.Sessions}, {"messages", st.Messages}, {"segments", g.Total},
		{"  approved", g.Approved}, {"  rejected", g.Rejected}, {"  unsure", g.Unsure},
		{"  pending", g.Pending}, {"  stale", g.Stale}, {"scored", g.Labeled},
	} {
		t.Row(line.name, draw.Grouped(line.n), "")
	}
	if g.AvgQualityScore != nil {
		t.Row("  excellent", draw.Grouped(g.ScoreBuckets.Excellent), "from 0.85")
		t.Row("  usable", draw.Grouped(g.ScoreBuckets.Usable), "from 0.70")
		t.Row("  weak", draw.Grouped(g.ScoreBuckets.Weak), "")
		t.Row("  average", strconv.FormatFloat(*g.AvgQualityScore, 'f', 2, 64), "")
		t.Row("  for memory", draw.Grouped(g.MemoryEligible), "from "+threshold(at.Memory))
		t.Row("  for training", draw.Grouped(g.SFTEligible), "from "+threshold(at.SFT)+", well-formed and complete")
	}
	if st.Segments > 0 {
		t.Row("tokens", draw.Grouped(int(st.Tokens.Sum)), fmt.Sprintf("a segment: median %s, 90%% up to %s", draw.Grouped(st.Tokens.Median), draw.Grouped(st.Tokens.P90)))
	}
	done := "–"
	if g.Total > 0 {
		done = strconv.Itoa(draw.Percent(st.Done(), g.Total)) + "%"
	}
	t.Row("reviewed", done, "")
	t.Flush()
}

func threshold(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// barCells is how wide the longest bar is.
const barCells = 20

func printBands(o *print.Output, st *review.Statistics) {
	if st.Scored == 0 {
		return
	}
	o.Line("")
	most := 0
	for _, n := range st.Histogram {
		most = max(most, n)
	}
	t := o.Table(print.Left("SCORE"), print.Right("SEGMENTS"), print.Right("APPROVED"), print.Right("REJECTED"), print.Right("UNSURE"), print.Right("PENDING"), print.Right("APPROVAL"), print.Left(""))
	for i := len(st.Bands) - 1; i >= 0; i-- {
		if n := st.Histogram[i]; n > 0 {
			b := st.Bands[i]
			t.Row(review.BandName(i), draw.Grouped(n), draw.Grouped(b.Approved), draw.Grouped(b.Rejected), draw.Grouped(b.Unsure), draw.Grouped(b.Pending), b.ApprovalText(), bar(n, most))
		}
	}
	t.Flush()
	o.Line(st.Suggested.Text())
}

func bar(n, most int) string {
	return strings.Repeat("█", int(math.Ceil(float64(n*barCells)/float64(max(most, 1)))))
}

// section prints a table of the first rows, and how many more there are, after a blank
// line; nothing without rows.
func section[T any](o *print.Output, rows []T, cells func(*T) []string, columns ...print.Column) {
	if len(rows) == 0 {
		return
	}
	o.Line("")
	t := o.Table(columns...)
	for i := range rows[:min(statsRows, len(rows))] {
		t.Row(cells(&rows[i])...)
	}
	t.Flush()
	if more := len(rows) - statsRows; more > 0 {
		o.Line(fmt.Sprintf("… %s more; --json has all", draw.Grouped(more)))
	}
}

// printGroups prints the largest groups.
func printGroups(o *print.Output, name string, groups []review.Group) {
	section(o, groups, func(g *review.Group) []string {
		return []string{cmp.Or(g.Name, review.Unknown), draw.Grouped(g.Segments), draw.Grouped(g.Approved), draw.Grouped(g.Rejected), g.ApprovalText()}
	}, print.Left(name), print.Right("SEGMENTS"), print.Right("APPROVED"), print.Right("REJECTED"), print.Right("APPROVAL"))
}

func printTools(o *print.Output, tools []review.ToolUse) {
	section(o, tools, func(u *review.ToolUse) []string {
		return []string{u.Name, draw.Grouped(u.Segments), draw.Grouped(u.Calls), draw.Grouped(u.Errors), draw.Grouped(u.Exits), u.FailureText()}
	}, print.Left("TOOL"), print.Right("SEGMENTS"), print.Right("CALLS"), print.Right("ERRORS"), print.Right("EXITS"), print.Right("RATE"))
}

// printDays prints the last days of review, the latest first.
func printDays(o *print.Output, days []review.ReviewDay) {
	days = slices.Clone(days)
	slices.Reverse(days)
	section(o, days, func(d *review.ReviewDay) []string {
		rate := "–"
		if n := d.PerHour(); n > 0 {
			rate = draw.Grouped(int(math.Round(n)))
		}
		return []string{d.Date, draw.Grouped(d.Actions), draw.Grouped(d.Segments), review.HoursText(d.Time), rate}
	}, print.Left("DAY"), print.Right("VERDICTS"), print.Right("SEGMENTS"), print.Right("TIME"), print.Right("AN HOUR"))
}
