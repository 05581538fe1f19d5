package store

import (
	"regexp"
	"strings"

	"winnow/store/sqlite"
)

// file checks the pages and indexes.
func (c *checking) file() error {
	return c.db.Read(c.ctx, func(v *sqlite.View) error {
		// FTS5 remembers how its index is laid out, and forgets it when it is asked
		// after somebody changed that, but not when it is checked.
		var row int64
		if _, err := v.Rows("SELECT rowid FROM passages WHERE passages MATCH 'x' LIMIT 1").Maybe(&row); err != nil {
			return err
		}
		faults, err := v.Faults()
		for _, text := range faults {
			if text != "ok" {
				c.report("file", "database", remake(text), "%s", text)
			}
		}
		return err
	})
}

// wrongIndex is what SQLite says of an index that is not that of its table.
var wrongIndex = regexp.MustCompile(`^(?:wrong # of entries in|row \d+ missing from|rowid not at end-of-record for row \d+ of|row \d+ values differ from|non-unique entry in) index (\w+)$`)

// remake returns what makes an index anew, if something is wrong with no more
// than that.
func remake(text string) func(*tx) error {
	if found := wrongIndex.FindStringSubmatch(text); found != nil {
		return mend("REINDEX " + found[1]) // a name of ours
	}
	if strings.HasPrefix(text, "malformed inverted index") {
		return func(t *tx) error {
			return t.run(nil, "INSERT INTO passages (passages) VALUES ('delete-all')", "UPDATE bodies SET indexed = 0, part = 0, outdated = 0")
		}
	}
	return nil
}
