package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/metric"
)

// analysed gives the first segment an analysis made when it began at message 3.
func analysed(lib *fakeLibrary) *metric.Analysis {
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
	s := &lib.segments[0]
	s.Score, s.TaskType, s.Analysis, s.Labeled = &score, "code", a.Encode(), true
	s.Start, s.End = 1, 6 // it has moved by two since
	return a
}

// TestReasons: the worst first, numbers as they are now, and enter goes to the
// message that a reason names; opened again, to the next one.
func TestReasons(t *testing.T) {
	lib := small(5)
	analysed(lib)
	x := start(t, lib, 80, 24)
	x.wants("0.62 code why: goal .25")
	x.press("i")
	x.wants("why 0.62 code", "judged by judge", "the last test at #6 still fails", "flags  loop", "0.25 goal", "×3", "#3 promises what #898")
	text := x.screen()
	if at := strings.Index(text, "0.25 goal"); at < 0 || at > strings.Index(text, "0.88 tool_success") || strings.Index(text, "0.88 tool_success") > strings.Index(text, "1.00 completion") {
		t.Errorf("not the worst first:\n%s", text)
	}
	if strings.Contains(text, "recovery") {
		t.Error("a metric that does not apply is shown")
	}
	shown := x.app.View().Content
	for _, bad := range []string{"\x1b[2J", "\x1b]0", "\u202e", "\a"} {
		if strings.Contains(shown, bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
	goes := func(keys, where string) {
		t.Helper()
		x.press(keys)
		if got := x.pane.calls[len(x.pane.calls)-1]; got != where || x.app.focus != onReader || x.app.reasons != nil {
			t.Errorf("%s: the reader was told to %s", keys, got)
		}
	}
	goes("enter", "show 3")
	goes("i enter", "show 5")
	goes("esc i j enter", "show 2")
	goes("i j tab enter", "show 4")
	x.press("esc j i")
	x.wants("not scored yet")
}

// TestWhyLeavesRoomForKeys: what a score is made of does not push the keys out.
func TestWhyLeavesRoomForKeys(t *testing.T) {
	lib := small(5)
	analysed(lib)
	x := start(t, lib, 120, 24)
	x.wants("0.62 code why: goal .25", "/ filter", "? keys")
	lib.segments[0].TaskType = "co\x1b[2Jde"
	x = start(t, lib, 120, 24)
	x.wants("0.62 co␛[2Jde why")
	x.press("i")
	x.wants("why 0.62 co␛[2Jde")
}

func TestReasonsFitEverywhere(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {60, 12}, {80, 24}, {120, 30}, {200, 60}} {
		lib := small(5)
		analysed(lib)
		x := start(t, lib, size[0], size[1])
		x.press("i")
		for range 6 {
			lines := x.lines()
			if len(lines) != size[1] {
				t.Fatalf("%v: %d lines", size, len(lines))
			}
			for _, line := range lines {
				if ansi.StringWidth(line) > size[0] {
					t.Fatalf("%v: %q is too wide", size, line)
				}
			}
			if r := x.app.reasons.current(); !strings.Contains(x.screen(), r.name) {
				t.Errorf("%v: %q is not in view", size, r.name)
			}
			x.press("j")
		}
	}
}

// TestReasonsTellWhatIsOutOfView, and show all of a summary where there is room.
func TestReasonsTellWhatIsOutOfView(t *testing.T) {
	lib := small(5)
	an := analysed(lib)
	an.Summary.Reason = strings.Repeat("long words of a judge ", 30) + "endoftext"
	lib.segments[0].Analysis = an.Encode()
	x := start(t, lib, 200, 60)
	x.press("i")
	x.wants("endoftext", "┌───", "───┘")
	for _, l := range x.lines()[1:10] {
		if !strings.HasPrefix(l, "│") && !strings.HasPrefix(l, "┌") {
			t.Errorf("something shows beside the box: %q", l)
		}
	}
	if strings.ContainsAny(x.screen(), "↑↓") {
		t.Errorf("something is out of view:\n%s", x.screen())
	}
	x.send(tea.WindowSizeMsg{Width: 40, Height: 10})
	if text := x.lines()[1]; !strings.Contains(text, "↓") || strings.Contains(text, "↑") {
		t.Errorf("at the top: %q", text)
	}
	x.press("G")
	if text := x.lines()[1]; !strings.Contains(text, "↑") || strings.Contains(text, "↓") {
		t.Errorf("at the end: %q", text)
	}
}

// TestUnfoldedReasonsLeadToTheirMessages: enter in the reader, on a score that
// is unfolded, opens the reasons.
func TestUnfoldedReasonsLeadToTheirMessages(t *testing.T) {
	lib := sampleLibrary()
	lib.messages = conversation()
	a := analysed(lib)
	lib.segments[0].Start, lib.segments[0].End = 1, 4
	a.Start = 1
	a.Metrics[metric.Goal].Reason = "see #4"
	lib.segments[0].Analysis = a.Encode()
	x := prepare(t, lib)
	x.app = New(x.options)
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: 120, Height: 30})
	x.press("tab enter esc tab")
	if x.app.reasons != nil {
		t.Fatal("a folded score leads somewhere")
	}
	x.press("z")
	x.wants("0.25 goal (weight 3): see #4", "enter: why this score")
	x.press("enter")
	if x.app.reasons == nil {
		t.Fatal("enter opens no reasons")
	}
	x.press("enter")
	if n := x.app.reader.Status().Number; x.app.reasons != nil || n != 4 {
		t.Errorf("at message %d", n)
	}
}
