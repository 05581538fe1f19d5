package store

import (
	"slices"

	"winnow/core/review"
)

// textRow is a column of a segment that keeps a list as text.
type textRow struct {
	id, file string
	messages int
	column   string
	text     string
}

// texts calls f with the segments that have something in such a column.
func (c *checking) texts(column string, f func(textRow)) error {
	r := textRow{column: column}
	rows := c.rows("SELECT id, session_file, end_line - start_line + 1, " + column + " FROM task_segments WHERE " + column + " <> ''")
	for range rows.Into(&r.id, &r.file, &r.messages, &r.text) {
		f(r)
	}
	return rows.Err()
}

// becomes writes another text in the place of the one that was checked.
func (r textRow) becomes(text string) func(*tx) error {
	return func(t *tx) error {
		n, err := t.change("UPDATE task_segments SET "+r.column+" = ? WHERE id = ? AND "+r.column+" = ?", text, r.id, r.text)
		if err == nil && n == 0 {
			err = errMoved
		}
		return err
	}
}

// masks checks that training marks name messages of their segment.
func (c *checking) masks() error {
	return c.texts("masked", func(r textRow) {
		places, err := review.ParseMask(r.text)
		if err != nil {
			c.report("masks", r.file, nil, "segment %s has training marks that can't be read: %v", review.Short(r.id), err)
		} else if last := places[len(places)-1]; last > r.messages {
			within := slices.DeleteFunc(places, func(n int) bool { return n > r.messages })
			c.report("masks", r.file, r.becomes(review.MaskText(within)), "segment %s has a training mark on message %d of %d", review.Short(r.id), last, r.messages)
		}
	})
}

// tags checks that tags are written as everything that writes them does, so
// that the same tags are the same text.
func (c *checking) tags() error {
	return c.texts("tags", func(r textRow) {
		tags, err := review.ParseTags(r.text)
		if err != nil {
			c.report("tags", r.file, nil, "segment %s has tags that can't be read: %v", review.Short(r.id), err)
		} else if after := review.TagText(tags); after != r.text {
			c.report("tags", r.file, r.becomes(after), "segment %s has its tags out of order, or twice", review.Short(r.id))
		}
	})
}
