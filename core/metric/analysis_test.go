package metric

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func score(x float64) *float64 { return &x }

func TestEncode(t *testing.T) {
	a := Analysis{
		Version: 1, Scorer: Offline, Start: 7, Summary: Summary{OverallScore: score(0.83), TaskType: Code, Reason: "fine"},
		Metrics: map[string]*Value{ToolSuccess: {0.9, 2, "27 of 30 tool results\nsucceeded"}, Recovery: nil, "zeta": {1, 1, ""}, Goal: {0.5, 3, "<#3>"}},
		Flags:   []Flag{NoReasoning}, ToolStats: map[string]ToolStat{"terminal": {Count: 30, Success: 27, Failure: 3}, "a\"b": {Count: 1}},
	}
	want := `{"version":1,"scorer":"offline","model":"","start":7,"summary":{"overall_score":0.83,"task_type":"code","reason":"fine"},` +
		`"metrics":{"tool_success":{"score":0.9,"weight":2,"reason":"27 of 30 tool results succeeded"},"recovery":null,"goal":{"score":0.5,"weight":3,"reason":"<#3>"},"zeta":{"score":1,"weight":1,"reason":""}},` +
		`"flags":["no_reasoning"],"tool_stats":{"a\"b":{"count":1,"success":0,"failure":0},"terminal":{"count":30,"success":27,"failure":3}}}`
	if got := a.Encode(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	back, err := Parse(want)
	if err != nil {
		t.Fatal(err)
	}
	if got := back.Encode(); got != want {
		t.Errorf("read and written back:\n%s\nwant\n%s", got, want)
	}
	var empty Analysis
	empty.Version = 1
	if got := empty.Encode(); !strings.Contains(got, `"overall_score":null`) || !strings.Contains(got, `"metrics":{},"flags":[],"tool_stats":{}`) {
		t.Errorf("an empty analysis is %s", got)
	}
}

// What a newer program of the same version adds stays.
func TestParseKeepsWhatItDoesNotKnow(t *testing.T) {
	text := `{"extra":{"b": [1.0, 2],"a":"x"},"version":1,"scorer":"offline","model":"","start":0,"summary":{"overall_score":null,"task_type":"qa","reason":""},"metrics":{"new":{"score":1,"weight":1,"reason":"r"}},"flags":["new_flag"],"tool_stats":{},"another":1}`
	a, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"version":1,"scorer":"offline","model":"","start":0,"summary":{"overall_score":null,"task_type":"qa","reason":""},"metrics":{"new":{"score":1,"weight":1,"reason":"r"}},"flags":["new_flag"],"tool_stats":{},"another":1,"extra":{"b":[1.0,2],"a":"x"}}`
	if got := a.Encode(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The analysis of DESIGN.md, which has no start.
	if _, err := Parse(`{"version":1,"scorer":"offline","model":"","summary":{"overall_score":0.83,"task_type":"code","reason":"…"},"metrics":{"tool_success":{"score":0.9,"weight":2,"reason":"27 of 30 tool results succeeded"}},"flags":["no_reasoning"],"tool_stats":{"terminal":{"count":30,"success":27,"failure":3}}}`); err != nil {
		t.Error(err)
	}
	if a, err := Parse(`{"version":1,"summary":{"task_type":"cooking"}}`); err != nil || a.Summary.TaskType != Other {
		t.Errorf("%v, %v", a.Summary, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "null", "[]", "3", "{", `{}`, `{"version":0}`, `{"version":"1"}`, `{"version":1,"summary":{"overall_score":1.2}}`, `{"version":1,"summary":{"overall_score":-0.1}}`,
		`{"version":1,"summary":{"overall_score":"high"}}`, `{"version":1,"metrics":{"goal":{"score":7}}}`, `{"version":1,"metrics":[]}`, `{"version":1,"flags":"x"}`, `{"version":1,"metrics":{"goal":{"score":1,"weight":-1}}}`,
	} {
		if a, err := Parse(text); err == nil {
			t.Errorf("%q is read as %s", text, a.Encode())
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: an error of several lines: %v", text, err)
		}
	}
	if _, err := Parse(`{"version":3}`); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer version: %v", err)
	}
}

func TestOverall(t *testing.T) {
	for _, c := range []struct {
		values []*Value
		want   *float64
	}{
		{nil, nil},
		{[]*Value{nil, nil}, nil},
		{[]*Value{{Score: 0.5, Weight: 0}}, nil},
		{[]*Value{{Score: 0.5, Weight: 2}}, score(0.5)},
		{[]*Value{{Score: 1, Weight: 2}, nil, {Score: 0, Weight: 1}}, score(0.6)},
		{[]*Value{{Score: 7, Weight: 1}}, score(0.6667)},
		{[]*Value{{Score: -7, Weight: 1}}, score(0.3333)},
		{[]*Value{{Score: 1, Weight: 3}, {Score: 1, Weight: 1000}}, score(0.999)},
		{[]*Value{{Score: math.NaN(), Weight: 1}, {Score: 1, Weight: 1}}, score(0.5)},
		{[]*Value{{Score: 0.7, Weight: 0.3}, {Score: 0.7, Weight: 0.7}}, score(0.5667)},
	} {
		got := Overall(c.values...)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v", got)
		}
		slices.Reverse(c.values)
		if back := Overall(c.values...); !reflect.DeepEqual(got, back) {
			t.Errorf("in another order %v is %v", got, back)
		}
	}
}

// A share is 1 only without an exception: 1 in 100,000 is one.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		part, all int
		want      float64
	}{{0, 0, 1}, {3, 3, 1}, {0, 3, 0}, {1, 3, 0.3333}, {99999, 100000, 0.9999}, {1, 100000, 0.0001}} {
		if got := share(c.part, c.all); got != c.want {
			t.Errorf("share(%d, %d) = %v, want %v", c.part, c.all, got, c.want)
		}
	}
}

func TestEligible(t *testing.T) {
	d := DefaultThresholds()
	for _, c := range []struct {
		score       *float64
		format      *Value
		flags       []Flag
		memory, sft bool
	}{
		{nil, nil, nil, false, false},
		{score(0.69), nil, nil, false, false},
		{score(0.70), nil, nil, true, false},
		{score(0.79), nil, nil, true, false},
		{score(0.80), nil, nil, true, true},
		{score(0.80), &Value{1, 2, ""}, nil, true, true},
		{score(0.99), &Value{0.9999, 2, ""}, nil, true, false},
		{score(0.99), nil, []Flag{Truncated}, true, false},
		{score(0.99), nil, []Flag{NoTools, MalformedToolCall}, true, false},
		{score(0.99), nil, []Flag{NoAssistant}, false, false},
		{score(0.99), nil, []Flag{NoReasoning, Loop, Unfinished, UserCorrected}, true, true},
	} {
		a := &Analysis{Version: 1, Summary: Summary{OverallScore: c.score}, Metrics: map[string]*Value{Format: c.format}, Flags: c.flags}
		if memory, sft := a.Eligible(d); memory != c.memory || sft != c.sft {
			t.Errorf("%s: memory %v, SFT %v", a.Encode(), memory, sft)
		}
	}
}

func TestConfig(t *testing.T) {
	if err := (Config{}).Check(); err != nil {
		t.Error(err)
	}
	if err := (Config{Weights: map[string]float64{Reasoning: 0, Goal: 5.5}}).Check(); err != nil {
		t.Error(err)
	}
	err := Config{Weights: map[string]float64{"resoning": 1}}.Check()
	if err == nil || !strings.Contains(err.Error(), "resoning") || !strings.Contains(err.Error(), "tool_success, recovery, no_loops, completion, format, reasoning, user_signal, substance, resolution, effort, goal, correctness, instruction, efficiency, clarity") {
		t.Errorf("a mistyped name: %v", err)
	}
	for _, w := range []float64{-1, 1001, math.NaN(), math.Inf(1), 1e-9} {
		if err := (Config{Weights: map[string]float64{Goal: w}}).Check(); err == nil {
			t.Errorf("the weight %v passes", w)
		}
	}
}

// Weights change the overall score and nothing else; 0 takes the metric out,
// and leaves its flags.
func TestWeights(t *testing.T) {
	msgs := script("u x", "c 1 ls {}", "t 1 ok", "c 2 ls {}", "t 2 ok", "c 3 ls {}", "t 3 ok", "a done")
	plain := Measure(Config{}, 1, msgs)
	weighed := Measure(Config{Weights: map[string]float64{NoLoops: 0, Reasoning: 0}}, 1, msgs)
	if *weighed.Summary.OverallScore != 0.9007 || weighed.Summary.Evidence != (Evidence{6, 8}) {
		t.Errorf("overall %v, %v", *weighed.Summary.OverallScore, weighed.Summary.Evidence)
	}
	if _, there := weighed.Metrics[NoLoops]; there {
		t.Error("a metric of weight 0 is in the analysis")
	}
	if !reflect.DeepEqual(plain.Flags, weighed.Flags) || !weighed.Has(Loop) {
		t.Errorf("flags %v, %v", plain.Flags, weighed.Flags)
	}
	// 2·1 + 2·0.3333 + 3·1 + 2·1 + 1·1 + 1·1 + 2·0.8546 and 2·0.5 of 15; recovery,
	// reasoning and user_signal do not apply.
	if got := *plain.Summary.OverallScore; got != 0.825 || plain.Summary.Evidence.String() != "7 of 10" {
		t.Errorf("overall %v, %v", got, plain.Summary.Evidence)
	}
}

func TestCites(t *testing.T) {
	for reason, want := range map[string][]Cite{
		"":                          nil,
		"failed: #12, #15 and #31":  {{8, 11, 12}, {13, 16, 15}, {21, 24, 31}},
		"#1":                        {{0, 2, 1}},
		"消息#12有误":                   {{6, 9, 12}},
		"a#1 #1a ##2 # #0 #01 C# #": nil,
		"#99999999999999999999":     nil,
		"(#3)–#5.":                  {{1, 3, 3}, {7, 9, 5}},
	} {
		if got := Cites(reason); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", reason, got, want)
		}
		for _, c := range Cites(reason) {
			if reason[c.From] != '#' {
				t.Errorf("%q: %v", reason, c)
			}
		}
	}
}

func TestCited(t *testing.T) {
	var c cited
	for i, want := range []string{"#1", "#1 and #2", "#1, #2 and #3", "#1, #2, #3 and #4", "#1, #2, #3, #4 and 1 more", "#1, #2, #3, #4 and 2 more"} {
		c.add(i + 1)
		c.add(i + 1)
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"version":1,"x":[1],"metrics":{"goal":{"score":1,"weight":1,"reason":"r"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse(text)
		if err != nil {
			return
		}
		once := a.Encode()
		b, err := Parse(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		if twice := b.Encode(); twice != once {
			t.Fatalf("%s\n%s", once, twice)
		}
	})
}
