package themes

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// at returns the place of a key, as "file:line:column", or the file alone.
func (p *palette) at(key ...string) string {
	var parser unstable.Parser
	parser.Reset(p.data)
	var table []string
	for parser.NextExpression() {
		e := parser.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.KeyValue {
			continue
		}
		var names []string
		var first unstable.Range
		for it := e.Key(); it.Next(); {
			if len(names) == 0 {
				first = it.Node().Raw
			}
			names = append(names, string(it.Node().Data))
		}
		if e.Kind == unstable.Table {
			table = names
		} else if slices.Equal(slices.Concat(table, names), key) {
			at := parser.Shape(first).Start
			return fmt.Sprintf("%s:%d:%d", p.file, at.Line, at.Column)
		}
	}
	return p.file
}

// FileError is what makes a theme's file unreadable, and where.
type FileError struct {
	File         string // its name in the folder of themes
	Line, Column int    // from 1
	What         string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.What)
}

// placed says on one line what is wrong with a file, with its place where it has
// one. The strict error comes first: it wraps decoding errors.
func placed(file string, err error) error {
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(strict.Errors) > 0 {
		line, column := strict.Errors[0].Position()
		what := fmt.Sprintf("no such setting %q: there are dark, background, [roles] and [ansi]", strings.Join(strict.Errors[0].Key(), "."))
		return &FileError{file, line, column, what}
	}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := bad.Position()
		return &FileError{file, line, column, wrongValue(bad)}
	}
	return fmt.Errorf("%s: %w", file, err)
}

// wrongValue says what is wrong at a place; a value of another type is told in
// our words: the decoder's are about Go.
func wrongValue(bad *toml.DecodeError) string {
	text := strings.TrimPrefix(bad.Error(), "toml: ")
	if !strings.Contains(text, "cannot decode") && !strings.Contains(text, "cannot store") {
		return text
	}
	key := strings.Join(bad.Key(), ".")
	switch key {
	case "dark":
		return "dark must be true or false"
	case "roles", "ansi":
		return key + " must be a table: [" + key + "] on a line of its own, its roles below"
	}
	return key + ` must be a text in quotes, as in "bold #ffcc00"`
}
