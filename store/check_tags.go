package store

import (
	"winnow/core/review"
	"winnow/store/sqlite"
)

// tags checks that tags are written as everything that writes them does, so
// that the same tags are the same text.
func (c *checking) tags() error {
	rows, err := c.rows("SELECT id, session_file, tags FROM task_segments WHERE tags <> ''")
	if err != nil {
		return err
	}
	var id, file, text string
	return sqlite.Each(rows, func() error {
		if err := rows.Scan(&id, &file, &text); err != nil {
			return err
		}
		tags, err := review.ParseTags(text)
		id, before, after := id, text, review.TagText(tags)
		switch {
		case err != nil:
			c.report("tags", file, nil, "segment %s has tags that can't be read: %v", review.Short(id), err)
		case after != before:
			c.report("tags", file, func(t *tx) error { return t.replaceIn("tags", id, before, after) }, "segment %s has its tags out of order, or twice", review.Short(id))
		}
		return nil
	})
}
