package store

import "context"

// noteText notes that the messages of a body behind keep are others by now, and
// that it ends with message last. What is in the text index of those that were
// there is not true any more; filling it removes that.
func (im *importing) noteText(body int64, keep, last int) error {
	const text = `UPDATE bodies SET stored = ?2, changed = ?4,
		outdated = iif(indexed > ?3 OR part > 0 AND indexed = ?3, 1, outdated),
		part = iif(indexed < ?3 OR part < 0, part, 0), indexed = min(indexed, ?3) WHERE id = ?1`
	_, err := im.exec(text, body, last, keep, im.number)
	return err
}

const shareSQL = "SELECT coalesce(sum(indexed), 0), coalesce(sum(stored), 0) FROM bodies WHERE dropped = 0"

// IndexedShare returns how many of all stored messages can be found by their
// text by now.
func (s *Store) IndexedShare(ctx context.Context) (done, all int64, err error) {
	err = s.readers.row(ctx, shareSQL, nil, []any{&done, &all})
	return done, all, s.fail("look at the text index", err)
}
