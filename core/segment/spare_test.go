package segment

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/review"
)

func TestSpare(t *testing.T) {
	for _, c := range []struct {
		rows  string // two messages each; capitals are judged
		cuts  []Cut
		want  string // pieces; ! is a row that stays
		grown int
	}{
		{"Mp", []Cut{{1, 4, ""}}, "1-4", 1},
		{"Mp", []Cut{{1, 2, ""}, {3, 4, ""}}, "1-2! 3-4", 0},
		{"Mp", []Cut{{1, 1, ""}, {2, 2, ""}, {3, 3, ""}, {4, 4, ""}}, "1-2! 3-3 4-4", 0},
		{"Mp", []Cut{{1, 1, ""}, {2, 3, ""}, {4, 4, ""}}, "1-1 2-3 4-4", 1},
		{"mp", []Cut{{1, 3, ""}, {4, 4, ""}}, "1-3 4-4", 0},
		{"MPp", []Cut{{1, 4, ""}, {5, 6, ""}}, "1-2! 3-4! 5-6", 0},
		{"MPp", []Cut{{1, 3, ""}, {4, 6, ""}}, "1-2! 3-3 4-6", 1},
		{"MPp", []Cut{{1, 2, ""}, {3, 6, ""}}, "1-2! 3-6", 1},
		{"MPp", []Cut{{1, 6, ""}}, "1-6", 2},
		{"MpP", []Cut{{1, 3, ""}, {4, 6, ""}}, "1-3 4-4 5-6!", 1},
		{"pPp", []Cut{{1, 4, ""}, {5, 6, ""}}, "1-2 3-4! 5-6", 0},
		{"M", []Cut{{1, 1, ""}, {2, 2, ""}}, "1-2!", 0},
	} {
		rows := make([]review.Segment, len(c.rows))
		for i := range rows {
			rows[i] = review.Segment{Start: 2*i + 1, End: 2*i + 2, CutBy: review.CutOffline, Verdict: review.Pending}
			if c.rows[i] < 'a' {
				rows[i].Verdict = review.Rejected
			}
		}
		pieces, grown := Spare(rows, c.cuts, review.CutModel, false)
		var got []string
		for _, p := range pieces {
			text := fmt.Sprintf("%d-%d", p.Start, p.End)
			if p.By == review.CutOffline {
				text += "!"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != c.want || grown != c.grown {
			t.Errorf("%s, cut %v: %v, %d go on; want %s, %d", c.rows, c.cuts, got, grown, c.want, c.grown)
		}
	}
}
