package statistics

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
)

// section is a table.
type section struct {
	title   string
	note    string // after the title
	head    string // of the names, "" for a table without heads
	columns []column
	rows    []row
	left    int  // rows that are not among them: there are too many
	widest  int  // cells of the longest name
	most    int  // segments of the longest bar, 0 for a table without bars
	full    bool // it is never folded
}

// column is a column of numbers. Those of the lowest worth go first where
// there is no room.
type column struct {
	head  string
	width int
	worth int
}

// row is one of a table.
type row struct {
	name  string // cleaned
	whole bool   // the name stands on lines of its own, without numbers
	cells []cell
	bar   review.ByBand
	tell  string // what the footer says of it

	// What enter does: it sets a threshold, folds the table or narrows the
	// filter. why says why it does nothing, "" if it does.
	threshold float64
	folds     bool
	node      func() filter.Node
	why       string
}

// cell is a number and its colour.
type cell struct {
	text string
	ink  func(*draw.Inks) draw.Ink
}

const (
	// foldedRows are shown of a table; enter on the last line shows the others.
	foldedRows = 12
	// mostRows bounds a table that is shown as a whole: a session may call
	// as many tools as it has lines.
	mostRows = 1000
)

// number is a count in a colour; nothing is muted.
func number(n int, of func(*draw.Inks) draw.Ink) cell {
	if n == 0 {
		of = draw.MutedInk
	}
	return cell{draw.Counted(n), of}
}

// plain replaces what texts for both the command and the screen hold of signs.
func (s *Screen) plain(text string) string { return strings.ReplaceAll(text, "–", s.G.None) }

// sectionsOf makes the tables, those that one looks at first in front.
func (s *Screen) sectionsOf(d *described) []section {
	st := &d.Statistics
	if st.Segments == 0 {
		return nil
	}
	list := []section{s.scoreSection(st), s.countSection(st)}
	if d.learned.Version > 0 {
		list = append(list, s.likelySection(&d.learned))
	}
	add := func(title, head string, groups []review.Group, node func(name string) filter.Node) {
		if len(groups) > 0 {
			list = append(list, s.groupSection(title, head, groups, node))
		}
	}
	add("Types of task", "type", st.Types, func(name string) filter.Node { return oneOf(filter.Type, name) })
	if len(st.Tools) > 0 {
		list = append(list, s.toolSection(st.Tools))
	}
	add("Reasons", "why", st.Reasons, func(name string) filter.Node { return is(filter.Why, name) })
	add("Models", "model", st.Models, func(name string) filter.Node { return ofModel(name, st.Models) })
	add("Formats", "format", st.Formats, func(name string) filter.Node { return oneOf(filter.Format, name) })
	if len(st.Agents) > 1 {
		add("Agents", "agent", st.Agents, func(name string) filter.Node { return oneOf(filter.Agent, name) })
	}
	list = append(list, s.tokenSection(&st.Tokens))
	if len(st.Days) > 0 {
		list = append(list, s.daySection(st.Days))
	}
	for i := range list {
		s.fold(&list[i])
	}
	return list
}

// fold leaves out what a long table has too much, and measures its names.
func (s *Screen) fold(sec *section) {
	more := len(sec.rows) + sec.left - foldedRows
	switch {
	case sec.full || more <= 0:
	case !s.unfolded[sec.title]:
		sec.rows = append(sec.rows[:foldedRows:foldedRows], row{name: s.G.More + " " + draw.Grouped(more) + " more", folds: true, tell: s.Key("narrow") + " shows them"})
	default:
		if sec.left > 0 {
			sec.rows = append(sec.rows, row{name: "winnow stats --json lists " + draw.Grouped(sec.left) + " more", whole: true, why: "the command has all of them"})
		}
		sec.rows = append(sec.rows, row{name: "fold", folds: true, tell: s.Key("narrow") + " folds the table"})
	}
	for i := range sec.rows {
		if r := &sec.rows[i]; !r.whole {
			sec.widest = max(sec.widest, ansi.StringWidth(r.name))
		}
	}
}

// verdictColumns are those of tables that count verdicts.
func (s *Screen) verdictColumns() []column {
	return []column{
		{"segments", 9, 3}, {s.G.Verdict[review.Approved], 8, 2}, {s.G.Verdict[review.Rejected], 8, 1}, {"approval", 9, 4},
	}
}

func (s *Screen) verdictCells(segments int, b review.ByBand) []cell {
	approval := cell{s.plain(b.ApprovalText()), draw.TextInk}
	if b.Judged() < review.FewJudged {
		approval.ink = draw.MutedInk
	}
	return []cell{
		number(segments, draw.TextInk), number(b.Approved, func(k *draw.Inks) draw.Ink { return k.Approved }),
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
func (s *Screen) scoreSection(st *review.Statistics) section {
	sec := section{title: "Scores", full: true}
	if st.Scored == 0 {
		sec.rows = []row{{name: "no segment has a score yet", whole: true, why: "no segment has a score yet"}}
		return sec
	}
	sec.head, sec.columns, sec.note = "score", s.verdictColumns(), s.legend()
	at := st.Suggested
	suggestion := row{name: at.Text(), whole: true, threshold: at.Threshold, tell: s.Key("narrow") + " sets the threshold"}
	if at.Threshold == 0 {
		suggestion.why, suggestion.tell = at.Text(), ""
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
		r := row{
			name: s.plain(review.BandName(i)), cells: s.verdictCells(h[i], b), bar: b,
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
func (s *Screen) legend() string {
	var words []string
	for _, v := range barVerdicts {
		words = append(words, s.G.Share[v]+" "+string(v))
	}
	return strings.Join(words, "  ")
}

// barVerdicts are the verdicts in the order in which bars have them.
var barVerdicts = [...]review.Verdict{review.Approved, review.Rejected, review.Unsure, review.Pending}

func (s *Screen) groupSection(title, head string, groups []review.Group, node func(name string) filter.Node) section {
	sec := section{title: title, head: head, columns: s.verdictColumns(), left: max(0, len(groups)-mostRows)}
	for _, g := range groups[:len(groups)-sec.left] {
		name := clean.Line(nameHead(cmp.Or(g.Name, review.Unknown)))
		sec.rows = append(sec.rows, row{
			name: name, cells: s.verdictCells(g.Segments, g.ByBand), bar: g.ByBand, tell: approvalOf(g.ByBand),
			node: func() filter.Node { return node(g.Name) },
		})
		sec.most = max(sec.most, g.Segments)
	}
	return sec
}

func (s *Screen) toolSection(tools []review.ToolUse) section {
	sec := section{title: "Tools", head: "tool", columns: []column{{"segments", 9, 2}, {"calls", 9, 4}, {"errors", 8, 1}, {"exits", 8, 1}, {"rate", 6, 3}}}
	fail, exit := func(k *draw.Inks) draw.Ink { return k.Fail }, func(k *draw.Inks) draw.Ink { return k.Warn }
	sec.left = max(0, len(tools)-mostRows)
	for i := range len(tools) - sec.left {
		t := &tools[i]
		rate := cell{t.FailureText(), fail}
		switch {
		case t.Errors+t.Exits == 0:
			rate.ink = draw.MutedInk
		case t.Errors == 0:
			rate.ink = exit
		}
		sec.rows = append(sec.rows, row{
			name:  clean.Line(nameHead(t.Name)),
			cells: []cell{number(t.Segments, draw.TextInk), number(t.Calls, draw.TextInk), number(t.Errors, fail), number(t.Exits, exit), rate},
			tell:  draw.Plural(t.Errors, "error") + " and " + draw.Plural(t.Exits, "exit") + " of " + draw.Plural(t.Calls, "call"),
			node:  func() filter.Node { return is(filter.Tool, t.Name) },
		})
	}
	return sec
}

// nameHead is as much of a name as a table can show.
func nameHead(s string) string { return s[:min(len(s), 256)] }

// tokenSection says how long segments are.
func (s *Screen) tokenSection(d *review.Distribution) section {
	upTo := func(name string, n int) row {
		return row{name: name, cells: []cell{number(n, draw.TextInk)}, node: func() filter.Node {
			return filter.Term{Field: filter.Tokens, Op: filter.LessEqual, Num: float64(n)}
		}}
	}
	longest := upTo("the longest", d.Most)
	longest.node = func() filter.Node {
		return filter.Term{Field: filter.Tokens, Op: filter.GreaterEqual, Num: float64(d.Most)}
	}
	return section{title: "Tokens", head: "of segments", columns: []column{{"tokens", 14, 1}}, rows: []row{
		upTo("half have up to", d.Median), upTo("90% have up to", d.P90), longest,
		{name: "all together", cells: []cell{{draw.Grouped(int(d.Sum)), draw.TextInk}}, why: "the list already shows all of these"},
	}}
}

// daySection says how fast the review went, the latest day first.
func (s *Screen) daySection(days []review.ReviewDay) section {
	sec := section{title: "Days of review", note: "of all segments", head: "day", columns: []column{{"verdicts", 9, 4}, {"segments", 9, 1}, {"time", 7, 2}, {"an hour", 8, 3}}}
	sec.left = max(0, len(days)-mostRows)
	for _, d := range slices.Backward(days[sec.left:]) {
		rate := cell{s.G.None, draw.MutedInk}
		if n := d.PerHour(); n > 0 {
			rate = number(int(math.Round(n)), draw.TextInk)
		}
		sec.rows = append(sec.rows, row{
			name:  d.Date,
			cells: []cell{number(d.Actions, draw.TextInk), number(d.Segments, draw.TextInk), {review.HoursText(d.Time), draw.TextInk}, rate},
			node: func() filter.Node {
				n, _ := filter.Parse("reviewed:"+d.Date, s.dates())
				return n
			},
		})
	}
	return sec
}

// scoreWord writes a score as settings have it: 0.7.
func scoreWord(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
