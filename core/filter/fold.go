package filter

import (
	"slices"
	"strings"
	"unicode"
)

// Fold returns a text in which letters that differ only in case are the same:
// what substrings are looked for in. A letter is replaced by one letter, and
// those outside of ASCII by others outside of it, so that ASCII can be folded
// by lower() of SQL.
func Fold(s string) string { return strings.Map(foldRune, s) }

func foldRune(r rune) rune {
	if r < unicode.MaxASCII+1 {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	return Cases(r)[0]
}

// Cases returns the letters outside of ASCII that fold as r does, which is
// outside of it, in order.
func Cases(r rune) []rune {
	all := []rune{r}
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		if next > unicode.MaxASCII {
			all = append(all, next)
		}
	}
	slices.Sort(all)
	return all
}
