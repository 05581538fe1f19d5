package review_test

import (
	"slices"
	"testing"

	"winnow/core/review"
)

// TestMaskText: places are written and read back the same, and nothing else is
// read.
func TestMaskText(t *testing.T) {
	for _, places := range [][]int{nil, {1}, {2, 5}, {3, 10, 1200}} {
		back, err := review.ParseMask(review.MaskText(places))
		if err != nil || !slices.Equal(back, places) {
			t.Errorf("%v became %v: %v", places, back, err)
		}
	}
	for _, text := range []string{",", "0", "-1", "2,2", "5,2", "2,", "02", "+2", "2, 5", "x", "99999999999999999999"} {
		if places, err := review.ParseMask(text); err == nil {
			t.Errorf("%q was read as %v", text, places)
		}
	}
}

// TestMaskedWith: what is switched off and on again leaves the others as they
// were, and the segment alone.
func TestMaskedWith(t *testing.T) {
	for _, c := range []struct{ had, off, on, want []int }{
		{nil, []int{4, 2}, nil, []int{2, 4}},
		{[]int{2, 4}, []int{4}, nil, []int{2, 4}},
		{[]int{2, 4}, nil, []int{2, 3}, []int{4}},
		{[]int{2}, nil, []int{2}, nil},
		{[]int{2}, []int{3}, []int{3}, []int{2}},
	} {
		s := review.Segment{Masked: slices.Clone(c.had)}
		if got := s.MaskedWith(c.off, c.on); !slices.Equal(got, c.want) || !slices.Equal(s.Masked, c.had) {
			t.Errorf("%v with %v off and %v on: %v, want %v", c.had, c.off, c.on, got, c.want)
		}
	}
	s := review.Segment{Start: 10, End: 20, Masked: []int{2, 11}}
	for n, want := range map[int]bool{10: false, 11: true, 20: true, 21: false, 2: false} {
		if s.Masks(n) != want {
			t.Errorf("message %d: %v", n, !want)
		}
	}
}
