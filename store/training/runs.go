// Package training keeps what trained on what: runs, their samples, their points and
// evaluations, and which names of models are theirs.
//
// A sample is known again by all of its content's digest. What became of it since is not
// kept, but looked up: so no verdict, cut or edit has to know of runs.
package training

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/train"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// Asks runs a statement, in a transaction or by itself.
type Asks func(text string, args ...any) *sqlite.Rows

// columns are those of a run, without its id.
const columns = "created_at, started_at, ended_at, curator, cause, backend, status, base_model, parent, export_id, manifest_sha256, samples, new_samples, validation, tokens," +
	" params, command, host, remote, pid, pid_began, exit, result_model, checkpoint, metrics, cost, error, note, promoted_at, promoted_by"

const (
	newSQL = "INSERT INTO runs (id, " + columns + ") VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	putSQL = "UPDATE runs SET (" + columns + ") = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?"
	oneSQL = "SELECT id, " + columns + " FROM runs WHERE id = ?"
	// Runs are few, but their rows are wide.
	listSQL = "SELECT id, " + columns + " FROM runs WHERE id < ? ORDER BY id DESC LIMIT ?"
	openSQL = "SELECT r.* FROM (SELECT id FROM runs WHERE status IN ('exporting', 'uploading', 'queued', 'running', 'evaluating') ORDER BY id) o" +
		" CROSS JOIN (SELECT id, " + columns + " FROM runs) r ON r.id = o.id ORDER BY r.id"
)

// promotedSQL finds the other runs whose result is the one to use.
const promotedSQL = "SELECT id, " + columns + " FROM runs WHERE status = 'succeeded' AND promoted_at IS NOT NULL AND id <> ? ORDER BY id"

// record is a run, and the columns of it that are not its fields.
type record struct {
	train.Run
	parent, export, pid, began, exit *int64
	cost                             *float64
	by                               *string
	params, command, remote, metrics string
}

// dest is where the id and columns go.
func (r *record) dest() []any {
	return []any{
		&r.ID, stamp.Time{At: &r.Created}, stamp.Time{At: &r.Started}, stamp.Time{At: &r.Ended}, &r.Curator, &r.Cause, &r.Backend, &r.Status, &r.Base,
		&r.parent, &r.export, &r.Manifest, &r.Samples, &r.New, &r.Validation, &r.Tokens, &r.params, &r.command, &r.Host, &r.remote, &r.pid, &r.began, &r.exit,
		&r.Model, &r.Checkpoint, &r.metrics, &r.cost, &r.Error, &r.Note, stamp.Time{At: &r.Promoted}, &r.by,
	}
}

// run is the run of a row.
func (r *record) run() (train.Run, error) {
	u := r.Run
	u.Parent, u.Export, u.PID, u.PIDBegan, u.Exit = value(r.parent, 0), value(r.export, 0), int(value(r.pid, 0)), value(r.began, 0), int(value(r.exit, -1))
	u.Cost, u.PromotedBy = value(r.cost, 0), value(r.by, "")
	u.Params, u.Command, u.Remote, u.Metrics = nil, nil, train.Remote{}, nil
	err := cmp.Or(read(r.params, &u.Params), read(r.command, &u.Command), read(r.remote, &u.Remote), read(r.metrics, &u.Metrics))
	if err != nil {
		err = fmt.Errorf("run %d: %w: run winnow doctor", r.ID, err)
	}
	if len(u.Params) == 0 {
		u.Params = nil
	}
	if len(u.Command) == 0 {
		u.Command = nil
	}
	if len(u.Metrics) == 0 {
		u.Metrics = nil
	}
	return u, err
}

// values are what columns get.
func values(u *train.Run) ([]any, error) {
	for name, v := range u.Metrics {
		if !Finite(v) {
			return nil, fmt.Errorf("metric %s is %v: it must be a number", name, v)
		}
	}
	var exit any
	if u.Exit >= 0 {
		exit = u.Exit
	}
	var texts [4]string
	for i, v := range []any{u.Params, u.Command, u.Remote, u.Metrics} {
		text, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return nil, err
		}
		texts[i] = string(text)
	}
	return []any{
		stamp.Of(u.Created), stamp.OrNull(u.Started), stamp.OrNull(u.Ended), u.Curator, u.Cause, string(u.Backend), string(u.Status), u.Base,
		orNull(u.Parent), orNull(u.Export), u.Manifest, u.Samples, u.New, u.Validation, u.Tokens, texts[0], texts[1], u.Host, texts[2],
		orNull(u.PID), orNull(u.PIDBegan), exit, u.Model, u.Checkpoint, texts[3], orNull(u.Cost), u.Error, u.Note, stamp.OrNull(u.Promoted), orNull(u.PromotedBy),
	}, nil
}

// Finite reports whether a number can be kept.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// read reads a column of JSON.
func read(text string, into any) error {
	return json.Unmarshal([]byte(text), into, jsontext.AllowInvalidUTF8(true))
}

// value is what a column holds, or what it says with nothing.
func value[T any](v *T, none T) T {
	if v == nil {
		return none
	}
	return *v
}

// orNull is a value whose zero is not there.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// runs reads runs.
func runs(rows *sqlite.Rows) ([]train.Run, error) {
	records, err := sqlite.List(rows, (*record).dest)
	if err != nil {
		return nil, err
	}
	list := make([]train.Run, len(records))
	for i := range records {
		if list[i], err = records[i].run(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Begin keeps a new run.
func Begin(t *sqlite.Tx, u *train.Run) error {
	args, err := values(u)
	if err != nil {
		return err
	}
	done, err := t.Exec(newSQL, args...)
	if err == nil {
		u.ID, err = done.LastInsertId()
	}
	return err
}

// Find returns a run, or train.ErrNoRun.
func Find(ask Asks, id int64) (train.Run, error) {
	list, err := runs(ask(oneSQL, id))
	if err != nil {
		return train.Run{}, err
	}
	if len(list) == 0 {
		return train.Run{}, fmt.Errorf("run %d: %w", id, train.ErrNoRun)
	}
	return list[0], nil
}

// Change changes a run as it is now. Its ID stays. With a run that succeeds the name of
// its model is its own, and one that is promoted takes the place of the one that was.
func Change(t *sqlite.Tx, id int64, f func(*train.Run) error) (train.Run, error) {
	u, err := Find(t.Rows, id)
	if err != nil {
		return u, err
	}
	err = change(t, &u, f)
	return u, err
}

func change(t *sqlite.Tx, u *train.Run, f func(*train.Run) error) error {
	id, status, promoted := u.ID, u.Status, u.Promoted
	if err := f(u); err != nil {
		return err
	}
	u.ID = id
	err := put(t, u)
	if err == nil && u.Status == train.Succeeded && status != u.Status && u.Model != "" {
		_, err = t.Exec(putNameSQL, u.Model, id)
	}
	if err == nil && u.Promoted.After(promoted) {
		err = replace(t, id)
	}
	return err
}

// put writes a run that is there.
func put(t *sqlite.Tx, u *train.Run) error {
	args, err := values(u)
	if err == nil {
		_, err = t.Exec(putSQL, append(args, u.ID)...)
	}
	return err
}

// replace makes a note of their promotion of the runs in whose place one is promoted.
func replace(t *sqlite.Tx, by int64) error {
	list, err := runs(t.Rows(promotedSQL, by))
	for i := range list {
		if u := &list[i]; err == nil {
			u.Note = strings.TrimPrefix(fmt.Sprintf("%s; promoted on %s by %s, until run %d was", u.Note, u.Promoted.UTC().Format(time.DateOnly), u.PromotedBy, by), "; ")
			u.Promoted, u.PromotedBy = time.Time{}, ""
			err = put(t, u)
		}
	}
	return err
}

// List returns the newest runs, those before an id if it is not 0.
func List(ask Asks, before int64, limit int) ([]train.Run, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return runs(ask(listSQL, before, limit))
}

// Open returns the runs that have not ended, the oldest first.
func Open(ask Asks) ([]train.Run, error) { return runs(ask(openSQL)) }
