package store

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
)

// condition is a piece of SQL that is 0 or 1 for every row, never NULL, with
// the arguments of its placeholders. The zero condition holds for all rows.
type condition struct {
	text string
	args []any
}

// all reports whether the condition asks for nothing.
func (c condition) all() bool { return c.text == "" }

// behind returns the condition behind a keyword, with a space in front; nothing if
// it asks for nothing.
func (c condition) behind(keyword string) string {
	if c.all() {
		return ""
	}
	return " " + keyword + " " + c.text
}

// compiler turns a filter into a condition on the rows of task_segments. texts
// are the segments that searches have found, by what was searched for.
type compiler struct {
	texts map[filter.Text]foundRows
}

// foundRows are rows of task_segments, as they are bound.
type foundRows struct {
	list string // JSON, of rowids
	n    int
}

func listRows(rows []int64) (foundRows, error) {
	if rows == nil {
		rows = []int64{} // not null
	}
	list, err := json.Marshal(rows)
	return foundRows{string(list), len(rows)}, err
}

// fewest returns the smallest of the searches that a row must be found by; nil
// if it need not be found by any.
func (c *compiler) fewest(n filter.Node) *foundRows {
	nodes, ok := n.(filter.And)
	if !ok {
		nodes = filter.And{n}
	}
	var few *foundRows
	for _, n := range nodes {
		text, ok := n.(filter.Text)
		if found, known := c.texts[text]; ok && known && (few == nil || found.n < few.n) {
			few = &found
		}
	}
	return few
}

// compile returns the condition of a filter. All values are arguments.
func (c *compiler) compile(n filter.Node) (condition, error) {
	switch n := n.(type) {
	case nil:
		return condition{}, nil
	case filter.And:
		return c.join(n, " AND ")
	case filter.Or:
		return c.join(n, " OR ")
	case filter.Not:
		of, err := c.compile(n.Of)
		if err != nil {
			return condition{}, err
		}
		if of.all() {
			of.text = "1"
		}
		return condition{"NOT " + of.text, of.args}, nil
	case filter.Term:
		row, ok := fields[n.Field]
		if !ok {
			return condition{}, fmt.Errorf("filter: unknown field %q", n.Field)
		}
		cond, err := row(&n)
		if err != nil {
			return condition{}, fmt.Errorf("filter: %s: %w", n.Field, err)
		}
		return condition{"(" + cond.text + ")", cond.args}, nil
	case filter.Text:
		rows, ok := c.texts[n]
		if !ok {
			return condition{}, fmt.Errorf("filter: %q was not searched for", n.Value)
		}
		return condition{"(rowid IN (SELECT value FROM json_each(?)))", []any{rows.list}}, nil
	}
	return condition{}, fmt.Errorf("filter: unknown node %T", n)
}

// join joins conditions as a balanced tree: SQLite refuses expressions that are
// nested a thousand deep, and reads a chain as such.
func (c *compiler) join(nodes []filter.Node, with string) (condition, error) {
	switch len(nodes) {
	case 0:
		return condition{}, fmt.Errorf("filter: an empty list of terms")
	case 1:
		return c.compile(nodes[0])
	}
	left, err := c.join(nodes[:len(nodes)/2], with)
	if err != nil {
		return condition{}, err
	}
	right, err := c.join(nodes[len(nodes)/2:], with)
	if err != nil {
		return condition{}, err
	}
	var b strings.Builder
	b.Grow(len(left.text) + len(right.text) + len(with) + 2)
	for _, part := range []string{"(", left.text, with, right.text, ")"} {
		b.WriteString(part)
	}
	return condition{b.String(), append(left.args[:len(left.args):len(left.args)], right.args...)}, nil
}
