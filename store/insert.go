package store

import "strings"

// insertion adds rows to a table, several with one statement: what a statement
// itself costs is as much as five rows.
type insertion struct {
	columns int
	texts   [len(rowsAtOnce)]string
}

// rowsAtOnce is how many rows a statement adds: more than the first gains nothing.
var rowsAtOnce = [...]int{64, 8, 1}

func insertInto(table, columns string) *insertion {
	in := &insertion{columns: strings.Count(columns, ",") + 1}
	row := "(" + places(in.columns) + ")"
	for i, n := range rowsAtOnce {
		in.texts[i] = "INSERT INTO " + table + " (" + columns + ") VALUES " + strings.TrimSuffix(strings.Repeat(row+", ", n), ", ")
	}
	return in
}

// waiting holds rows that wait to be inserted. Values of the driver's own types
// (int64, string, nil) need not be converted.
type waiting struct{ args []any }

// add inserts what waits once that is enough for the longest statement.
func (w *waiting) add(t *tx, in *insertion, row ...any) error {
	w.args = append(w.args, row...)
	if len(w.args) < rowsAtOnce[0]*in.columns {
		return nil
	}
	return w.flush(t, in)
}

// flush inserts the rows that are left.
func (w *waiting) flush(t *tx, in *insertion) error {
	rest := w.args
	for i, n := range rowsAtOnce {
		for n *= in.columns; len(rest) >= n; rest = rest[n:] {
			if err := t.do(in.texts[i], rest[:n]...); err != nil {
				return err
			}
		}
	}
	w.args = w.args[:0]
	return nil
}
