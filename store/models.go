package store

import (
	"context"
	"maps"
	"math"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/train"
	"winnow/store/sqlite"
	"winnow/store/training"
)

// modelColumns are in task_segments_facets, as statisticsColumns are.
const modelColumns = "body, task_type, verdict, score, tool_calls, errors, exits"

// Models describes what became of the segments that a filter lets through, nil for all,
// by the models that wrote them. It looks at every segment once, in the index of what
// filters ask for.
func (s *Store) Models(ctx context.Context, n filter.Node) (list []train.OfModel, err error) {
	const what = "describe the models"
	where, err := s.where(ctx, n)
	if err != nil {
		return nil, s.fail(what, err)
	}
	err = s.db.Read(ctx, func(v *sqlite.View) error {
		t := newStatTally(metric.Thresholds{})
		if err := t.readSessions(v); err != nil {
			return err
		}
		wrote := modelTally{stat: t, at: map[[2]string]*train.Wrote{}}
		var r modelRow
		rows := v.Once("SELECT "+modelColumns+" FROM task_segments INDEXED BY task_segments_facets"+where.After("WHERE"), where.Args...)
		for range rows.Into(&r.body, &r.taskType, &r.verdict, &r.score, &r.calls, &r.errors, &r.exits) {
			wrote.add(&r)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		names, err := training.ModelNames(v.Rows)
		if err != nil {
			return err
		}
		bases, err := training.Bases(v.Rows)
		list = train.ByModel(wrote.list(), names, bases)
		return err
	})
	return list, s.fail(what, err)
}

// modelRow is one segment as statistics of models see it.
type modelRow struct {
	body                 int64
	taskType             string
	verdict              review.Verdict
	score                *float64
	calls, errors, exits int
}

// modelTally adds up segments by model and type.
type modelTally struct {
	stat *statTally
	at   map[[2]string]*train.Wrote
}

func (t *modelTally) add(r *modelRow) {
	model := ""
	if s, ok := t.stat.sessions[r.body]; ok {
		model = t.stat.models.groups[s.model].Name
	}
	w := t.at[[2]string{model, r.taskType}]
	if w == nil {
		w = &train.Wrote{Model: model, Type: r.taskType}
		t.at[[2]string{model, r.taskType}] = w
	}
	w.Segments, w.Calls, w.Failed = w.Segments+1, w.Calls+r.calls, w.Failed+r.errors+r.exits
	switch r.verdict {
	case review.Approved:
		w.Approved++
	case review.Rejected:
		w.Rejected++
	case review.Unsure:
		w.Unsure++
	default:
		w.Undecided++
	}
	if r.score != nil {
		w.Scored, w.Scores = w.Scored+1, w.Scores+int64(math.Round(*r.score*metric.ScoreUnit))
	}
}

func (t *modelTally) list() []train.Wrote {
	var list []train.Wrote
	for w := range maps.Values(t.at) {
		list = append(list, *w)
	}
	return list
}
