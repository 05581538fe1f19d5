package store

import (
	"context"
	"strings"

	"winnow/core/filter"
	"winnow/store/facets"
	"winnow/store/sqlite"
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

// valueColumns are the columns that hold the values of fields, those behind "r."
// of sessions.
var valueColumns = map[filter.Field]string{
	filter.Status: "verdict", filter.Type: "task_type", filter.Cut: "cut_by", filter.Reviewer: "reviewer", filter.Note: "note",
	filter.Flag: "flags", filter.Tool: "tools", filter.Tag: "tags", filter.Topic: "topic", filter.IDField: "id",
	filter.Agent: "agent_id", filter.Format: "r.format", filter.Model: "r.model", filter.File: "r.session_file", filter.Session: "r.id",
}

// valuesSQL is values without the facets.
func (s *Store) valuesSQL(ctx context.Context, field filter.Field, within filter.Node, t *facets.Tally) error {
	column, ok := valueColumns[field]
	if !ok {
		return s.countedValues(ctx, field, within, t)
	}
	where, err := s.where(ctx, within)
	if err != nil {
		return err
	}
	text := "SELECT " + column + ", count(*) FROM task_segments" + where.After("WHERE") + " GROUP BY 1"
	if strings.HasPrefix(column, "r.") {
		text = "SELECT " + column + ", sum(g.n) FROM (SELECT body, count(*) AS n FROM task_segments" + where.After("WHERE") +
			" GROUP BY body) g JOIN trajectory_records r ON r.body = g.body GROUP BY 1"
	}
	rows, err := s.db.Readers.DB.QueryContext(ctx, text, where.Args...)
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		var value string
		var n int
		err := rows.Scan(&value, &n)
		if err != nil {
			return err
		}
		switch field {
		case filter.Tool:
			t.AddList(toolNames(value), n)
		case filter.Flag:
			t.AddList(value, n)
		case filter.Tag:
			if value, err = tagList(value); err == nil {
				t.AddList(value, n)
			}
		default:
			t.Add(value, n)
		}
		return err
	})
}

// countedValues asks for each value of has: and for each metric by itself.
func (s *Store) countedValues(ctx context.Context, field filter.Field, within filter.Node, t *facets.Tally) error {
	if field != filter.Has && field != filter.Metric {
		return nil
	}
	info, _ := filter.Lookup(string(field))
	for _, value := range info.Values {
		term := filter.Term{Field: field, Op: filter.Is, Value: value}
		if field == filter.Metric {
			term = filter.Term{Field: field, Metric: value, Op: filter.GreaterEqual}
		}
		c, err := s.countSQL(ctx, filter.All(within, term))
		if err != nil {
			return err
		}
		t.Add(value, c.Segments)
	}
	return nil
}
