package tui

import (
	"fmt"
	"strings"
	"testing"
)

// TestLongComparisonsScroll: what is compared moves line by line, page by page and to
// its ends, and stays within them.
func TestLongComparisonsScroll(t *testing.T) {
	edits := func() *harness {
		x, f := startEdit(t, 80, 24)
		var long strings.Builder
		for i := range 60 {
			fmt.Fprintf(&long, "line %02d.\n", i)
		}
		f.editor = func(string) (string, error) { return long.String(), nil }
		x.press("enter")
		return x
	}
	difference := func() *harness {
		x, f, _ := startVersions(t, 80, 24)
		f.long = 60
		x.press("enter")
		return x
	}
	for name, start := range map[string]func() *harness{"edit": edits, "versions": difference} {
		x := start()
		first := x.screen()
		for _, c := range []struct {
			keys  string
			moves bool
		}{{"k", false}, {"j", true}, {"j k", false}, {"ctrl+d", true}, {"ctrl+d ctrl+u", false}, {"pgdown pgup", false}, {"G", true}, {"G g", false}} {
			x.press(c.keys)
			if moved := string(x.screen()) != string(first); moved != c.moves {
				t.Errorf("%s, after %s: moved %v", name, c.keys, moved)
			}
			x.press("g")
		}
		if x.press("G"); !strings.Contains(string(x.screen()), "line 59.") {
			t.Errorf("%s: the end does not show\n%s", name, x.screen())
		}
	}
}
