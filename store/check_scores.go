package store

import (
	"bytes"
	"errors"

	"winnow/core/metric"
	"winnow/core/review"
)

// scoredRow is what is kept of an analysis.
type scoredRow struct {
	id, file string // of the session
	labeled  bool
	analysis string
	failed   int // tool results, as recorded
	kept     derived
}

const scoredRowsSQL = "SELECT id, session_file, labeled, quality_metrics, tool_fails, score, task_type, " + derivedColumns + " FROM task_segments"

func (r *scoredRow) fields() []any {
	return append([]any{&r.id, &r.file, &r.labeled, &r.analysis, &r.failed, &r.kept.score, &r.kept.taskType}, derivedFields(&r.kept)...)
}

// scores checks that what lists filter by is what the analyses say.
func (c *checking) scores() error {
	var r scoredRow
	rows := c.rows(scoredRowsSQL)
	for range rows.Into(r.fields()...) {
		if wrong := r.wrong(); wrong != "" {
			id := r.id
			c.report("scores", r.file, func(t *tx) error { return t.rederive(id) }, "segment %s %s", review.Short(id), wrong)
		}
	}
	return rows.Err()
}

// wrong says what is wrong with a row, "" for nothing. What a newer program
// wrote is not looked into.
func (r *scoredRow) wrong() string {
	if r.analysis != "" {
		if _, err := metric.Parse(r.analysis); errors.Is(err, metric.ErrNewer) {
			return ""
		} else if err != nil {
			return "has an analysis that can't be read, and is to be scored again: " + err.Error()
		}
	}
	// One of an earlier version stays until it is made anew.
	switch current := metric.Current(r.analysis); {
	case r.labeled && r.analysis == "":
		return "is marked as scored, and has no analysis"
	case r.labeled && !current:
		return "has an analysis of an earlier version, and is to be scored again"
	case !r.labeled && current:
		return "has an analysis, and is not marked as scored"
	}
	if d := derive(r.analysis, r.failed); !d.same(&r.kept) {
		return "is listed by what its analysis does not say"
	}
	return ""
}

func (d *derived) same(o *derived) bool {
	return (d.score == nil) == (o.score == nil) && (d.score == nil || *d.score == *o.score) && d.taskType == o.taskType &&
		d.flags == o.flags && d.tools == o.tools && bytes.Equal(d.measures, o.measures) && d.recorded.Equal(o.recorded) && d.errors == o.errors && d.exits == o.exits
}

// rederive writes anew what follows from the analysis of a segment. One that
// cannot be read is given up: the segment is to be scored.
func (t *tx) rederive(id string) error {
	var r scoredRow
	found, err := t.Rows(scoredRowsSQL+" WHERE id = ?", id).Maybe(r.fields()...)
	if err == nil && !found {
		err = errMoved
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
	d := derive(r.analysis, r.failed)
	args := append([]any{metric.Current(r.analysis), r.analysis, d.score, d.taskType}, derivedFields(&d)...)
	return t.do(updateSQL("task_segments", "labeled, quality_metrics, score, task_type, "+derivedColumns), append(args, id)...)
}
