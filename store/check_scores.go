package store

import (
	"bytes"
	"database/sql"
	"errors"
	"time"

	"winnow/core/metric"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// scoredRow is what is kept of an analysis.
type scoredRow struct {
	id, file string // of the session
	labeled  bool
	analysis string
	kept     derived
}

const scoredRowsSQL = "SELECT id, session_file, labeled, quality_metrics, score, task_type, " + derivedColumns + " FROM task_segments"

func (r *scoredRow) dest() []any {
	d := &r.kept
	return []any{&r.id, &r.file, &r.labeled, &r.analysis, &d.score, &d.taskType, &d.flags, &d.tools, &d.measures, timeInto{&d.recorded}}
}

// scores checks that what lists filter by is what the analyses say.
func (c *checking) scores() error {
	rows, err := c.rows(scoredRowsSQL)
	if err != nil {
		return err
	}
	var r scoredRow
	return sqlite.Each(rows, func() error {
		r.kept.recorded = time.Time{}
		if err := rows.Scan(r.dest()...); err != nil {
			return err
		}
		if wrong := r.wrong(); wrong != "" {
			id := r.id
			c.report("scores", r.file, func(t *tx) error { return t.rederive(id) }, "segment %s %s", review.Short(id), wrong)
		}
		return nil
	})
}

// wrong says what is wrong with a row, "" for nothing. What a newer program
// wrote is not looked into.
func (r *scoredRow) wrong() string {
	if r.labeled != (r.analysis != "") {
		if r.labeled {
			return "is marked as scored, and has no analysis"
		}
		return "has an analysis, and is not marked as scored"
	}
	if r.analysis != "" {
		if _, err := metric.Parse(r.analysis); errors.Is(err, metric.ErrNewer) {
			return ""
		} else if err != nil {
			return "has an analysis that can't be read, and is to be scored again: " + err.Error()
		}
	}
	if d := derive(r.analysis); !d.same(&r.kept) {
		return "is listed by what its analysis does not say"
	}
	return ""
}

func (d *derived) same(o *derived) bool {
	return (d.score == nil) == (o.score == nil) && (d.score == nil || *d.score == *o.score) && d.taskType == o.taskType &&
		d.flags == o.flags && d.tools == o.tools && bytes.Equal(d.measures, o.measures) && d.recorded.Equal(o.recorded)
}

// rederive writes anew what follows from the analysis of a segment. One that
// cannot be read is given up: the segment is to be scored.
func (t *tx) rederive(id string) error {
	var r scoredRow
	err := t.Row(scoredRowsSQL+" WHERE id = ?", []any{id}, r.dest()...)
	if errors.Is(err, sql.ErrNoRows) {
		return errMoved
	}
	if err != nil {
		return err
	}
	switch _, err := metric.Parse(r.analysis); {
	case errors.Is(err, metric.ErrNewer):
		return errMoved // written since it was checked
	case err != nil:
		r.analysis = ""
	}
	d := derive(r.analysis)
	args := append([]any{r.analysis != "", r.analysis, scoreOrNull(d.score), d.taskType}, derivedArgs(d)...)
	_, err = t.Exec("UPDATE task_segments SET labeled = ?, quality_metrics = ?, score = ?, task_type = ?, flags = ?, tools = ?, measures = ?, recorded = ? WHERE id = ?", append(args, id)...)
	return err
}
