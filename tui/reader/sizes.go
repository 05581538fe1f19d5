package reader

import "strconv"

// sizeFrom is the number of bytes from which a text's size says more than its
// number of lines does.
const sizeFrom = 10_000

// extent says how much text there is.
func extent(lines, bytes int) string {
	if bytes >= sizeFrom {
		return sizeOf(bytes) + ", " + plural(lines, "line")
	}
	return plural(lines, "line")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}

// grouped writes a number that is not negative with its thousands apart.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// sizeOf writes a number of bytes with the unit that fits, in at most three
// digits up to the gigabyte.
func sizeOf(bytes int) string {
	unit, n := "kB", float64(bytes)/1e3
	switch {
	case bytes < 1000:
		return strconv.Itoa(bytes) + " B"
	case bytes >= 999_500:
		unit, n = "MB", n/1e3
	}
	digits := 1
	if n >= 9.95 {
		digits = 0
	}
	return strconv.FormatFloat(n, 'f', digits, 64) + " " + unit
}
