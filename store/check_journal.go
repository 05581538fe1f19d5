package store

import (
	"errors"
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// undone checks the column that is derived from the order of the entries.
func (c *checking) undone() error {
	is := map[int64]int{}
	should := map[int64]int{}
	taken := map[string][]int64{} // by curator: undone, to be redone
	var id, target int64
	var curator string
	var action review.Action
	var state int
	rows := c.rows("SELECT id, curator, action, target, undone FROM journal ORDER BY id")
	for range rows.Into(&id, &curator, &action, &target, &state) {
		is[id] = state
		switch action {
		case review.ActUndo:
			should[target] = undone
			taken[curator] = append(taken[curator], target)
		case review.ActAside:
			if should[target] != undone {
				should[target] = aside
				break
			}
			should[target] = cutOff
			taken[curator] = slices.DeleteFunc(taken[curator], func(id int64) bool { return id == target })
		case review.ActRedo:
			should[target] = inForce
			if n := len(taken[curator]); n > 0 {
				taken[curator] = taken[curator][:n-1]
			}
		default:
			for _, cut := range taken[curator] {
				should[cut] = cutOff
			}
			taken[curator] = nil
		}
	}
	for id, state := range is {
		if state != should[id] {
			c.report("journal", fmt.Sprintf("entry %d", id), mend("UPDATE journal SET undone = ? WHERE id = ?", should[id], id),
				"is marked %d where its entries say %d", state, should[id])
		}
	}
	return rows.Err()
}

// recuts checks that the journal can give back what curators cut away: each of
// their cuts has both sides, which can be read and hold the same messages.
func (c *checking) recuts() error {
	all, err := sqlite.Column[int64](c.rows("SELECT entry FROM journal_recuts ORDER BY entry"))
	for _, entry := range all { // one after the other: they may be large
		if err != nil {
			return err
		}
		var broken error
		if broken, err = brokenRecut(c.rows(recutsSQL+"entry = ?", entry)); broken != nil {
			c.report("recut", fmt.Sprintf("entry %d", entry), nil, "can't be undone or redone: %v", broken)
		}
	}
	return err
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
	text := "is said to be cut, but messages of it are not"
	if should {
		text = "is said to wait for being cut, but all of it is cut"
	}
	c.problem("segmented", mend("UPDATE trajectory_records SET segmented = ? WHERE id = ?", should, c.row.ID), "%s", text)
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
		if err := t.do(park, fingerprint, id, id); err != nil {
			return err
		}
		return t.do("UPDATE task_segments SET nth = ?, fingerprint = ? WHERE id = ?", n, fingerprint, id)
	}, "segment %s is the %d. with its content, but numbered %d", s.Short(), n, s.Nth)
	return n
}
