package store

import (
	"errors"
	"fmt"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// journal checks that entries name segments that are there or left with an
// entry that says so.
func (c *checking) journal() error {
	const text = `SELECT DISTINCT segment_id FROM journal_changes c
		WHERE NOT EXISTS (SELECT 1 FROM task_segments s WHERE s.id = c.segment_id)
		AND (SELECT iif(json_valid(after), coalesce(json_extract(after, '$.verdict'), '?'), '?') FROM journal_changes l
			WHERE l.segment_id = c.segment_id ORDER BY entry DESC LIMIT 1) <> ''`
	rows, err := c.rows(text)
	if err != nil {
		return err
	}
	var id string
	return sqlite.Each(rows, func() error {
		err := rows.Scan(&id)
		c.report("journal", review.Short(id), nil, "a verdict was given on a segment that is not there, and no entry tells why it left")
		return err
	})
}

// recuts checks that the journal can give back what curators cut away: each of
// their cuts has both sides, which can be read and hold the same messages.
func (c *checking) recuts() error {
	rows, err := c.rows(`SELECT id, action FROM journal j WHERE target = 0 AND action IN (?, ?, ?, ?, ?)
		AND NOT EXISTS (SELECT 1 FROM journal_recuts r WHERE r.entry = j.id)`,
		string(review.ActSplit), string(review.ActMerge), string(review.ActMove), string(review.ActTopic), string(review.ActCut))
	if err != nil {
		return err
	}
	var entry int64
	var action review.Action
	err = sqlite.Each(rows, func() error {
		err := rows.Scan(&entry, &action)
		c.report("recut", fmt.Sprintf("entry %d", entry), nil, "is a %s without the segments that it left", action)
		return err
	})
	if err != nil {
		return err
	}
	// One after the other: they may be large.
	for entry = 0; ; {
		var r *recutRow
		found := false
		rows, err := c.rows("SELECT entry, '', "+recutColumns+" FROM journal_recuts WHERE entry > ? ORDER BY entry LIMIT 1", entry)
		if err != nil {
			return err
		}
		var broken error
		err = sqlite.Each(rows, func() error {
			found = true
			r, broken = scanRecut(func(dest ...any) error { return rows.Scan(append([]any{&entry}, dest...)...) })
			return nil
		})
		if err != nil || !found {
			return err
		}
		if broken == nil {
			broken = r.fits()
		}
		if broken != nil {
			c.report("recut", fmt.Sprintf("entry %d", entry), nil, "can't be undone or redone: %v", broken)
		}
	}
}

// fits checks that both sides are contiguous and hold the same messages.
func (r *recutRow) fits() error {
	var from, to [2]int
	for side, rows := range r.rows {
		if len(rows) == 0 {
			return errors.New("no segments on one side")
		}
		from[side], to[side] = rows[0].Start, rows[0].Start-1
		for i := range rows {
			if s := &rows[i].Segment; s.Start != to[side]+1 || s.End < s.Start {
				return fmt.Errorf("segment %s does not follow the one before it", s.Short())
			}
			to[side] = rows[i].End
		}
	}
	if from[sideBefore] != from[sideAfter] || to[sideBefore] != to[sideAfter] {
		return fmt.Errorf("messages %d to %d took the place of %d to %d", from[sideAfter], to[sideAfter], from[sideBefore], to[sideBefore])
	}
	return nil
}

// was checks where the messages are that old verdicts were given on.
func (c *checking) was() error {
	rows, err := c.rows(`SELECT id, stale, was_body, was_start, was_end, EXISTS (SELECT 1 FROM bodies b WHERE b.id = was_body AND dropped = 0)
		FROM task_segments WHERE was_body <> 0 OR was_start <> 0 OR was_end <> 0`)
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		var id string
		var stale, there bool
		var body int64
		var start, end int
		if err := rows.Scan(&id, &stale, &body, &start, &end, &there); err != nil {
			return err
		}
		wrong := ""
		switch {
		case !stale:
			wrong = "is not stale, but remembers messages of an older verdict"
		case !there:
			wrong = fmt.Sprintf("was judged on messages of body %d, which is not there", body)
		case start < 1 || end < start:
			wrong = fmt.Sprintf("was judged on messages %d to %d", start, end)
		default:
			return nil
		}
		c.report("was", review.Short(id), func(t *tx) error {
			_, err := t.Exec("UPDATE task_segments SET was_body = 0, was_start = 0, was_end = 0 WHERE id = ? AND was_body = ?", id, body)
			return err
		}, "%s", wrong)
		return nil
	})
}

// segmented checks that a session is to be cut if there are messages that
// nobody has cut or judged.
func (c *sessionCheck) segmented() {
	var st cutState
	for i := range c.segments {
		st.add(c.segments[i].CutBy, c.segments[i].Verdict)
	}
	is, should := c.row.Segmented, st.segmented(c.row.Segmented)
	if is == should || len(c.segments) == 0 {
		return
	}
	id := c.row.ID
	text := "is said to be cut, but messages of it are not"
	if should {
		text = "is said to wait for being cut, but all of it is cut"
	}
	c.problem("segmented", func(t *tx) error {
		_, err := t.Exec("UPDATE trajectory_records SET segmented = ? WHERE id = ?", should, id)
		return err
	}, "%s", text)
}

// number finds which of the session's segments with equal content this one is,
// and compares it with what is kept.
func (c *sessionCheck) number(s *review.Segment, h *chat.Hasher) (n int) {
	if c.equal == nil {
		c.equal = map[string]int{}
	}
	plain := h.Nth(1)
	c.equal[plain]++
	n = c.equal[plain]
	if n == s.Nth {
		return n
	}
	id, fingerprint := s.ID, h.Nth(n)
	c.problem("number", func(t *tx) error {
		// Another row with this fingerprint has a wrong number, too.
		const park = "UPDATE task_segments SET fingerprint = id || fingerprint WHERE (agent_id, session_file, fingerprint) = (SELECT agent_id, session_file, ? FROM task_segments WHERE id = ?) AND id <> ?"
		if _, err := t.Exec(park, fingerprint, id, id); err != nil {
			return err
		}
		_, err := t.Exec("UPDATE task_segments SET nth = ?, fingerprint = ? WHERE id = ?", n, fingerprint, id)
		return err
	}, "segment %s is the %d. with its content, but numbered %d", s.Short(), n, s.Nth)
	return n
}
