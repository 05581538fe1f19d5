package tui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/chat"
)

func sampleLibrary() *fakeLibrary {
	return &fakeLibrary{segments: sampleSegments(), version: 1, titles: map[string]string{"s9": "A session's own title"}}
}

func TestReviewScreen80x24(t *testing.T) {
	golden.RequireEqual(t, start(t, sampleLibrary(), 80, 24).screen())
}

func TestReviewScreen160x45(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 45)
	x.press("j j j j")
	golden.RequireEqual(t, x.screen())
}

func TestReviewScreenStyled(t *testing.T) {
	golden.RequireEqual(t, start(t, sampleLibrary(), 110, 16).app.View().Content)
}

func TestReviewScreenNoColor(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	golden.RequireEqual(t, x.uncoloured())
}

func TestReviewScreenASCII(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, func(o *Options) { o.ASCII = true })
	for _, r := range "●✓✗◐▌│⚠…–·▁█" {
		if strings.ContainsRune(x.screen(), r) {
			t.Errorf("%q on an ASCII screen", r)
		}
	}
	golden.RequireEqual(t, x.screen())
}

// conversation is what the reader shows in the drawing of the design.
func conversation() []chat.Message {
	log := "--- FAIL: TestParser (0.01s)\n    parser_test.go:41: concurrent map writes\n" + strings.Repeat("goroutine 7 [running]\n", 41) + "exit status 1"
	messages := []chat.Message{
		{Role: chat.User, Content: "The parser test fails one run in ten. Find out **why**."},
		{
			Role: chat.Assistant, Reasoning: strings.Repeat("Let me think about the map.\n", 38),
			ToolCalls: []chat.ToolCall{{ID: "c1", Name: "terminal", Arguments: `{"command":"go test -run Parser -count=20 ./…"}`}},
		},
		{Role: chat.Tool, ToolCallID: "c1", Name: "terminal", Content: log, IsError: true},
		{Role: chat.Assistant, Content: "The test shares a map between goroutines:\n\n- `cache` is written in `parse`\n- and read in `lookup`\n\n```go\nvar mu sync.Mutex\n```"},
	}
	for i := range messages {
		messages[i].N, messages[i].Timestamp = i+1, "2026-05-04T12:04:00Z"
	}
	return messages
}

func TestWholeScreen80x24(t *testing.T) {
	x := startWhole(t, 80, 24)
	x.press("enter")
	golden.RequireEqual(t, x.screen())
}

func TestWholeScreen160x45(t *testing.T) {
	golden.RequireEqual(t, startWhole(t, 160, 45).screen())
}

// startWhole starts a screen with the real reader.
func startWhole(t *testing.T, w, h int) *harness {
	t.Helper()
	return startWith(t, w, h)
}

func startWith(t *testing.T, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	lib := sampleLibrary()
	lib.messages = conversation()
	x := prepare(t, lib, with...)
	x.app = New(x.options)
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: w, Height: h})
	return x
}

func TestKeysScreen80x24(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press("?")
	golden.RequireEqual(t, x.screen())
}

func TestKeysScreenScrollsAndCloses(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press("? G")
	x.wants("Text field", "drop the text")
	x.press("g")
	x.wants("approve the segment")
	x.press("pgdown pgdown pgdown pgdown pgdown k")
	x.press("q")
	x.wants("Fix flaky parser test")
	if x.quit {
		t.Error("q on the screen of keys quit the program")
	}
}

func TestEmptyDatabaseSaysWhatToDo(t *testing.T) {
	x := start(t, &fakeLibrary{version: 1}, 80, 24)
	x.wants("Nothing here yet", "winnow PATH", "winnow demo")
	x.press("a r f x u U n N o s tab enter esc j k g G + - z ?")
	if x.quit {
		t.Error("quit")
	}
}

func TestTooSmallSaysWhichSizeIsWanted(t *testing.T) {
	x := start(t, sampleLibrary(), 39, 24)
	x.wants("winnow needs 40×10", "this is 39×24")
	x.press("a")
	if len(x.lib.journal) > 0 {
		t.Error("a segment was judged that nobody could see")
	}
	x.press("q")
	if !x.quit {
		t.Error("q does not quit")
	}
}

func TestHostileTextIsHarmless(t *testing.T) {
	lib := sampleLibrary()
	lib.segments[0].Note = "note \x1b]52;c;aGk=\x07\u202e\x00"
	lib.titles["s6"] = "\x1b[2J\x9b2Jtitle"
	x := start(t, lib, 160, 45, func(o *Options) { o.Place = "~/x\x1b]0;pwn\x07\ny" })
	x.press("n")
	check := func() {
		t.Helper()
		for _, r := range x.screen() {
			if r != '\n' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("%U reached the screen:\n%q", r, x.screen())
			}
		}
		for _, bad := range []string{"\x1b]", "\x1b[2J"} {
			if strings.Contains(x.app.View().Content, bad) {
				t.Errorf("%q reached the terminal", bad)
			}
		}
	}
	check()
	x.send(tea.PasteMsg{Content: "\x1b]0;x\x07\u202eabc\ndef"})
	check()
	x.press("enter")
	check()
}

// checkSize fails unless the screen is at most w by h.
func checkSize(t *testing.T, x *harness, w, h int) {
	t.Helper()
	lines := strings.Split(x.app.View().Content, "\n")
	if len(lines) > h && h > 0 {
		t.Fatalf("%d×%d: %d lines", w, h, len(lines))
	}
	for _, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Fatalf("%d×%d: a line of %d cells: %q", w, h, n, ansi.Strip(l))
		}
	}
}

func TestAnySizeNeverOverflows(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	random := rand.New(rand.NewPCG(1, 2))
	keys := strings.Fields("? esc tab enter n ctrl+g + - j G g pgdown N T")
	for range 300 {
		w, h := 1+random.IntN(220), 1+random.IntN(70)
		if random.IntN(3) == 0 {
			w, h = 1+random.IntN(50), 1+random.IntN(14)
		}
		x.send(tea.WindowSizeMsg{Width: w, Height: h})
		checkSize(t, x, w, h)
		x.press(keys[random.IntN(len(keys))])
		checkSize(t, x, w, h)
	}
}

func TestFullSizeScreensFillTheTerminal(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {109, 30}, {110, 30}, {160, 45}, {300, 90}} {
		x := start(t, sampleLibrary(), size[0], size[1])
		if n := len(x.lines()); n != size[1] {
			t.Errorf("%v: %d lines", size, n)
		}
		for i, l := range x.lines() {
			if n := ansi.StringWidth(l); n > size[0] || n < size[0]-1 && i > 0 && i < size[1]-1 && size[0] < 110 {
				t.Errorf("%v: line %d has %d cells: %q", size, i, n, l)
			}
		}
	}
}

func TestVerdictFilterIsShown(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, func(o *Options) { o.Filter = "status:approved,unsure" })
	x.wants("2 of 11  approved+unsure")
	if len(x.app.List.Rows) != 2 {
		t.Errorf("%d rows", len(x.app.List.Rows))
	}
}
