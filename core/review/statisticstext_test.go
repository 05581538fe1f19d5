package review

import (
	"testing"
	"time"
)

func TestSuggestionSaysWhyThereIsNone(t *testing.T) {
	for want, s := range map[string]Suggestion{
		"0.74 keeps 95% of what you approved and drops 80% of what you rejected":  {Threshold: 0.74, Keeps: 0.951, Drops: 0.8},
		"no threshold yet: it takes 3 more approved and 1 more rejected segments": {MissingApproved: 3, MissingRejected: 1},
		"no threshold yet: it takes 1 more approved segment":                      {MissingApproved: 1},
		"no threshold yet: it takes 2 more rejected segments":                     {MissingRejected: 2},
		"no threshold parts what you approved from what you rejected":             {},
	} {
		if got := s.Text(); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

func TestTextsOfStatistics(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{BandName(0), "0.00–0.05"},
		{BandName(16), "0.80–0.85"},
		{BandName(19), "0.95–1"},
		{ByBand{}.ApprovalText(), "–"},
		{ByBand{Pending: 9, Unsure: 9}.ApprovalText(), "–"},
		{ByBand{Approved: 2, Rejected: 2}.ApprovalText(), "(50%)"},
		{ByBand{Approved: 4, Rejected: 1}.ApprovalText(), "80%"},
		{(&ToolUse{}).FailureText(), "0%"},
		{(&ToolUse{Calls: 8, Failures: 5, Exits: 1}).FailureText(), "13%"},
		{HoursText(65*time.Minute + 29*time.Second), "1:05"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestGradesBeginWhereTheirBandsDo(t *testing.T) {
	for score, want := range map[float64][3]int{
		0: {0, 0, 1}, 0.6999: {0, 0, 1}, 0.7: {0, 1, 0}, 0.8499: {0, 1, 0}, 0.85: {1, 0, 0}, 1: {1, 0, 0},
	} {
		var c Counts
		c.Histogram[Band(score)]++
		var got [3]int
		if got[0], got[1], got[2] = c.Graded(); got != want {
			t.Errorf("%v: %v, want %v", score, got, want)
		}
	}
}

func TestAverageOfNothingIsNone(t *testing.T) {
	if x, ok := new(Statistics).Average(); ok {
		t.Errorf("the average is %v", x)
	}
	s := Statistics{ScoreSum: 1.5}
	s.Scored = 2
	if x, ok := s.Average(); !ok || x != 0.75 {
		t.Errorf("the average is %v, %v", x, ok)
	}
}
