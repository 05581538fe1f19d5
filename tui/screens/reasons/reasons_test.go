package reasons

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/learn"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
)

// program knows where the box led.
type program struct {
	beside int
	read   []int
}

func (p *program) Beside() int          { return p.beside }
func (p *program) Read(_ string, n int) { p.read = append(p.read, n) }

// judged is a segment, and an analysis that was made when it began at message 3.
func judged() (*review.Segment, *metric.Analysis) {
	score := 0.62
	a := &metric.Analysis{
		Version: metric.Version, Scorer: metric.Judged, Model: "judge\x1b[31m-1", Start: 3,
		Summary: metric.Summary{OverallScore: &score, TaskType: metric.Code, Reason: "A parser was to be mended; the last test at #8 still fails."},
		Metrics: map[string]*metric.Value{
			metric.ToolSuccess: {Score: 0.88, Weight: 2, Reason: "15 of 17 tool results succeeded; failed: #4 and #6"},
			metric.Completion:  {Score: 1, Weight: 3, Reason: "ends with an answer at #8"},
			metric.Recovery:    nil,
			metric.Goal:        {Score: 0.25, Weight: 3, Reason: "#5 promises what #900 does not keep " + strings.Repeat("at all ", 30) + "#7"},
			"\x1b]0;own\a":     {Score: 0.5, Weight: 1, Reason: "hostile \x1b[2J\u202e#4"},
		},
		Flags: []metric.Flag{metric.Loop, "\x1b[2Jflag"},
	}
	return &review.Segment{ID: "s", Score: &score, TaskType: "code", Start: 1, End: 6}, a
}

// opener opens the box again and again.
func opener(t *testing.T, p *program, w, h int) func() *screentest.Run {
	s, a := judged()
	at := &Cursor{}
	return func() *screentest.Run {
		return screentest.Start(t, w, h, Rows(), func(seat screen.Seat) *Screen { return New(seat, p, nil, s, a, at) })
	}
}

// TestReasons: the worst first, and numbers as they are now.
func TestReasons(t *testing.T) {
	x := opener(t, &program{}, 80, 22)()
	x.Wants("why 0.62 code", "judged by judge", "the last test at #6 still fails", "flags  loop", "0.25 goal", "×3", "#3 promises what #898")
	text := x.Screen()
	if at := strings.Index(text, "0.25 goal"); at < 0 || at > strings.Index(text, "0.88 tool_success") || strings.Index(text, "0.88 tool_success") > strings.Index(text, "1.00 completion") {
		t.Errorf("not the worst first:\n%s", text)
	}
	if strings.Contains(text, "recovery") {
		t.Error("a metric that does not apply is shown")
	}
	shown := strings.Join(x.Layer.(*Screen).Box(21), "\n")
	for _, bad := range []string{"\x1b[2J", "\x1b]0", "\u202e", "\a"} {
		if strings.Contains(shown, bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
}

// TestMessages: enter goes to the message that is chosen, and opened again the
// next one is.
func TestMessages(t *testing.T) {
	p := &program{}
	open := opener(t, p, 80, 22)
	for _, c := range []struct {
		keys string
		want int
	}{{"enter", 3}, {"enter", 5}, {"j enter", 2}, {"j tab enter", 4}, {"k j shift+tab enter", 4}} {
		x := open()
		x.Press(c.keys)
		if !x.Left || !slices.Equal(p.read, []int{c.want}) {
			t.Errorf("%s: goes to %d, left %t", c.keys, p.read, x.Left)
		}
		p.read = nil
	}
	s, a := judged()
	a.Metrics = nil
	x := screentest.Start(t, 80, 22, Rows(), func(seat screen.Seat) *Screen { return New(seat, p, nil, s, a, &Cursor{}) })
	x.Press("j enter")
	x.Wants("no metric applies", "this reason names no message")
}

func TestFitsEverywhere(t *testing.T) {
	for _, size := range [][2]int{{40, 8}, {60, 10}, {80, 22}, {120, 28}, {200, 58}} {
		x := opener(t, &program{}, size[0], size[1])()
		for range 6 {
			if lines := x.Lines(); len(lines) >= size[1] || slices.ContainsFunc(lines, func(l string) bool { return ansi.StringWidth(l) > min(size[0], boxWidth) }) {
				t.Fatalf("%v: too large\n%s", size, x.Screen())
			}
			x.Wants(x.Layer.(*Screen).current().Metric)
			x.Press("j")
		}
	}
}

// TestBeside: the box leaves the reader where it has room for that.
func TestBeside(t *testing.T) {
	for beside, want := range map[int]int{0: 100, 59: 100, 60: 60, 120: 100} {
		x := opener(t, &program{beside: beside}, 200, 58)()
		if got := ansi.StringWidth(x.Lines()[0]); got != want {
			t.Errorf("%d cells beside the reader: the box has %d, want %d", beside, got, want)
		}
	}
}

// TestTellsWhatIsOutOfView, and shows all of a summary where there is room.
func TestTellsWhatIsOutOfView(t *testing.T) {
	s, a := judged()
	a.Summary.Reason = strings.Repeat("long words of a judge ", 30) + "endoftext"
	x := screentest.Start(t, 200, 58, Rows(), func(seat screen.Seat) *Screen { return New(seat, &program{}, nil, s, a, &Cursor{}) })
	x.Wants("endoftext", "┌───", "───┘")
	if strings.ContainsAny(x.Screen(), "↑↓") {
		t.Errorf("something is out of view:\n%s", x.Screen())
	}
	x.Frame = screen.Frame{Width: 40, Height: 8}
	x.Press("g")
	if text := x.Lines()[0]; !strings.Contains(text, "↓") || strings.Contains(text, "↑") {
		t.Errorf("at the top: %q", text)
	}
	x.Press("G")
	if text := x.Lines()[0]; !strings.Contains(text, "↑") || strings.Contains(text, "↓") {
		t.Errorf("at the end: %q", text)
	}
	x.Frame.Height = 10
	x.Press("k k") // up in the box, which stays where it is
	before := x.Lines()
	x.Layer.(*Screen).Box(58)
	if !slices.Equal(x.Lines(), before) {
		t.Errorf("drawing changed what is shown:\n%s", x.Screen())
	}
}

// likely says of every segment the same.
type likely struct{ learn.Reasons }

func (l likely) WhyLikely(context.Context, string) (learn.Reasons, bool, error) {
	return l.Reasons, l.Likely > 0, nil
}

// TestLikely: how likely it would be approved stands there with why, as soon as that is
// known, and nothing of it if nothing is.
func TestLikely(t *testing.T) {
	s, a := judged()
	start := func(l Likely) *screentest.Run {
		return screentest.Start(t, 80, 22, Rows(), func(seat screen.Seat) *Screen { return New(seat, &program{}, l, s, a, &Cursor{}) })
	}
	x := start(likely{learn.Reasons{Likely: .82, For: []string{"short"}, Against: []string{"calls \x1b[2Jx\u202e"}}})
	x.Wants("likely .82: short; against: calls ")
	for _, bad := range []string{"\x1b[2J", "\u202e"} {
		if strings.Contains(x.Screen(), bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
	if x := start(likely{}); strings.Contains(x.Screen(), "likely") {
		t.Errorf("nothing is known:\n%s", x.Screen())
	}
}
