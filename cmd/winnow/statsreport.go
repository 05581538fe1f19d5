package main

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"winnow/core/metric"
	"winnow/core/review"
)

// statsRows is how many rows of a kind are printed for people; --json has all.
const statsRows = 12

// printStats prints statistics for people: tables with a blank line between.
func (p *cli) printStats(st *review.Statistics, at metric.Thresholds) {
	p.printCounts(st, at)
	p.printBands(st)
	p.printGroups("TASK TYPE", st.Types)
	p.printTools(st.Tools)
	p.printGroups("MODEL", st.Models)
	p.printGroups("FORMAT", st.Formats)
	if len(st.Agents) > 1 {
		p.printGroups("AGENT", st.Agents)
	}
	p.printDays(st.Days)
}

func (p *cli) printCounts(st *review.Statistics, at metric.Thresholds) {
	g := statsOf(st).Segments
	t := p.out.table(left(""), right(""), left(""))
	t.headed = true
	for _, line := range [...]struct {
		name string
		n    int
	}{
		{"sessions", st.Sessions}, {"messages", st.Messages}, {"segments", g.Total},
		{"  approved", g.Approved}, {"  rejected", g.Rejected}, {"  unsure", g.Unsure},
		{"  pending", g.Pending}, {"  stale", g.Stale}, {"scored", g.Labeled},
	} {
		t.row(line.name, count(line.n), "")
	}
	if g.AvgQualityScore != nil {
		t.row("  excellent", count(g.ScoreBuckets.Excellent), "from 0.85")
		t.row("  usable", count(g.ScoreBuckets.Usable), "from 0.70")
		t.row("  weak", count(g.ScoreBuckets.Weak), "")
		t.row("  average", strconv.FormatFloat(*g.AvgQualityScore, 'f', 2, 64), "")
		t.row("  for memory", count(g.MemoryEligible), "from "+threshold(at.Memory))
		t.row("  for training", count(g.SFTEligible), "from "+threshold(at.SFT)+", well-formed and complete")
	}
	if st.Segments > 0 {
		t.row("tokens", count(int(st.Tokens.Sum)), fmt.Sprintf("a segment: median %s, 90%% up to %s", count(st.Tokens.Median), count(st.Tokens.P90)))
	}
	t.row("reviewed", percent(st.Done(), g.Total), "")
	t.flush()
}

func threshold(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// barCells is how wide the longest bar is.
const barCells = 20

func (p *cli) printBands(st *review.Statistics) {
	if st.Scored == 0 {
		return
	}
	p.out.line("")
	most := 0
	for _, n := range st.Histogram {
		most = max(most, n)
	}
	t := p.out.table(left("SCORE"), right("SEGMENTS"), right("APPROVED"), right("REJECTED"), right("UNSURE"), right("PENDING"), right("APPROVAL"), left(""))
	for i := len(st.Bands) - 1; i >= 0; i-- {
		if n := st.Histogram[i]; n > 0 {
			b := st.Bands[i]
			t.row(review.BandName(i), count(n), count(b.Approved), count(b.Rejected), count(b.Unsure), count(b.Pending), b.ApprovalText(), bar(n, most))
		}
	}
	t.flush()
	p.out.line(st.Suggested.Text())
}

func bar(n, most int) string {
	return strings.Repeat("█", int(math.Ceil(float64(n*barCells)/float64(max(most, 1)))))
}

// printGroups prints the largest groups.
func (p *cli) printGroups(name string, groups []review.Group) {
	if len(groups) == 0 {
		return
	}
	p.out.line("")
	t := p.out.table(left(name), right("SEGMENTS"), right("APPROVED"), right("REJECTED"), right("APPROVAL"))
	for _, g := range groups[:min(statsRows, len(groups))] {
		t.row(cmp.Or(g.Name, review.Unknown), count(g.Segments), count(g.Approved), count(g.Rejected), g.ApprovalText())
	}
	t.flush()
	p.more(len(groups))
}

func (p *cli) printTools(tools []review.ToolUse) {
	if len(tools) == 0 {
		return
	}
	p.out.line("")
	t := p.out.table(left("TOOL"), right("SEGMENTS"), right("CALLS"), right("FAILED"), right("RATE"))
	for _, u := range tools[:min(statsRows, len(tools))] {
		t.row(u.Name, count(u.Segments), count(u.Calls), count(u.Failures), u.FailureText())
	}
	t.flush()
	p.more(len(tools))
}

func (p *cli) printDays(days []review.ReviewDay) {
	if len(days) == 0 {
		return
	}
	p.out.line("")
	t := p.out.table(left("DAY"), right("VERDICTS"), right("SEGMENTS"), right("TIME"), right("AN HOUR"))
	for i := len(days) - 1; i >= max(0, len(days)-statsRows); i-- {
		d := days[i]
		rate := "–"
		if n := d.PerHour(); n > 0 {
			rate = count(int(math.Round(n)))
		}
		t.row(d.Date, count(d.Actions), count(d.Segments), review.HoursText(d.Time), rate)
	}
	t.flush()
	p.more(len(days))
}

// more says how many rows were not printed.
func (p *cli) more(n int) {
	if n > statsRows {
		p.out.line(fmt.Sprintf("… %s more; --json has all", count(n-statsRows)))
	}
}

// percent is to the nearest one, but 100% means all.
func percent(n, of int) string {
	switch {
	case of == 0:
		return "–"
	case n >= of:
		return "100%"
	}
	return strconv.Itoa(min(99, (n*200+of)/(2*of))) + "%"
}
