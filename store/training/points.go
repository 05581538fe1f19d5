package training

import (
	"fmt"

	"winnow/core/train"
	"winnow/store/sqlite"
)

const (
	putPointSQL  = "INSERT OR REPLACE INTO run_points (run_id, step, name, value) VALUES (?, ?, ?, ?)"
	manySQL      = "SELECT count(*) FROM run_points WHERE run_id = ? AND name = ?"
	ofNameSQL    = "SELECT step, name, value FROM run_points WHERE run_id = ? AND name = ? ORDER BY step"
	dropPointSQL = "DELETE FROM run_points WHERE run_id = ? AND name = ? AND step = ?"
	dropFromSQL  = "DELETE FROM run_points WHERE run_id = ? AND step >= ?"
	pointsSQL    = "SELECT step, name, value FROM run_points WHERE run_id = ? ORDER BY name, step"

	putEvalSQL  = "INSERT OR REPLACE INTO run_evals (run_id, subject, name, value, n) VALUES (?, ?, ?, ?, ?)"
	dropEvalSQL = "DELETE FROM run_evals WHERE run_id = ?"
	evalsSQL    = "SELECT subject, name, value, n FROM run_evals WHERE run_id = ? ORDER BY subject, name"

	putNameSQL = "INSERT OR REPLACE INTO model_names (name, run_id) VALUES (?, ?)"
	namesSQL   = "SELECT name, run_id FROM model_names"
	// There are hundreds of runs at most.
	basesSQL = "SELECT DISTINCT base_model FROM runs"
)

// AddPoints adds points to a run, and thins those of names that have too many. What is
// no number is not kept.
func AddPoints(t *sqlite.Tx, id int64, list []train.Point) error {
	names := map[string]bool{}
	for i := range list {
		p := &list[i]
		if !finite(p.Value) {
			continue
		}
		if _, err := t.Exec(putPointSQL, id, p.Step, p.Name, p.Value); err != nil {
			return err
		}
		names[p.Name] = true
	}
	for name := range names {
		if err := thin(t, id, name); err != nil {
			return err
		}
	}
	return nil
}

// BeginAgain forgets the evaluations of a run, and its points from a step on.
func BeginAgain(t *sqlite.Tx, id int64, from int) error {
	_, err := t.Exec(dropEvalSQL, id)
	if err == nil {
		_, err = t.Exec(dropFromSQL, id, from)
	}
	return err
}

// thin thins the points of a name, if they are too many.
func thin(t *sqlite.Tx, id int64, name string) error {
	n := 0
	if err := t.Rows(manySQL, id, name).One(&n); err != nil || n <= train.MaxPoints {
		return err
	}
	all, err := points(t.Rows(ofNameSQL, id, name))
	if err != nil {
		return err
	}
	kept := map[int]bool{}
	for _, p := range train.Thin(all, train.MaxPoints) {
		kept[p.Step] = true
	}
	for i := range all {
		if kept[all[i].Step] {
			continue
		}
		if _, err := t.Exec(dropPointSQL, id, name, all[i].Step); err != nil {
			return err
		}
	}
	return nil
}

func points(rows *sqlite.Rows) ([]train.Point, error) {
	return sqlite.List(rows, func(p *train.Point) []any { return []any{&p.Step, &p.Name, &p.Value} })
}

// Points returns the points of a run by name and step.
func Points(ask Asks, id int64) ([]train.Point, error) { return points(ask(pointsSQL, id)) }

// PutEvals keeps evaluations of a run.
func PutEvals(t *sqlite.Tx, id int64, list []train.Eval) error {
	for i := range list {
		e := &list[i]
		if !finite(e.Value) {
			return fmt.Errorf("evaluation %s of %s is %v: it must be a number", e.Name, e.Subject, e.Value)
		}
		if _, err := t.Exec(putEvalSQL, id, e.Subject, e.Name, e.Value, e.N); err != nil {
			return err
		}
	}
	return nil
}

// Evals returns the evaluations of a run by subject and name.
func Evals(ask Asks, id int64) ([]train.Eval, error) {
	return sqlite.List(ask(evalsSQL, id), func(e *train.Eval) []any { return []any{&e.Subject, &e.Name, &e.Value, &e.N} })
}

// NameModel ties a name to a run that is there.
func NameModel(t *sqlite.Tx, name string, run int64) error {
	if _, err := Find(t.Rows, run); err != nil {
		return err
	}
	_, err := t.Exec(putNameSQL, name, run)
	return err
}

// ModelNames returns which run made the models of these names.
func ModelNames(ask Asks) (map[string]int64, error) {
	names := map[string]int64{}
	var name string
	var run int64
	rows := ask(namesSQL)
	for range rows.Into(&name, &run) {
		names[name] = run
	}
	return names, rows.Err()
}

// Bases returns the models that runs began with.
func Bases(ask Asks) ([]string, error) { return sqlite.Column[string](ask(basesSQL)) }
