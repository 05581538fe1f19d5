// Package train remembers what trained on what: the runs that made models of approved
// segments, the samples of each, and what came of them. Its rules say what is due, what a
// run may be made of, and what a trainer's output means; running one is the matter of
// package work.
package train

import (
	"context"
	"errors"
	"time"
)

// Status is what became of a run.
type Status string

// The statuses of runs, in the order in which they come.
const (
	Exporting  Status = "exporting" // its data is being written
	Uploading  Status = "uploading"
	Queued     Status = "queued" // nothing of it was begun yet, or its host has not begun
	Running    Status = "running"
	Evaluating Status = "evaluating"
	Succeeded  Status = "succeeded"
	Failed     Status = "failed"
	Cancelled  Status = "cancelled" // a person stopped it
	Lost       Status = "lost"      // its process ended without a word
)

// Ended reports whether nothing more comes of a run by itself.
func (s Status) Ended() bool {
	return s == Succeeded || s == Failed || s == Cancelled || s == Lost
}

// Clause is what became of a run as a sentence goes on with it: "it is running".
func (s Status) Clause() string {
	switch s {
	case Succeeded, Failed:
		return "it " + string(s)
	case Cancelled:
		return "it was stopped"
	}
	return "it is " + string(s)
}

// Backend is what trains.
type Backend string

// The backends.
const (
	ByCommand Backend = "command"
	ByOpenAI  Backend = "openai" // the fine-tuning protocol of OpenAI-compatible servers
)

// Why a run was begun.
const (
	Asked = "asked" // somebody said so
	Due   = "due"   // winnow run found enough new samples
)

// Run is one training of a model.
type Run struct {
	ID                      int64
	Created, Started, Ended time.Time // zero where it has not come to that
	Curator, Cause          string
	Backend                 Backend
	Status                  Status
	Base                    string // the model it begins with, as configured
	Parent                  int64  // the run whose result it goes on from, 0 none
	Export                  int64  // in the journal of exports, 0 none yet
	Manifest                string // SHA-256 of the manifest of its data, in hexadecimal; it names the data
	Samples, New            int    // of the train split, and those of them that no succeeded run had
	Validation              int
	Tokens                  int64 // of the train split, by the export's counter
	Params                  map[string]string
	Command                 []string // a record: nothing is ever executed from it
	Host                    string   // of an OpenAI-compatible server
	Remote                  Remote
	PID                     int   // of the trainer
	PIDBegan                int64 // when that process began, as its system counts it
	Exit                    int   // -1: none yet, or it was killed
	Model                   string
	Checkpoint              string
	Metrics                 map[string]float64
	Cost                    float64 // 0 unknown
	Error, Note             string
	Promoted                time.Time
	PromotedBy              string
}

// Remote is what a server knows a run by.
type Remote struct {
	File       string `json:"file,omitempty"`
	Validation string `json:"validation,omitempty"`
	Job        string `json:"job,omitempty"`
	Event      string `json:"event,omitempty"` // the last one that was read
}

// Split is a part of an export.
type Split string

// The splits.
const (
	Train      Split = "train"
	Validation Split = "validation"
)

// Sample is a segment that a run had. Detail is the fingerprint of its content, by
// which it is known again.
type Sample struct {
	Detail, Segment, Fingerprint string
	Split                        Split
	Model                        string // that wrote it, "" unknown
	// Session is the id of its session, "" unknown: what was held back is held back with
	// that, as an edit or another cut makes another content of nearly the same words.
	Session string
}

// Point is a value of a metric at a step of a run.
type Point struct {
	Step  int
	Name  string
	Value float64
}

// MaxPoints is how many points of one name a run keeps: more are thinned, the first and
// the last stay.
const MaxPoints = 2000

// MaxNames is how many names of metrics a run has: the first that come.
const MaxNames = 200

// The subjects of evaluations.
const (
	OfBase   = "base"
	OfResult = "result"
)

// Eval is a value by which a base model or a result was measured. N is of how many
// cases, 0 unknown.
type Eval struct {
	Subject, Name string
	Value         float64
	N             int
}

// Withdrawn is a sample of a run that would train no more: it is rejected, stale, gone, has
// another content, or another run held it back.
type Withdrawn struct {
	Sample
	Title, Why string
}

// Counts are what there is to train on.
type Counts struct {
	Ready   int       // approved and fresh, of a content that was in no validation split
	New     int       // of these, in no run that succeeded
	Held    int       // approved and fresh, but once held back for validation
	Failing int       // runs since the last one that succeeded, that failed or were lost
	Last    time.Time // when the last run began, zero if none did
}

// Errors of a Store.
var (
	ErrNoRun = errors.New("there is no such run")
	ErrMoved = errors.New("the run is not what it was: somebody else changed it")
)

// Store keeps runs.
type Store interface {
	// BeginRun keeps a new run, and gives it its ID.
	BeginRun(ctx context.Context, r *Run) error
	// ChangeRun changes a run in one transaction: f gets it as it is now. An error of
	// f changes nothing, and is returned. A run that succeeds by it has the name of its
	// model, as by NameModel.
	ChangeRun(ctx context.Context, id int64, f func(*Run) error) (Run, error)
	// PutSamples gives a run its samples, in place of those that it has, and changes it
	// in the same transaction.
	PutSamples(ctx context.Context, id int64, list []Sample, f func(*Run) error) (Run, error)
	// FindRun returns a run, or ErrNoRun.
	FindRun(ctx context.Context, id int64) (Run, error)
	// Runs returns the newest runs, those before an id if it is not 0.
	Runs(ctx context.Context, before int64, limit int) ([]Run, error)
	// Open returns the runs that have not ended.
	OpenRuns(ctx context.Context) ([]Run, error)
	// RunSamples returns samples of a run in the order of their details, after one.
	RunSamples(ctx context.Context, id int64, after string, limit int) ([]Sample, error)
	// Withdrawn returns samples of a run that would train no more, those after one, and how
	// many there are in all.
	Withdrawn(ctx context.Context, id int64, after string, limit int) (list []Withdrawn, all int, err error)
	// AddPoints adds points to a run, and thins them.
	AddPoints(ctx context.Context, id int64, list []Point) error
	// BeginAgain forgets what an earlier try of a run told: its evaluations, and its
	// points from a step on.
	BeginAgain(ctx context.Context, id int64, from int) error
	// Points returns the points of a run by name and step.
	Points(ctx context.Context, id int64) ([]Point, error)
	// PutEvals keeps evaluations of a run, in place of those of the same subject and name.
	PutEvals(ctx context.Context, id int64, list []Eval) error
	Evals(ctx context.Context, id int64) ([]Eval, error)
	// NameModel ties a name of a model in sessions to the run that made it.
	NameModel(ctx context.Context, name string, run int64) error
	// ModelNames returns which run made the models of these names.
	ModelNames(ctx context.Context) (map[string]int64, error)
	// ToTrain counts what there is to train on.
	ToTrain(ctx context.Context) (Counts, error)
	// HeldBack returns the details of contents that were in the validation split of any
	// run, after one.
	HeldBack(ctx context.Context, after string, limit int) ([]string, error)
	// HeldSessions returns the sessions of which anything was in the validation split of
	// any run, after one.
	HeldSessions(ctx context.Context, after string, limit int) ([]string, error)
	// Trained returns the details of contents that were in the train split of a run that
	// succeeded, after one.
	Trained(ctx context.Context, after string, limit int) ([]string, error)
}
