package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// longestValue is the number of bytes of a value that is offered for completion:
// more than a line of any terminal.
const longestValue = 200

// Values returns values of a field for completion, with the number of segments
// that have them among those that within lets through (nil: all): those that
// contain what is typed, regardless of case, the most frequent first, up to
// limit of them. Of fields in which any part of a text is looked for, a long
// value is cut; of others it is left out. Ids begin with what is typed, and are
// as short as people type them. Numbers and dates have none. What
// comes from sessions is as it is there: it is not safe to be shown.
func (s *Store) Values(ctx context.Context, field filter.Field, typed string, within filter.Node, limit int) ([]filter.Candidate, error) {
	info, _ := filter.Lookup(string(field))
	t := valueTally{kind: info.Kind, typed: filter.Fold(typed), count: map[string]int{}}
	ok, err := s.selected(ctx, within, func(f *facets, rows rowSet) error {
		f.values(field, rows, &t)
		return nil
	})
	if !ok && err == nil {
		err = s.valuesSQL(ctx, field, within, &t)
	}
	if err != nil {
		return nil, s.fail("look for values", err)
	}
	list := t.candidates(limit)
	if field == filter.Topic && ok {
		err = s.topicsAsWritten(ctx, list, &t)
	}
	return list, s.fail("look for values", err)
}

// valueTally counts values that contain what was typed.
type valueTally struct {
	kind  filter.Kind
	typed string // folded
	count map[string]int
	row   map[string]int64 // of topics, which are folded, one segment each
}

func (t *valueTally) add(value string, n int) {
	switch {
	case value == "" || n == 0:
		return
	case t.kind == filter.ID:
		if !strings.HasPrefix(value, t.typed) {
			return
		}
		value = value[:min(max(len(t.typed), len(review.Short(value))), len(value))]
	case t.typed != "" && !strings.Contains(filter.Fold(value), t.typed):
		return
	}
	t.count[value] += n
}

// addList counts each item of a list of facets.
func (t *valueTally) addList(list string, n int) {
	for item := range strings.SplitSeq(strings.Trim(list, "\n"), "\n") {
		t.add(filter.ItemName(item), n)
	}
}

// candidates returns those of the values that are offered.
func (t *valueTally) candidates(limit int) []filter.Candidate {
	counts := map[string]int{}
	for value, n := range t.count {
		if len(value) > longestValue {
			if t.kind != filter.Substring {
				continue
			}
			row, ok := t.row[value]
			if value = cutText(value, longestValue); ok {
				t.row[value] = row
			}
		}
		counts[value] += n
	}
	list := make([]filter.Candidate, 0, len(counts))
	for value, n := range counts {
		list = append(list, filter.Candidate{Value: value, Count: n})
	}
	slices.SortFunc(list, func(a, b filter.Candidate) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Value, b.Value))
	})
	return list[:min(max(limit, 0), len(list))]
}

// cutText returns the beginning of a text, of up to n bytes, whole characters.
func cutText(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// values counts the values of a field in some rows.
func (f *facets) values(field filter.Field, in rowSet, t *valueTally) {
	switch field {
	case filter.Agent:
		f.agent.each(in, t.add)
	case filter.Status:
		f.verdict.each(in, t.add)
	case filter.Type:
		f.kind.each(in, t.add)
	case filter.Cut:
		f.cut.each(in, t.add)
	case filter.Reviewer:
		f.reviewer.each(in, t.add)
	case filter.Note:
		f.note.each(in, t.add)
	case filter.Flag:
		f.flags.each(in, t.addList)
	case filter.Tool:
		f.tools.each(in, t.addList)
	case filter.Tag:
		f.tags.each(in, t.addList)
	case filter.Topic:
		t.row = map[string]int64{}
		f.topic.containing(in, []byte(t.typed)).each(func(slot int32) {
			topic := f.topic.of(slot)
			if n := t.count[string(topic)]; n > 0 {
				t.count[string(topic)] = n + 1
			} else if len(topic) > 0 {
				t.count[string(topic)], t.row[string(topic)] = 1, f.rowid[slot]
			}
		})
	case filter.IDField:
		in.each(func(slot int32) { t.add(f.id[slot].String(), 1) })
	case filter.Has, filter.Metric:
		info, _ := filter.Lookup(string(field))
		for _, value := range info.Values {
			term := filter.Term{Field: field, Op: filter.Is, Value: value}
			if field == filter.Metric { // any score
				term = filter.Term{Field: field, Metric: value, Op: filter.GreaterEqual}
			}
			if rows, err := facetTerms[field](f, &term, in); err == nil {
				t.add(value, rows.len())
			}
		}
	default:
		f.sessionValues(field, in, t)
	}
}

func (f *facets) sessionValues(field filter.Field, in rowSet, t *valueTally) {
	var of func(n int32) string
	s := &f.sessions
	switch field {
	case filter.Format:
		of = s.format.of
	case filter.Model:
		of = s.model.of
	case filter.File:
		of = func(n int32) string { return s.file[n] }
	case filter.Session:
		of = func(n int32) string { return s.id[n] }
	default:
		return
	}
	counts := make([]int, len(s.id))
	in.each(func(slot int32) { counts[f.session[slot]]++ })
	for n, count := range counts {
		t.add(of(int32(n)), count)
	}
}

// topicsAsWritten gives topics their capital letters back.
func (s *Store) topicsAsWritten(ctx context.Context, list []filter.Candidate, t *valueTally) error {
	for i := range list {
		var topic string
		err := s.db.Readers.Row(ctx, "SELECT topic FROM task_segments WHERE rowid = ?", []any{t.row[list[i].Value]}, []any{&topic})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if len(topic) > longestValue {
			topic = cutText(topic, longestValue)
		}
		if filter.Fold(topic) == list[i].Value {
			list[i].Value = topic
		}
	}
	return nil
}

// valueColumns are the columns that hold the values of fields, those behind "r."
// of sessions.
var valueColumns = map[filter.Field]string{
	filter.Status: "verdict", filter.Type: "task_type", filter.Cut: "cut_by", filter.Reviewer: "reviewer", filter.Note: "note",
	filter.Flag: "flags", filter.Tool: "tools", filter.Tag: "tags", filter.Topic: "topic", filter.IDField: "id",
	filter.Agent: "agent_id", filter.Format: "r.format", filter.Model: "r.model", filter.File: "r.session_file", filter.Session: "r.id",
}

// valuesSQL is values without the facets.
func (s *Store) valuesSQL(ctx context.Context, field filter.Field, within filter.Node, t *valueTally) error {
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
			t.addList(toolNames(value), n)
		case filter.Flag:
			t.addList(value, n)
		case filter.Tag:
			if value, err = tagList(value); err == nil {
				t.addList(value, n)
			}
		default:
			t.add(value, n)
		}
		return err
	})
}

// countedValues asks for each value of has: and for each metric by itself.
func (s *Store) countedValues(ctx context.Context, field filter.Field, within filter.Node, t *valueTally) error {
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
		t.add(value, c.Segments)
	}
	return nil
}
