package export

import (
	"slices"

	"winnow/core/recipe"
)

// features are the columns of a part's files as the card declares them, so that
// loaders need not guess them from the first records; none: the format does not
// tell. What has no fixed shape, and messages, of which each has the keys of its
// role, are JSON there.
func (e *Emitter) features(set int) (all []recipe.Feature) {
	var lacking []string
	for i := range e.lacks {
		if set&(1<<i) != 0 {
			lacking = append(lacking, e.lacks[i].keys...)
		}
	}
	for i := range e.columns {
		c := &e.columns[i]
		if !slices.Contains(lacking, c.name) {
			all = append(all, c.feature())
		}
	}
	return all
}

func (c *column) feature() recipe.Feature {
	f := recipe.Feature{Name: c.name, List: c.kind.list()}
	switch c.kind {
	case jsonColumn, objectColumn:
		f.Type = "json"
	case boolColumn:
		f.Type = "bool"
	case integerColumn:
		f.Type = "int64"
	case numberColumn:
		f.Type = "float64"
	case objectsColumn:
		if f.Type = "json"; c.name == turnColumns.name {
			for i := range c.fields {
				f.Fields = append(f.Fields, c.fields[i].feature())
			}
		}
	default:
		f.Type = "string"
	}
	return f
}
