package compat

import (
	"strings"
	"testing"
)

func TestReadConfig(t *testing.T) {
	c, notes, err := ReadConfig([]byte(`
tokenizer: {name: other, trust_remote_code: true}
compression:
  target_max_tokens: 29000
  sumary_target_tokens: 5
protected_turns:
  first_tool: false
summarization:
  base_url: null
  retry_delay: 0.5
output:
processing:
  num_workers: 8
  per_trajectory_timeout: 60
metric:
  enabled: false
`))
	if err != nil {
		t.Fatal(err)
	}
	want := Defaults()
	want.Tokenizer, want.TargetMaxTokens, want.FirstTool, want.RetryDelay = "other", 29000, false, 0.5
	if c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	for _, part := range []string{
		"line 2: tokenizer.trust_remote_code does nothing",
		"line 5: no key compression.sumary_target_tokens, did you mean compression.summary_target_tokens?",
		"line 9: summarization.base_url has no value: the default stays",
		"line 13: processing.num_workers does nothing",
		"line 14: processing.per_trajectory_timeout does nothing",
		"line 15: no section metric, did you mean metrics?",
	} {
		if !strings.Contains(strings.Join(notes, "\n"), part) {
			t.Errorf("no note %q in %q", part, notes)
		}
	}
	if len(notes) != 6 {
		t.Errorf("%d notes: %q", len(notes), notes)
	}
}

func TestReadConfigOfNothing(t *testing.T) {
	for _, text := range []string{"", "\n# nothing\n", "null", "{}"} {
		if c, notes, err := ReadConfig([]byte(text)); c != Defaults() || len(notes) > 0 || err != nil {
			t.Errorf("%q: %+v, %q, %v", text, c, notes, err)
		}
	}
	if c, _, _ := ReadConfig([]byte("summarization: {base_url: ''}")); c.BaseURL != Defaults().BaseURL {
		t.Errorf("base_url is %q", c.BaseURL)
	}
}

func TestReadConfigRefuses(t *testing.T) {
	for text, part := range map[string]string{
		"compression: {target_max_tokens: many}":     `compression.target_max_tokens: "many" is no whole number`,
		"compression: 5":                             "section compression needs keys",
		"- a":                                        "sections with keys",
		"compression: [":                             "no YAML",
		"compression: {target_max_tokens: [1]}":      "one value",
		"protected_turns: {first_gpt: {nested: no}}": "one value",
	} {
		if _, _, err := ReadConfig([]byte(text)); err == nil || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, part)
		}
	}
}
