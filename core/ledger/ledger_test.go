package ledger

import (
	"testing"

	"winnow/core/session"
)

// TestTrouble: a source that gave nothing, or whose lines are partly bad, is to be
// looked at; lines that are skipped or pending are nobody's trouble.
func TestTrouble(t *testing.T) {
	for _, c := range []struct {
		s    Source
		want bool
	}{
		{Source{}, true},
		{Source{Sessions: 1}, false},
		{Source{Copies: 1}, false},
		{Source{Joined: 1}, false},
		{Source{Sessions: 1, Lines: session.Counts{Bad: 1}}, true},
		{Source{Copies: 1, Lines: session.Counts{Bad: 1}}, true},
		{Source{Sessions: 1, Lines: session.Counts{Read: 9, Skipped: 3, Pending: 1}}, false},
		{Source{Lines: session.Counts{Read: 9}}, true},
	} {
		if got := c.s.Trouble(); got != c.want {
			t.Errorf("%+v: %v", c.s, got)
		}
	}
}
