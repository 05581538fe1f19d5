package statistics

import (
	"testing"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/screens/statistics/statisticstest"
)

func TestGoToTheSegmentsOfARow(t *testing.T) {
	for _, c := range []struct{ from, table, row, want string }{
		{"", "Scores", "0.74", "score>=0.74"},
		{"status:pending score>=0.9", "Scores", "0.74", "status:pending score>=0.74"},
		{"", "Scores", "0.95", "score>=0.95"},
		{"", "Scores", "0.80", "score>=0.8 score<0.85"},
		{"score>=0.5 status:pending", "Scores", "0.80", "score>=0.8 status:pending score<0.85"},
		{"score>=0.82", "Scores", "0.80", "score>=0.82 score<0.85"},
		{"", "Segments", "✗ rejected", "status:rejected"},
		{"status:rejected", "Segments", "✗ rejected", "status:rejected"},
		{"type:code", "Segments", "weak", "type:code score<0.7"},
		{"", "Segments", "usable", "score>=0.7 score<0.85"},
		{"", "Segments", "scored", "score>=0"},
		{"status:pending", "Types of task", "code", "status:pending type:code"},
		{"", "Tokens", "90%", "tokens<=14.2k"},
		{"", "Tokens", "the longest", "tokens>=190021"},
	} {
		x := open(t, statisticstest.Sample(), 120, 40, c.from)
		x.goTo(c.table, c.row)
		x.Press("enter")
		if !x.Left || filter.Print(x.filter) != c.want {
			t.Errorf("%s, %s: %q, want %q", c.table, c.row, filter.Print(x.filter), c.want)
		}
	}
}

// TestNameWhatTheyShow: what a row stands for can be typed, and says
// no more than the row does.
func TestNameWhatTheyShow(t *testing.T) {
	x := open(t, statisticstest.Sample(), 120, 40, "")
	terms := map[string]string{}
	for _, sec := range x.s.sections {
		for _, r := range sec.rows {
			switch {
			case r.folds || r.threshold > 0 || r.why != "":
			case r.node == nil:
				t.Errorf("%s, %s: enter does nothing and does not say why", sec.title, r.name)
			default:
				terms[sec.title+": "+r.name] = filter.Print(r.node())
			}
		}
	}
	for row, want := range map[string]string{
		"Segments: for memory, from 0.7":   "score>=0.7 -flag:no_assistant",
		"Segments: for training, from 0.8": "score>=0.8 -metric.format<1 -flag:truncated,malformed_tool_call,no_assistant",
		"Segments: ~ stale":                "has:stale",
		"Types of task: unknown":           "-type:code,data,research,writing,math,ops,qa,chat,other",
		"Tools: terminal":                  "tool:terminal",
		"Tools: ␛[2Jwipe<U+202E>数据库":       "tool:\"\x1b[2Jwipe\u202e数据库\"",
		"Models: GPT-5":                    "model:GPT-5 -model:gpt-5-codex",
		"Models: gpt-5-codex":              "model:gpt-5-codex -model:gpt-5-codex-mini",
		"Models: gpt-5-codex-mini":         "model:gpt-5-codex-mini",
		"Formats: codex":                   "format:codex",
		"Agents: main":                     "agent:main",
		"Days of review: 2026-11-18":       "reviewed:2026-11-18",
	} {
		if terms[row] != want {
			t.Errorf("%s: %q, want %q", row, terms[row], want)
		}
	}
	for want, names := range map[string][]string{
		`model:""`:               {""},
		"-model:opus":            {"", "opus"},
		"-model:gpt-5,opus":      {"gpt-5-codex", "", "Opus", "GPT-5"},
		"model:opus":             {"opus", "sonnet", ""},
		"model:o -model:opus":    {"o", "opus-4", "opus", "gpt"},
		"model:gpt -model:g+gpt": {"gpt", "g+gpt", "g+gpt+"},
	} {
		var groups []review.Group
		for _, name := range names {
			groups = append(groups, review.Group{Name: name})
		}
		name := names[0]
		if want[0] == '-' {
			name = ""
		}
		if got := filter.Print(ofModel(name, groups)); got != want {
			t.Errorf("%q of %q is %s, want %s", name, names, got, want)
		}
	}
}

func TestSayWhatNoFilterNames(t *testing.T) {
	f := statisticstest.Sample()
	f.St.Models = []review.Group{{Segments: 3}}
	f.St.Formats = []review.Group{{Name: "wordstar", Segments: 3}}
	x := open(t, f, 120, 40, "")
	for table, row := range map[string]string{"Models": "unknown", "Formats": "wordstar"} {
		x.goTo(table, row)
		x.Press("enter")
		x.Wants("no filter can express that")
		if x.Left || x.filter != nil {
			t.Fatalf("%s: %q", table, filter.Print(x.filter))
		}
	}
	x.goTo("Scores", "0.55")
	x.Press("enter")
	x.Wants("no segment has such a score")
}
