// Package spell tells how far a name that somebody typed is from one that there is.
//
// It imports nothing of winnow. Nearest says what is near enough to be suggested; the
// keys, whose names are long, have a rule of their own.
package spell

import "strings"

// Nearest returns the one of some names that was probably meant, "" if none looks like
// it: a third of the letters may be wrong, and a beginning stands for the whole.
func Nearest(typed string, names []string) string {
	typed = strings.ToLower(typed)
	if n := len(typed); n == 0 || n > 40 {
		return ""
	}
	best, least := "", 2*max(1, len(typed)/3)+1
	for _, name := range names {
		d := 2 * Distance(typed, name)
		if d > 3 && len(typed) >= 2 && (strings.HasPrefix(name, typed) || strings.HasPrefix(typed, name)) {
			d = 3 // less like it than with one letter wrong
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// Meant asks whether the nearest of some names was meant, "did you mean NAME? " with a
// space for what follows; "" if none is near.
func Meant(typed string, names []string) string {
	if near := Nearest(typed, names); near != "" {
		return "did you mean " + near + "? "
	}
	return ""
}

// Known says which names there are, after the one that was probably meant.
func Known(typed string, names []string) string {
	return Meant(typed, names) + "known are " + strings.Join(names, ", ")
}

// Distance counts the letters to insert, remove, change or swap with their
// neighbour that make one word of the other. A letter that is not ASCII counts as
// several: names have none.
func Distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
	}
	return row[len(b)]
}
