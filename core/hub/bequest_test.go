package hub

import (
	"fmt"
	"testing"

	"winnow/core/review"
)

// TestTheLongestJudgedSegmentIsKept: three files of one session that grew, each
// judged before they were found to be the same.
func TestTheLongestJudgedSegmentIsKept(t *testing.T) {
	judged := func(member, from, end int, v review.Verdict) heirloom {
		h := heirloom{row: review.Segment{Verdict: v, CutBy: review.CutProvisional}, member: member}
		for n := from; n <= end; n++ {
			h.to = append(h.to, n)
		}
		return h
	}
	for _, c := range []struct {
		list []heirloom
		want string
	}{
		{[]heirloom{judged(0, 1, 3, review.Approved), judged(1, 1, 5, review.Approved), judged(2, 1, 7, review.Rejected)}, "1-7"},
		{[]heirloom{judged(0, 1, 3, review.Approved), judged(1, 1, 5, review.Pending), judged(2, 1, 7, review.Pending)}, "1-3 4-7"},
		{[]heirloom{judged(0, 1, 3, review.Approved), judged(0, 4, 7, review.Approved), judged(1, 1, 4, review.Rejected)}, "1-3 4-7"},
		{[]heirloom{judged(0, 1, 3, review.Approved), judged(0, 4, 7, review.Approved), judged(1, 1, 3, review.Rejected)}, "1-3 4-7"},
	} {
		got := ""
		for i, p := range cuts(c.list, 0, 7) {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("%d-%d", p.Start, p.End)
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
