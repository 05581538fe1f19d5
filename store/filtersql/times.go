package filtersql

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// StampLayout is how times are kept: UTC, of fixed width, so that their order
// as text is their order in time.
const StampLayout = "2006-01-02T15:04:05.000000Z"

// Stamp returns a time as it is kept.
func Stamp(t time.Time) string { return t.UTC().Format(StampLayout) }

// StampOrNull is Stamp for times that may be missing.
func StampOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return Stamp(t)
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
		*t.At, err = time.Parse(StampLayout, v)
	default:
		err = fmt.Errorf("a time kept as %T", v)
	}
	return err
}

// Value implements driver.Valuer.
func (t Time) Value() (driver.Value, error) { return StampOrNull(*t.At), nil }
