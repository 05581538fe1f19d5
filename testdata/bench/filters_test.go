package main

import (
	"slices"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
)

// What is measured for minutes must be understood before.
func TestAllThatIsAskedIsUnderstood(t *testing.T) {
	for _, l := range lists {
		if n, err := parse(l.filter); err != nil || (n == nil) != (l.filter == "") || filter.HasText(n) {
			t.Errorf("%q is %v, %v", l.filter, n, err)
		}
		if !slices.Contains(review.Orders[:], l.order) {
			t.Errorf("no order is called %q", l.order)
		}
	}
	for _, text := range slices.Concat(texts, phrases, letters) {
		for _, asked := range []string{text, text + narrow} {
			if n, err := parse(asked); err != nil || !filter.HasText(n) {
				t.Errorf("%q is %v, %v", asked, n, err)
			}
		}
	}
}

// The fastest of several trials counts, and the slowest of all that was tried.
func TestSlowest(t *testing.T) {
	tried := best{}
	for what, took := range map[string][]time.Duration{"a": {9, 2, 3}, "b": {4, 5, 6}} {
		for _, d := range took {
			tried.keep(what, d*time.Millisecond)
		}
	}
	var b bench
	b.slowest("lists", 3*time.Millisecond, tried)
	if got, want := b.rows[0], [4]string{"lists", "≤ 3 ms", "4 ms", "0.75  missed  b"}; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if want := []string{"", "lists", "       2.00 ms  a", "       4.00 ms  b"}; !slices.Equal(b.details, want) {
		t.Errorf("%q, want %q", b.details, want)
	}
}
