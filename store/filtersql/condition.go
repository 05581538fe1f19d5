// Package filtersql turns a filter into a condition in SQL on the rows of
// task_segments, and knows what SQL knows of the fields of filters. It is pure: it
// imports packages of core only, and has no database.
package filtersql

// Condition is a piece of SQL that is 0 or 1 for every row, never NULL, with
// the arguments of its placeholders. The zero Condition holds for all rows.
type Condition struct {
	Text string
	Args []any
}

// Where returns a condition.
func Where(text string, args ...any) Condition { return Condition{text, args} }

// All reports whether the condition asks for nothing.
func (c Condition) All() bool { return c.Text == "" }

// After returns the text of the condition after a keyword, with a space in front;
// nothing if it asks for nothing.
func (c Condition) After(keyword string) string {
	if c.All() {
		return ""
	}
	return " " + keyword + " " + c.Text
}

// And is the condition that both hold.
func (c Condition) And(o Condition) Condition {
	switch {
	case c.All():
		return o
	case o.All():
		return c
	}
	return joined("", c, " AND ", o, "")
}

// joined joins two conditions. It leaves theirs as they are.
func joined(open string, a Condition, with string, b Condition, end string) Condition {
	return Condition{open + a.Text + with + b.Text + end, append(a.Args[:len(a.Args):len(a.Args)], b.Args...)}
}
