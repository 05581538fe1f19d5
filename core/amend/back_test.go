package amend

import (
	"slices"
	"testing"

	"winnow/core/edit"
)

// TestRevertOfARun brings back what drop takes out, and keeps what that keeps; all of a
// segment goes with all that was added to it.
func TestRevertOfARun(t *testing.T) {
	f := &fake{edits: []edit.Edit{dropped(4), added(4, 1), dropped(5), added(5, 1)}}
	for _, c := range []struct {
		name     string
		from, to int
		row      Row
		want     []string
	}{
		{"run", 1, 8, Row{Place: Place{N: 4, To: 5}}, []string{"4", "4+1", "5"}},
		{"message", 1, 8, Row{Place: Place{N: 5}}, []string{"5"}},
		{"added", 1, 8, Row{Place: Place{N: 5, Part: 1}}, []string{"5+1"}},
		{"segment", 4, 5, Row{All: true}, []string{"4", "4+1", "5", "5+1"}},
		{"segment of one message", 5, 5, Row{All: true}, []string{"5", "5+1"}},
	} {
		c.row.Do = Revert
		got, err := changed(t, f, c.from, c.to, c.row)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}
