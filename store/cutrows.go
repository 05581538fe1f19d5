package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/review"
)

// cutSession is what cutting must know of a session.
type cutSession struct {
	target
	messages  int
	segmented bool
	held      int
	settled   chat.Trace
	rows      []cutRow // its segments, in order
}

// cutRow is a stored segment without its analysis and counts.
type cutRow struct {
	review.Segment
	rowid int64
}

const cutRowsSQL = "SELECT rowid, id, segment_index, start_line, end_line, fingerprint, detail, edited, nth, topic, named, cut_by, " + markColumns +
	" FROM task_segments WHERE session_id = ? ORDER BY segment_index, start_line"

// cutSession reads a session and its segments; sql.ErrNoRows without one.
func (t *tx) cutSession(id string) (*cutSession, error) {
	s := &cutSession{target: target{session: id}}
	const text = "SELECT source_agent_id, session_file, body, messages, segmented, held, settled FROM trajectory_records WHERE id = ?"
	err := t.Rows(text, id).One(&s.agent, &s.file, &s.body, &s.messages, &s.segmented, &s.held, traceIn{&s.settled})
	if err != nil {
		return nil, err
	}
	var row cutRow
	var mark review.Mark
	dest := append([]any{
		&row.rowid, &row.ID, &row.Index, &row.Start, &row.End, &row.Fingerprint, &row.Detail, &row.Edited, &row.Nth, &row.Topic, &row.Named, &row.CutBy,
	}, markFields(&mark)...)
	rows := t.Rows(cutRowsSQL, id)
	for range rows.Into(dest...) {
		setMark(&row.Segment, &mark)
		s.rows = append(s.rows, row)
	}
	return s, rows.Err()
}

// stored is cutSession for one that should be there.
func (t *tx) stored(id string) (*cutSession, error) {
	s, err := t.cutSession(id)
	if errors.Is(err, sql.ErrNoRows) {
		err = conflict("the session was removed since")
	}
	return s, err
}

// same checks that segments are what somebody knows of them.
func same(rows []cutRow, known []review.Segment) error {
	for i := range known {
		k := &known[i]
		if i == len(rows) || rows[i].ID != k.ID {
			return &since{segment: k.ID, what: "was replaced"}
		}
		if changed := whatChanged(k, &rows[i].Segment); changed.what != "" {
			changed.segment = k.ID
			return &changed
		}
	}
	if len(rows) > len(known) {
		return &since{segment: rows[len(known)].ID, what: "was added"}
	}
	return nil
}

// whatChanged says how a segment differs from what it was: nothing if it does
// not.
func whatChanged(was, is *review.Segment) since {
	switch before, now := markOf(was), markOf(is); {
	case was.Start != is.Start || was.End != is.End || was.CutBy != is.CutBy:
		return since{what: "was cut anew"}
	case was.Digest != is.Digest || was.Nth != is.Nth:
		return since{what: otherMessages}
	case before != now:
		return whatHappened(before, now)
	case was.Topic != is.Topic || was.Named != is.Named:
		return since{what: "got another topic"}
	}
	return since{}
}

// restOf is a sum of the fingerprints of segments but for n of them from index
// at on: as long as it is the same, those may be exchanged for what stood there
// before, and equal contents are still numbered in order.
func restOf(rows []cutRow, at, n int) string {
	h := sha256.New()
	for i := range rows {
		if i == at {
			io.WriteString(h, "|")
		}
		if i < at || i >= at+n {
			io.WriteString(h, rows[i].Fingerprint+" ")
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// shiftSQL renumbers segments that only got another place in the order. They
// are not rewritten one by one: a cut in front of ten thousand moves them all.
const shiftSQL = "UPDATE OR FAIL task_segments SET segment_index = segment_index + ? WHERE rowid IN (SELECT value FROM json_each(?))"

// shift gives segments their places in the order, which are at[i] for rows[i].
func (t *tx) shift(rows []*cutRow, at []int) error {
	groups := map[int][]int64{} // rowids by distance
	for i, r := range rows {
		if d := at[i] - r.Index; d != 0 {
			groups[d] = append(groups[d], r.rowid)
		}
	}
	for d, ids := range groups {
		list, err := json.Marshal(ids)
		if err != nil {
			return err
		}
		if err := t.do(shiftSQL, d, string(list)); err != nil {
			return err
		}
	}
	return nil
}

// cutState collects whether a session needs to be cut.
type cutState struct{ free, provisional bool }

func (c *cutState) add(by review.CutBy, v review.Verdict) {
	if by == review.CutProvisional {
		c.provisional = true
		c.free = c.free || !v.Judged()
	}
}

// segmented tells it: as before, unless messages wait to be cut or none do.
func (c *cutState) segmented(before bool) bool { return !c.free && (before || !c.provisional) }

// heldIn checks that the messages that may still change lie in the last
// segment, whose hash state is without them.
func (t *tx) heldIn(s *cutSession) error {
	const text = `SELECT coalesce(length(hash_state), 0) > 0, end_line - start_line + 1, held FROM task_segments g JOIN trajectory_records r ON r.id = g.session_id
		WHERE session_id = ? ORDER BY segment_index DESC LIMIT 1`
	var has bool
	var length, held int
	if err := t.Rows(text, s.session).One(&has, &length, &held); err != nil {
		return err
	}
	if !has || held > length {
		return fmt.Errorf("the last segment of %s can't be continued: %d messages of %d are held back, hash state %t", s.file, held, length, has)
	}
	return nil
}
