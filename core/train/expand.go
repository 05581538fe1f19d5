package train

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Placeholders are what the arguments of a command may name, in braces.
var Placeholders = []string{"data", "train", "validation", "out", "base", "parent_or_base", "checkpoint", "run", "model"}

var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// Expand puts values in the places of placeholders, once: what a value says is no
// placeholder. One that nobody knows, or that has no value, is an error.
func Expand(argv []string, values map[string]string) ([]string, error) {
	list := make([]string, len(argv))
	var err error
	for i, arg := range argv {
		list[i] = placeholder.ReplaceAllStringFunc(arg, func(word string) string {
			name := word[1 : len(word)-1]
			v, ok := values[name]
			switch {
			case ok || err != nil:
			case slices.Contains(Placeholders, name):
				err = fmt.Errorf("%s has no value here", word)
			default:
				err = fmt.Errorf("%s: no such placeholder: there are {%s}", word, strings.Join(Placeholders, "}, {"))
			}
			return v
		})
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}
