package tui

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
)

// startStatistics starts a screen and opens the statistics.
func startStatistics(t *testing.T, f *fakeStatistics, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	x := start(t, sampleLibrary(), w, h, append([]func(*Options){func(o *Options) {
		o.Statistics, o.Thresholds = f, metric.DefaultThresholds()
	}}, with...)...)
	x.press("S")
	return x
}

func TestStatisticsScreen80x24(t *testing.T) {
	golden.RequireEqual(t, startStatistics(t, sampleStatistics(), 80, 24).screen())
}

func TestStatisticsScreen120x36(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 120, 36)
	x.press("G")
	golden.RequireEqual(t, x.screen())
}

func TestStatisticsScreen200x60(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 200, 60)
	x.press("j j j")
	golden.RequireEqual(t, x.screen())
}

func TestStatisticsScreen40x10(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 40, 10)
	x.press("j j")
	golden.RequireEqual(t, x.screen())
}

func TestStatisticsScreenASCII(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 160, 45, func(o *Options) { o.ASCII = true })
	for range 40 {
		x.wantsASCII()
		x.press("j")
	}
	x.press("g")
	golden.RequireEqual(t, x.screen())
}

func TestStatisticsScreenNoColor(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 80, 24)
	golden.RequireEqual(t, x.uncoloured())
}

func TestStatisticsScreenLight(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 80, 12, func(o *Options) { o.Theme = "light" })
	x.press("j j")
	golden.RequireEqual(t, x.app.View().Content)
}

// goTo moves the cursor to a row of a table.
func (x *harness) goTo(table, row string) {
	x.t.Helper()
	s := x.app.statistics
	for s.cur = 0; ; s.cur++ {
		sec, r := s.selected()
		if r == nil {
			break
		}
		if sec.title == table && strings.HasPrefix(r.name, row) {
			return
		}
	}
	s.cur = 0
	x.t.Fatalf("no row %q in %q:\n%s", row, table, x.screen())
}

func TestLongTablesOfStatisticsUnfold(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 100, 70)
	x.wants("tool_11", "… 15 more")
	x.goTo("Tools", "…")
	x.press("enter")
	x.wants("tool_12", "tool_26", "fold")
	if _, r := x.app.statistics.selected(); r.name != "tool_12" {
		t.Errorf("the cursor is on %q", r.name)
	}
	x.press("ctrl+l")
	x.wants("tool_26") // also of what came anew
	x.goTo("Tools", "fold")
	x.press("enter")
	x.wants("… 15 more")
	if strings.Contains(x.screen(), "tool_12") {
		t.Error("the table did not fold")
	}
	f := sampleStatistics()
	for i := range 100_000 {
		f.st.Tools = append(f.st.Tools, review.ToolUse{Name: strings.Repeat("x", i%1000), Calls: 1})
	}
	x = startStatistics(t, f, 100, 40)
	x.goTo("Tools", "…")
	x.press("enter")
	x.press("j")
	if n := len(x.app.statistics.layout.places); n > mostStatRows+100 {
		t.Errorf("%d rows are laid out", n)
	}
	x.goTo("Tools", "winnow stats --json lists 99,027 more")
}

func TestStatisticsFollowTheFilter(t *testing.T) {
	f := sampleStatistics()
	x := startStatistics(t, f, 120, 40, func(o *Options) { o.Filter = "type:code" })
	x.wants("statistics", "code")
	x.press("S ] S") // a threshold
	if want := []string{"type:code", "type:code score>=0.7"}; !slices.Equal(f.asked, want) {
		t.Errorf("asked for %q, want %q", f.asked, want)
	}
	x.wants("code·score≥0.70")
}

func TestStatisticsAreReadAgainWhenAsked(t *testing.T) {
	f := sampleStatistics()
	x := startStatistics(t, f, 120, 60)
	x.goTo("Types of task", "data")
	x.lib.change(func(*fakeLibrary) {})
	x.tick()
	x.wants("changed since: ctrl+l")
	if len(f.asked) != 1 {
		t.Errorf("asked %d times", len(f.asked))
	}
	f.st.Types[0], f.st.Types[1] = f.st.Types[1], f.st.Types[0]
	f.st.Types = append([]review.Group{{Name: "ops", Segments: 7000}}, f.st.Types...)
	x.press("ctrl+l")
	if _, r := x.app.statistics.selected(); r.name != "data" || len(f.asked) != 2 {
		t.Errorf("asked %d times, on %q", len(f.asked), r.name)
	}
	if strings.Contains(x.screen(), "changed since") {
		t.Error("what was just read counts as old")
	}
	x.lib.change(func(*fakeLibrary) {})
	x.tick()
	x.wants("changed since: ctrl+l")
	f.fail = errors.New("disk I/O error\x1b[2J")
	x.press("ctrl+l")
	x.wants("statistics: disk I/O error␛[2J", "ops") // what was there stays
	x.press("S S")
	x.wants("The segments could not be counted.", "ctrl+l tries again")
	f.fail = nil
	x.press("enter ctrl+l")
	x.wants("ops")
}

// A late answer belongs to a question: it never lands on another screen.
func TestStatisticsDropAnswersNobodyWaitsFor(t *testing.T) {
	f := sampleStatistics()
	x := start(t, sampleLibrary(), 80, 24, func(o *Options) { o.Statistics = f })
	x.hold = true
	x.press("S")
	x.wants("counting 11 segments")
	x.press("enter")
	x.wants("counting")
	x.press("j k g G pgup pgdown ctrl+d ctrl+u tab")
	late := x.held
	x.held = nil
	x.press("S")
	if x.app.statistics != nil {
		t.Fatal("still open")
	}
	x.press("S S S")
	x.hold = false
	for _, c := range late {
		x.run(c)
	}
	if s := x.app.statistics; s.came || f.cancelled != 1 {
		t.Errorf("the answer to another screen landed: %v, cancelled %d", s.came, f.cancelled)
	}
	x.press("ctrl+l")
	f.st.Segments = 777
	f.st.ByVerdict = map[review.Verdict]int{}
	x.press("ctrl+l G g")
	x.release() // the older one, too
	if x.app.statistics.st.Segments != 777 {
		t.Error("an older answer took the place of a newer one")
	}
	x.hold = true
	x.press("S S q")
	x.release()
	if x.app.statistics != nil {
		t.Error("the screen came back")
	}
	x.wants("Fix flaky parser test")
	if x.quit {
		t.Error("quit")
	}
}

func TestStatisticsOfNothing(t *testing.T) {
	x := startStatistics(t, &fakeStatistics{}, 80, 24)
	x.wants("Nothing here yet.")
	x.press("enter")
	x.wants("there is nothing to show")
	x.press("tab j k g G pgup pgdown ctrl+d ctrl+u ? q T")
	x = startStatistics(t, &fakeStatistics{}, 40, 10, func(o *Options) { o.Filter = "score>=0.99" })
	x.wants("No segment passes the filter.", "score≥0.99")
	x = start(t, sampleLibrary(), 80, 24)
	x.press("S")
	x.wants("there are no statistics here")
	f := sampleStatistics()
	f.st.Scored, f.st.Histogram, f.st.Bands, f.st.ScoreSum = 0, [20]int{}, [20]review.ByBand{}, 0
	x = startStatistics(t, f, 80, 24)
	x.wants("no segment has a score yet", "Types of task")
	x.press("enter")
	if !strings.Contains(x.footer(), "no segment has a score yet") {
		t.Errorf("the footer says %q", x.footer())
	}
	f = sampleStatistics()
	f.st.Suggested = review.Suggestion{MissingApproved: 3}
	x = startStatistics(t, f, 80, 24)
	x.wants("it takes 3 more approved segments")
	x.press("enter")
	if x.app.statistics == nil {
		t.Error("a threshold that there is not was set")
	}
}

func TestStatisticsGoBackToWhereTheyWereOpened(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 160, 45)
	x.press("esc")
	x.wants("Fix flaky parser test")
	x.press("tab S")
	x.wants("Scores", "enter show")
	x.press("? ")
	if !strings.HasPrefix(x.lines()[1], " Statistics") {
		t.Errorf("the keys begin with %q", x.lines()[1])
	}
	x.press("q")
	x.wants("Scores")
	x.press("q")
	if x.app.focus != onReader || x.quit {
		t.Error("the way back from the statistics ends elsewhere")
	}
	x.press("a")
	if len(x.lib.journal) != 1 {
		t.Error("verdicts do not work behind the statistics")
	}
	x.press("S a r x A")
	if len(x.lib.journal) != 1 {
		t.Error("a segment was judged that nobody could see")
	}
}

// TestStatisticsMoveThroughBothColumns: every row is met on the way down and
// up, in sight.
func TestStatisticsMoveThroughBothColumns(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {139, 20}, {140, 20}, {200, 60}} {
		x := startStatistics(t, sampleStatistics(), size[0], size[1])
		s := x.app.statistics
		inSight := func() {
			t.Helper()
			lines := x.lines()
			_, r := s.selected()
			text := draw.Cut(strings.TrimSpace(wrapStat(r.name, s.layout.column)[0]), 12, "")
			p := s.layout.places[s.cur]
			if p.line < s.top || p.line+p.height > s.top+x.app.bodyHeight() || !strings.Contains(lines[1+p.line-s.top], text) {
				t.Fatalf("%v: %q is not in sight:\n%s", size, r.name, x.screen())
			}
		}
		all := 0
		for _, sec := range s.sections {
			all += len(sec.rows)
		}
		inSight()
		for range all - 1 {
			at := s.cur
			x.press("j")
			if s.cur != at+1 {
				t.Fatalf("from %d to %d of %d", at, s.cur, all)
			}
			inSight()
		}
		for _, way := range []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"} {
			for range 40 {
				x.press(way)
				inSight()
			}
			if want := map[bool]int{true: all - 1}[strings.HasSuffix(way, "n") || strings.HasSuffix(way, "d")]; s.cur != want {
				t.Errorf("%v: %s leads to %d of %d", size, way, s.cur, all)
			}
		}
		x.press("g")
		inSight()
		if s.top != 0 {
			t.Errorf("%v: the start is at line %d", size, s.top)
		}
		x.press("tab")
		inSight()
		if c := s.layout.places[s.cur].column; (c == 1) != (size[0] >= twoStatColumns) {
			t.Errorf("%v: tab leads to column %d", size, c)
		}
	}
}

func TestStatisticsNeverOverflowAndAreHarmless(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 80, 24)
	random := rand.New(rand.NewPCG(3, 4))
	keys := strings.Fields("S S S tab j j k g G pgdown pgup ctrl+d ctrl+u ? T ctrl+l")
	for range 400 {
		w, h := 1+random.IntN(220), 1+random.IntN(70)
		if random.IntN(3) == 0 {
			w, h = 38+random.IntN(50), 8+random.IntN(14)
		}
		x.send(tea.WindowSizeMsg{Width: w, Height: h})
		checkSize(t, x, w, h)
		x.press(keys[random.IntN(len(keys))])
		checkSize(t, x, w, h)
		for _, r := range x.screen() {
			if r != '\n' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e {
				t.Fatalf("%U reached the screen:\n%q", r, x.screen())
			}
		}
	}
}

func TestBarsOfStatisticsAreAsLongAsTheirNumbers(t *testing.T) {
	x := startStatistics(t, sampleStatistics(), 80, 24)
	for _, c := range []struct {
		of   review.ByBand
		want string
	}{
		{review.ByBand{}, ""},
		{review.ByBand{Approved: 100}, "✓✓✓✓✓✓✓✓✓✓"},
		{review.ByBand{Approved: 40, Rejected: 30, Unsure: 20, Pending: 10}, "✓✓✓✓✗✗✗◐◐●"},
		{review.ByBand{Rejected: 1}, "✗"},
		{review.ByBand{Approved: 25, Pending: 25}, "✓✓✓●●"},
		{review.ByBand{Approved: 99, Pending: 1}, "✓✓✓✓✓✓✓✓✓✓"},
	} {
		var b strings.Builder
		n := x.app.stack(&b, &x.app.Ink, c.of, 100, 10)
		if got := ansi.Strip(b.String()); got != c.want || n != utf8.RuneCountInString(got) {
			t.Errorf("%+v: %q of %d, want %q", c.of, got, n, c.want)
		}
	}
}

// TestStatisticsWaitForVerdicts: what was just judged is counted.
func TestStatisticsWaitForVerdicts(t *testing.T) {
	f := sampleStatistics()
	x := start(t, sampleLibrary(), 80, 24, func(o *Options) { o.Statistics = f })
	x.hold = true
	x.press("a S")
	held := x.held
	x.held = nil
	x.hold = false
	if len(f.asked) > 0 || x.app.statistics == nil || !x.app.statistics.want {
		t.Fatal("asked before the verdict was written")
	}
	x.wants("counting")
	for _, c := range held {
		x.run(c)
	}
	if len(f.asked) != 1 {
		t.Errorf("asked %d times", len(f.asked))
	}
	x.tick() // sees one's own verdict
	if x.wants("Scores"); strings.Contains(x.screen(), "changed since") {
		t.Error("one's own verdict, which is counted, makes it old")
	}
}
