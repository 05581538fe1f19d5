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

// contains looks for a text in a column, "" if it is missing. It is looked for as
// it is: nothing in it is a wildcard.
func contains(column string) fieldSQL {
	return func(t *filter.Term) (condition, error) {
		text := fold(t.Value)
		c := foldedSQL(column, text)
		c.text = column + " <> '' AND instr(" + c.text + ", ?) > 0"
		c.args = append(c.args, text)
		if likely := likelySQL(column, text); len(c.args) > 1 && !likely.all() {
			return both(likely, c), nil
		}
		return c, nil
	}
}

// foldedSQL folds a column: lower() does so for ASCII; of other letters, only
// those that are in the text can make a difference.
func foldedSQL(column, text string) condition {
	c := condition{text: "lower(" + column + ")"}
	done := map[rune]bool{}
	for _, r := range text {
		if r <= unicode.MaxASCII || done[r] {
			continue
		}
		done[r] = true
		for _, other := range cases(r)[1:] {
			c.text, c.args = "replace("+c.text+", ?, ?)", append(c.args, string(other), string(r))
		}
	}
	return c
}

// likelyLetters is how many letters likelySQL looks for.
const likelyLetters = 2

// likelySQL looks for the first letters outside of ASCII that a text has, in all
// their cases: that rules out most rows, of which nothing needs to be folded.
func likelySQL(column, text string) condition {
	forms := []string{""}
	n := 0
	for _, r := range text {
		if r <= unicode.MaxASCII {
			if n > 0 {
				break
			}
			continue
		}
		var longer []string
		for _, form := range forms {
			for _, other := range cases(r) {
				longer = append(longer, form+string(other))
			}
		}
		forms = longer
		if n++; n == likelyLetters {
			break
		}
	}
	if n == 0 {
		return condition{}
	}
	var c condition
	for _, form := range forms {
		if c.text != "" {
			c.text += " OR "
		}
		c.text, c.args = c.text+"instr("+column+", ?) > 0", append(c.args, form)
	}
	c.text = "(" + c.text + ")"
	return c
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
