package llm

import (
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/clean"
)

// File is a file that lies on the server.
type File struct {
	ID     string
	Name   string // one safe line
	Size   int64  // in bytes
	Status string // "uploaded", "processed", "error", …, "" untold
}

// Body is what becomes a file on the server. It is read as it is sent, and may be read
// again.
type Body struct {
	Name string
	Size int64 // in bytes, exactly
	Open func() (io.ReadCloser, error)
}

// JobStatus is how far a server is with a job. It may also be a word that is none of
// these.
type JobStatus string

// The statuses of jobs.
const (
	JobValidating JobStatus = "validating_files"
	JobQueued     JobStatus = "queued"
	JobRunning    JobStatus = "running"
	JobSucceeded  JobStatus = "succeeded"
	JobFailed     JobStatus = "failed"
	JobCancelled  JobStatus = "cancelled"
)

// Job is the fine-tuning of a model on a server.
type Job struct {
	ID                string
	Status            JobStatus
	Base              string // the model that is tuned, as the server calls it
	Model             string // the model that came of it, "" none yet
	Train, Validation string // ids of files
	Params            map[string]string
	Tokens            int64  // trained so far, 0 untold
	Error             string // why it failed, one safe line
	Created, Ended    time.Time
}

// NewJob is what a job is asked for. Params are hyperparameters, as their names are:
// n_epochs, batch_size; suffix and seed are what the protocol has beside them.
type NewJob struct {
	Base, Train, Validation string
	Params                  map[string]string
}

// Event is what a server says about a job at a time.
type Event struct {
	ID             string
	At             time.Time
	Level, Message string // safe lines
	Step           int    // of Values
	Values         map[string]float64
}

const (
	// maxID is the length of an id, and of the name of a model.
	maxID = 200
	// maxWords bounds a text of a server that goes into a log, in bytes.
	maxWords = 1_000
	// maxValues is how many values an event may have: loss and accuracy of two splits,
	// each by step and in full, are eight.
	maxValues = 32
)

// A name of a folder is no id: an id becomes a part of a path.
var idForm = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,200}$`)

func isID(s string) bool { return idForm.MatchString(s) && strings.Trim(s, ".") != "" }

// checkID returns what is wrong with an id that a server gave.
func (c *Client) checkID(what, id string) error {
	if isID(id) {
		return nil
	}
	return &Error{useless: true, text: fmt.Sprintf("%s calls a %s %q, which is no id: it is not used", c.where, what, c.secret.show(id))}
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_./-]{1,64}$`)

// A fileTold and the like is how servers write it. Numbers may be null, texts may be
// anything.
type fileTold struct {
	ID     jsontext.Value `json:"id"`
	Name   jsontext.Value `json:"filename"`
	Size   jsontext.Value `json:"bytes"`
	Status jsontext.Value `json:"status"`
}

type jobTold struct {
	ID         jsontext.Value `json:"id"`
	Status     jsontext.Value `json:"status"`
	Base       jsontext.Value `json:"model"`
	Model      jsontext.Value `json:"fine_tuned_model"`
	Train      jsontext.Value `json:"training_file"`
	Validation jsontext.Value `json:"validation_file"`
	Params     jsontext.Value `json:"hyperparameters"`
	Tokens     jsontext.Value `json:"trained_tokens"`
	Error      jsontext.Value `json:"error"`
	Created    jsontext.Value `json:"created_at"`
	Ended      jsontext.Value `json:"finished_at"`
}

type eventTold struct {
	ID      jsontext.Value `json:"id"`
	At      jsontext.Value `json:"created_at"`
	Level   jsontext.Value `json:"level"`
	Message jsontext.Value `json:"message"`
	Data    jsontext.Value `json:"data"`
}

// words makes one safe line of a text of the server.
func (c *Client) words(v jsontext.Value) string {
	return shorten(strings.TrimSpace(clean.Line(c.secret.hide(Text(v)))), maxWords)
}

func (c *Client) file(t fileTold) (File, error) {
	f := File{ID: Text(t.ID), Name: c.words(t.Name), Size: whole(t.Size), Status: c.words(t.Status)}
	return f, c.checkID("file", f.ID)
}

func (c *Client) job(t jobTold) (Job, error) {
	j := Job{ID: Text(t.ID), Status: JobStatus(c.words(t.Status)), Base: c.words(t.Base), Train: c.words(t.Train),
		Validation: c.words(t.Validation), Tokens: whole(t.Tokens), Created: moment(t.Created), Ended: moment(t.Ended)}
	if model := Text(t.Model); model != "" {
		if len(model) > maxID || clean.Line(model) != model || strings.ContainsAny(model, " \t") {
			return j, &Error{useless: true, text: fmt.Sprintf("%s calls the model of job %s %q, which is no name: it is not used", c.where, c.secret.show(j.ID), c.secret.show(model))}
		}
		j.Model = model
	}
	for name, v := range object(t.Params) {
		if j.Params == nil {
			j.Params = map[string]string{}
		}
		if _, text, err := Number(v); err == nil {
			j.Params[name] = text
		} else {
			j.Params[name] = c.words(v)
		}
	}
	j.Error = c.jobError(t.Error)
	return j, c.checkID("job", j.ID)
}

// jobError reads {"code","message","param"}, of which each may be missing, and texts.
func (c *Client) jobError(v jsontext.Value) string {
	if v.Kind() == '"' {
		return c.words(v)
	}
	e := object(v)
	text, code := c.words(e["message"]), c.words(e["code"])
	switch param := c.words(e["param"]); {
	case text == "":
		return code
	case code != "" && param != "":
		return fmt.Sprintf("%s (%s, %s)", text, code, param)
	case code != "":
		return fmt.Sprintf("%s (%s)", text, code)
	}
	return text
}

func (c *Client) event(t eventTold) (Event, error) {
	e := Event{ID: Text(t.ID), At: moment(t.At), Level: c.words(t.Level), Message: c.words(t.Message)}
	e.Step, e.Values = values(object(t.Data))
	return e, c.checkID("event", e.ID)
}

// values takes the numbers out of the data of an event, and the step that they are of.
func values(data map[string]jsontext.Value) (step int, found map[string]float64) {
	n := whole(data["step"])
	if n == 0 || n > math.MaxInt32 {
		return 0, nil
	}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		x, _, err := Number(data[name])
		switch {
		case err != nil, math.IsInf(x, 0), math.IsNaN(x), name == "step", name == "total_steps", !nameForm.MatchString(name):
		case len(found) < maxValues:
			if found == nil {
				found = map[string]float64{}
			}
			found[name] = x
		}
	}
	return int(n), found
}

// object reads an object, nil of anything else.
func object(v jsontext.Value) (fields map[string]jsontext.Value) {
	if v.Kind() != '{' || json.Unmarshal(v, &fields, Lenient()) != nil {
		return nil
	}
	return fields
}

// whole reads a count, 0 for anything else.
func whole(v jsontext.Value) int64 {
	x, _, err := Number(v)
	if err != nil || !(x >= 0 && x < 1<<53) {
		return 0
	}
	return int64(x)
}

// moment reads a time in seconds since 1970, the zero time for anything else.
func moment(v jsontext.Value) time.Time {
	if n := whole(v); n > 0 && n < 1<<40 {
		return time.Unix(n, 0).UTC()
	}
	return time.Time{}
}
