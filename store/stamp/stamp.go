// Package stamp writes and reads times as the database keeps them.
package stamp

import (
	"database/sql/driver"
	"fmt"
	"time"

	"winnow/store/filtersql"
)

// Layout is how times are kept: what filters compare is text of it.
const Layout = filtersql.StampLayout

// Of returns a time as it is kept.
func Of(t time.Time) string { return t.UTC().Format(Layout) }

// OrNull is Of for times that may be missing.
func OrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return Of(t)
}

// Time is the column of a time: the zero time is NULL.
type Time struct{ At *time.Time }

// Scan implements sql.Scanner. The driver gives columns declared TIMESTAMP as
// time.Time, and others as text.
func (t Time) Scan(v any) (err error) {
	switch v := v.(type) {
	case nil:
		*t.At = time.Time{}
	case time.Time:
		*t.At = v.UTC()
	case string:
		*t.At, err = time.Parse(Layout, v)
	default:
		err = fmt.Errorf("a time kept as %T", v)
	}
	return err
}

// Value implements driver.Valuer.
func (t Time) Value() (driver.Value, error) { return OrNull(*t.At), nil }
