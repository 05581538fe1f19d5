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
	info  filter.Info
	typed string // folded
	count map[string]int
	row   map[string]int64 // of topics, which are folded, one segment each
}

// NewTally returns a tally that has nothing yet.
func NewTally(field filter.Field, typed string) *Tally {
	info, _ := filter.Lookup(string(field))
	return &Tally{info: info, typed: filter.Fold(typed), count: map[string]int{}}
}

// Add counts a value that some segments have.
func (t *Tally) Add(value string, n int) {
	switch {
	case value == "" || n == 0:
		return
	case t.info.Kind == filter.ID:
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
		if value, ok := t.info.Value(filter.ItemName(item)); ok {
			t.Add(value, n)
		}
	}
}

// Candidates returns those of the values that are offered.
func (t *Tally) Candidates(limit int) []filter.Candidate {
	counts := map[string]int{}
	for value, n := range t.count {
		if len(value) > longestValue {
			if t.info.Kind != filter.Substring {
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
	info, _ := filter.Lookup(string(field))
	c := f.named[info.Column]
	if _, session := info.Column.OfSession(); session {
		f.sessionValues(c, in, t)
		return
	}
	switch info.Match {
	case filter.Marks, filter.Measures:
		for value, term := range info.Each() {
			if rows, err := f.term(&term, in); err == nil {
				t.Add(value, rows.len())
			}
		}
		return
	}
	switch c := c.(type) {
	case *words:
		add := t.Add
		if info.Match == filter.Listed {
			add = t.AddList
		}
		c.each(in, add)
	case *texts:
		t.row = map[string]int64{}
		c.containing(in, []byte(t.typed)).each(func(slot int32) {
			text := c.of(slot)
			if n := t.count[string(text)]; n > 0 {
				t.count[string(text)] = n + 1
			} else if len(text) > 0 {
				t.count[string(text)], t.row[string(text)] = 1, f.rowid[slot]
			}
		})
	case *values[ID]:
		in.each(func(slot int32) { t.Add((*c)[slot].String(), 1) })
	}
}

func (f *columns) sessionValues(c column, in rowSet, t *Tally) {
	counts := make([]int, len(f.sessions.id))
	in.each(func(slot int32) { counts[f.session[slot]]++ })
	for n, count := range counts {
		switch c := c.(type) {
		case *words:
			t.Add(c.of(int32(n)), count)
		case *paths:
			t.Add(c.text[n], count)
		case *values[string]:
			t.Add((*c)[n], count)
		}
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
