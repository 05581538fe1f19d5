package main

import (
	"context"
	"fmt"
	"strings"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
)

const quotasTable = "quotas"

// quotaSettings are the settings of that table: a share for each type of task.
func quotaSettings() []setting {
	var rows []setting
	for _, kind := range metric.TaskTypes() {
		name := string(kind)
		rows = append(rows, setting{
			key: quotasTable + "." + name, env: "WINNOW_QUOTAS_" + strings.ToUpper(name), standard: always(""), check: checkQuota,
			file: func(f *configFile) any {
				if share, set := f.Quotas[name]; set {
					return &share
				}
				return (*float64)(nil)
			},
		})
	}
	return rows
}

func checkQuota(p *cli, s string) error {
	if s == "" {
		return nil
	}
	return checkScore(p, s)
}

// checkQuotas refuses shares of types that there are not.
func (f *configFile) checkQuotas() error {
	for name := range f.Quotas {
		if _, ok := metric.ParseTaskType(name); !ok {
			return fmt.Errorf("[%s]: there is no type of task %q: there are %s", quotasTable, name, strings.Join(taskTypeNames(), ", "))
		}
	}
	return nil
}

// quotas are the shares of types of task that are configured.
func (c *config) quotas() review.Quotas {
	q := review.Quotas{}
	for _, name := range taskTypeNames() {
		if key := quotasTable + "." + name; c.text(key) != "" {
			q[name] = c.number(key)
		}
	}
	return q
}

// screenDoubts tells a screen where scores are uncertain.
type screenDoubts struct{ db *database }

// Doubt implements tui.Doubts.
func (d screenDoubts) Doubt(ctx context.Context) (review.Doubt, error) {
	s, err := d.db.Suggested(ctx)
	if err == nil && s.Threshold > 0 {
		return review.Doubt{Threshold: s.Threshold, From: review.FromVerdicts}, nil
	}
	return review.Doubt{Threshold: d.db.number("memory_score_threshold"), From: review.FromConfig}, err
}

// ordered gives a query what its order goes by.
func ordered(ctx context.Context, s *database, q *review.Query) error {
	switch q.Order {
	case review.Balance:
		q.Quotas = s.quotas()
	case review.Uncertain:
		if x, ok := filter.Threshold(q.Filter); ok {
			q.Threshold = x
			return nil
		}
		d, err := screenDoubts{s}.Doubt(ctx)
		q.Threshold = d.Threshold
		return err
	}
	return nil
}
