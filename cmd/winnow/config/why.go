package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"winnow/core/review"
)

// whyTable is the table of config.toml with the reasons of verdicts: words by key.
const whyTable = "why"

// checkWhys puts the reasons of the file beside those there are, or in their place: an
// empty word takes one away. They stand in the order of the file. Errors name the line.
func (f *tomlFile) checkWhys(data []byte) error {
	at := keyLines(data, whyTable)
	inOrder := func(a, b string) int { return cmp.Or(at[a]-at[b], cmp.Compare(a, b)) }
	keys := slices.SortedFunc(maps.Keys(f.Why), inOrder)
	for _, key := range keys {
		w := review.Why{Key: key, Word: f.Why[key]}
		i := slices.IndexFunc(f.whys, func(o review.Why) bool { return o.Key == key })
		switch {
		case i >= 0 && w.Word == "":
			f.whys = slices.Delete(f.whys, i, i+1)
		case w.Word == "":
		case i >= 0:
			f.whys[i] = w
		default:
			f.whys = append(f.whys, w)
		}
	}
	for i := range f.whys {
		if err := review.CheckWhys(f.whys[:i+1]); err != nil { // one that the file does not name is like one that it does
			return fmt.Errorf(":%d: %s: %w", cmp.Or(at[f.whys[i].Key], at[keys[len(keys)-1]]), whyTable, err)
		}
	}
	return nil
}

// whyRows lists the reasons.
func (c *Config) whyRows() []Row {
	var rows []Row
	for _, w := range c.Whys {
		from := c.File
		if slices.Contains(review.Whys(), w) {
			from = "default"
		}
		rows = append(rows, Row{Key: whyTable + "." + w.Key, Value: w.Word, From: from})
	}
	return rows
}
