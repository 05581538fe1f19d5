package models

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/llm"
)

// TestModelConfig: what is configured is what is asked for; the judge's table
// is asked where it says something, else the other one.
func TestModelConfig(t *testing.T) {
	home := t.TempDir()
	vars := map[string]string{"HOME": home, "MY_KEY": "mine", "OPENAI_API_KEY": "another"}
	path := filepath.Join(home, ".config", "winnow", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`[llm]
base_url = "http://h:1/v1"
model = "tiny"
api_key_env = "MY_KEY"
max_input_tokens = 9000
reserve = 100
timeout = "90s"
retries = 0
concurrency = 9
price_in = 2
price_out = 0.5
[judge]
model = "large"
retries = 7
api_key_env = ""
max_input_tokens = 4000
`), 0o644); err != nil {
		t.Fatal(err)
	}
	env := &config.Env{GOOS: "linux", User: func() string { return "" }, Lookup: func(n string) (string, bool) { v, ok := vars[n]; return v, ok }}
	c, err := config.Read(env, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Config{
		BaseURL: "http://h:1/v1", Model: "tiny", Key: "mine", KeyEnv: "MY_KEY", Table: "llm", MaxInputTokens: 9000, Reserve: 100,
		Timeout: 90 * time.Second, Retries: -1, Concurrency: 9, PriceIn: 2, PriceOut: 0.5,
	}
	type plain llm.Config // which prints all fields
	if got := configured(c, "llm"); got != want {
		t.Errorf("%+v", plain(got))
	}
	want.Model, want.Retries, want.Key, want.KeyEnv, want.MaxInputTokens, want.Table = "large", 7, "", "", 4000, "judge"
	if got := configured(c, "judge"); got != want {
		t.Errorf("judge: %+v", plain(got))
	}
}

// TestUnpricedModels: a model is free if somebody said so, and of unknown price if nobody
// did; one that takes the settings of another one takes its prices.
func TestUnpricedModels(t *testing.T) {
	for _, c := range []struct {
		vars        map[string]string
		llm, judges string
	}{
		{nil, "llm", "judge"},
		{map[string]string{"WINNOW_LLM_PRICE_IN": "0"}, "", ""},
		{map[string]string{"WINNOW_LLM_PRICE_OUT": "2"}, "", ""},
		{map[string]string{"WINNOW_JUDGE_PRICE_OUT": "2"}, "llm", ""},
	} {
		vars := map[string]string{"HOME": t.TempDir(), "WINNOW_LLM_MODEL": "tiny", "WINNOW_JUDGE_MODEL": "large"}
		maps.Copy(vars, c.vars)
		env := &config.Env{GOOS: "linux", User: func() string { return "" }, Lookup: func(n string) (string, bool) { v, ok := vars[n]; return v, ok }}
		read, err := config.Read(env, func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		cuts, err := NewCutter(read, "auto", time.Now)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := NewScorer(read, "auto", time.Now)
		if err != nil {
			t.Fatal(err)
		}
		if cuts.Unpriced != c.llm || scores.Unpriced != c.judges || ByRules(read).Unpriced != "" {
			t.Errorf("%v: %q and %q", c.vars, cuts.Unpriced, scores.Unpriced)
		}
	}
}

// TestCostText: a price is told as far as it says anything.
func TestCostText(t *testing.T) {
	for cost, want := range map[float64]string{0: "", 0.00123: "$0.0012", 0.42: "$0.42", 12.345: "$12.35", 0.00001: "less than $0.0001"} {
		if got := CostText(cost); got != want {
			t.Errorf("%v: %s, want %s", cost, got, want)
		}
	}
}

func TestWaitsAreShownWhileSomebodyLooks(t *testing.T) {
	var none *waits
	none.to(func(string) {}) // rules wait for nobody
	var w waits
	var seen []string
	w.tell("before")
	w.to(func(text string) { seen = append(seen, text) })
	w.tell("waiting 20 s for localhost:8080")
	w.to(nil)
	w.tell("behind")
	if len(seen) != 1 || seen[0] != "waiting 20 s for localhost:8080" {
		t.Errorf("%q", seen)
	}
}
