package store

import (
	"bytes"
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/hub"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// sessions checks every session by reading all of its messages. Each is read
// in a transaction of its own, so that imports may go on.
func (c *checking) sessions() error {
	for after := ""; ; {
		more, err := c.rows("SELECT id FROM trajectory_records WHERE id > ? ORDER BY id LIMIT 1", after).Maybe(&after)
		if more && err == nil {
			err = c.oneSession(after)
		}
		if err != nil || !more {
			return err
		}
	}
}

func (c *checking) oneSession(id string) error {
	return c.db.Read(c.ctx, func(v *sqlite.View) error { return (&sessionCheck{checking: c, view: v}).all(id) })
}

// all checks the session of an id.
func (c *sessionCheck) all(id string) error {
	const text = "SELECT " + sessionColumns + ", " + trailColumns + ", EXISTS (SELECT 1 FROM pieces WHERE session_id = trajectory_records.id) FROM trajectory_records WHERE id = ?"
	there, err := c.rows(text, id).Maybe(append(append(sessionFields(&c.row), trailFields(&c.trail)...), &c.shared)...)
	if err != nil || !there {
		return err
	}
	for _, check := range []func() error{c.cover, c.loadEdits, c.messages, c.starts, c.contexts, c.pieces, c.heads, c.edits} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// sessionCheck is the check of one session.
type sessionCheck struct {
	*checking
	view     *sqlite.View
	row      review.Session
	segments []review.Segment // by start
	stored   []byte           // hash state of the last of them
	want     []review.Head    // from the stored messages
	started  []hub.Start      // from them, too
	// compacted are the contexts that they tell.
	compacted []review.Context
	shared    bool           // messages of other sources are kept in it
	ids       []chat.Message // their ids alone, if it is shared
	text      bool           // all message text can be read
	state     []byte         // of a chat.Hasher before the session's last messages, those held
	trail     review.Trail
	held      int              // of its messages; never more than the last segment has
	earlier   earlier          // what earlier versions made of the messages so far
	equal     map[string]int   // segments by content so far
	over      []edit.Edit      // over its messages
	sums      map[int]chat.Sum // of the messages that they lie over
	blind     bool             // not all edits can be read
}

func (c *sessionCheck) rows(text string, args ...any) *sqlite.Rows {
	return c.view.Rows(text, args...)
}

func (c *sessionCheck) problem(rule string, fix func(*tx) error, format string, args ...any) {
	if fix != nil {
		repair, row := fix, c.row
		fix = func(t *tx) error {
			var body int64
			var messages int
			_, err := t.Rows("SELECT body, messages FROM trajectory_records WHERE id = ?", row.ID).Maybe(&body, &messages)
			if err == nil && (body != row.Body || messages != row.Messages) {
				return errMoved
			}
			return errors.Join(err, repair(t))
		}
	}
	c.report(rule, c.row.File, fix, format, args...)
}

// cover checks that the segments are in order, contiguous and complete.
func (c *sessionCheck) cover() error {
	var r segmentRow
	var state []byte
	rows := c.rows("SELECT hash_state, "+segmentColumns+" FROM task_segments WHERE session_id = ? ORDER BY segment_index", c.row.ID)
	for range rows.Into(append([]any{&state}, r.dest()...)...) {
		if r.End == c.row.Messages {
			c.stored = state
		}
		c.segments = append(c.segments, r.segment())
	}
	if rows.Err() != nil {
		return rows.Err()
	}
	byStart := func(a, b review.Segment) int { return cmp.Compare(a.Start, b.Start) }
	ordered := slices.IsSortedFunc(c.segments, byStart)
	slices.SortStableFunc(c.segments, byStart)
	next := 1
	for i := range c.segments {
		s := &c.segments[i]
		if s.Start != next || s.End < s.Start {
			c.problem("cover", nil, "segment %s holds messages %d to %d where %d is next", s.Short(), s.Start, s.End, next)
		}
		next = s.End + 1
		if s.Index != i || !ordered {
			c.problem("order", mend("UPDATE task_segments SET segment_index = ? WHERE id = ?", i, s.ID), "segment %s is numbered %d instead of %d", s.Short(), s.Index, i)
		}
		if s.Body != c.row.Body || s.SessionFile != c.row.File || s.AgentID != c.row.AgentID || s.Place != c.row.Place {
			c.problem("place", mend(`UPDATE task_segments SET (body, session_file, agent_id, place) =
				(SELECT body, session_file, source_agent_id, place FROM trajectory_records r WHERE r.id = session_id) WHERE id = ?`, s.ID),
				"segment %s lies elsewhere than its session", s.Short())
		}
	}
	c.held = c.trail.Held
	if n := len(c.segments); n > 0 {
		c.held = min(c.held, c.segments[n-1].End-c.segments[n-1].Start+1)
	}
	if next != c.row.Messages+1 {
		c.problem("cover", nil, "the segments end at message %d of %d", next-1, c.row.Messages)
	}
	c.segmented()
	return nil
}

// messages reads all text and recomputes what is derived from it.
func (c *sessionCheck) messages() (err error) {
	c.text = true
	next, at := 1, 0
	hasher, tally := chat.NewHasher(), review.Tally{}
	var follow outcome.Follower
	var trail review.Trail
	var settled chat.Trace
	var packed []byte
	if c.row.Messages == c.held {
		if c.state, err = hasher.MarshalBinary(); err != nil {
			return err
		}
	}
	var id int64
	var last int
	var data sql.RawBytes
	rows := c.rows("SELECT id, last, data FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id", messageID(c.row.Body, 0), lastID(c.row.Body))
	for range rows.Into(&id, &last, &data) {
		list, err := chat.ReadChunk(data)
		if err != nil {
			c.text = false
			c.problem("text", nil, "messages %d to %d: %v", numberOf(id), last, err)
			continue
		}
		if numberOf(id) != next || len(list) == 0 || list[0].N != next || list[len(list)-1].N != last {
			c.text = false
			c.problem("text", nil, "messages %d to %d are stored where %d is next", numberOf(id), last, next)
		}
		next = last + 1
		for i := range list {
			m := &list[i]
			h := review.HeadOf(m)
			h.Judge(follow.Add(m))
			c.want = append(c.want, h)
			if c.shared {
				c.ids = append(c.ids, chat.Message{Role: m.Role, NativeID: m.NativeID, TurnID: m.TurnID, ToolCallID: m.ToolCallID})
			}
			if m.Child != "" {
				c.started = append(c.started, hub.Start{N: m.N, Child: m.Child})
			}
			if context, ok := review.ContextOf(m); ok {
				c.compacted = append(c.compacted, context)
			}
			c.sumOf(m)
			hasher.Add(m)
			tally.Add(m)
			c.earlier.add(m)
			packed = chat.AppendMessage(packed[:0], m)
			trail.Follow(m, packed)
			if m.N == c.row.Messages-c.held {
				settled = trail.Settled
				if c.state, err = hasher.MarshalBinary(); err != nil {
					return err
				}
			}
			if at < len(c.segments) && m.N == c.segments[at].End {
				c.digest(&c.segments[at], hasher, tally)
				hasher.Reset()
				tally, c.earlier.summaries = review.Tally{}, 0
				at++
				if m.N == c.row.Messages-c.held && m.N < c.row.Messages {
					if c.state, err = hasher.MarshalBinary(); err != nil {
						return err
					}
				}
			}
		}
	}
	if err = rows.Err(); err == nil && c.text {
		c.sameTrail(trail, settled)
	}
	if err == nil && next != c.row.Messages+1 {
		c.text = false
		c.problem("text", nil, "%d messages are stored of %d", next-1, c.row.Messages)
	}
	return err
}

// sameTrail compares what finds the session again with its messages. What is
// not known is not wrong: older rows have none of it.
func (c *sessionCheck) sameTrail(want review.Trail, settled chat.Trace) {
	has := c.trail
	want.Held, want.Trace, want.Settled = c.held, want.Settled, settled
	if has.Opening == c.earlier.opening {
		want.Opening = has.Opening
	}
	if has == want || has.Trace.IsZero() &&
		(has.Head == 0 || has.Head == want.Head) && (has.Opening == 0 || has.Opening == want.Opening) {
		return
	}
	c.problem("trail", mend(updateSQL("trajectory_records", trailColumns), append(trailFields(&want), c.row.ID)...),
		"the session can't be found again: what is kept of its messages is not theirs")
}

// digest compares a segment with its recomputed digest and counts.
func (c *sessionCheck) digest(s *review.Segment, h *chat.Hasher, tally review.Tally) {
	if !c.text {
		return
	}
	n := c.number(s, h)
	id, fingerprint, detail := s.ID, h.Nth(n), h.Digest().Detail
	last, state := s.End == c.row.Messages, c.state
	rewrite := mend("UPDATE task_segments SET fingerprint = ?, detail = ? WHERE id = ?", fingerprint, detail, id)
	if last {
		rewrite = mend("UPDATE task_segments SET fingerprint = ?, detail = ?, hash_state = ? WHERE id = ?", fingerprint, detail, state, id)
	}
	if n == s.Nth && fingerprint != s.Fingerprint || detail != s.Detail {
		c.problem("fingerprint", rewrite, "segment %s has %s/%s, its messages give %s/%s", s.Short(), s.Fingerprint, s.Detail, fingerprint, detail)
	}
	if last && !sameState(c.stored, state) {
		c.problem("state", rewrite, "segment %s can't be continued: its hash state is not that of its messages", s.Short())
	}
	if over := s.Turns - tally.Turns; over > 0 && over <= c.earlier.summaries {
		tally.Turns = s.Turns
	}
	if tally != s.Tally {
		c.problem("counts", mend(updateSQL("task_segments", tallyColumns), append(tallyFields(&tally), id)...), "segment %s counts %+v, its messages give %+v", s.Short(), s.Tally, tally)
	}
}

// sameState reports whether a kept hash state is the one that is wanted. What
// counts is what it does, not how it is written.
func sameState(kept, want []byte) bool {
	h := chat.NewHasher()
	if h.UnmarshalBinary(kept) != nil {
		return false
	}
	again, err := h.MarshalBinary()
	return err == nil && bytes.Equal(again, want)
}

// heads compares the index entries with the stored messages.
func (c *sessionCheck) heads() error {
	if !c.text {
		return nil
	}
	stored, err := scanHeads(c.rows(headsSQL, messageID(c.row.Body, 0), lastID(c.row.Body)))
	// Outcomes are those of the import, or of a scoring since: each knows of more
	// or fewer of the calls before. Entries that are missing get ours.
	for i := range stored {
		n := stored[i].N
		if n < 1 || n > len(c.want) {
			continue
		}
		want := &c.want[n-1]
		if stored[i].Role == chat.Tool && want.Role == chat.Tool {
			want.Judged, want.Found = stored[i].Judged, stored[i].Found
		}
		if stored[i].Marks|chat.MarkCompaction == want.Marks { // of an earlier version
			want.Marks = stored[i].Marks
		}
	}
	if err != nil || slices.Equal(stored, c.want) {
		return err
	}
	body, want := c.row.Body, c.want
	c.problem("index", func(t *tx) error {
		if err := t.do("DELETE FROM messages WHERE id BETWEEN ? AND ?", messageID(body, 0), lastID(body)); err != nil {
			return err
		}
		var rows headRows
		for i := range want {
			if err := rows.add(t, body, &want[i]); err != nil {
				return err
			}
		}
		return rows.flush(t)
	}, "%s", firstDifference(stored, want))
	return nil
}

func firstDifference(stored, want []review.Head) string {
	for i := range min(len(stored), len(want)) {
		if stored[i] != want[i] {
			return fmt.Sprintf("the index entry of message %d differs from the message", want[i].N)
		}
	}
	return fmt.Sprintf("%d index entries for %d messages", len(stored), len(want))
}

// earlier is what earlier versions made of messages otherwise, which is not wrong:
// they took summaries in a user's role for messages of a person.
type earlier struct {
	opening   int64 // of the session, 0 so far without a user's message
	summaries int   // in a user's role, of a segment
}

func (e *earlier) add(m *chat.Message) {
	if m.Role != chat.User {
		return
	}
	if e.opening == 0 {
		e.opening = chat.Opening(m)
	}
	if m.Summary() {
		e.summaries++
	}
}
