package store

import (
	"context"

	"winnow/core/filter"
	"winnow/store/facets"
)

// Values returns values of a field for completion, with the number of segments
// that have them among those that within lets through (nil: all): those that
// contain what is typed, regardless of case, the most frequent first, up to
// limit of them. Of fields in which any part of a text is looked for, a long
// value is cut; of others it is left out. Ids begin with what is typed, and are
// as short as people type them. Numbers and dates have none. What
// comes from sessions is as it is there: it is not safe to be shown.
func (s *Store) Values(ctx context.Context, field filter.Field, typed string, within filter.Node, limit int) ([]filter.Candidate, error) {
	list, ok, err := s.facets.Values(ctx, field, typed, within, limit)
	if !ok && err == nil {
		t := facets.NewTally(field, typed)
		err = s.valuesSQL(ctx, field, within, t)
		list = t.Candidates(limit)
	}
	if err != nil {
		return nil, s.fail("look for values", err)
	}
	return list, nil
}

// valuesSQL is values without the facets.
func (s *Store) valuesSQL(ctx context.Context, field filter.Field, within filter.Node, t *facets.Tally) error {
	info, _ := filter.Lookup(string(field))
	switch info.Match {
	case filter.Marks, filter.Measures:
		for value, term := range info.Each() {
			c, err := s.countSQL(ctx, filter.All(within, term))
			if err != nil {
				return err
			}
			t.Add(value, c.Segments)
		}
		return nil
	case filter.Compares, filter.Dates:
		return nil
	}
	where, err := s.where(ctx, within)
	if err != nil {
		return err
	}
	column, session := info.Column.OfSession()
	text := "SELECT " + column + ", count(*) FROM task_segments" + where.After("WHERE") + " GROUP BY 1"
	if session {
		text = "SELECT r." + column + ", sum(g.n) FROM (SELECT body, count(*) AS n FROM task_segments" + where.After("WHERE") +
			" GROUP BY body) g JOIN trajectory_records r ON r.body = g.body GROUP BY 1"
	}
	var value string
	var n int
	rows := s.db.Once(ctx, text, where.Args...)
	for range rows.Into(&value, &n) {
		switch field {
		case filter.Tool:
			t.AddList(toolNames(value), n)
		case filter.Flag:
			t.AddList(value, n)
		case filter.Tag, filter.Why:
			if value, err = tagList(value); err != nil {
				return err
			}
			t.AddList(value, n)
		default:
			t.Add(value, n)
		}
	}
	return rows.Err()
}
