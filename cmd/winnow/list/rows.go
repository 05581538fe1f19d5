// Package list prints what is in a database, page by page: segments, sessions and
// statistics. Commands print with it, and the server's pages are made with it, so that
// both say the same.
package list

import (
	"fmt"
	"time"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
)

// Printer prints lists of a database.
type Printer struct {
	*desk.Desk
	Out   *print.Output
	JSON  bool // one object a line
	Limit int  // rows at most, 0 for all
	Zone  *time.Location
	Warn  func(format string, args ...any)
}

// PageSize is how many rows a command asks the database for at a time: enough
// that the asking costs nothing, few enough that the first rows come at once.
const PageSize = 500

// NoneLikeThat says that a filter lets nothing through.
const NoneLikeThat = "none passes the filter"

// EachRow calls f for the rows that next brings, limit of them at most (0: all), and
// flush after those of each call. It returns how many there were. An error of next is
// told with what was read.
func EachRow[T any](what string, limit int, next func(want int) ([]T, error), f func(*T) error, flush func()) (n int, err error) {
	for {
		want := PageSize
		if limit > 0 {
			want = min(want, limit-n)
		}
		rows, err := next(want)
		if err != nil {
			return n, fmt.Errorf("%s: %w", what, err)
		}
		for i := range rows[:min(len(rows), want)] { // a page may be a little longer than asked for
			if err := f(&rows[i]); err != nil {
				return n, err
			}
			n++
		}
		flush()
		if len(rows) < want || n == limit {
			return n, nil
		}
	}
}

// Rows prints a table of as many rows as the limit says; none says that there are none.
func Rows[T any](p *Printer, t *print.Table, what string, next func(want int) ([]T, error), row func(*T) error, none string) error {
	n, err := EachRow(what, p.Limit, next, row, t.Flush)
	if err == nil && n == 0 {
		p.Warn("%s", none)
	}
	return err
}
