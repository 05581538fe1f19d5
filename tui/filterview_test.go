package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/tui/draw"
	room "winnow/tui/review"
)

func TestFilterLine80x24(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.typed("score>=0.8 st")
	golden.RequireEqual(t, x.screen())
}

func TestFilterLine160x45(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 45)
	x.typed("score>=0.8 type:")
	x.press("tab tab")
	golden.RequireEqual(t, x.screen())
}

func TestFilterLineError80x24(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.typed("score>=0.8 scroe:3")
	golden.RequireEqual(t, x.screen())
}

func TestFilterLineASCII(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, func(o *Options) { o.ASCII = true })
	x.typed("score>=0.8 -type:o")
	for _, r := range "●✓✗◐▌│⚠…–·▁█≥▲→" {
		if strings.ContainsRune(x.screen(), r) {
			t.Errorf("%q on an ASCII screen", r)
		}
	}
	golden.RequireEqual(t, x.screen())
}

func TestFilterLineOnTheSmallestScreen(t *testing.T) {
	x := start(t, sampleLibrary(), 40, 10)
	x.typed("score>=0.7 t")
	golden.RequireEqual(t, x.screen())
}

func TestFilterLineNoColor(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 16)
	x.typed("type:")
	x.press("tab tab")
	shown := x.uncoloured()
	if !strings.Contains(ansi.Strip(string(shown)), "│▌data ") {
		t.Error("what is chosen is told by colour only")
	}
	golden.RequireEqual(t, shown)
}

func TestFilteredScreen160x45(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 45)
	x.typed("status:pending score>=0.7")
	x.press("enter")
	golden.RequireEqual(t, x.screen())
}

func TestErrorsStandUnderTheirColumn(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.typed("status:pending")
	rows := x.ids()
	x.write(" scroe:3")
	x.pause()
	lines := x.lines()
	field, caret, hint := lines[21], lines[22], lines[23]
	if at := strings.Index(caret, "^"); at != strings.Index(field, "scroe") {
		t.Errorf("%q\n%q", field, caret)
	}
	if !strings.Contains(caret, `"scroe"`) || !strings.Contains(hint, "score") {
		t.Errorf("%q\n%q", caret, hint)
	}
	if x.ids() != rows {
		t.Error("an error changed the list")
	}
	x.press("enter")
	if x.app.field == nil {
		t.Error("a filter with an error was kept")
	}
	x.press("backspace")
	if strings.Contains(x.lines()[22], "^") {
		t.Error("the error stands there while another text is typed")
	}
	x.typed("标题 检查 说明 scroe:3") // two cells each
	if got := x.lines()[22]; strings.Index(got, "^") != len(" filter ")+15 {
		t.Errorf("%q", got)
	}
	for _, w := range []int{40, 60, 200} {
		x.send(tea.WindowSizeMsg{Width: w, Height: 12})
		checkSize(t, x, w, 12)
		if !strings.Contains(x.screen(), "^") {
			t.Errorf("%d cells: no caret", w)
		}
	}
}

func TestLineOfAnyTextAndSizeIsDrawn(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press("/")
	for i, text := range []string{"x", strings.Repeat("长", 90), strings.Repeat("a:b ", 40), `"`, "((((", "score>=", "metric.", "👩‍👩‍👧 e\u0301"} {
		x.press("ctrl+u")
		x.send(tea.PasteMsg{Content: text + "\x1b[2J\n\u202e"})
		x.pause()
		for _, w := range []int{1, 39, 40, 41, 80, 111, 200} {
			for _, key := range []string{"tab", "home", "end", "shift+tab"} {
				x.press(key)
				x.send(tea.WindowSizeMsg{Width: w, Height: 10 + i})
				checkSize(t, x, w, 10+i)
				if n := len(x.lines()); w >= room.MinWidth && n != 10+i {
					t.Fatalf("%d×%d: %d lines", w, 10+i, n)
				}
			}
		}
		x.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	}
}

// TestTypingCostsNoMoreWithMoreRows: a frame is made of what shows.
func TestTypingCostsNoMoreWithMoreRows(t *testing.T) {
	cost := func(rows int) float64 {
		x := startVast(t.Fatal, rows)
		x.send(keyOf("/"))
		return testing.AllocsPerRun(3, func() {
			x.send(keyOf("ctrl+u"))
			framesOf(x, `tag:a score>=0.75 "conn`)
		})
	}
	if few, many := cost(2_000), cost(200_000/slower); many > few*1.05 {
		t.Errorf("%.0f allocations at many rows, %.0f at 2,000", many, few)
	}
}

// TestBoxesLeaveWhatIsBesideThem: whatever lies under a box, short lines and
// wide characters too, what is right of it stays in its column.
func TestBoxesLeaveWhatIsBesideThem(t *testing.T) {
	lines := []string{"ab", "abcdefghij|", "\x1b[31m标题检查|\x1b[m", "a标题检查|", "", "标题检"}
	draw.Over(lines, []string{"[--]", "[--]", "[--]", "[--]", "[--]", "[--]"}, 0, 2)
	for i, want := range []string{"ab[--]", "ab[--]ghij|", "标[--]查|", "a [--] 查|", "  [--]", "标[--]"} {
		if got := ansi.Strip(lines[i]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	lib := small(9)
	x := start(t, lib, 160, 24)
	x.press("s")
	for i, l := range x.lines()[1:9] {
		if at := strings.LastIndex(l, "│"); ansi.StringWidth(l[:at]) != x.app.ListWidth() {
			t.Errorf("line %d: %q", i, l)
		}
	}
}
