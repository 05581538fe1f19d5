package training

import (
	"fmt"
	"time"

	"winnow/core/train"
)

// row is a run as JSON.
type row struct {
	Run        int64              `json:"run"`
	Status     train.Status       `json:"status"`
	Created    time.Time          `json:"created"`
	Started    time.Time          `json:"started,omitzero"`
	Ended      time.Time          `json:"ended,omitzero"`
	Curator    string             `json:"curator"`
	Cause      string             `json:"cause"`
	Backend    train.Backend      `json:"backend"`
	Base       string             `json:"base,omitzero"`
	Parent     int64              `json:"parent,omitzero"`
	Export     int64              `json:"export,omitzero"`
	Manifest   string             `json:"manifest_sha256,omitzero"`
	Samples    int                `json:"samples"`
	New        int                `json:"new"`
	Validation int                `json:"validation"`
	Tokens     int64              `json:"tokens"`
	Params     map[string]string  `json:"params,omitempty"`
	Command    []string           `json:"command,omitempty"`
	Host       string             `json:"host,omitzero"`
	Job        string             `json:"job,omitzero"`
	PID        int                `json:"pid,omitzero"`
	Exit       *int               `json:"exit,omitzero"`
	Model      string             `json:"model,omitzero"`
	Checkpoint string             `json:"checkpoint,omitzero"`
	Metrics    map[string]float64 `json:"metrics,omitempty"`
	Cost       float64            `json:"cost,omitzero"`
	Error      string             `json:"error,omitzero"`
	Note       string             `json:"note,omitzero"`
	Promoted   time.Time          `json:"promoted,omitzero"`
	PromotedBy string             `json:"promoted_by,omitzero"`
}

func rowOf(r *train.Run) row {
	out := row{
		Run: r.ID, Status: r.Status, Created: r.Created.UTC(), Started: utc(r.Started), Ended: utc(r.Ended), Curator: r.Curator, Cause: r.Cause, Backend: r.Backend, Base: r.Base, Parent: r.Parent, Export: r.Export,
		Manifest: r.Manifest, Samples: r.Samples, New: r.New, Validation: r.Validation, Tokens: r.Tokens, Params: r.Params, Command: r.Command, Host: r.Host, Job: r.Remote.Job, PID: r.PID,
		Model: r.Model, Checkpoint: r.Checkpoint, Metrics: r.Metrics, Cost: r.Cost, Error: r.Error, Note: r.Note, Promoted: utc(r.Promoted), PromotedBy: r.PromotedBy,
	}
	if r.Exit >= 0 {
		out.Exit = &r.Exit
	}
	return out
}

// utc is a time in UTC; none stays none.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}

// pointRow, evalRow and withdrawnRow are what is known of a run besides, as JSON.
type pointRow struct {
	Step  int     `json:"step"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

type evalRow struct {
	Of    string  `json:"of"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	N     int     `json:"n,omitzero"`
}

type withdrawnRow struct {
	Segment string `json:"segment"`
	Title   string `json:"title"`
	Why     string `json:"why"`
}

// whole is all of a run as JSON.
type whole struct {
	row
	Points       []pointRow     `json:"points"`
	Evals        []evalRow      `json:"evals"`
	Withdrawn    []withdrawnRow `json:"withdrawn"`
	AllWithdrawn int            `json:"all_withdrawn"`
}

// outcome says in a line what became of a run.
func outcome(r *train.Run) string {
	line := status(r)
	if !r.Ended.IsZero() && !r.Started.IsZero() && r.Ended.After(r.Started) {
		line += fmt.Sprintf(" %s after it began", r.Ended.Sub(r.Started).Round(time.Second))
	}
	if r.Status == train.Succeeded && r.Model != "" {
		line += ": " + r.Model
	}
	if r.Error != "" && r.Status != train.Succeeded {
		line += ": " + r.Error
	}
	return line
}

// warning is what went wrong with a run that succeeded all the same, such as its
// evaluation.
func warning(r *train.Run) string {
	if r.Status != train.Succeeded {
		return ""
	}
	return r.Error
}
