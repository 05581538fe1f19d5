package store

import (
	"slices"

	"winnow/core/hub"
	"winnow/store/sqlite"
)

// pieces checks that a session still holds what it holds of others' messages.
// sums are those of the ids of one message each.
func (c *sessionCheck) pieces() error {
	if !c.text {
		return nil
	}
	var path string
	var source int64
	var at, n int
	var sum uint32
	rows := c.rows("SELECT s.path, p.source_id, p.at, p.messages, p.sum FROM pieces p JOIN sources s ON s.id = p.source_id WHERE p.session_id = ? ORDER BY 1, 3", c.row.ID)
	for range rows.Into(&path, &source, &at, &n, &sum) {
		have := uint32(0)
		for i := at; i < at+n && i <= len(c.ids); i++ {
			have = hub.IDSum(have, &c.ids[i-1])
		}
		if at < 1 || at+n-1 > len(c.ids) || have != sum {
			c.problem("kept", mend(againSQL+"id = ?", source), "messages %d to %d are not those of %s: import that again", at, at+n-1, path)
		}
	}
	return rows.Err()
}

// places checks that sessions lie in their parents where those report on them.
// While an import has not looked for that yet, anything is right.
func (c *checking) places() error {
	const busy = `SELECT EXISTS (SELECT 1 FROM trajectory_records r WHERE touched >
		coalesce((SELECT value FROM progress WHERE name = 'compared ' || r.source_agent_id), 0))`
	var some bool
	if err := c.rows(busy).One(&some); err != nil || some {
		return err
	}
	list, err := scanMisplaced(c.rows(allKinSQL))
	for i := range list {
		p := &list[i]
		c.report("place", p.file, func(t *tx) error { return t.reparent(p) },
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
	kept, err := sqlite.List(c.rows("SELECT n, child FROM starts WHERE body = ? ORDER BY n", c.row.Body),
		func(s *hub.Start) []any { return []any{&s.N, &s.Child} })
	if err != nil || slices.Equal(kept, c.started) {
		return err
	}
	body, want := c.row.Body, c.started
	c.problem("starts", func(t *tx) error {
		err := t.do("DELETE FROM starts WHERE body = ?", body)
		if err == nil {
			err = t.starts(body, want)
		}
		var list []misplaced
		if err == nil {
			list, err = scanMisplaced(t.Rows(allKinSQL))
		}
		if err == nil {
			err = t.reparentAll(list)
		}
		return err
	}, "%d messages are known to have started others, %d did", len(kept), len(want))
	return nil
}
