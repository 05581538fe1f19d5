// Package curves keeps what runs were measured by: the points of their metrics, thinned as
// they grow, and evaluations.
package curves

import (
	"cmp"
	"fmt"
	"slices"

	"winnow/core/train"
	"winnow/store/sqlite"
	"winnow/store/training"
)

const (
	putPointSQL  = "INSERT OR REPLACE INTO run_points (run_id, step, name, value) VALUES (?, ?, ?, ?)"
	manySQL      = "SELECT count(*) FROM run_points WHERE run_id = ? AND name = ?"
	ofNameSQL    = "SELECT step, name, value FROM run_points WHERE run_id = ? AND name = ? ORDER BY step"
	dropPointSQL = "DELETE FROM run_points WHERE run_id = ? AND name = ? AND step = ?"
	dropFromSQL  = "DELETE FROM run_points WHERE run_id = ? AND step >= ?"
	pointsSQL    = "SELECT step, name, value FROM run_points WHERE run_id = ? ORDER BY name, step"
	// The names of a run, each found after the one before, not by its points.
	namesSQL = "WITH RECURSIVE n (name) AS (SELECT min(name) FROM run_points WHERE run_id = ?1" +
		" UNION ALL SELECT (SELECT min(p.name) FROM run_points p WHERE p.run_id = ?1 AND p.name > n.name) FROM n WHERE n.name IS NOT NULL) SELECT count(name) FROM n"

	putEvalSQL  = "INSERT OR REPLACE INTO run_evals (run_id, subject, name, value, n) VALUES (?, ?, ?, ?, ?)"
	dropEvalSQL = "DELETE FROM run_evals WHERE run_id = ?"
	evalsSQL    = "SELECT subject, name, value, n FROM run_evals WHERE run_id = ? ORDER BY subject, name"
)

// AddPoints adds points to a run: those of the names that it has, and of others up to
// train.MaxNames. Names that have too many are thinned, in turn. What is no number is not
// kept.
func AddPoints(t *sqlite.Tx, id int64, list []train.Point) error {
	many, known := map[string]int{}, 0 // points of each name
	if err := t.Rows(namesSQL, id).One(&known); err != nil {
		return err
	}
	for i := range list {
		p := &list[i]
		n, met := many[p.Name]
		if !met {
			if err := t.Rows(manySQL, id, p.Name).One(&n); err != nil {
				return err
			}
			many[p.Name] = n
		}
		if n == 0 && known >= train.MaxNames || !training.Finite(p.Value) {
			continue
		}
		if n == 0 {
			known++
		}
		if _, err := t.Exec(putPointSQL, id, p.Step, p.Name, p.Value); err != nil {
			return err
		}
		many[p.Name] = n + 1
	}
	return thin(t, id, many)
}

// inTurn is how many names are thinned at a time: of two hundred that are all full the
// others would keep whoever else writes waiting for seconds.
const inTurn = 4

// thin thins some of the names that have too many points, the fullest first.
func thin(t *sqlite.Tx, id int64, many map[string]int) error {
	var full []string
	for name, n := range many {
		if n > train.MaxPoints {
			full = append(full, name)
		}
	}
	slices.SortFunc(full, func(a, b string) int { return cmp.Or(cmp.Compare(many[b], many[a]), cmp.Compare(a, b)) })
	for _, name := range full[:min(len(full), inTurn)] {
		if err := thinName(t, id, name); err != nil {
			return err
		}
	}
	return nil
}

func thinName(t *sqlite.Tx, id int64, name string) error {
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

// BeginAgain forgets the evaluations of a run, and its points from a step on.
func BeginAgain(t *sqlite.Tx, id int64, from int) error {
	_, err := t.Exec(dropEvalSQL, id)
	if err == nil {
		_, err = t.Exec(dropFromSQL, id, from)
	}
	return err
}

func points(rows *sqlite.Rows) ([]train.Point, error) {
	return sqlite.List(rows, func(p *train.Point) []any { return []any{&p.Step, &p.Name, &p.Value} })
}

// Points returns the points of a run by name and step.
func Points(ask training.Asks, id int64) ([]train.Point, error) { return points(ask(pointsSQL, id)) }

// PutEvals keeps evaluations of a run.
func PutEvals(t *sqlite.Tx, id int64, list []train.Eval) error {
	for i := range list {
		e := &list[i]
		if !training.Finite(e.Value) {
			return fmt.Errorf("evaluation %s of %s is %v: it must be a number", e.Name, e.Subject, e.Value)
		}
		if _, err := t.Exec(putEvalSQL, id, e.Subject, e.Name, e.Value, e.N); err != nil {
			return err
		}
	}
	return nil
}

// Evals returns the evaluations of a run by subject and name.
func Evals(ask training.Asks, id int64) ([]train.Eval, error) {
	return sqlite.List(ask(evalsSQL, id), func(e *train.Eval) []any { return []any{&e.Subject, &e.Name, &e.Value, &e.N} })
}
