package learn

import (
	"fmt"
	"slices"
	"strings"

	"winnow/core/metric"
)

// What a column has to say of a segment in words, by its kind: name is the
// column's, v how many scales it is above the mean, and present tells whether it
// has a value other than 0. "" is nothing worth saying.

// countWords are what is said of less than usual, and of more.
var countWords = map[string][2]string{
	"messages":         {"short", "long"},
	"tokens":           {"short", "long"},
	"tool calls":       {"few calls", "many calls"},
	"turns":            {"few prompts", "many prompts"},
	"tools":            {"few tools", "many tools"},
	"tokens a message": {"short messages", "long messages"},
	"reasoning":        {"little reasoning", "much reasoning"},
	"media":            {"no media", "images or files"},
}

func countPhrase(name string, f *Facts, v float64, _ bool) string {
	switch name {
	case "failures", "failures of calls":
		return numbered(f.ToolFails, "failure")
	case "errors":
		return numbered(f.Errors, "refused or failed call")
	case "exits":
		return numbered(f.Exits, "failing exit")
	}
	words := countWords[name]
	if v < 0 {
		return words[0]
	}
	return words[1]
}

// numbered is "no failure", "1 failure", "9 failures".
func numbered(n int, what string) string {
	switch {
	case n <= 0:
		return "no " + what
	case n == 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// metricWords are what is said of a metric of 1, of less, and of one that does not
// apply.
var metricWords = map[string][3]string{
	metric.ToolSuccess: {"every call succeeded", "calls failed", "no tool results"},
	metric.Recovery:    {"no failure left open", "failures left open", "nothing to recover from"},
	metric.NoLoops:     {"no repeated calls", "repeated calls", ""},
	metric.Completion:  {"ends with an answer", "does not end with an answer", ""},
	metric.Format:      {"well formed", "malformed", ""},
	metric.Reasoning:   {"reasons throughout", "answers without reasoning", ""},
	metric.UserSignal:  {"never corrected", "corrected", "no second prompt"},
	metric.Substance:   {"a full answer", "a thin answer", ""},
	metric.Resolution:  {"nothing declined", "something declined", ""},
	metric.Effort:      {"hardly a step", "many steps", ""},
}

func metricPhrase(name string, f *Facts, _ float64, _ bool) string {
	at := slices.Index(metrics, name)
	if at < 0 || at >= len(f.Measures) || f.Measures[at] > metric.ScoreUnit {
		return ""
	}
	score := float64(f.Measures[at]) / metric.ScoreUnit
	switch words, ok := metricWords[name]; {
	case !ok:
		return name + " " + strings.TrimPrefix(fmt.Sprintf("%.2f", score), "0")
	case score == 1:
		return words[0]
	default:
		return words[1]
	}
}

func unmeasuredPhrase(name string, _ *Facts, _ float64, present bool) string {
	if !present {
		return ""
	}
	return metricWords[name][2]
}

// flagWords are flags as things that there are or are not.
var flagWords = map[string]string{
	string(metric.NoAssistant):       "missing assistant",
	string(metric.Truncated):         "truncated answer",
	string(metric.MalformedToolCall): "malformed call",
	string(metric.UnansweredCall):    "unanswered call",
	string(metric.OrphanResult):      "orphan result",
	string(metric.UnbalancedThink):   "unbalanced think tag",
	string(metric.Unfinished):        "missing end",
	string(metric.HasErrorEnd):       "failure at the end",
	string(metric.Interrupted):       "interruption",
	string(metric.Loop):              "loop",
	string(metric.UserCorrected):     "correction",
	string(metric.UserThanked):       "thanks",
	string(metric.NoReasoning):       "lack of reasoning",
	string(metric.NoUser):            "lack of prompts",
	string(metric.NoTools):           "lack of tools",
	string(metric.EmptyAnswer):       "empty answer",
	string(metric.Declined):          "declined request",
	string(metric.HandedOver):        "handing over",
	string(metric.APIError):          "API error",
	string(metric.Compacted):         "compaction",
	string(metric.Media):             "left out media",
}

func flagPhrase(name string, _ *Facts, _ float64, present bool) string {
	words, ok := flagWords[name]
	if !ok {
		words = strings.ReplaceAll(name, "_", " ")
	}
	if !present {
		return "no " + words
	}
	return words
}

// having says what there is, and what there is not with other words, "" for
// nothing.
func having(is, isNot string) func(string, *Facts, float64, bool) string {
	return func(name string, _ *Facts, _ float64, present bool) string {
		switch {
		case present:
			return is + " " + name
		case isNot == "":
			return ""
		}
		return isNot + " " + name
	}
}
