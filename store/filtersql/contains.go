package filtersql

import (
	"strings"
	"unicode"

	"winnow/core/filter"
)

// contains looks for a text in a column, "" if it is missing. It is looked for as
// it is: nothing in it is a wildcard.
func contains(column string, t *filter.Term) (Condition, error) {
	text := filter.Fold(t.Value)
	c := foldedSQL(column, text)
	c.Text = column + " <> '' AND instr(" + c.Text + ", ?) > 0"
	if c.Args = append(c.Args, text); len(c.Args) > 1 {
		c = likelySQL(column, text).And(c)
	}
	return c, nil
}

// foldedSQL folds a column: lower() does so for ASCII; of other letters, only
// those that are in the text can make a difference.
func foldedSQL(column, text string) Condition {
	c := Where("lower(" + column + ")")
	done := map[rune]bool{}
	for _, r := range text {
		if r <= unicode.MaxASCII || done[r] {
			continue
		}
		done[r] = true
		for _, other := range filter.Cases(r)[1:] {
			c.Text, c.Args = "replace("+c.Text+", ?, ?)", append(c.Args, string(other), string(r))
		}
	}
	return c
}

// likelySQL looks for two letters outside of ASCII that follow each other in a
// text, or for one, in all their cases: that rules out most rows, of which
// nothing needs to be folded. Of several it takes those of the fewest cases.
func likelySQL(column, text string) Condition {
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
		return Condition{}
	}
	c := Where("(" + strings.Repeat(" OR instr("+column+", ?) > 0", len(best))[len(" OR "):] + ")")
	for _, form := range best {
		c.Args = append(c.Args, form)
	}
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
