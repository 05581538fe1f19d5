package filtersql

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/filter"
)

// Every field that can be asked for is known to SQL, with as many arguments as
// placeholders, and so is every value of has: and every metric.
func TestEveryFieldHasACondition(t *testing.T) {
	for _, info := range filter.Fields() {
		term := filter.Term{Field: info.Field, Op: filter.Is, Value: "x"}
		values := info.Values
		if len(values) == 0 {
			values = []string{"ünd"}
		}
		for _, v := range values {
			if term.Value = v; info.Field == filter.Metric {
				term.Metric = v
			}
			c, err := Found{}.Condition(term)
			if column, _ := info.Column.OfSession(); err != nil || !strings.Contains(c.Text, column) || strings.Count(c.Text, "?") != len(c.Args) {
				t.Errorf("%s of %s: %+v, %v", v, info.Field, c, err)
			}
		}
	}
}

func TestWhatSQLDoesNotKnow(t *testing.T) {
	for _, n := range []filter.Node{
		filter.Term{Field: "unknown"}, filter.Term{Field: filter.Has, Value: "x"}, filter.Term{Field: filter.Metric, Metric: "x"},
		filter.Text{Value: "x"}, filter.Or{}, filter.Not{Of: filter.And{filter.Term{Field: filter.Status}, filter.Text{Value: "x"}}},
	} {
		if c, err := (Found{}).Condition(n); err == nil {
			t.Errorf("%#v: %+v", n, c)
		}
	}
}

// A condition leaves those that it was made of as they are.
func TestAnd(t *testing.T) {
	a := Where("a = ?", slices.Grow([]any{1}, 8)...)
	b, c := a.And(Where("b = ?", 2)), a.And(Where("c = ?", 3))
	if b.After("WHERE") != " WHERE a = ? AND b = ?" || b.Args[1] != 2 || c.Args[1] != 3 {
		t.Errorf("%+v, %+v", b, c)
	}
	if none := (Condition{}); none.And(a).Text != a.Text || a.And(none).Text != a.Text || none.After("WHERE") != "" {
		t.Error("the zero condition asks for something")
	}
}
