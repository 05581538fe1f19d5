package tui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// statSection is a table.
type statSection struct {
	title   string
	note    string // behind the title
	head    string // of the names, "" for a table without heads
	columns []statColumn
	rows    []statRow
	left    int  // rows that are not among them: there are too many
	widest  int  // cells of the longest name
	most    int  // segments of the longest bar, 0 for a table without bars
	full    bool // it is never folded
}

// statColumn is a column of numbers. Those of the lowest worth go first where
// there is no room.
type statColumn struct {
	head  string
	width int
	worth int
}

// statRow is one of a table.
type statRow struct {
	name  string // cleaned
	whole bool   // the name stands on lines of its own, without numbers
	cells []statCell
	bar   review.ByBand
	tell  string // what the footer says of it

	// What enter does: it sets a threshold, folds the table or narrows the
	// filter. why says why it does nothing, "" if it does.
	threshold float64
	folds     bool
	node      func() filter.Node
	why       string
}

// statCell is a number and its colour.
type statCell struct {
	text string
	ink  func(*draw.Inks) draw.Ink
}

const (
	// foldedRows are shown of a table; enter on the last line shows the others.
	foldedRows = 12
	// mostStatRows bounds a table that is shown as a whole: a session may call
	// as many tools as it has lines.
	mostStatRows = 1000
)

func textInk(k *draw.Inks) draw.Ink  { return k.Text }
func mutedInk(k *draw.Inks) draw.Ink { return k.Muted }

// number is a count in a colour; nothing is muted.
func number(n int, of func(*draw.Inks) draw.Ink) statCell {
	if n == 0 {
		of = mutedInk
	}
	return statCell{draw.Counted(n), of}
}

// plain replaces what texts for both the command and the screen hold of signs.
func (a *App) plain(text string) string { return strings.ReplaceAll(text, "–", a.G.None) }

// sectionsOf makes the tables, those that one looks at first in front.
func (a *App) sectionsOf(st *review.Statistics) []statSection {
	if st.Segments == 0 {
		return nil
	}
	list := []statSection{a.scoreSection(st), a.countSection(st)}
	add := func(title, head string, groups []review.Group, node func(name string) filter.Node) {
		if len(groups) > 0 {
			list = append(list, a.groupSection(title, head, groups, node))
		}
	}
	add("Types of task", "type", st.Types, func(name string) filter.Node { return oneOf(filter.Type, name) })
	if len(st.Tools) > 0 {
		list = append(list, a.toolSection(st.Tools))
	}
	add("Models", "model", st.Models, func(name string) filter.Node { return ofModel(name, st.Models) })
	add("Formats", "format", st.Formats, func(name string) filter.Node { return oneOf(filter.Format, name) })
	if len(st.Agents) > 1 {
		add("Agents", "agent", st.Agents, func(name string) filter.Node { return oneOf(filter.Agent, name) })
	}
	list = append(list, a.tokenSection(&st.Tokens))
	if len(st.Days) > 0 {
		list = append(list, a.daySection(st.Days))
	}
	for i := range list {
		a.fold(&list[i])
	}
	return list
}

// fold leaves out what a long table has too much, and measures its names.
func (a *App) fold(sec *statSection) {
	more := len(sec.rows) + sec.left - foldedRows
	switch {
	case sec.full || more <= 0:
	case !a.statistics.unfolded[sec.title]:
		sec.rows = append(sec.rows[:foldedRows:foldedRows], statRow{name: a.G.More + " " + draw.Grouped(more) + " more", folds: true, tell: a.keyIn("narrow", keys.InStatistics) + " shows them"})
	default:
		if sec.left > 0 {
			sec.rows = append(sec.rows, statRow{name: "winnow stats --json lists " + draw.Grouped(sec.left) + " more", whole: true, why: "the command has all of them"})
		}
		sec.rows = append(sec.rows, statRow{name: "fold", folds: true, tell: a.keyIn("narrow", keys.InStatistics) + " folds the table"})
	}
	for i := range sec.rows {
		if r := &sec.rows[i]; !r.whole {
			sec.widest = max(sec.widest, ansi.StringWidth(r.name))
		}
	}
}

// verdictColumns are those of tables that count verdicts.
func (a *App) verdictColumns() []statColumn {
	return []statColumn{
		{"segments", 9, 3}, {a.G.Verdict[review.Approved], 8, 2}, {a.G.Verdict[review.Rejected], 8, 1}, {"approval", 9, 4},
	}
}

func (a *App) verdictCells(segments int, b review.ByBand) []statCell {
	approval := statCell{a.plain(b.ApprovalText()), textInk}
	if b.Judged() < review.FewJudged {
		approval.ink = mutedInk
	}
	return []statCell{
		number(segments, textInk), number(b.Approved, func(k *draw.Inks) draw.Ink { return k.Approved }),
		number(b.Rejected, func(k *draw.Inks) draw.Ink { return k.Rejected }), approval,
	}
}

// approvalOf says how often one approves: "you approve 93% of 41".
func approvalOf(b review.ByBand) string {
	share, ok := b.Approval()
	switch {
	case !ok:
		return "nothing is approved or rejected yet"
	case b.Judged() < review.FewJudged:
		return fmt.Sprintf("you approved %d of %d, which is too few to tell", b.Approved, b.Judged())
	}
	return "you approve " + review.PercentText(share) + " of " + draw.Grouped(b.Judged())
}

// scoreSection is the histogram of scores by verdict, from the best band that
// has any to the worst.
func (a *App) scoreSection(st *review.Statistics) statSection {
	sec := statSection{title: "Scores", full: true}
	if st.Scored == 0 {
		sec.rows = []statRow{{name: "no segment has a score yet", whole: true, why: "no segment has a score yet"}}
		return sec
	}
	sec.head, sec.columns, sec.note = "score", a.verdictColumns(), a.legend()
	s := st.Suggested
	suggestion := statRow{name: s.Text(), whole: true, threshold: s.Threshold, tell: a.keyIn("narrow", keys.InStatistics) + " sets the threshold"}
	if s.Threshold == 0 {
		suggestion.why, suggestion.tell = s.Text(), ""
	}
	sec.rows = append(sec.rows, suggestion)
	h, few := &st.Histogram, false
	from := slices.IndexFunc(h[:], func(n int) bool { return n > 0 })
	to := len(h) - 1
	for h[to] == 0 {
		to--
	}
	for i := to; i >= from; i-- {
		b := st.Bands[i]
		r := statRow{
			name: a.plain(review.BandName(i)), cells: a.verdictCells(h[i], b), bar: b,
			tell: fmt.Sprintf("at %.2f ", float64(i)/float64(len(h))) + approvalOf(b),
			node: func() filter.Node { return inBand(i) },
		}
		if h[i] == 0 {
			r.why = "no segment has such a score"
		}
		sec.rows, sec.most = append(sec.rows, r), max(sec.most, h[i])
		few = few || b.Judged() > 0 && b.Judged() < review.FewJudged
	}
	if few {
		sec.note += "  (%) of few"
	}
	return sec
}

// legend says which signs of the bars mean which verdict.
func (a *App) legend() string {
	var words []string
	for _, v := range barVerdicts {
		words = append(words, a.G.Verdict[v]+" "+string(v))
	}
	return strings.Join(words, "  ")
}

// barVerdicts are the verdicts in the order in which bars have them.
var barVerdicts = [...]review.Verdict{review.Approved, review.Rejected, review.Unsure, review.Pending}

func (a *App) groupSection(title, head string, groups []review.Group, node func(name string) filter.Node) statSection {
	sec := statSection{title: title, head: head, columns: a.verdictColumns(), left: max(0, len(groups)-mostStatRows)}
	for _, g := range groups[:len(groups)-sec.left] {
		name := clean.Line(nameHead(cmp.Or(g.Name, review.Unknown)))
		sec.rows = append(sec.rows, statRow{
			name: name, cells: a.verdictCells(g.Segments, g.ByBand), bar: g.ByBand, tell: approvalOf(g.ByBand),
			node: func() filter.Node { return node(g.Name) },
		})
		sec.most = max(sec.most, g.Segments)
	}
	return sec
}

func (a *App) toolSection(tools []review.ToolUse) statSection {
	sec := statSection{title: "Tools", head: "tool", columns: []statColumn{{"segments", 9, 2}, {"calls", 9, 4}, {"failed", 8, 1}, {"rate", 6, 3}}}
	fail := func(k *draw.Inks) draw.Ink { return k.Fail }
	sec.left = max(0, len(tools)-mostStatRows)
	for i := range len(tools) - sec.left {
		t := &tools[i]
		rate := statCell{t.FailureText(), fail}
		if t.Failures == 0 {
			rate.ink = mutedInk
		}
		sec.rows = append(sec.rows, statRow{
			name:  clean.Line(nameHead(t.Name)),
			cells: []statCell{number(t.Segments, textInk), number(t.Calls, textInk), number(t.Failures, fail), rate},
			tell:  draw.Grouped(t.Failures) + " of " + draw.Plural(t.Calls, "call") + " failed",
			node:  func() filter.Node { return is(filter.Tool, t.Name) },
		})
	}
	return sec
}

// nameHead is as much of a name as a table can show.
func nameHead(s string) string { return s[:min(len(s), 256)] }

// tokenSection says how long segments are.
func (a *App) tokenSection(d *review.Distribution) statSection {
	upTo := func(name string, n int) statRow {
		return statRow{name: name, cells: []statCell{number(n, textInk)}, node: func() filter.Node {
			return filter.Term{Field: filter.Tokens, Op: filter.LessEqual, Num: float64(n)}
		}}
	}
	longest := upTo("the longest", d.Most)
	longest.node = func() filter.Node {
		return filter.Term{Field: filter.Tokens, Op: filter.GreaterEqual, Num: float64(d.Most)}
	}
	return statSection{title: "Tokens", head: "of segments", columns: []statColumn{{"tokens", 14, 1}}, rows: []statRow{
		upTo("half have up to", d.Median), upTo("90% have up to", d.P90), longest,
		{name: "all together", cells: []statCell{{draw.Grouped(int(d.Sum)), textInk}}, why: "these are all that pass the filter"},
	}}
}

// daySection says how fast the review went, the latest day first.
func (a *App) daySection(days []review.ReviewDay) statSection {
	sec := statSection{title: "Days of review", note: "of all segments", head: "day", columns: []statColumn{{"verdicts", 9, 4}, {"segments", 9, 1}, {"time", 7, 2}, {"an hour", 8, 3}}}
	sec.left = max(0, len(days)-mostStatRows)
	for _, d := range slices.Backward(days[sec.left:]) {
		rate := statCell{a.G.None, mutedInk}
		if n := d.PerHour(); n > 0 {
			rate = number(int(math.Round(n)), textInk)
		}
		sec.rows = append(sec.rows, statRow{
			name:  d.Date,
			cells: []statCell{number(d.Actions, textInk), number(d.Segments, textInk), {review.HoursText(d.Time), textInk}, rate},
			node: func() filter.Node {
				n, _ := filter.Parse("reviewed:"+d.Date, filter.Options{Now: a.now(), Zone: a.zone})
				return n
			},
		})
	}
	return sec
}

// scoreWord writes a score as settings have it: 0.7.
func scoreWord(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
