package tell

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
)

// statsRows is how many rows of a kind are printed for people; --json has all.
const statsRows = 12

// PrintStats prints statistics for people: tables with a blank line between.
func PrintStats(o *print.Output, st *review.Statistics, at metric.Thresholds) {
	printCounts(o, st, at)
	printBands(o, st)
	printGroups(o, "TASK TYPE", st.Types)
	printTools(o, st.Tools)
	printGroups(o, "MODEL", st.Models)
	printGroups(o, "FORMAT", st.Formats)
	if len(st.Agents) > 1 {
		printGroups(o, "AGENT", st.Agents)
	}
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

// printGroups prints the largest groups.
func printGroups(o *print.Output, name string, groups []review.Group) {
	if len(groups) == 0 {
		return
	}
	o.Line("")
	t := o.Table(print.Left(name), print.Right("SEGMENTS"), print.Right("APPROVED"), print.Right("REJECTED"), print.Right("APPROVAL"))
	for _, g := range groups[:min(statsRows, len(groups))] {
		t.Row(cmp.Or(g.Name, review.Unknown), draw.Grouped(g.Segments), draw.Grouped(g.Approved), draw.Grouped(g.Rejected), g.ApprovalText())
	}
	t.Flush()
	more(o, len(groups))
}

func printTools(o *print.Output, tools []review.ToolUse) {
	if len(tools) == 0 {
		return
	}
	o.Line("")
	t := o.Table(print.Left("TOOL"), print.Right("SEGMENTS"), print.Right("CALLS"), print.Right("FAILED"), print.Right("RATE"))
	for _, u := range tools[:min(statsRows, len(tools))] {
		t.Row(u.Name, draw.Grouped(u.Segments), draw.Grouped(u.Calls), draw.Grouped(u.Failures), u.FailureText())
	}
	t.Flush()
	more(o, len(tools))
}

func printDays(o *print.Output, days []review.ReviewDay) {
	if len(days) == 0 {
		return
	}
	o.Line("")
	t := o.Table(print.Left("DAY"), print.Right("VERDICTS"), print.Right("SEGMENTS"), print.Right("TIME"), print.Right("AN HOUR"))
	for i := len(days) - 1; i >= max(0, len(days)-statsRows); i-- {
		d := days[i]
		rate := "–"
		if n := d.PerHour(); n > 0 {
			rate = draw.Grouped(int(math.Round(n)))
		}
		t.Row(d.Date, draw.Grouped(d.Actions), draw.Grouped(d.Segments), review.HoursText(d.Time), rate)
	}
	t.Flush()
	more(o, len(days))
}

// more says how many rows were not printed.
func more(o *print.Output, n int) {
	if n > statsRows {
		o.Line(fmt.Sprintf("… %s more; --json has all", draw.Grouped(n-statsRows)))
	}
}
