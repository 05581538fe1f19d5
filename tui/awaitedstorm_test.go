package tui

import (
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/tui/screens/ledger/ledgertest"
	"winnow/tui/screens/record/recordtest"
)

// TestNoKeyWaitsForever: whatever is typed while answers are on their way, in
// whatever order they come, no key waits when all have come.
func TestNoKeyWaitsForever(t *testing.T) {
	typed := strings.Fields("b b L L H H p e i ? j j j k enter enter g G J K tab tab m s c M u esc esc esc pgdown ctrl+l a r z T")
	for seed := range uint64(60 / slower) {
		r := rand.New(rand.NewPCG(seed, 16))
		lib := mixedSession()
		x := start(t, lib, 100, 30, func(o *Options) {
			o.Editor, o.Journal, o.Ledger, o.Previewing = &fakeEditor{lib: lib, cuts: machineOfMixed}, sampleJournal(), ledgertest.Sample(), recordtest.SampleLibrary()
		})
		var keys []string
		for range 60 {
			x.hold = true
			for range 1 + r.IntN(6) {
				keys = append(keys, typed[r.IntN(len(typed))])
				x.press(keys[len(keys)-1])
				if x.app.field != nil {
					x.press("esc")
				}
			}
			for r.IntN(3) == 0 && len(x.held) > 0 { // some come, in any order
				i := r.IntN(len(x.held))
				cmd := x.held[i]
				x.held = append(x.held[:i:i], x.held[i+1:]...)
				x.hold = false
				x.run(cmd)
				x.hold = true
			}
			if x.quit {
				break
			}
			if r.IntN(2) == 0 {
				continue
			}
			x.release()
			if n := x.app.Waiting(); n > 0 && !x.quit {
				t.Fatalf("seed %d: %d keys wait after %s\n%s", seed, n, strings.Join(keys, " "), x.screen())
			}
		}
	}
}
