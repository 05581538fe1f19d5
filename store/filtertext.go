package store

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"winnow/core/filter"
)

// fold returns a text in which letters that differ only in case are the same:
// what substrings are looked for in. A letter is replaced by one letter, and
// those outside of ASCII by others outside of it, so that ASCII can be folded
// by lower() of SQL.
func fold(s string) string {
	return strings.Map(foldRune, s)
}

func foldRune(r rune) rune {
	if r < unicode.MaxASCII+1 {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	return cases(r)[0]
}

// cases returns the letters outside of ASCII that fold as r does, which is
// outside of it, in order.
func cases(r rune) []rune {
	all := []rune{r}
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		if next > unicode.MaxASCII {
			all = append(all, next)
		}
	}
	slices.Sort(all)
	return all
}

// contains looks for a text in one that lower() has folded, "" if it is missing. It is looked for as it is: nothing in it is a wildcard.
func contains(column string) fieldSQL {
	return func(t *filter.Term) (condition, error) {
		text := fold(t.Value)
		known := column + " <> '' AND "
		folded, args := foldedSQL(column, text)
		if len(args) == 0 {
			return condition{known + "instr(" + column + ", ?) > 0", []any{text}}, nil
		}
		return condition{known + "instr(" + folded + ", ?) > 0", append(args, text)}, nil
	}
}

// foldedSQL folds those letters of a column that are in a text and not in
// ASCII; others can't make a difference.
func foldedSQL(column, text string) (string, []any) {
	var args []any
	done := map[rune]bool{}
	for _, r := range text {
		if r <= unicode.MaxASCII || done[r] {
			continue
		}
		done[r] = true
		for _, other := range cases(r)[1:] {
			column, args = "replace("+column+", ?, ?)", append(args, string(other), string(r))
		}
	}
	return column, args
}

// stampWithin is stamp for any time: those of years that have not four digits
// are before or behind all others.
func stampWithin(t time.Time) string {
	switch t = t.UTC(); {
	case t.Year() < 0:
		return ""
	case t.Year() > 9999:
		return "~"
	}
	return stamp(t)
}
