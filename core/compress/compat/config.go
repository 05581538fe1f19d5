// Package compat compresses Hermes trajectories as trajectory_compressor.py of
// hermes-agent does, turn by turn and number by number, for scripts that rely on
// it. Where that program is known to harm what it compresses, its way has to be
// asked for: see Flaws. Package compress is what winnow itself does.
//
// A trajectory is a line of JSONL, an object with a list "conversations" of
// turns with "from" and "value". It stays text here: what is kept is written as
// it was read.
package compat

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"winnow/core/spell"
)

// Config has what the YAML file of the published program says, with its names.
type Config struct {
	Tokenizer string

	TargetMaxTokens     int // an entry that costs more is compressed
	SummaryTargetTokens int // what a summary is assumed to cost

	FirstSystem, FirstHuman, FirstGPT, FirstTool bool // the first turn of that role is protected
	LastNTurns                                   int  // so are so many at the end

	Model, BaseURL, APIKeyEnv string
	ModelNamed                bool    // the file names Model
	MaxRetries                int     // attempts in all
	RetryDelay                float64 // seconds, the base of the waits between them

	AddSummaryNotice  bool
	SummaryNoticeText string // is put after the system turns in front of the summary
	OutputSuffix      string

	MaxConcurrentRequests int
	MetricsEnabled        bool
	PerTrajectory         bool // compressed entries have compression_metrics
	MetricsFile           string
}

// Defaults returns what the published program has built in.
func Defaults() Config {
	return Config{
		Tokenizer:       "moonshotai/Kimi-K2-Thinking",
		TargetMaxTokens: 15250, SummaryTargetTokens: 750,
		FirstSystem: true, FirstHuman: true, FirstGPT: true, FirstTool: true, LastNTurns: 4,
		Model: "google/gemini-3-flash-preview", BaseURL: "https://openrouter.ai/api/v1", APIKeyEnv: "OPENROUTER_API_KEY",
		MaxRetries: 3, RetryDelay: 2,
		AddSummaryNotice:  true,
		SummaryNoticeText: "\n\nSome of your previous tool responses may be summarized to preserve context.",
		OutputSuffix:      "_compressed", MaxConcurrentRequests: 50,
		MetricsEnabled: true, PerTrajectory: true, MetricsFile: "compression_metrics.json",
	}
}

// keys are the places of what a file may set, by "section.key".
func (c *Config) keys() map[string]any {
	return map[string]any{
		"tokenizer.name":                     &c.Tokenizer,
		"compression.target_max_tokens":      &c.TargetMaxTokens,
		"compression.summary_target_tokens":  &c.SummaryTargetTokens,
		"protected_turns.first_system":       &c.FirstSystem,
		"protected_turns.first_human":        &c.FirstHuman,
		"protected_turns.first_gpt":          &c.FirstGPT,
		"protected_turns.first_tool":         &c.FirstTool,
		"protected_turns.last_n_turns":       &c.LastNTurns,
		"summarization.model":                &c.Model,
		"summarization.base_url":             &c.BaseURL,
		"summarization.api_key_env":          &c.APIKeyEnv,
		"summarization.max_retries":          &c.MaxRetries,
		"summarization.retry_delay":          &c.RetryDelay,
		"output.add_summary_notice":          &c.AddSummaryNotice,
		"output.summary_notice_text":         &c.SummaryNoticeText,
		"output.output_suffix":               &c.OutputSuffix,
		"processing.max_concurrent_requests": &c.MaxConcurrentRequests,
		"metrics.enabled":                    &c.MetricsEnabled,
		"metrics.per_trajectory":             &c.PerTrajectory,
		"metrics.output_file":                &c.MetricsFile,
	}
}

// dead are keys that the published program knows and that do nothing here, with what
// happens whatever they say.
var dead = map[string]string{
	"tokenizer.trust_remote_code":       "no code of a tokenizer is run here",
	"summarization.temperature":         "it is not sent: the model's own holds",
	"processing.num_workers":            "nothing reads it",
	"processing.skip_under_target":      "what is under the target always passes through",
	"processing.save_over_limit":        "what is over the limit is always written",
	"processing.per_trajectory_timeout": "the published program never reads it: 300 s",
}

// ReadConfig reads a YAML file over the defaults. What it says and nothing heeds
// is told in notes, a line each: unknown sections and keys, keys that do
// nothing, keys without a value.
func ReadConfig(data []byte) (c Config, notes []string, err error) {
	c = Defaults()
	var file yaml.Node
	if err := yaml.Unmarshal(data, &file); err != nil {
		return c, nil, fmt.Errorf("no YAML: %w", err)
	}
	if len(file.Content) == 0 || empty(file.Content[0]) {
		return c, nil, nil
	}
	if root := file.Content[0]; root.Kind != yaml.MappingNode {
		return c, nil, fmt.Errorf("line %d: sections with keys are needed", root.Line)
	}
	places := c.keys()
	for section, keys := range each(file.Content[0]) {
		name := section.Value
		switch {
		case !known(name):
			notes = append(notes, fmt.Sprintf("line %d: no section %s%s", section.Line, name, meant(name, sections())))
		case empty(keys):
		case keys.Kind != yaml.MappingNode:
			return c, notes, fmt.Errorf("line %d: section %s needs keys", keys.Line, name)
		default:
			for key, val := range each(keys) {
				note, err := set(places, name+"."+key.Value, val)
				if err != nil {
					return c, notes, fmt.Errorf("line %d: %s.%s: %w", key.Line, name, key.Value, err)
				}
				c.ModelNamed = c.ModelNamed || name+"."+key.Value == "summarization.model" && !empty(val)
				if note != "" {
					notes = append(notes, fmt.Sprintf("line %d: %s", key.Line, note))
				}
			}
		}
	}
	return c, notes, nil
}

// set gives a key its value, or says why that does nothing.
func set(places map[string]any, name string, val *yaml.Node) (note string, err error) {
	if why, ok := dead[name]; ok {
		return fmt.Sprintf("%s does nothing: %s", name, why), nil
	}
	place, ok := places[name]
	if !ok {
		return fmt.Sprintf("no key %s%s", name, meant(name, names(places))), nil
	}
	if empty(val) {
		return fmt.Sprintf("%s has no value: the default stays", name), nil
	}
	if val.Kind != yaml.ScalarNode {
		return "", fmt.Errorf("one value is needed")
	}
	if err := val.Decode(place); err != nil {
		return "", fmt.Errorf("%q is no %s", val.Value, kindOf(place))
	}
	if url, ok := place.(*string); ok && name == "summarization.base_url" && *url == "" {
		*url = Defaults().BaseURL
	}
	return "", nil
}

func kindOf(place any) string {
	switch place.(type) {
	case *int:
		return "whole number"
	case *float64:
		return "number"
	case *bool:
		return "true or false"
	}
	return "text"
}

// each returns the keys of a mapping with their values.
func each(mapping *yaml.Node) func(yield func(key, val *yaml.Node) bool) {
	return func(yield func(key, val *yaml.Node) bool) {
		for i := 0; i+1 < len(mapping.Content); i += 2 {
			val := mapping.Content[i+1]
			if val.Kind == yaml.AliasNode {
				val = val.Alias
			}
			if !yield(mapping.Content[i], val) {
				return
			}
		}
	}
}

func empty(n *yaml.Node) bool { return n.Kind == 0 || n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func names(places map[string]any) []string {
	list := make([]string, 0, len(places))
	for name := range places {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// sections lists the sections that keys are in.
func sections() []string {
	var c Config
	var list []string
	for _, name := range names(c.keys()) {
		section, _, _ := strings.Cut(name, ".")
		list = append(list, section)
	}
	return slices.Compact(list)
}

func known(section string) bool { return slices.Contains(sections(), section) }

// meant says which name a wrong one may stand for.
func meant(typed string, list []string) string {
	if near := spell.Nearest(typed, list); near != "" {
		return ", did you mean " + near + "?"
	}
	return ""
}
