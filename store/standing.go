package store

import (
	"context"

	"github.com/go-json-experiment/json"

	"winnow/core/review"
)

const curatedSQL = "SELECT id, verdict, stale, reviewer, tags FROM task_segments WHERE id IN (SELECT value FROM json_each(?))"

// Standing returns what curators say of segments now, in any order. Ids that
// are not there are left out.
func (s *Store) Standing(ctx context.Context, ids []string) ([]review.Standing, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, s.fail("read verdicts", err)
	}
	all := make([]review.Standing, 0, len(ids))
	var row review.Standing
	var tags string
	rows := s.db.Rows(ctx, curatedSQL, string(list))
	for range rows.Into(&row.ID, &row.Verdict, &row.Stale, &row.Reviewer, &tags) {
		row.Tags, _ = review.ParseTags(tags) // Check tells of one that is none
		all = append(all, row)
	}
	return all, s.fail("read verdicts", rows.Err())
}
