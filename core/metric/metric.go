// Package metric says how good a segment is and why.
//
// A Meter reads the messages of a segment one after the other and keeps counts,
// never text. Each metric is one row of a registry with a small measure after
// it: it sees every message with what the Meter found out about it (who speaks,
// which call a result answers) and ends with a score and a reason, or says that
// it does not apply. The Analysis of a segment is all of them with their
// weighted mean, flags, statistics of the tools and a type of task, as JSON
// that is the same for the same messages, wherever and in whatever order
// segments are scored.
package metric

import (
	"math"
	"slices"
	"strconv"
)

// Version is that of the analysis: of its JSON, and of how its metrics measure.
// One of an earlier version can be read, and is to be made anew.
const Version = 2

// Scorers of an analysis.
const (
	Offline = "offline" // measured, without a model
	Judged  = "llm"     // a model judged, too
)

// TaskType says what kind of work a segment is.
type TaskType string

// The types of tasks.
const (
	Code     TaskType = "code"
	Data     TaskType = "data"
	Research TaskType = "research"
	Writing  TaskType = "writing"
	Math     TaskType = "math"
	Ops      TaskType = "ops"
	QA       TaskType = "qa"
	Chat     TaskType = "chat"
	Other    TaskType = "other"
)

// TaskTypes returns all types in the order in which they are listed.
func TaskTypes() []TaskType {
	return []TaskType{Code, Data, Research, Writing, Math, Ops, QA, Chat, Other}
}

// TaskTypeNames returns their names.
func TaskTypeNames() []string {
	var names []string
	for _, t := range TaskTypes() {
		names = append(names, string(t))
	}
	return names
}

// ParseTaskType returns the type of that name; ok is false if there is none.
func ParseTaskType(name string) (t TaskType, ok bool) {
	t = TaskType(name)
	return t, slices.Contains(TaskTypes(), t)
}

// Value is what a metric says of a segment.
type Value struct {
	Score  float64 `json:"score"`  // 0 to 1, in steps of 0.0001
	Weight float64 `json:"weight"` // in the overall score, above 0
	Reason string  `json:"reason"` // one line for people; "#12" names message 12 of the session
}

// ToolStat counts what became of the calls of one tool.
type ToolStat struct {
	Count   int `json:"count"`   // calls
	Success int `json:"success"` // results that are none of a failure
	Failure int `json:"failure"`
	// Errors and Exits count the results by their outcome.
	Errors int `json:"errors,omitzero"`
	Exits  int `json:"exits,omitzero"`
}

// Summary is what lists show of an analysis.
type Summary struct {
	OverallScore *float64 `json:"overall_score"` // 0 to 1, in steps of 0.0001; nil: no metric applies
	Evidence     Evidence `json:"evidence,omitzero"`
	TaskType     TaskType `json:"task_type"`
	Reason       string   `json:"reason"` // one line
}

// Evidence is how much an overall score rests on. It is zero in analyses that
// do not tell.
type Evidence struct {
	Applies int `json:"applies"` // metrics that apply
	Of      int `json:"of"`      // metrics that are switched on, of those that somebody asked for
}

// After writes it after the text of a score: "0.93 · 6 of 8", with that sign.
func (e Evidence) After(score, sign string) string {
	if text := e.String(); text != "" {
		return score + " " + sign + " " + text
	}
	return score
}

// String is "6 of 8", "" if it is not known.
func (e Evidence) String() string {
	if e.Of <= 0 {
		return ""
	}
	return strconv.Itoa(e.Applies) + " of " + strconv.Itoa(e.Of)
}

// round cuts a score to its 4 digits and to 0 to 1. What is no number is 0.
func round(score float64) float64 {
	if !(score > 0) {
		return 0
	}
	return math.Round(min(score, 1)*1e4) / 1e4
}

// share returns part of all as a score. It is 1 only if part is all, and 0 only
// if it is nothing, however many there are.
func share(part, all int) float64 {
	switch {
	case all <= 0 || part >= all:
		return 1
	case part <= 0:
		return 0
	}
	return min(max(round(float64(part)/float64(all)), 1e-4), 1-1e-4)
}

// What is counted along with the metrics, so that few of them say little: a
// value in the middle.
const (
	midScore  = 0.5
	midWeight = 2 // as much as one metric of average weight
)

// Overall returns the weighted mean of the metrics that apply and of the middle,
// rounded to 4 digits and within 0 to 1; nil if none applies. The order of the
// values does not matter.
func Overall(values ...*Value) *float64 {
	// Integers, because sums of floats depend on the order of adding.
	var sum, weights int64
	for _, v := range values {
		if v == nil || !(v.Weight > 0) {
			continue
		}
		w := int64(math.Round(min(v.Weight, weightMost) * 1e4))
		sum += w * int64(math.Round(round(v.Score)*1e4))
		weights += w
	}
	if weights == 0 {
		return nil
	}
	sum += midWeight * 1e4 * midScore * 1e4
	weights += midWeight * 1e4
	score := round(float64(sum) / float64(weights) / 1e4)
	return &score
}

// ScoreText writes a score with two digits. Rounding never makes it 1 or 0: a
// defect is seen, and so is what little is good.
func ScoreText(score float64) string {
	const step = 0.01
	switch {
	case score < 1 && score > 1-step:
		score = 1 - step
	case score > 0 && score < step:
		score = step
	}
	return strconv.FormatFloat(score, 'f', 2, 64)
}
