package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/tui/screens/ledger/ledgertest"
)

func TestKeysScreen200x60(t *testing.T) {
	x := start(t, sampleLibrary(), 200, 60)
	x.press("?")
	golden.RequireEqual(t, x.screen())
}

func TestKeysSearch80x24(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press("? /")
	x.write("next fail")
	golden.RequireEqual(t, x.screen())
}

// TestKeysAreLookedForByWords: what shows for some words, in keys, names and
// what they do.
func TestKeysAreLookedForByWords(t *testing.T) {
	for words, want := range map[string][2]string{ // what shows, and what does not
		"error exit":     {"next error or exit of a tool", "approve the segment"},
		"SPLIT":          {"split above the cursor", "approve the segment"},
		"U":              {"redo what was undone", "approve the segment"},
		"ctrl+g":         {"find text in the segment", "approve the segment"},
		"threshold-down": {"lower the score threshold", "0.05 higher"}, // a name
		"xyzzy":          {"no key matches", "approve"},
	} {
		x := start(t, sampleLibrary(), 80, 24)
		x.press("? /")
		x.write(words)
		x.wants(want[0])
		lacks(t, x, want[1])
		x.press("enter")
		x.wants(want[0], "keys with")
		x.press("esc")
		x.wants("To begin with")
		x.press("esc")
		lacks(t, x, "To begin with")
		if x.quit {
			t.Errorf("%q: two esc do more than close the screen", words)
		}
	}
}

func TestDroppedSearchShowsAllKeys(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press("? /")
	x.write("xyzzy")
	x.press("esc")
	x.wants("To begin with")
	x.press("/")
	x.write("split")
	x.press("ctrl+c")
	x.wants("split above the cursor")
}

// TestKeysOfThePlaceComeFirst: the screen of keys begins with those of the
// place it was opened from.
func TestKeysOfThePlaceComeFirst(t *testing.T) {
	for keys, want := range map[string]string{"": "To begin with", "s": "Sorting", "tab": "Reader"} {
		x := start(t, sampleLibrary(), 80, 24)
		x.press(keys + " ?")
		if got := x.lines()[1]; !strings.HasPrefix(got, " "+want) {
			t.Errorf("%q: begins with %q", keys, got)
		}
	}
	x := startLedger(t, ledgertest.Sample(), 80, 24)
	x.press("?")
	if got := x.lines()[1]; !strings.HasPrefix(got, " Ledger") {
		t.Errorf("begins with %q", got)
	}
}

// TestANewcomerFindsTheWayAround: at the smallest usual size, without
// scrolling.
func TestANewcomerFindsTheWayAround(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press("?")
	x.wants("next error or exit of a tool", "approve the segment", "undo your last verdict", "the boundaries of the session", "export approved segments")
}

// TestReaderKeysComeFirstInTheReader: with what its map means; an unknown capital says
// that it is none.
func TestReaderKeysComeFirstInTheReader(t *testing.T) {
	x := start(t, small(3), 120, 40)
	x.press("Q")
	x.wants("Q has no use here: ? shows the keys")
	x.press("tab ?")
	if got := x.lines()[1]; !strings.HasPrefix(got, " Reader") {
		t.Errorf("%q", got)
	}
	x.wants("is a map of the segment", "◆ hits", "To begin with")
}
