package statistics

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
	"winnow/tui/screens/statistics/statisticstest"
)

// program is one whose list is narrowed to what passes a filter.
type program struct {
	filter  filter.Node
	writing bool
	at      int64 // version of the database
}

func (p *program) Narrow(n filter.Node)  { p.filter = n }
func (p *program) Count() string         { return "11 segments" }
func (p *program) Shown(int) []draw.Part { return nil }
func (p *program) Writing() bool         { return p.writing }

// run is the statistics of a library, open.
type run struct {
	*screentest.Run
	*program
	s *Screen
}

// withLikely is a library with what was learned.
type withLikely struct {
	Library
	statisticstest.Likely
}

// TestLikely: what was learned is told whatever passes the filter; a step leads to
// its segments, unless none has a value.
func TestLikely(t *testing.T) {
	known := withLikely{statisticstest.Sample(), statisticstest.SampleLikely()}
	x := open(t, known, 100, 90, "type:code")
	x.Wants("Likely", "learned from 25 approved and 35 rejected segments of 41 sessions, judged by ann", "AUC 0.73", "Brier score 0.207 (0.243 without looking", "0.2–0.4", "29%")
	x.goTo("Likely", "0.2–0.4")
	x.Press("enter")
	if got := filter.Print(x.filter); got != "type:code likely>=0.2 likely<0.4" {
		t.Errorf("leads to %s", got)
	}
	known.Got.Nothing = "they follow nothing"
	x = open(t, known, 100, 90, "")
	x.Wants("nothing can be learned: they follow nothing")
	x.goTo("Likely", "0.2–0.4")
	if x.Press("enter"); x.filter != nil {
		t.Errorf("leads to %s", filter.Print(x.filter))
	}
	known.Got.Whose, known.Got.Nothing = "\x1b[2Jann\u202e", "none\x1b]52;c;eA==\a"
	if x = open(t, known, 100, 90, ""); strings.ContainsAny(x.Screen(), "\u202e\a") || strings.Contains(x.Screen(), "\x1b]52") {
		t.Errorf("hostile text:\n%q", x.Screen())
	}
	if x = open(t, statisticstest.Sample(), 100, 90, ""); strings.Contains(x.Screen(), "Likely") {
		t.Error("nothing was learned, and that is a table")
	}
}

// open opens the statistics under a filter.
func open(t *testing.T, lib Library, w, h int, under string) *run {
	t.Helper()
	n, err := filter.Parse(under, filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := &run{program: &program{filter: n}}
	likely := statisticstest.Likely{}
	if f, ok := lib.(withLikely); ok {
		likely = f.Likely
	}
	version := func(context.Context) (int64, error) { return x.at, nil }
	x.Run = screentest.Start(t, w, h, Rows(), func(seat screen.Seat) *Screen {
		x.s = New(seat, x.program, lib, likely, version, metric.DefaultThresholds())
		return x.s
	}, func(run *screentest.Run) { run.Filter = n })
	return x
}

// goTo moves the cursor to a row of a table.
func (x *run) goTo(table, row string) {
	x.T.Helper()
	for x.s.cur = 0; ; x.s.cur++ {
		sec, r := x.s.selected()
		if r == nil {
			break
		}
		if sec.title == table && strings.HasPrefix(r.name, row) {
			return
		}
	}
	x.s.cur = 0
	x.T.Fatalf("no row %q in %q:\n%s", row, table, x.Screen())
}

func TestLongTablesUnfold(t *testing.T) {
	x := open(t, statisticstest.Sample(), 100, 70, "")
	x.Wants("tool_11", "… 15 more")
	x.goTo("Tools", "…")
	x.Press("enter")
	x.Wants("tool_12", "tool_26", "fold")
	if _, r := x.s.selected(); r.name != "tool_12" {
		t.Errorf("the cursor is on %q", r.name)
	}
	x.Press("ctrl+l")
	x.Wants("tool_26") // also of what came anew
	x.goTo("Tools", "fold")
	x.Press("enter")
	x.Wants("… 15 more")
	if strings.Contains(x.Screen(), "tool_12") {
		t.Error("the table did not fold")
	}
	f := statisticstest.Sample()
	for i := range 100_000 {
		f.St.Tools = append(f.St.Tools, review.ToolUse{Name: strings.Repeat("x", i%1000), Calls: 1})
	}
	x = open(t, f, 100, 40, "")
	x.goTo("Tools", "…")
	x.Press("enter")
	x.Press("j")
	if n := len(x.s.layout.places); n > mostRows+100 {
		t.Errorf("%d rows are laid out", n)
	}
	x.goTo("Tools", "winnow stats --json lists 99,027 more")
}

func TestReadsAgainWhenAsked(t *testing.T) {
	f := statisticstest.Sample()
	x := open(t, f, 120, 60, "")
	x.goTo("Types of task", "data")
	x.at++
	x.Change()
	x.Wants("changed since: ctrl+l")
	if len(f.Asked) != 1 {
		t.Errorf("asked %d times", len(f.Asked))
	}
	f.St.Types[0], f.St.Types[1] = f.St.Types[1], f.St.Types[0]
	f.St.Types = append([]review.Group{{Name: "ops", Segments: 7000}}, f.St.Types...)
	x.Press("ctrl+l")
	if _, r := x.s.selected(); r.name != "data" || len(f.Asked) != 2 {
		t.Errorf("asked %d times, on %q", len(f.Asked), r.name)
	}
	if strings.Contains(x.Screen(), "changed since") {
		t.Error("what was just read counts as old")
	}
	x.at++
	x.Change()
	x.Wants("changed since: ctrl+l")
	f.Err = errors.New("disk I/O error\x1b[2J")
	x.Press("ctrl+l")
	x.Wants("statistics: disk I/O error", "ops") // what was there stays
	x = open(t, f, 120, 60, "")
	x.Wants("The segments could not be counted.", "ctrl+l tries again")
	f.Err = nil
	x.Press("enter ctrl+l")
	x.Wants("ops")
}

func TestNothingToDescribe(t *testing.T) {
	x := open(t, &statisticstest.Fake{}, 80, 24, "")
	x.Wants("Nothing here yet.")
	x.Press("enter")
	x.Wants("there is nothing to show")
	x.Press("tab j k g G pgup pgdown ctrl+d ctrl+u q")
	x = open(t, &statisticstest.Fake{}, 40, 10, "score>=0.99")
	x.Wants("No segment passes the filter.", "score>=0.99")
	f := statisticstest.Sample()
	f.St.Scored, f.St.Histogram, f.St.Bands, f.St.ScoreSum = 0, [20]int{}, [20]review.ByBand{}, 0
	x = open(t, f, 80, 24, "")
	x.Wants("no segment has a score yet", "Types of task")
	x.Press("enter")
	if x.Said != "no segment has a score yet" {
		t.Errorf("the footer says %q", x.Said)
	}
	f = statisticstest.Sample()
	f.St.Suggested = review.Suggestion{MissingApproved: 3}
	x = open(t, f, 80, 24, "")
	x.Wants("it takes 3 more approved segments")
	x.Press("enter")
	if x.Left {
		t.Error("a threshold that there is not was set")
	}
}

// TestMovesThroughBothColumns: every row is met on the way down and
// up, in sight.
func TestMovesThroughBothColumns(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {139, 20}, {140, 20}, {200, 60}} {
		x := open(t, statisticstest.Sample(), size[0], size[1], "")
		s := x.s
		inSight := func() {
			t.Helper()
			lines := x.Lines()
			_, r := s.selected()
			text := draw.Cut(strings.TrimSpace(wrapped(r.name, s.layout.column)[0]), 12, "")
			p := s.layout.places[s.cur]
			if p.line < s.top || p.line+p.height > s.top+x.Frame.Height || !strings.Contains(lines[1+p.line-s.top], text) {
				t.Fatalf("%v: %q is not in sight:\n%s", size, r.name, x.Screen())
			}
		}
		all := 0
		for _, sec := range s.sections {
			all += len(sec.rows)
		}
		inSight()
		for range all - 1 {
			at := s.cur
			x.Press("j")
			if s.cur != at+1 {
				t.Fatalf("from %d to %d of %d", at, s.cur, all)
			}
			inSight()
		}
		for _, way := range []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"} {
			for range 40 {
				x.Press(way)
				inSight()
			}
			if want := map[bool]int{true: all - 1}[strings.HasSuffix(way, "n") || strings.HasSuffix(way, "d")]; s.cur != want {
				t.Errorf("%v: %s leads to %d of %d", size, way, s.cur, all)
			}
		}
		x.Press("g")
		inSight()
		if s.top != 0 {
			t.Errorf("%v: the start is at line %d", size, s.top)
		}
		x.Press("tab")
		inSight()
		if c := s.layout.places[s.cur].column; (c == 1) != (size[0] >= twoColumns) {
			t.Errorf("%v: tab leads to column %d", size, c)
		}
	}
}

func TestBarsAreAsLongAsTheirNumbers(t *testing.T) {
	x := open(t, statisticstest.Sample(), 80, 24, "")
	for _, c := range []struct {
		of   review.ByBand
		want string
	}{
		{review.ByBand{}, ""},
		{review.ByBand{Approved: 100}, "██████████"},
		{review.ByBand{Approved: 40, Rejected: 30, Unsure: 20, Pending: 10}, "████▓▓▓▒▒░"},
		{review.ByBand{Rejected: 1}, "▓"},
		{review.ByBand{Approved: 25, Pending: 25}, "███░░"},
		{review.ByBand{Approved: 99, Pending: 1}, "██████████"},
	} {
		var b strings.Builder
		n := x.s.stack(&b, &x.s.Ink, c.of, 100, 10)
		if got := ansi.Strip(b.String()); got != c.want || n != utf8.RuneCountInString(got) {
			t.Errorf("%+v: %q of %d, want %q", c.of, got, n, c.want)
		}
	}
}
