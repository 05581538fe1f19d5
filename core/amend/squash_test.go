package amend

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// TestSquashStaysInItsSegment refuses one over a boundary: the message would be in the
// segment of one part, and stand for the other one, too.
func TestSquashStaysInItsSegment(t *testing.T) {
	f := &fake{segments: []review.Segment{{Start: 1, End: 4}, {Start: 5, End: 8}}}
	row := func(n, to int) Row {
		return Row{Do: Squash, Place: Place{N: n, To: to}, Message: chat.Message{Role: chat.User}}
	}
	for r, want := range map[[2]int]string{{2, 4}: "1add", {5, 6}: "6add", {1, 2}: "0add"} {
		got, err := changed(t, f, 1, 8, row(r[0], r[1]))
		if err != nil || !slices.Contains(got, want) {
			t.Errorf("%v: %q, %v", r, got, err)
		}
	}
	for _, r := range [][2]int{{4, 5}, {1, 8}, {3, 6}} {
		got, err := changed(t, f, 1, 8, row(r[0], r[1]))
		if err == nil || !strings.Contains(err.Error(), "begins with message 5") || len(got) > 0 {
			t.Errorf("%v: %q, %v", r, got, err)
		}
	}
}
