package tui

import (
	"errors"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/tui/screen"
	"winnow/tui/screens/ledger/ledgertest"
)

func TestCopyInTheListIsTheSegmentsID(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24)
	x.press("j y")
	if want := x.app.List.Selected().ID; x.clipboard != want {
		t.Errorf("copied %q, want %q", x.clipboard, want)
	}
	x.wants("copied the id of “Docker compose for")
	x.press("/ y")
	if x.app.field == nil {
		t.Error("y does not type in a text field")
	}
}

// TestCopyInTheReaderIsTheMessageAsRecorded: with what the screen would clean.
func TestCopyInTheReaderIsTheMessageAsRecorded(t *testing.T) {
	lib := sampleLibrary()
	lib.messages = []chat.Message{
		{N: 1, Content: "red \x1b[31m and\ttab\r\n"},
		{N: 2, ToolCalls: []chat.ToolCall{{Name: "bash", Arguments: `{"command":"ls"}`}, {Name: "bash"}}, Reasoning: "hm"},
		{N: 3, Reasoning: "only thought"},
		{N: 4, Content: strings.Repeat("x", clipSure+1)},
		{N: 5, Content: strings.Repeat("x", screen.MostCopied+1)},
		{N: 6},
	}
	x := start(t, lib, 160, 24)
	x.press("tab")
	for n, want := range []struct{ text, said string }{
		{lib.messages[0].Content, "copied message 1, 19 characters"},
		{"bash {\"command\":\"ls\"}\nbash", "copied message 2, its calls, 26 characters"},
		{"only thought", "copied message 3, its thinking, 12 characters"},
		{lib.messages[3].Content, "74,995 characters: many terminals drop that much"},
		{"", "750,001 bytes, more than a terminal can copy: winnow show prints it"},
		{"", "nothing to copy here"},
	} {
		x.clipboard, x.pane.number = "", n+1
		x.press("y")
		if x.clipboard != want.text || !strings.Contains(x.app.Message.Text, want.said) {
			t.Errorf("message %d: copied %.30q, said %q", n+1, x.clipboard, x.app.Message.Text)
		}
	}
	lib.fail = map[string]error{"Messages": errors.New("disk on fire")}
	x.clipboard, x.pane.number = "", 1
	x.press("y")
	if x.clipboard != "" || !x.app.Message.Failed {
		t.Errorf("copied %q, said %q", x.clipboard, x.app.Message.Text)
	}
}

func TestCopyOnScreensIsWhatTheCursorIsOn(t *testing.T) {
	x := startLedger(t, ledgertest.Sample(), 120, 30)
	x.press("y")
	if path := ledgertest.Sample().All[0].Path; x.clipboard != path {
		t.Errorf("ledger: %q, want %q", x.clipboard, path)
	}
	x.press("q s y")
	x.wants("nothing to copy here")
}

func TestWindowTitle(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, func(o *Options) { o.Place = "~/x\x1b]0;pwn\x07\ny" })
	if got, want := x.app.View().WindowTitle, "winnow · ~/x␛]0;pwn␇ y · 3/11"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	x.press("a")
	if got := x.app.View().WindowTitle; !strings.HasSuffix(got, " · 4/11") {
		t.Errorf("after a verdict: %q", got)
	}
	x = start(t, &fakeLibrary{version: 1}, 80, 24, func(o *Options) { o.Place = strings.Repeat("/long", 100) })
	if got := x.app.View().WindowTitle; len(got) > 80 || !strings.HasPrefix(got, "winnow · …") {
		t.Errorf("%q", got)
	}
}
