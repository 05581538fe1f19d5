package tui

import "testing"

// TestLeavingIsNeverLost: ctrl+c ends the program once the verdicts before it
// are written, whatever waits meanwhile.
func TestLeavingIsNeverLost(t *testing.T) {
	importRuns := func(x *harness) { x.app.work.Import.Running, x.app.work.Import.Name = true, "import" }
	for name, c := range map[string]struct {
		segments int
		press    func(x *harness)
	}{
		"keys after it lead to rows that have to be read": {2000, func(x *harness) {
			x.press("a G k k")
			x.hold = true
			x.press("r ctrl+c u u j")
			x.release()
		}},
		"keys wait for what an import brings": {1, func(x *harness) {
			importRuns(x)
			x.press("a r f ctrl+c")
		}},
		"the next segment is looked for while an import runs": {1, func(x *harness) {
			importRuns(x)
			x.hold = true
			x.press("a r ctrl+c")
			x.release()
		}},
	} {
		x := start(t, small(c.segments), 100, 24)
		c.press(x)
		if !x.quit {
			t.Errorf("%s: the program goes on\n%s", name, x.screen())
		}
	}
}
