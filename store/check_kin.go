package store

import (
	"slices"

	"winnow/core/hub"
	"winnow/store/sqlite"
)

// kin checks that sessions belong to sessions that are there, and that sources
// know how many copies they hold.
func (c *checking) kin() error {
	rows, err := c.rows(`SELECT id, session_file FROM trajectory_records r WHERE parent <> ''
		AND (parent = id OR NOT EXISTS (SELECT 1 FROM trajectory_records p WHERE p.id = r.parent))`)
	if err != nil {
		return err
	}
	var id, file string
	err = sqlite.Each(rows, func() error {
		err := rows.Scan(&id, &file)
		child := id
		c.report("parent", file, func(t *tx) error {
			_, err := t.Exec("UPDATE trajectory_records SET parent = '' WHERE id = ?", child)
			return err
		}, "belongs to a session that is not there")
		return err
	})
	if err != nil {
		return err
	}
	if err := c.places(); err != nil {
		return err
	}
	rows, err = c.rows(`SELECT id, path, copies, n FROM (SELECT id, path, copies,
		(SELECT count(*) FROM copies c WHERE c.source_id = s.id) AS n FROM sources s) WHERE copies <> n`)
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		var source, kept, held int64
		var path string
		err := rows.Scan(&source, &path, &kept, &held)
		c.report("counts", path, func(t *tx) error {
			_, err := t.Exec("UPDATE sources SET copies = (SELECT count(*) FROM copies WHERE source_id = sources.id) WHERE id = ?", source)
			return err
		}, "counts %d copies, holds %d", kept, held)
		return err
	})
}

// kept checks that all messages of each source are in a session: in its own, or
// in those that hold what it has. Of a source that is to be read again this is
// not known.
func (c *checking) kept() error {
	rows, err := c.rows(`SELECT path, given, own + placed + copied FROM (SELECT path, coalesce(state ->> '$.messages', 0) AS given,
		(SELECT coalesce(sum(r.messages), 0) FROM trajectory_records r WHERE r.source_id = s.id AND NOT r.gathered) AS own,
		(SELECT coalesce(sum(p.messages), 0) FROM pieces p WHERE p.source_id = s.id) AS placed,
		(SELECT coalesce(sum(c.messages), 0) FROM copies c WHERE c.source_id = s.id
			AND NOT EXISTS (SELECT 1 FROM raws w WHERE w.source_id = c.source_id AND w.key = c.key)) AS copied
		FROM sources s WHERE mtime <> 0) WHERE given > own + placed + copied ORDER BY path`)
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		var path string
		var given, held int64
		err := rows.Scan(&path, &given, &held)
		c.report("kept", path, func(t *tx) error {
			_, err := t.Exec("UPDATE sources SET mtime = 0, proof = '{}' WHERE path = ?", path)
			return err
		}, "%d messages were read, %d are in sessions: import it again", given, held)
		return err
	})
}

// pieces checks that a session still holds what it holds of others' messages.
// sums are those of the ids of one message each.
func (c *sessionCheck) pieces() error {
	if !c.text {
		return nil
	}
	rows, err := c.read.QueryContext(c.ctx, "SELECT s.path, p.source_id, p.at, p.messages, p.sum FROM pieces p JOIN sources s ON s.id = p.source_id WHERE p.session_id = ? ORDER BY 1, 3", c.row.ID)
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		var path string
		var source int64
		var at, n int
		var sum uint32
		if err := rows.Scan(&path, &source, &at, &n, &sum); err != nil {
			return err
		}
		have := uint32(0)
		for i := at; i < at+n && i <= len(c.ids); i++ {
			have = hub.IDSum(have, &c.ids[i-1])
		}
		if at < 1 || at+n-1 > len(c.ids) || have != sum {
			c.problem("kept", func(t *tx) error {
				_, err := t.Exec("UPDATE sources SET mtime = 0, proof = '{}' WHERE id = ?", source)
				return err
			}, "messages %d to %d are not those of %s: import that again", at, at+n-1, path)
		}
		return nil
	})
}

// places checks that sessions lie in their parents where those report on them.
// While an import has not looked for that yet, anything is right.
func (c *checking) places() error {
	const busy = `SELECT EXISTS (SELECT 1 FROM trajectory_records r WHERE touched >
		coalesce((SELECT value FROM progress WHERE name = 'compared ' || r.source_agent_id), 0))`
	var some bool
	if err := c.conn.QueryRowContext(c.ctx, busy).Scan(&some); err != nil || some {
		return err
	}
	rows, err := c.rows(allKinSQL)
	if err != nil {
		return err
	}
	list, err := scanPlacings(rows)
	for i := range list {
		p := &list[i]
		c.report("place", p.file, func(t *tx) error { return t.place(p) },
			"belongs at message %d of session %q, is at message %d of %q", p.isAt, p.isParent, p.at, p.parent)
	}
	return err
}

// starts compares the messages that report on other sessions with what is kept
// of them. The sessions are placed anew with them.
func (c *sessionCheck) starts() error {
	if !c.text {
		return nil
	}
	rows, err := c.read.QueryContext(c.ctx, "SELECT n, child FROM starts WHERE body = ? ORDER BY n", c.row.Body)
	if err != nil {
		return err
	}
	var kept []hub.Start
	err = sqlite.Each(rows, func() error {
		var s hub.Start
		err := rows.Scan(&s.N, &s.Child)
		kept = append(kept, s)
		return err
	})
	if err != nil || slices.Equal(kept, c.started) {
		return err
	}
	body, want := c.row.Body, c.started
	c.problem("starts", func(t *tx) error {
		if _, err := t.Exec("DELETE FROM starts WHERE body = ?", body); err != nil {
			return err
		}
		if err := t.starts(body, want); err != nil {
			return err
		}
		return t.placeAll()
	}, "%d messages are known to have started others, %d did", len(kept), len(want))
	return nil
}
