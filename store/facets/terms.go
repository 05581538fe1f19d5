package facets

import (
	"encoding/hex"
	"slices"
	"strings"

	"winnow/core/filter"
	"winnow/core/metric"
)

// matches has one function for each way to compare a column: it returns which of
// the slots in, or of the numbers of sessions, a term lets through, nil if it does
// not know the column.
var matches = map[filter.Match]func(c column, t *filter.Term, in rowSet) rowSet{
	filter.Equals:   equals,
	filter.Contains: contains,
	filter.Begins:   begins,
	filter.Listed:   listed,
	filter.Compares: compares,
	filter.Dates:    dates,
	filter.Measures: measured,
	filter.Marks:    isSet,
}

// term returns which of the slots in a term lets through.
func (f *columns) term(t *filter.Term, in rowSet) (rowSet, error) {
	info, _ := filter.Lookup(string(t.Field))
	name := info.Column
	if info.Match == filter.Listed {
		of := *t
		of.Value = info.Item(t.Value)
		t = &of
	}
	if info.Match == filter.Marks {
		m, _ := filter.MarkOf(t.Field, t.Value)
		name = m.Column
	}
	of, match := in, matches[info.Match]
	_, session := name.OfSession()
	if session {
		of = f.sessionsIn(in)
	}
	out := match(f.named[name], t, of)
	switch {
	case out == nil:
		return nil, errNoFacet
	case session:
		return f.whereSession(in, out), nil
	}
	return out, nil
}

func equals(c column, t *filter.Term, in rowSet) rowSet {
	if c, ok := c.(*words); ok {
		return c.is(in, t.Value)
	}
	return nil
}

// contains looks for a part of a text without regard to case.
func contains(c column, t *filter.Term, in rowSet) rowSet {
	part := filter.Fold(t.Value)
	switch c := c.(type) {
	case *words:
		return c.where(in, func(text string) bool { return strings.Contains(filter.Fold(text), part) })
	case *texts:
		return c.containing(in, []byte(part))
	case *paths:
		return in.where(func(n int32) bool { return c.text[n] != "" && strings.Contains(c.folded[n], part) })
	}
	return nil
}

func begins(c column, t *filter.Term, in rowSet) rowSet {
	prefix := strings.ToLower(t.Value)
	switch c := c.(type) {
	case *values[string]:
		return in.where(func(n int32) bool { return (*c)[n] != "" && strings.HasPrefix((*c)[n], prefix) })
	case *values[ID]:
		// Two digits are a byte, which rules out most ids.
		var first [1]byte
		_, err := hex.Decode(first[:], []byte(prefix[:min(2, len(prefix))]))
		ids, any, digits := *c, err != nil, first[0]
		return in.where(func(slot int32) bool {
			return (any || ids[slot][0] == digits) && strings.HasPrefix(ids[slot].String(), prefix)
		})
	}
	return nil
}

func listed(c column, t *filter.Term, in rowSet) rowSet {
	item := "\n" + filter.ListItem(t.Value) + "\n"
	if c, ok := c.(*words); ok {
		return c.where(in, func(text string) bool { return strings.Contains(text, item) })
	}
	return nil
}

func compares(c column, t *filter.Term, in rowSet) rowSet {
	switch c := c.(type) {
	case *values[int32]:
		return within(in, *c, t.Whole(), filter.AnyWhole())
	case *values[int64]:
		return within(in, *c, t.Whole(), filter.AnyWhole())
	case *values[float64]:
		return within(in, *c, t.Numbers(), filter.AnyNumber())
	}
	return nil
}

func dates(c column, t *filter.Term, in rowSet) rowSet {
	if c, ok := c.(*values[int64]); ok {
		return within(in, *c, t.Times(), filter.AnyWhole())
	}
	return nil
}

func measured(c column, t *filter.Term, in rowSet) rowSet {
	m, ok := c.(metrics)
	at := slices.Index(metric.Names(), t.Metric)
	if !ok || at < 0 {
		return nil
	}
	return within(in, m[at], t.Steps(metric.ScoreUnit), filter.Span[int]{To: metric.ScoreUnit + 1})
}

// within looks for values in a span of all that are some: others are missing.
func within[C, T int | int32 | int64 | float64 | uint16](in rowSet, c []C, s, all filter.Span[T]) rowSet {
	if s.Not {
		return in.where(func(i int32) bool {
			v := T(c[i])
			return v >= all.From && v < all.To && (v < s.From || v >= s.To)
		})
	}
	return in.where(func(i int32) bool { return T(c[i]) >= s.From && T(c[i]) < s.To })
}

func isSet(c column, _ *filter.Term, in rowSet) rowSet {
	switch c := c.(type) {
	case *words:
		return in.where(func(i int32) bool { return c.at[i] != 0 })
	case *values[int32]:
		return in.where(func(i int32) bool { return (*c)[i] > 0 })
	case *values[bool]:
		return in.where(func(i int32) bool { return (*c)[i] })
	case mark:
		return in.where(func(i int32) bool { return (*c.of)[i]&c.bit != 0 })
	}
	return nil
}
