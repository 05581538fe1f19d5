package store

import (
	"slices"

	"winnow/core/review"
	"winnow/core/similar"
	"winnow/store/sqlite"
)

const (
	// A cluster has the number of its first signature, which is looked at by its
	// id: to look for the least of a cluster in each of its rows is quadratic.
	checkAlikeSQL = `SELECT id, fingerprint, length(signature), cluster, fresh,
		cluster <= id AND EXISTS (SELECT 1 FROM signatures o WHERE o.id = g.cluster AND o.cluster = g.cluster),
		parted OR EXISTS (SELECT 1 FROM task_segments s WHERE s.fingerprint = g.fingerprint) FROM signatures g`
	checkUnsignedSQL = `SELECT rowid, id, session_file FROM task_segments s WHERE NOT EXISTS (SELECT 1 FROM signatures g WHERE g.fingerprint = s.fingerprint)
		AND NOT EXISTS (SELECT 1 FROM unsigned u WHERE u.segment = s.rowid)`
)

// alike checks that what says which segments are alike is about all segments,
// and about nothing else.
func (c *checking) alike() error {
	if err := c.unsigned(); err != nil {
		return err
	}
	rows, err := c.rows(checkAlikeSQL)
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		var id, cluster int64
		var fingerprint string
		var length int
		var fresh, first, held bool
		if err := rows.Scan(&id, &fingerprint, &length, &cluster, &fresh, &first, &held); err != nil {
			return err
		}
		wrong := ""
		switch {
		case !slices.Contains([]int{0, len(similar.Signature{})}, length):
			wrong = "can't be read"
		case (length == 0) != (cluster == 0) || cluster > 0 && !first:
			wrong = "is in a cluster that there is not"
		case !held:
			wrong = "is of a content that no segment has"
		case length == 0 && fresh:
			wrong = "waits to be compared, and has nothing to be compared"
		default:
			return nil
		}
		c.report("alike", "content "+fingerprint, func(t *tx) error { return t.resign(id) }, "its signature %s", wrong)
		return nil
	})
}

// unsigned checks that each segment has a signature or waits for one.
func (c *checking) unsigned() error {
	rows, err := c.rows(checkUnsignedSQL)
	if err != nil {
		return err
	}
	err = sqlite.Each(rows, func() error {
		var row int64
		var id, file string
		err := rows.Scan(&row, &id, &file)
		c.report("alike", file, func(t *tx) error {
			_, err := t.Exec("INSERT OR IGNORE INTO unsigned SELECT rowid FROM task_segments WHERE rowid = ?", row)
			return err
		}, "segment %s is compared with no other", review.Short(id))
		return err
	})
	if err != nil {
		return err
	}
	rows, err = c.rows("SELECT segment FROM unsigned WHERE NOT EXISTS (SELECT 1 FROM task_segments WHERE rowid = segment)")
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		var row int64
		err := rows.Scan(&row)
		c.report("alike", "database", func(t *tx) error {
			_, err := t.Exec("DELETE FROM unsigned WHERE segment = ?", row)
			return err
		}, "row %d waits to be compared, and is no segment", row)
		return err
	})
}

// resign gives up a signature: its content is to be signed again, and what is
// in its cluster to be compared again.
func (t *tx) resign(id int64) error {
	for _, text := range []string{
		`INSERT OR IGNORE INTO unsigned SELECT s.rowid FROM signatures g JOIN task_segments s ON s.fingerprint = g.fingerprint WHERE g.id = ?`,
		`UPDATE signatures SET cluster = id, fresh = 1 WHERE length(signature) > 0 AND cluster > 0 AND cluster = (SELECT cluster FROM signatures WHERE id = ?)`,
		`DELETE FROM signatures WHERE id = ?`,
	} {
		if _, err := t.Exec(text, id); err != nil {
			return err
		}
	}
	return nil
}
