package store

import (
	"fmt"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// editsChecks are what SQL can tell of edits.
var editsChecks = []check{
	{
		rule: "edits", ask: `SELECT 'body ' || id, format('counts %d edits, has %d', edits, n), id FROM (SELECT id, edits,
			(SELECT count(*) FROM edits e WHERE e.body = b.id) AS n FROM bodies b) WHERE edits <> n`,
		mend: []string{"UPDATE bodies SET edits = (SELECT count(*) FROM edits WHERE body = bodies.id) WHERE id = ?"},
	},
	{look: (*checking).strayEdits},
	{rule: "edits", ask: `SELECT 'entry ' || id, 'is an edit without what it edited', NULL FROM journal j
		WHERE target = 0 AND action = 'edit' AND NOT EXISTS (SELECT 1 FROM journal_edits e WHERE e.entry = j.id)`},
	{look: (*checking).keptEdits},
}

// strayEditsSQL finds the bodies with edits that are not their session's.
const strayEditsSQL = `SELECT DISTINCT body FROM edits WHERE NOT EXISTS (SELECT 1 FROM bodies b JOIN trajectory_records r ON r.id = b.session_id AND r.body = b.id
	WHERE b.id = edits.body AND b.dropped = 0) ORDER BY body`

// strayEdits checks that edits lie over the messages of sessions. Those that do not
// leave into the journal.
func (c *checking) strayEdits() error {
	var body int64
	rows := c.rows(strayEditsSQL)
	for range rows.Into(&body) {
		of, now := body, c.now
		c.report("edits", fmt.Sprintf("body %d", of), func(t *tx) error { return t.unedit(of, "", now) }, "has edits, and is not what a session holds")
	}
	return rows.Err()
}

// keptEdits checks that the journal can give back what was edited.
func (c *checking) keptEdits() error {
	var entry int64
	var before, after string
	rows := c.rows("SELECT entry, before, after FROM journal_edits ORDER BY entry, k")
	for range rows.Into(&entry, orNull[string]{&before}, orNull[string]{&after}) {
		for _, text := range []string{before, after} {
			if _, err := editKept(text, edit.Place{}); err != nil {
				c.report("edits", fmt.Sprintf("entry %d", entry), nil, "can't be undone or redone: %v", err)
			}
		}
	}
	return rows.Err()
}

// loadEdits reads the edits of the session, before its messages are.
func (c *sessionCheck) loadEdits() (err error) {
	c.over, err = editsAmong(c.rows, c.row.Body, 1, maxMessages)
	if isBadRow(err) {
		c.problem("edits", nil, "an edit can't be read: %v", err)
		c.over, c.blind, err = nil, true, nil
	}
	for i := range c.over {
		if c.sums == nil {
			c.sums = map[int]chat.Sum{0: {}}
		}
		c.sums[c.over[i].N] = chat.Sum{}
	}
	return err
}

// sumOf notes the sum of a message that is edited.
func (c *sessionCheck) sumOf(m *chat.Message) {
	if _, edited := c.sums[m.N]; edited {
		c.sums[m.N] = chat.SumOf(m)
	}
}

// edits compares the edits with the messages that they lie over, and the digests of
// segments with both. Where they differ all of it is derived anew.
func (c *sessionCheck) edits() error {
	if !c.text || c.blind {
		return nil
	}
	body, now := c.row.Body, c.now
	anew := func(t *tx) error { return t.refreshEdits(body, now) }
	for i := range c.over {
		e := &c.over[i]
		switch clash := c.sums[e.N] != e.Base; {
		case e.N > c.row.Messages:
			c.problem("edits", anew, "message %d is edited, and is not there", e.N)
		case clash && !e.Clash:
			c.problem("edits", anew, "the edit of message %d was made on another one", e.N)
		case !clash && e.Clash:
			c.problem("edits", anew, "the edit of message %d waits, though the message is the one it was made on", e.N)
		default:
			continue
		}
		return nil // what follows from it would be told once more
	}
	kinds := map[string]int{}
	var id string
	var kept int
	rows := c.rows("SELECT id, edits FROM task_segments WHERE body = ?", body)
	for range rows.Into(&id, &kept) {
		kinds[id] = kept
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for i := range c.segments {
		s := &c.segments[i]
		if want := editKinds(among(c.over, s)); want != kinds[s.ID] {
			c.problem("edits", anew, "segment %s has edits of kinds %d, is listed with %d", s.Short(), want, kinds[s.ID])
		}
		if want := edit.Digest(s.Digest, s.Start, among(c.over, s)); want != s.Edited {
			c.problem("edits", anew, "segment %s holds %q, its edits give %q", s.Short(), s.Edited, want)
		}
	}
	return nil
}

// among are the edits over a segment.
func among(edits []edit.Edit, s *review.Segment) (list []edit.Edit) {
	for i := range edits {
		if n := max(edits[i].N, 1); n >= s.Start && n <= s.End {
			list = append(list, edits[i])
		}
	}
	return list
}
