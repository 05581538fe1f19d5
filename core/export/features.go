package export

import (
	"slices"

	"winnow/core/export/table"
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
		if !slices.Contains(lacking, c.Name) {
			all = append(all, featureOf(c))
		}
	}
	return all
}

func featureOf(c *table.Column) recipe.Feature {
	f := recipe.Feature{Name: c.Name, List: c.Kind.List()}
	switch c.Kind {
	case table.JSON, table.Object:
		f.Type = "json"
	case table.Bool:
		f.Type = "bool"
	case table.Integer:
		f.Type = "int64"
	case table.Number:
		f.Type = "float64"
	case table.Objects:
		if f.Type = "json"; c.Name == turnColumns.Name {
			for i := range c.Fields {
				f.Fields = append(f.Fields, featureOf(&c.Fields[i]))
			}
		}
	default:
		f.Type = "string"
	}
	return f
}
