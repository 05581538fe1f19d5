package main

import (
	"testing"

	"winnow/cmd/winnow/tell"
	"winnow/core/review"
)

func TestSegmentsThatLeftAreToldAsThat(t *testing.T) {
	for want, c := range map[string]review.Change{
		"d2880a83 left (was approved)":            {Before: review.Mark{Verdict: review.Approved, Note: "good"}},
		"d2880a83 is back (approved)":             {After: review.Mark{Verdict: review.Approved}},
		"d2880a83 pending → approved":             {Before: review.Mark{Verdict: review.Pending}, After: review.Mark{Verdict: review.Approved}},
		"d2880a83 not trained: its messages 2, 5": {Before: review.Mark{Verdict: review.Approved}, After: review.Mark{Verdict: review.Approved, Masked: "2,5"}},
		"d2880a83 all is trained":                 {Before: review.Mark{Verdict: review.Pending, Masked: "2"}, After: review.Mark{Verdict: review.Pending}},
		`d2880a83 note "see line three"`:          {Before: review.Mark{Verdict: review.Pending}, After: review.Mark{Verdict: review.Pending, Note: "see line three"}},
	} {
		c.Segment = "d2880a83-0000-4000-8000-000000000000"
		if got := tell.ChangesText([]review.Change{c}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
