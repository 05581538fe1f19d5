package store

import (
	"strings"
	"time"
	"unicode"

	"winnow/core/filter"
)

// contains looks for a text in a column, "" if it is missing. It is looked for as
// it is: nothing in it is a wildcard.
func contains(column string) fieldSQL {
	return func(t *filter.Term) (condition, error) {
		text := filter.Fold(t.Value)
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
		for _, other := range filter.Cases(r)[1:] {
			c.text, c.args = "replace("+c.text+", ?, ?)", append(c.args, string(other), string(r))
		}
	}
	return c
}

// likelySQL looks for two letters outside of ASCII that follow each other in a
// text, or for one, in all their cases: that rules out most rows, of which
// nothing needs to be folded. Of several it takes those of the fewest cases.
func likelySQL(column, text string) condition {
	var best []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r <= unicode.MaxASCII }) {
		letters := []rune(part)
		forms := casesOf(letters[:1])
		for i := range len(letters) - 1 {
			if pair := casesOf(letters[i : i+2]); i == 0 || len(pair) < len(forms) {
				forms = pair
			}
		}
		if best == nil || len(forms) < len(best) {
			best = forms
		}
	}
	if best == nil {
		return condition{}
	}
	var c condition
	for _, form := range best {
		c.text, c.args = c.text+" OR instr("+column+", ?) > 0", append(c.args, form)
	}
	c.text = "(" + strings.TrimPrefix(c.text, " OR ") + ")"
	return c
}

// casesOf returns all ways to write some letters outside of ASCII.
func casesOf(letters []rune) []string {
	forms := []string{""}
	for _, r := range letters {
		var longer []string
		for _, form := range forms {
			for _, other := range filter.Cases(r) {
				longer = append(longer, form+string(other))
			}
		}
		forms = longer
	}
	return forms
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
