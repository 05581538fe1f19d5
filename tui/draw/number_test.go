package draw

import (
	"math"
	"testing"
	"time"
)

// TestTimeLeft: the rest takes as long as the pace says, if that says anything.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		done, all int64
		taken     time.Duration
		want      string
	}{
		{1, 2, time.Second, ""}, {0, 9, time.Minute, ""}, {9, 9, time.Minute, ""}, {1, 100_000, time.Minute, ""},
		{30, 70, 30 * time.Second, "40 s left"}, {1, 2, 59 * time.Second, "59 s left"}, {1, 3, time.Minute, "2 min left"},
		{1, 2, 90 * time.Second, "2 min left"}, {1, 4, 30 * time.Minute, "1.5 h left"}, {999, 1000, 3 * time.Second, ""},
	} {
		if got := TimeLeft(c.done, c.all, c.taken); got != c.want {
			t.Errorf("%d of %d in %v: %q, want %q", c.done, c.all, c.taken, got, c.want)
		}
	}
}

// TestNumbers: counts, sizes and shares as texts, also where the unit changes.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n                     int
		short, tight, grouped string
	}{
		{0, "0", "0", "0"},
		{999, "999", "999", "999"},
		{1000, "1.0k", "1.0k", "1,000"},
		{9_949, "9.9k", "9.9k", "9,949"},
		{9_950, "9.9k", "10k", "9,950"},
		{99_949, "99.9k", "100k", "99,949"},
		{99_950, "100k", "100k", "99,950"},
		{999_499, "999k", "999k", "999,499"},
		{999_500, "1.0M", "1.0M", "999,500"},
		{9_949_999, "9.9M", "9.9M", "9,949,999"},
		{9_950_000, "9.9M", "10M", "9,950,000"},
		{99_949_999, "99.9M", "100M", "99,949,999"},
		{99_950_000, "100M", "100M", "99,950,000"},
		{-1234, "-1234", "-1234", "-1,234"},
		{-123, "-123", "-123", "-123"},
		{math.MinInt64, "-9223372036854775808", "-9223372036854775808", "-9,223,372,036,854,775,808"},
	} {
		if Short(c.n) != c.short || Tight(c.n) != c.tight || Grouped(c.n) != c.grouped {
			t.Errorf("%d: %s, %s, %s; want %s, %s, %s", c.n, Short(c.n), Tight(c.n), Grouped(c.n), c.short, c.tight, c.grouped)
		}
		if c.n >= 0 && (len(Short(c.n)) > 5 || len(Tight(c.n)) > 4) {
			t.Errorf("%d: %s, %s: too long", c.n, Short(c.n), Tight(c.n))
		}
	}
	for _, c := range []struct{ got, want string }{
		{Plural(0, "file"), "0 files"},
		{Plural(1, "file"), "1 file"},
		{Plural(1234, "file"), "1,234 files"},
		{Counted(9_999_999), "9,999,999"},
		{Counted(10_000_000), "10.0M"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// TestBytes: sizes, also where the unit changes.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		n           int64
		bytes, long string
	}{
		{0, "0 B", "0 B"},
		{999, "999 B", "999 B"},
		{1000, "1.0 kB", "1.0 kB"},
		{9_949, "9.9 kB", "9.9 kB"},
		{9_950, "10 kB", "9.9 kB"},
		{999_499, "999 kB", "999.5 kB"},
		{999_949, "1.0 MB", "999.9 kB"},
		{999_950, "1.0 MB", "1.0 MB"},
		{35_123_456, "35 MB", "35.1 MB"},
		{999_949_999, "1.0 GB", "999.9 MB"},
		{999_950_000, "1.0 GB", "1.00 GB"},
		{1_250_000_000, "1.2 GB", "1.25 GB"},
		{math.MaxInt64, "9.2 EB", "9223372036.85 GB"},
	} {
		if Bytes(c.n) != c.bytes || LongBytes(c.n) != c.long {
			t.Errorf("%d: %s, %s; want %s, %s", c.n, Bytes(c.n), LongBytes(c.n), c.bytes, c.long)
		}
	}
}

// TestPercent: nothing but all is 100, and a part of nothing is all of it.
func TestPercent(t *testing.T) {
	for _, c := range []struct{ n, of, want int }{
		{0, 0, 100}, {0, 10, 0}, {1, 3, 33}, {2, 3, 67}, {1, 200, 1}, {1, 201, 0}, {999, 1000, 99}, {1000, 1000, 100}, {11, 10, 100},
	} {
		if got := Percent(c.n, c.of); got != c.want {
			t.Errorf("%d of %d: %d, want %d", c.n, c.of, got, c.want)
		}
	}
}
