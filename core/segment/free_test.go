package segment

import (
	"slices"
	"testing"

	"winnow/core/review"
)

func TestFree(t *testing.T) {
	makers := map[byte]review.CutBy{
		'm': review.CutModel, 'o': review.CutOffline, 'c': review.CutCurator, 's': review.CutSingle, 'p': review.CutProvisional,
	}
	for _, c := range []struct {
		rows  string // who cut each of them, two messages long; capitals are judged
		free  []Span
		again []Span
	}{
		{"", nil, nil},
		{"p", []Span{{1, 2}}, []Span{{1, 2}}},
		{"P", nil, []Span{{1, 2}}},
		{"s", nil, []Span{{1, 2}}},
		{"mmm", nil, []Span{{1, 6}}},
		{"mmp", []Span{{3, 6}}, []Span{{1, 6}}},
		{"mop", []Span{{3, 6}}, []Span{{1, 6}}},
		{"sp", []Span{{1, 4}}, []Span{{1, 4}}},
		{"mMp", []Span{{3, 6}}, []Span{{1, 6}}},
		{"Sp", []Span{{1, 4}}, []Span{{1, 4}}},
		{"mMP", nil, []Span{{1, 6}}},
		{"mMPPpP", []Span{{3, 10}}, []Span{{1, 12}}},
		{"mCPp", []Span{{5, 8}}, []Span{{1, 2}, {5, 8}}},
		{"pMp", []Span{{1, 2}, {3, 6}}, []Span{{1, 6}}},
		{"mcp", []Span{{5, 6}}, []Span{{1, 2}, {5, 6}}},
		{"mCp", []Span{{5, 6}}, []Span{{1, 2}, {5, 6}}},
		{"mPp", []Span{{1, 6}}, []Span{{1, 6}}},
		{"mppm", []Span{{1, 6}}, []Span{{1, 8}}},
		{"pmp", []Span{{1, 6}}, []Span{{1, 6}}},
		{"pcmp", []Span{{1, 2}, {5, 8}}, []Span{{1, 2}, {5, 8}}},
		{"mpPop", []Span{{1, 4}, {7, 10}}, []Span{{1, 10}}},
		{"CC", nil, nil},
	} {
		rows := make([]review.Segment, len(c.rows))
		for i := range rows {
			rows[i] = review.Segment{Start: 2*i + 1, End: 2*i + 2, CutBy: makers[c.rows[i]|0x20], Verdict: review.Pending}
			if c.rows[i] < 'a' {
				rows[i].Verdict = review.Unsure
			}
		}
		if got := Free(rows, false); !slices.Equal(got, c.free) {
			t.Errorf("%q: %v is free, want %v", c.rows, got, c.free)
		}
		if got := Free(rows, true); !slices.Equal(got, c.again) {
			t.Errorf("%q again: %v is free, want %v", c.rows, got, c.again)
		}
	}
}
