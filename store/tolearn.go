package store

import (
	"context"
	"strings"

	"winnow/core/memory"
	"winnow/core/runs"
	"winnow/store/filtersql"
	"winnow/store/memories"
	"winnow/store/sqlite"
)

var _ runs.ExtractStore = (*Store)(nil)

// toLearnSQL is the statement of a page of segments that may be looked at for memories:
// of those that rules looked at a model is asked about, but not where one was.
func toLearnSQL(q *runs.LearnQuery, c filtersql.Found) (string, []any, error) {
	index, where := "task_segments_body", filtersql.Where("(body, start_line) > (?, ?)", q.After.Body, q.After.Start)
	switch {
	case q.All:
	case strings.HasPrefix(q.Extractor, memory.RulesPrefix):
		index = "task_segments_unlearned"
		where.Text += " AND memory_extracted = 0"
	default:
		index = "task_segments_unasked"
		where.Text += " AND memory_asked = 0"
	}
	some, err := c.Condition(q.Filter)
	quiet := quietSQL(q.Quiet, "(SELECT source_id FROM trajectory_records r WHERE r.id = task_segments.session_id)")
	where = where.And(quiet).And(some)
	text := "SELECT id, agent_id, coalesce((SELECT dir FROM trajectory_records r WHERE r.id = task_segments.session_id), ''), body, start_line, fingerprint, detail, edited," +
		" iif(verdict = 'approved', '', quality_metrics), verdict = 'approved' FROM task_segments INDEXED BY " + index + where.After("WHERE") + " ORDER BY body, start_line LIMIT ?"
	return text, append(where.Args, max(q.Limit, 1)), err
}

// SegmentsToLearn returns up to q.Limit segments after q.After to look for memories in,
// in the order of (body, start_line).
func (s *Store) SegmentsToLearn(ctx context.Context, q runs.LearnQuery) ([]runs.LearnRef, error) {
	list, err := s.toLearn(ctx, &q)
	return list, s.fail("look for segments without memories", err)
}

func (s *Store) toLearn(ctx context.Context, q *runs.LearnQuery) (open []runs.LearnRef, err error) {
	c, err := s.searched(ctx, q.Filter)
	if err != nil {
		return nil, err
	}
	for {
		text, args, err := toLearnSQL(q, c)
		if err != nil {
			return nil, err
		}
		page, err := sqlite.List(s.db.Rows(ctx, text, args...), func(r *runs.LearnRef) []any {
			return []any{&r.ID, &r.Agent, &r.Dir, &r.Body, &r.Start, &r.Fingerprint, &r.Detail, &r.Edited, &r.Analysis, &r.Approved}
		})
		if err != nil {
			return nil, err
		}
		all := len(page) < q.Limit
		if len(page) > 0 {
			q.After = page[len(page)-1]
		}
		if !q.All {
			if page, err = memories.Unextracted(s.asks(ctx), page, q.Extractor); err != nil {
				return nil, err
			}
		}
		if open = append(open, page...); all || len(open) >= q.Limit {
			return open[:min(len(open), q.Limit)], nil
		}
	}
}
