package filter

import (
	"iter"
	"slices"
	"strings"
)

// Fields returns what is known of all fields, in the order they are offered.
func Fields() []Info {
	return []Info{
		{Status, Enum, "verdict", []string{"pending", "approved", "rejected", "unsure"}, "status:pending"},
		{Score, Number, "score, 0 to 1", nil, "score>=0.8"},
		{Type, Enum, "type of task", []string{"code", "data", "research", "writing", "math", "ops", "qa", "chat", "other"}, "type:code"},
		{Has, Enum, "what is in it", []string{"think", "tools", "error", "image", "note", "tag", "stale", "edit", "copies"}, "has:error"},
		{Flag, Enum, "what was found out about it", flagNames(), "flag:loop"},
		{Metric, Number, "one metric's score, 0 to 1", metricNames(), "metric.tool_success<0.5"},
		{Topic, Substring, "part of its topic", nil, `topic:"docker compose"`},
		{Tool, Exact, "a tool that is called in it", nil, "tool:terminal"},
		{Tag, Exact, "one of its tags", nil, "tag:keep"},
		{Note, Substring, "part of its note", nil, "note:later"},
		{Reviewer, Exact, "who judged it", nil, "reviewer:ann"},
		{Reviewed, Day, "when it was judged", nil, "reviewed>=yesterday"},
		{After, Day, "recorded at that time or later", nil, "after:7d"},
		{Before, Day, "recorded before that time", nil, "before:2026-11"},
		{Turns, Number, "messages of the user", nil, "turns>=3"},
		{Messages, Number, "messages", nil, "messages:5..50"},
		{Tokens, Number, "tokens, about", nil, "tokens<10k"},
		{ToolCalls, Number, "calls of tools", nil, "toolcalls>0"},
		{ToolFails, Number, "failed tool results", nil, "toolfails=0"},
		{Model, Substring, "part of the model's name", nil, "model:opus"},
		{Agent, Exact, "agent id of its session", nil, "agent:main"},
		{Format, Enum, "format of its session", formatNames(), "format:codex"},
		{File, Substring, "part of the path of its session", nil, "file:projects/web"},
		{Session, ID, "session id", nil, "session:3f2a"},
		{IDField, ID, "segment id", nil, "id:3f2a91bc"},
		{Cut, Enum, "who cut it", []string{"llm", "offline", "curator", "single", "provisional"}, "cut:provisional"},
	}
}

// The names below are those of the packages that own them; this package
// imports nothing of theirs.

func flagNames() []string {
	return []string{
		"no_assistant", "truncated", "malformed_tool_call", "unanswered_call", "orphan_result", "unbalanced_think",
		"unfinished", "has_error_end", "interrupted", "loop", "user_corrected", "user_thanked", "no_reasoning",
		"no_user", "no_tools", "empty_answer", "api_error", "compacted", "media",
	}
}

func metricNames() []string {
	return []string{
		"tool_success", "recovery", "no_loops", "completion", "format", "reasoning", "user_signal", "substance",
		"goal", "correctness", "instruction", "efficiency", "clarity",
	}
}

func formatNames() []string {
	return []string{
		"messages", "openai", "anthropic", "sharegpt", "claude-code", "codex", "gemini", "pi", "atif", "swe-agent",
	}
}

// Lookup returns what is known of the field of that name, in any case.
func Lookup(name string) (Info, bool) {
	for _, f := range Fields() {
		if strings.EqualFold(name, string(f.Field)) {
			return f, true
		}
	}
	return Info{}, false
}

// Terms yields all terms of a tree.
func Terms(n Node) iter.Seq[Term] {
	return func(yield func(Term) bool) {
		walk(n, func(n Node) bool {
			t, ok := n.(Term)
			return !ok || yield(t)
		})
	}
}

// Texts returns all searches for text of a tree, in their order.
func Texts(n Node) []Text {
	var texts []Text
	walk(n, func(n Node) bool {
		if t, ok := n.(Text); ok {
			texts = append(texts, t)
		}
		return true
	})
	return texts
}

// HasText reports whether a tree searches for text.
func HasText(n Node) bool { return len(Texts(n)) > 0 }

// walk calls f for all terms and texts until it says false.
func walk(n Node, f func(Node) bool) bool {
	switch n := n.(type) {
	case And:
		return all(n, f)
	case Or:
		return all(n, f)
	case Not:
		return walk(n.Of, f)
	case nil:
		return true
	}
	return f(n)
}

func all(nodes []Node, f func(Node) bool) bool {
	return !slices.ContainsFunc(nodes, func(n Node) bool { return !walk(n, f) })
}
