package draw

import (
	"fmt"
	"strconv"
	"time"
)

// Short renders a count in at most five cells: 60, 1.9k, 14.2k, 120k, 1.2M.
func Short(n int) string { return shortened(n, 99_950) }

// Tight renders a count in at most four cells: 999, 9.9k, 14k, 120k, 1.2M.
func Tight(n int) string { return shortened(n, 9_950) }

// shortened renders a count with a unit; below tenths, in thousands or in millions,
// it has a digit after the point.
func shortened(n, tenths int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < tenths:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	case n < 999_500:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n < tenths*1000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	}
	return fmt.Sprintf("%.0fM", float64(n)/1e6)
}

// Grouped renders a count with commas: 8,931.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural renders a count with its word: 1 file, 12 files.
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Grouped(n) + " " + word + "s"
}

// OneOrMany says how many there are, in the words for one or for many.
func OneOrMany(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// Bytes renders a size: 999 B, 1.2 kB, 35 MB.
func Bytes(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	v, u := float64(n)/1000, 0
	for v >= 999.5 && u < len(units)-1 {
		v, u = v/1000, u+1
	}
	if v < 9.95 {
		return fmt.Sprintf("%.1f %cB", v, units[u])
	}
	return fmt.Sprintf("%.0f %cB", v, units[u])
}

// LongBytes renders a size with more digits: 999 B, 1.2 kB, 35.1 MB, 1.25 GB.
func LongBytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 999_950:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 999_950_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/1e9)
}

// TimeLeft says how long work will take that did so much of all in a time, "40 s left",
// at the pace it had: "" while that tells nothing, at the very beginning and the end.
func TimeLeft(done, all int64, taken time.Duration) string {
	const steady = 2 * time.Second
	if taken < steady || done <= 0 || done >= all || done < all/1000 {
		return ""
	}
	left := time.Duration(float64(taken) * float64(all-done) / float64(done))
	switch s := int(left.Seconds() + 0.5); {
	case s < 1:
		return ""
	case s < 60:
		return fmt.Sprintf("%d s left", s)
	case s < 3600:
		return fmt.Sprintf("%d min left", (s+30)/60)
	default:
		return fmt.Sprintf("%.1f h left", left.Hours())
	}
}

// Percent is a part of the whole in per cent, to the nearest one. It is 100 only
// if it is all.
func Percent(n, of int) int {
	if n >= of {
		return 100
	}
	return min(99, (n*200+of)/(2*of))
}

// Counted renders a count in at most eight cells.
func Counted(n int) string {
	if n < 10_000_000 {
		return Grouped(n)
	}
	return Short(n)
}
