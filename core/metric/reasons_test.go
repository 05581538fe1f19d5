package metric

import (
	"fmt"
	"testing"
)

// TestReasons: the worst first, in the numbers that messages have now.
func TestReasons(t *testing.T) {
	a := Analysis{Start: 3, Summary: Summary{Reason: "see #4"}, Metrics: map[string]*Value{
		ToolSuccess: {0.5, 2, "failed: #4 and #9"}, Completion: {1, 3, "ends at #9"}, Recovery: nil, Goal: {0.5, 3, "half of it"},
	}}
	text := ""
	for _, r := range a.Reasons(13) {
		text += fmt.Sprintf("%s %v %v %s; ", r.Metric, r.Score, r.Weight, r.Reason)
	}
	if want := "goal 0.5 3 half of it; tool_success 0.5 2 failed: #14 and #19; completion 1 3 ends at #19; "; text != want {
		t.Errorf("%s", text)
	}
	if got := a.ReasonFor(1); got != "see #2" {
		t.Errorf("%s", got)
	}
	if a.Start = 0; a.ReasonFor(7) != "see #4" {
		t.Error("what was analysed without numbers has not moved")
	}
}
