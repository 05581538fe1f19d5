package metric

import "testing"

func TestShiftCites(t *testing.T) {
	for _, c := range []struct {
		reason string
		by     int
		want   string
	}{
		{"failed: #12, #15 and #31", 0, "failed: #12, #15 and #31"},
		{"failed: #12, #15 and #31", -11, "failed: #1, #4 and #20"},
		{"failed: #9", 1, "failed: #10"},
		{"#3", -3, "#3"},
		{"a#1 and #1a are none, #1 is", 4, "a#1 and #1a are none, #5 is"},
		{"", 7, ""},
	} {
		if got := ShiftCites(c.reason, c.by); got != c.want {
			t.Errorf("%q by %d: %q, want %q", c.reason, c.by, got, c.want)
		}
	}
}

// TestTakeJudged: what was measured stays, what was judged comes with it,
// weighed as is configured now.
func TestTakeJudged(t *testing.T) {
	half, full := 0.5, 1.0
	judged := Analysis{
		Version: Version, Scorer: Judged, Model: "m", Start: 3, Summary: Summary{OverallScore: &half, TaskType: Math, Reason: "solved at #4"},
		Metrics: map[string]*Value{
			Completion: {Score: 0, Weight: 3}, Goal: {Score: half, Weight: 3, Reason: "see #4"}, Clarity: {Score: full, Weight: 1}, Efficiency: nil,
		},
		Flags: []Flag{Loop},
	}
	a := Analysis{
		Version: Version, Scorer: Offline, Start: 13, Summary: Summary{OverallScore: &full, TaskType: Code, Reason: "measured"},
		Metrics: map[string]*Value{Completion: {Score: full, Weight: 3, Reason: "ends at #20"}}, Flags: []Flag{NoTools},
	}
	a.TakeJudged(&judged, Config{Weights: map[string]float64{Goal: 1, Clarity: 0}})
	const want = `{"version":2,"scorer":"llm","model":"m","start":13,` +
		`"summary":{"overall_score":0.75,"evidence":{"applies":2,"of":3},"task_type":"math","reason":"solved at #14"},` +
		`"metrics":{"completion":{"score":1,"weight":3,"reason":"ends at #20"},"goal":{"score":0.5,"weight":1,"reason":"see #14"},"efficiency":null},` +
		`"flags":["no_tools"],"tool_stats":{}}`
	if got := a.Encode(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if judged.Metrics[Goal].Reason != "see #4" {
		t.Error("the other analysis was changed")
	}
}
