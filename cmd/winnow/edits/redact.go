package edits

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Redact are what "redact" looks for, and what is put there.
type Redact struct{ Find, Pattern, With, Note string }

// Replacing returns what replaces in a text; with says that With was given.
func (f *Redact) Replacing(with bool) (func(string) string, error) {
	switch {
	case (f.Find == "") == (f.Pattern == ""):
		return nil, errors.New("redact needs what is taken out: --find TEXT, or --regexp RE")
	case !with:
		return nil, errors.New("redact needs what is put there: --with TEXT, such as --with '[name]'")
	case f.Find != "" && strings.Contains(f.With, f.Find):
		return nil, errors.New("--with holds what is taken out: it would still be there")
	case f.Find != "":
		return func(text string) string { return strings.ReplaceAll(text, f.Find, f.With) }, nil
	}
	re, err := regexp.Compile(f.Pattern)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--regexp: %w", err)
	case re.MatchString(""):
		return nil, fmt.Errorf("--regexp %q is found in everything, even where nothing is", f.Pattern)
	case re.MatchString(f.With):
		return nil, errors.New("--with is found by --regexp: it would still be there")
	}
	return func(text string) string { return re.ReplaceAllLiteralString(text, f.With) }, nil
}
