package tell

import (
	"fmt"
	"strconv"

	"winnow/core/review"
	"winnow/core/train"
	"winnow/tui/draw"
)

// Judged is what became of segments in rows of "stats --by model --json".
type Judged struct {
	Segments int `json:"segments"`
	Judged   int `json:"judged"` // approved or rejected
	Approved int `json:"approved"`
	Rejected int `json:"rejected"`
	Unsure   int `json:"unsure"`
	Pending  int `json:"pending"`

	Approval     *float64 `json:"approval"`     // null: none is judged
	ApprovalLow  *float64 `json:"approval_low"` // of the interval of 95%
	ApprovalHigh *float64 `json:"approval_high"`

	Scored          int      `json:"scored"`
	AvgQualityScore *float64 `json:"avg_quality_score"` // null: nothing is scored
	ToolCalls       int      `json:"tool_calls"`
	ToolFailures    int      `json:"tool_failures"`
}

// Model is a row of "stats --by model --json".
type Model struct {
	Model string   `json:"model"`
	Names []string `json:"names"` // that sessions have for it
	Run   *int64   `json:"run"`   // that made it, null: none
	Base  bool     `json:"base"`  // a run began with it
	Judged
	TaskTypes []modelType `json:"task_types"`
}

type modelType struct {
	Name string `json:"name"`
	Judged
}

func judgedOf(j *train.Judged) Judged {
	row := Judged{
		Segments: j.Segments, Judged: j.Judged(), Approved: j.Approved, Rejected: j.Rejected, Unsure: j.Unsure, Pending: j.Undecided,
		Scored: j.Scored, ToolCalls: j.Calls, ToolFailures: j.Failed,
	}
	if share, low, high, ok := j.Approval(); ok {
		row.Approval, row.ApprovalLow, row.ApprovalHigh = &share, &low, &high
	}
	if mean, ok := j.Score(); ok {
		row.AvgQualityScore = &mean
	}
	return row
}

// ModelOf returns the row of a model.
func ModelOf(m *train.OfModel) Model {
	row := Model{Model: m.Name(), Names: m.Names, Base: m.Base, Judged: judgedOf(&m.Judged)}
	if m.Run > 0 {
		row.Run = &m.Run
	}
	for i := range m.Types {
		row.TaskTypes = append(row.TaskTypes, modelType{m.Types[i].Type, judgedOf(&m.Types[i].Judged)})
	}
	return row
}

// ModelCells are what people see of a model: its name, segments, judged ones, the share
// of approved ones with its interval, mean score and failed calls of tools.
func ModelCells(m *train.OfModel) []string {
	name := m.Name()
	switch {
	case name == "":
		name = review.Unknown
	case m.Base:
		name += " (base)"
	}
	score, failed := "–", "–"
	if mean, ok := m.Score(); ok {
		score = strconv.FormatFloat(mean, 'f', 2, 64)
	}
	if share, ok := m.Failures(); ok {
		failed = fmt.Sprintf("%.0f%%", 100*share)
	}
	return []string{name, draw.Grouped(m.Segments), draw.Grouped(m.Judged.Judged()), m.ApprovalText(), score, failed}
}
