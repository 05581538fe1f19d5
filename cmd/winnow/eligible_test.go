package main

import (
	"testing"

	"winnow/core/review"
)

func TestEligible(t *testing.T) {
	score := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name        string
		score       *float64
		analysis    string
		memory, sft bool
	}{
		{"good", score(0.9), `{"metrics":{"format":{"score":1}},"flags":[]}`, true, true},
		{"format does not apply", score(0.9), `{"metrics":{"format":null}}`, true, true},
		{"broken format", score(0.9), `{"metrics":{"format":{"score":0.5}}}`, true, false},
		{"truncated", score(0.9), `{"flags":["truncated"]}`, true, false},
		{"no assistant", score(0.9), `{"flags":["no_assistant"]}`, false, false},
		{"between the thresholds", score(0.75), `{}`, true, false},
		{"at the thresholds", score(0.8), `{}`, true, true},
		{"weak", score(0.69), `{}`, false, false},
		{"not scored", nil, `{}`, false, false},
		{"unreadable", score(0.9), `{`, false, false},
	} {
		memory, sft := eligible(&review.Segment{Score: c.score, Analysis: c.analysis}, 0.7, 0.8)
		if memory != c.memory || sft != c.sft {
			t.Errorf("%s: memory %v, sft %v", c.name, memory, sft)
		}
	}
}

func TestBuckets(t *testing.T) {
	var h [20]int
	h[13], h[14], h[16], h[17], h[19] = 1, 2, 4, 8, 16
	if got, want := bucketsOf(h), (buckets{Excellent: 24, Usable: 6, Weak: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
