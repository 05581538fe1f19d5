package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

// readOnly is the screen of a database that can't be written to.
func readOnly(o *Options) { o.ReadOnly, o.Claims, o.State = true, nil, nil }

// TestAReadOnlyDatabaseIsShown checks what is said where nothing can be changed, and
// that nothing is.
func TestAReadOnlyDatabaseIsShown(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		x := start(t, sampleLibrary(), size[0], size[1], readOnly)
		if header := x.lines()[0]; !strings.Contains(header, "read-only") {
			t.Errorf("%d cells: %q", size[0], header)
		}
		for _, key := range strings.Fields("a r f x = u U n t space A R") {
			x.press(key)
			x.wants("the database is read-only: verdicts are off")
			x.press("j")
		}
		if x.app.writes.Open() {
			t.Error("something is written")
		}
	}
}

// TestNothingIsDraftedInAReadOnlyDatabase: what could never be kept is refused at the
// first key, on every screen that changes something.
func TestNothingIsDraftedInAReadOnlyDatabase(t *testing.T) {
	for screen, pressed := range map[string]string{"b": "s M J K t enter", "H": "u U"} {
		x := start(t, sampleLibrary(), 80, 24, readOnly, func(o *Options) { o.Editor, o.Journal = &fakeEditor{lib: sampleLibrary()}, sampleJournal() })
		x.press(screen)
		for _, key := range strings.Fields(pressed) {
			x.press(key)
			x.wants("the database is read-only")
			x.press("j")
		}
		if x.app.writes.Open() || x.app.field != nil {
			t.Errorf("%s: something is begun", screen)
		}
	}
}

func TestReadOnly80x24(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, readOnly)
	x.press("a")
	golden.RequireEqual(t, x.screen())
}
