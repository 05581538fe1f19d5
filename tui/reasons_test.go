package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/metric"
	room "winnow/tui/review"
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

// TestReasonsLeadToTheirMessages: enter goes to the message that a reason names;
// opened again, to the next one.
func TestReasonsLeadToTheirMessages(t *testing.T) {
	lib := small(5)
	analysed(lib)
	x := start(t, lib, 80, 24)
	x.wants("0.62 code · why: goal 0.25")
	goes := func(keys, where string) {
		t.Helper()
		x.press(keys)
		if got := x.pane.calls[len(x.pane.calls)-1]; got != where || x.app.Focus != room.OnReader || strings.Contains(x.screen(), "judged by") {
			t.Errorf("%s: the reader was told to %s", keys, got)
		}
	}
	goes("i enter", "show 3")
	goes("i enter", "show 5")
	x.press("esc i")
	shown := x.app.View().Content
	for _, bad := range []string{"\x1b[2J", "\x1b]0", "\u202e", "\a"} {
		if strings.Contains(shown, bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
	goes("j enter", "show 2")
	x.press("esc j i")
	x.wants("not scored yet")
}

// TestNoReasonsToRead: an analysis that can't be read opens no box.
func TestNoReasonsToRead(t *testing.T) {
	lib := small(5)
	analysed(lib)
	lib.segments[0].Analysis = "{"
	x := start(t, lib, 120, 24)
	x.press("i")
	x.wants("score the segment again")
	if x.press("j"); x.selected() != "00000001" {
		t.Errorf("j goes to %s:\n%s", x.selected(), x.screen())
	}
}

// TestWhyLeavesRoomForKeys: what a score is made of does not push the keys out.
func TestWhyLeavesRoomForKeys(t *testing.T) {
	lib := small(5)
	analysed(lib)
	x := start(t, lib, 120, 24)
	x.wants("why: goal 0.25 · ", "/ filter", "? keys")
	lib.segments[0].TaskType = "co\x1b[2Jde"
	x = start(t, lib, 80, 24)
	x.wants("0.62 co␛[2Jde · why: goal 0.25")
	x.press("i")
	x.wants("why 0.62 co␛[2Jde")
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
	if strings.Contains(x.screen(), "why 0.62") {
		t.Fatal("a folded score leads somewhere")
	}
	x.press("z")
	x.wants("0.25 goal (weight 3): see #4", "enter: why this score")
	x.press("enter")
	x.wants("why 0.62 code")
	x.press("enter")
	if n := x.app.Reader.Status().Number; strings.Contains(x.screen(), "why 0.62") || n != 4 {
		t.Errorf("at message %d", n)
	}
}
