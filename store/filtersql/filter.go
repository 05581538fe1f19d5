package filtersql

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
)

// Found is what a filter asks for beside the columns of segments.
type Found struct {
	Texts map[filter.Text]Rows // the segments that searches have found
	Seen  Condition            // the share of a segment that was seen, a number
}

// Rows are rows of task_segments, as they are bound.
type Rows struct {
	List string // JSON, of rowids
	N    int
}

// RowsOf returns rows by their rowids.
func RowsOf(rows []int64) (Rows, error) {
	if rows == nil {
		rows = []int64{} // not null
	}
	list, err := json.Marshal(rows)
	return Rows{string(list), len(rows)}, err
}

// Fewest returns the smallest of the searches that a row must be found by; nil
// if it need not be found by any.
func (f Found) Fewest(n filter.Node) *Rows {
	var few *Rows
	for _, n := range filter.Conjuncts(n) {
		text, ok := n.(filter.Text)
		if found, known := f.Texts[text]; ok && known && (few == nil || found.N < few.N) {
			few = &found
		}
	}
	return few
}

// Condition returns the condition of a filter, whose texts were searched for. All
// values are arguments.
func (f Found) Condition(n filter.Node) (Condition, error) {
	switch n := n.(type) {
	case nil:
		return Condition{}, nil
	case filter.And:
		return f.join(n, " AND ")
	case filter.Or:
		return f.join(n, " OR ")
	case filter.Not:
		of, err := f.Condition(n.Of)
		if of.All() {
			of.Text = "1"
		}
		return Condition{"NOT " + of.Text, of.Args}, err
	case filter.Term:
		c, err := f.ofTerm(&n)
		if err != nil {
			return Condition{}, fmt.Errorf("filter: %s: %w", n.Field, err)
		}
		return Condition{"(" + c.Text + ")", c.Args}, nil
	case filter.Text:
		rows, ok := f.Texts[n]
		if !ok {
			return Condition{}, fmt.Errorf("filter: %q was not searched for", n.Value)
		}
		return Where("(rowid IN (SELECT value FROM json_each(?)))", rows.List), nil
	}
	return Condition{}, fmt.Errorf("filter: unknown node %T", n)
}

// join joins conditions as a balanced tree: SQLite refuses expressions that are
// nested a thousand deep, and reads a chain as such.
func (f Found) join(nodes []filter.Node, with string) (Condition, error) {
	switch len(nodes) {
	case 0:
		return Condition{}, fmt.Errorf("filter: an empty list of terms")
	case 1:
		return f.Condition(nodes[0])
	}
	left, err := f.join(nodes[:len(nodes)/2], with)
	if err != nil {
		return Condition{}, err
	}
	right, err := f.join(nodes[len(nodes)/2:], with)
	return joined("(", left, with, right, ")"), err
}
