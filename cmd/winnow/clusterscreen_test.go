package main

import (
	"fmt"
	"strings"
	"testing"
)

// A row that stands for several still does when its cluster was opened and
// closed, in whichever way, and when one goes back to it.
func TestClustersOpenAndCloseOnTheScreen(t *testing.T) {
	words := func(of string) string {
		var b strings.Builder
		for i := range 60 {
			fmt.Fprintf(&b, "%sword%d ", of, i)
		}
		return b.String()
	}
	b := talksBench(t, "first of all: "+words("alone"), words("alike")+"one", words("alike")+"two", "last: "+words("other"))
	b.ok("similar")
	b.drive(func(d *driven) {
		d.press("s n")
		d.rest()
		for _, at := range []string{"g", "g j", "g j j"} {
			for _, keys := range []string{"z z", "Z Z", ": c l u s t e r s enter : c l u s t e r s enter", "a u", "ctrl+l"} {
				d.press(at)
				if at != "g j" && keys == "z z" {
					continue // nothing is like it
				}
				d.press(keys)
				d.rest()
				if got := strings.Count(d.screen(), "≈2"); got != 1 {
					t.Fatalf("%s, %s: %d rows stand for two\n%s", at, keys, got, d.screen())
				}
			}
		}
		d.press("g j z")
		d.wants("└")
	})
}
