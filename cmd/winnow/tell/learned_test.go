package tell

import (
	"strings"
	"testing"

	"winnow/cmd/winnow/print"
	"winnow/core/learn"
)

// TestLearnedIsHarmless: who learned, and why nothing can be learned, stand in the
// database, which anybody may have written.
func TestLearnedIsHarmless(t *testing.T) {
	for _, nothing := range []string{"", "no\x1b]0;x\a"} {
		var b strings.Builder
		o := print.New(&b, false, 0)
		PrintLearned(o, &learn.Learned{Whose: "ann\x1b[2J\u202e", Model: learn.Model{Version: learn.Version, Nothing: nothing}})
		if err := o.Flush(); err != nil || strings.ContainsAny(b.String(), "\x1b\a\u202e") || !strings.Contains(b.String(), "learned") {
			t.Errorf("%q, %v", b.String(), err)
		}
	}
}
