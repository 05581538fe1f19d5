package store

import (
	"slices"

	"winnow/core/review"
	"winnow/store/sqlite"
)

// masks checks that training marks name messages of their segment.
func (c *checking) masks() error {
	rows, err := c.rows("SELECT id, session_file, end_line - start_line + 1, masked FROM task_segments WHERE masked <> ''")
	if err != nil {
		return err
	}
	var id, file, text string
	var messages int
	return sqlite.Each(rows, func() error {
		if err := rows.Scan(&id, &file, &messages, &text); err != nil {
			return err
		}
		places, err := review.ParseMask(text)
		switch {
		case err != nil:
			c.report("masks", file, nil, "segment %s has training marks that can't be read: %v", review.Short(id), err)
		case places[len(places)-1] > messages:
			last := places[len(places)-1]
			id, before := id, text
			after := review.MaskText(slices.DeleteFunc(places, func(n int) bool { return n > messages }))
			c.report("masks", file, func(t *tx) error { return t.replaceIn("masked", id, before, after) },
				"segment %s has a training mark on message %d of %d", review.Short(id), last, messages)
		}
		return nil
	})
}

// replaceIn writes a text in the place of another one in a column of a segment.
func (t *tx) replaceIn(column, id, before, after string) error {
	res, err := t.Exec("UPDATE task_segments SET "+column+" = ? WHERE id = ? AND "+column+" = ?", after, id, before)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errMoved
	}
	return nil
}
