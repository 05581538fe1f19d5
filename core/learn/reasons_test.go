package learn

import (
	"testing"

	"winnow/core/metric"
	"winnow/core/review"
)

// What speaks for a segment and against it stands in the order of its weight.
func TestReasons(t *testing.T) {
	m := Model{Version: Version, Columns: []Column{
		{Kind: "count", Name: "messages", Mean: 3, Scale: 1, Weight: -.5},
		{Kind: "count", Name: "tokens", Mean: 8, Scale: 1, Weight: -.2},
		{Kind: "count", Name: "failures", Mean: 1, Scale: 1, Weight: -1},
		{Kind: "metric", Name: "recovery", Mean: .5, Scale: .5, Weight: .4},
		{Kind: "flag", Name: "user_corrected", Mean: .5, Scale: .5, Weight: -.3},
		{Kind: "tool", Name: "search", Mean: .5, Scale: .5, Weight: .25},
		{Kind: "other", Name: "what", Mean: 0, Scale: 1, Weight: 5},
	}}
	p := m.Predictor()
	measures := make([]uint16, len(metrics))
	for i := range measures {
		measures[i] = metric.Unmeasured
	}
	measures[1] = metric.ScoreUnit
	for _, c := range []struct {
		facts Facts
		want  string
	}{
		{Facts{Tally: review.Tally{Messages: 4, Tokens: 300}, Measures: measures, Scored: true, Tools: []Tool{{Name: "search"}}},
			"likely .95: short, no failure, no failure left open"},
		{Facts{Tally: review.Tally{Messages: 90, Tokens: 50_000, ToolFails: 9}, Flags: []string{"user_corrected"}},
			"likely .04: against: 9 failures, long, correction"},
		{Facts{Tally: review.Tally{Messages: 4, Tokens: 300, ToolFails: 9}},
			"likely .46: short, no correction; against: 9 failures, never calls search"},
	} {
		r := p.Reasons(&c.facts)
		if got := r.String(); got != c.want {
			t.Errorf("%+v:\n got %s\nwant %s", c.facts, got, c.want)
		}
	}
}

// Every kind, flag and measured metric has words of its own.
func TestWords(t *testing.T) {
	for _, k := range kinds {
		if k.phrase == nil || k.each == nil || k.trust <= 0 {
			t.Errorf("kind %s: %+v", k.name, k)
		}
	}
	for _, f := range metric.Flags() {
		if flagWords[string(f.Flag)] == "" {
			t.Errorf("flag %s has no words", f.Flag)
		}
	}
	for _, m := range metric.List() {
		if words := metricWords[m.Name]; !m.Judged && (words[0] == "" || words[1] == "") {
			t.Errorf("metric %s has no words", m.Name)
		}
	}
	for _, c := range counted {
		if countPhrase(c.name, &Facts{}, -1, true) == "" || countPhrase(c.name, &Facts{}, 1, true) == "" {
			t.Errorf("%s has no words", c.name)
		}
	}
}
