package filter

import (
	"iter"
	"slices"
	"strings"
)

// Match is how a term compares its value with what a segment has. A segment
// without a value meets no term.
type Match int

// The ways to compare.
const (
	Equals   Match = iota // the text, as it is
	Contains              // a part of the text, without regard to case
	Begins                // the beginning of an id
	Listed                // one of a list
	Compares              // a number
	Dates                 // a time
	Measures              // the score of a metric
	Marks                 // a column that is set, see Mark
)

// Column is what is kept of a segment to be asked for. What is kept of its
// session begins with "session.".
type Column string

const session = "session."

// OfSession reports whether a column is one of sessions, and returns its name.
func (c Column) OfSession() (name string, ok bool) { return strings.CutPrefix(string(c), session) }

// Info is what is known of a field.
type Info struct {
	Field  Field
	Kind   Kind
	Match  Match
	Column Column // what the value is compared with; Marks: none
	Help   string // a few words for completion
	// Values are those of an Enum, and the names of metrics of Metric, in the
	// order they are offered.
	Values  []string
	Example string // a term that has it
}

// Fields returns what is known of all fields, in the order they are offered: the
// one place that says what a term means. SQL and memory have each a function for
// every Match, and the columns.
func Fields() []Info { return fields }

var fields = []Info{
	{Status, Enum, Equals, "verdict", "verdict", []string{"pending", "approved", "rejected", "unsure"}, "status:pending"},
	{Score, Number, Compares, "score", "score, 0 to 1", nil, "score>=0.8"},
	{Likely, Number, Compares, "likely", "how likely you would approve it, 0 to 1", nil, "likely>=0.8"},
	{Seen, Number, Compares, "seen", "how much of it you saw, 0 to 100%", nil, "seen<50%"},
	{Type, Enum, Equals, "task_type", "type of task", []string{"code", "data", "research", "writing", "math", "ops", "qa", "chat", "other"}, "type:code"},
	{Has, Enum, Marks, "", "what is in it", namesOf(marks), "has:error"},
	{Edit, Enum, Marks, "", "what edits of its messages are for", namesOf(editMarks), "edit:redact"},
	{Compression, Enum, Marks, "", "what became of its compression", namesOf(compressionMarks), "compression:proposed"},
	{Flag, Enum, Listed, "flags", "what was found out about it", flagNames(), "flag:loop"},
	{Metric, Number, Measures, "measures", "one metric's score, 0 to 1", metricNames(), "metric.tool_success<0.5"},
	{Topic, Substring, Contains, "topic", "part of its topic", nil, `topic:"docker compose"`},
	{Tool, Exact, Listed, "tools", "a tool that is called in it", nil, "tool:terminal"},
	{Tag, Exact, Listed, "tags", "one of its tags", nil, "tag:keep"},
	{Why, Exact, Listed, "tags", "a reason of its verdict", nil, "why:loop"},
	{Note, Substring, Contains, "note", "part of its note", nil, "note:later"},
	{Reviewer, Exact, Equals, "reviewer", "who judged it", nil, "reviewer:ann"},
	{Reviewed, Day, Dates, "reviewed_at", "when it was judged", nil, "reviewed>=yesterday"},
	{Came, Day, Dates, session + "created_at", "when its session was first imported", nil, "came>=yesterday"},
	{After, Day, Dates, "recorded", "recorded at that time or later", nil, "after:7d"},
	{Before, Day, Dates, "recorded", "recorded before that time", nil, "before:2026-11"},
	{Turns, Number, Compares, "turns", "messages of the user, without summaries", nil, "turns>=3"},
	{Messages, Number, Compares, "messages", "messages", nil, "messages:5..50"},
	{Tokens, Number, Compares, "tokens", "tokens, about", nil, "tokens<10k"},
	{ToolCalls, Number, Compares, "tool_calls", "calls of tools", nil, "toolcalls>0"},
	{ToolFails, Number, Compares, "tool_fails", "failed tool results", nil, "toolfails=0"},
	{Errors, Number, Compares, "errors", "tool calls that failed", nil, "errors>2"},
	{Exits, Number, Compares, "exits", "runs that report a failure", nil, "exits=0"},
	{Model, Substring, Contains, session + "model", "part of the model's name", nil, "model:opus"},
	{Agent, Exact, Equals, "agent_id", "agent id of its session", nil, "agent:main"},
	{Format, Enum, Equals, session + "format", "format of its session", formatNames(), "format:codex"},
	{File, Substring, Contains, session + "session_file", "part of the path of its session", nil, "file:projects/web"},
	{Session, ID, Begins, session + "id", "session id", nil, "session:3f2a"},
	{IDField, ID, Begins, "id", "segment id", nil, "id:3f2a91bc"},
	{Cut, Enum, Equals, "cut_by", "who cut it", []string{"llm", "offline", "curator", "single", "provisional"}, "cut:provisional"},
}

// compared reports whether a field is a time that is compared as numbers are.
func (i *Info) compared() bool { return i.Kind == Day && i.Field != After && i.Field != Before }

// WhyPrefix is what the tags that are reasons of a verdict begin with.
const WhyPrefix = "why:"

// Item is the item of a list that a value of the field stands for: the tag of a
// reason, else the value.
func (i *Info) Item(value string) string {
	if i.Field == Why {
		return WhyPrefix + strings.ReplaceAll(value, " ", "-")
	}
	return value
}

// Value is the other way round; ok is false for an item that is no value of the field.
func (i *Info) Value(item string) (value string, ok bool) {
	if i.Field == Why {
		return strings.CutPrefix(item, WhyPrefix)
	}
	return item, true
}

// Each yields the values that are known of a field, and a term for each: of a
// metric, any score.
func (i *Info) Each() iter.Seq2[string, Term] {
	return func(yield func(string, Term) bool) {
		for _, v := range i.Values {
			t := Term{Field: i.Field, Op: Is, Value: v}
			if i.Field == Metric {
				t = Term{Field: Metric, Metric: v, Op: GreaterEqual}
			}
			if !yield(v, t) {
				return
			}
		}
	}
}

// Mark is a value of has:, edit: or compression:. A segment has it if the column is set: a number above
// 0, or a text.
type Mark struct {
	Name   string
	Column Column
	Help   string
}

var marks = []Mark{
	{"think", "reasonings", "reasoning"},
	{"tools", "tool_calls", "a tool call"},
	{"error", "errors", "a tool call that failed"},
	{"exit", "exits", "a run that reports a failure"},
	{"image", "media", "an image, audio or file"},
	{"note", "note", "a note"},
	{"tag", "tags", "a tag"},
	{"stale", "stale", "changed after its verdict"},
	{"edit", "edited", "a curator's edits"},
	{"compression", "compression", "a compression that was proposed"},
	{"copies", session + "copied", "its session is stored elsewhere, too"},
}

// editMarks are the values of edit:.
var editMarks = []Mark{
	{"fix", "fixes", "a message that was put right"},
	{"redact", "redactions", "a message that something was taken out of"},
	{"squash", "squashes", "messages that others stand for"},
	{"clash", "clashes", "an edit of a message that is another one by now"},
}

// compressionMarks are the values of compression:.
var compressionMarks = []Mark{
	{"proposed", "compression.proposed", "one that waits for your yes or no"},
	{"accepted", "compression.accepted", "one that exports write"},
	{"rejected", "compression.rejected", "one that nobody wants"},
	{"failed", "compression.failed", "it is too long, and nothing came that may be used"},
	{"stale", "compression.stale", "one of other messages than it has now"},
}

// markLists are the values of the fields that ask for marks.
var markLists = map[Field][]Mark{Has: marks, Edit: editMarks, Compression: compressionMarks}

// MarkOf returns the value of a field, has:, edit: or compression:, that has a name.
func MarkOf(f Field, name string) (Mark, bool) {
	list := markLists[f]
	i := slices.IndexFunc(list, func(m Mark) bool { return m.Name == name })
	if i < 0 {
		return Mark{}, false
	}
	return list[i], true
}

func namesOf(marks []Mark) (names []string) {
	for _, m := range marks {
		names = append(names, m.Name)
	}
	return names
}

// The names below are those of the packages that own them; this package
// imports nothing of theirs.

func flagNames() []string {
	return []string{
		"no_assistant", "truncated", "malformed_tool_call", "unanswered_call", "orphan_result", "unbalanced_think",
		"unfinished", "has_error_end", "interrupted", "loop", "user_corrected", "user_thanked", "no_reasoning",
		"no_user", "no_tools", "empty_answer", "declined", "handed_over", "api_error", "compacted", "media",
	}
}

func metricNames() []string {
	return []string{
		"tool_success", "recovery", "no_loops", "completion", "format", "reasoning", "user_signal", "substance",
		"resolution", "effort",
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
	for _, f := range fields {
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

// Asks reports whether a tree has a term about one of these fields.
func Asks(n Node, any ...Field) bool {
	for t := range Terms(n) {
		if slices.Contains(any, t.Field) {
			return true
		}
	}
	return false
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
