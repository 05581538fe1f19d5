package facets

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/filter"
	"winnow/core/review"
)

// longestValue is the number of bytes of a value that is offered for completion:
// more than a line of any terminal.
const longestValue = 200

// Values returns values of a field for completion, as Store.Values does.
func (l *Facets) Values(ctx context.Context, field filter.Field, typed string, within filter.Node, limit int) (list []filter.Candidate, ok bool, err error) {
	t := NewTally(field, typed)
	ok, err = l.selected(ctx, within, func(f *columns, in rowSet) error {
		f.values(field, in, t)
		return nil
	})
	if !ok || err != nil {
		return nil, false, err
	}
	list = t.Candidates(limit)
	if field == filter.Topic {
		err = l.topicsAsWritten(ctx, list, t)
	}
	return list, err == nil, err
}

// Tally counts the values of a field that contain what was typed.
type Tally struct {
	kind  filter.Kind
	typed string // folded
	count map[string]int
	row   map[string]int64 // of topics, which are folded, one segment each
}

// NewTally returns a tally that has nothing yet.
func NewTally(field filter.Field, typed string) *Tally {
	info, _ := filter.Lookup(string(field))
	return &Tally{kind: info.Kind, typed: filter.Fold(typed), count: map[string]int{}}
}

// Add counts a value that some segments have.
func (t *Tally) Add(value string, n int) {
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

// AddList counts each item of a list of facets.
func (t *Tally) AddList(list string, n int) {
	for item := range strings.SplitSeq(strings.Trim(list, "\n"), "\n") {
		t.Add(filter.ItemName(item), n)
	}
}

// Candidates returns those of the values that are offered.
func (t *Tally) Candidates(limit int) []filter.Candidate {
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
func (f *columns) values(field filter.Field, in rowSet, t *Tally) {
	switch field {
	case filter.Agent:
		f.agent.each(in, t.Add)
	case filter.Status:
		f.verdict.each(in, t.Add)
	case filter.Type:
		f.kind.each(in, t.Add)
	case filter.Cut:
		f.cut.each(in, t.Add)
	case filter.Reviewer:
		f.reviewer.each(in, t.Add)
	case filter.Note:
		f.note.each(in, t.Add)
	case filter.Flag:
		f.flags.each(in, t.AddList)
	case filter.Tool:
		f.tools.each(in, t.AddList)
	case filter.Tag:
		f.tags.each(in, t.AddList)
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
		in.each(func(slot int32) { t.Add(f.id[slot].String(), 1) })
	case filter.Has, filter.Metric:
		info, _ := filter.Lookup(string(field))
		for _, value := range info.Values {
			term := filter.Term{Field: field, Op: filter.Is, Value: value}
			if field == filter.Metric { // any score
				term = filter.Term{Field: field, Metric: value, Op: filter.GreaterEqual}
			}
			if rows, err := facetTerms[field](f, &term, in); err == nil {
				t.Add(value, rows.len())
			}
		}
	default:
		f.sessionValues(field, in, t)
	}
}

func (f *columns) sessionValues(field filter.Field, in rowSet, t *Tally) {
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
		t.Add(of(int32(n)), count)
	}
}

// topicsAsWritten gives topics their capital letters back.
func (l *Facets) topicsAsWritten(ctx context.Context, list []filter.Candidate, t *Tally) error {
	for i := range list {
		topic, err := l.feed.Topic(ctx, t.row[list[i].Value])
		if err != nil {
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
