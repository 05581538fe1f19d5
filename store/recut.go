package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// wholeRow is a row of task_segments with all that is kept in it.
type wholeRow struct {
	hub.SegmentWrite
	memory bool // memory_extracted
}

const wholeRowsSQL = "SELECT memory_extracted, hash_state, " + segmentColumns + " FROM task_segments WHERE session_id = ? AND segment_index >= ? AND segment_index < ? ORDER BY segment_index"

// wholeRows reads the segments of a session with index from..to-1.
func (t *tx) wholeRows(s *cutSession, from, to int) ([]wholeRow, error) {
	rows, err := t.Query(wholeRowsSQL, s.session, from, to)
	if err != nil {
		return nil, err
	}
	var list []wholeRow
	err = sqlite.Each(rows, func() error {
		var r segmentRow
		var whole wholeRow
		if err := rows.Scan(append([]any{&whole.memory, &whole.HashState}, r.dest()...)...); err != nil {
			return err
		}
		whole.Segment = r.segment()
		list = append(list, whole)
		return nil
	})
	return list, err
}

// keptRow is how the journal keeps a row. What it shares with its session is
// not in it.
type keptRow struct {
	ID          string       `json:"id"`
	Index       int          `json:"index"`
	Start       int          `json:"start"`
	End         int          `json:"end"`
	Fingerprint string       `json:"fingerprint"`
	Detail      string       `json:"detail"`
	Nth         int          `json:"nth"`
	Topic       string       `json:"topic,omitzero"`
	Named       bool         `json:"named,omitzero"`
	CutBy       review.CutBy `json:"cut_by"`
	Labeled     bool         `json:"labeled,omitzero"`
	Memory      bool         `json:"memory_extracted,omitzero"`
	Score       *float64     `json:"score,omitzero"`
	TaskType    string       `json:"task_type,omitzero"`
	Analysis    string       `json:"analysis,omitzero"`
	Mark        review.Mark  `json:"mark"`
	Tally       review.Tally `json:"tally"`
	CreatedAt   time.Time    `json:"created_at"`
	State       []byte       `json:"hash_state,omitzero"`
}

func keptRows(rows []wholeRow) (string, error) {
	list := make([]keptRow, len(rows))
	for i := range rows {
		s := &rows[i].Segment
		list[i] = keptRow{
			s.ID, s.Index, s.Start, s.End, s.Fingerprint, s.Detail, s.Nth, s.Topic, s.Named, s.CutBy, s.Labeled, rows[i].memory,
			s.Score, s.TaskType, s.Analysis, markOf(s), s.Tally, s.CreatedAt, rows[i].HashState,
		}
	}
	text, err := json.Marshal(list, jsontext.AllowInvalidUTF8(true))
	return string(text), err
}

// rowsKept is the other way round.
func rowsKept(text string, p place) ([]wholeRow, error) {
	var list []keptRow
	if err := json.Unmarshal([]byte(text), &list, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, err
	}
	rows := make([]wholeRow, len(list))
	for i := range list {
		k := &list[i]
		w := &rows[i]
		w.memory, w.HashState = k.Memory, k.State
		w.Segment = review.Segment{
			ID: k.ID, SessionID: p.session, AgentID: p.agent, SessionFile: p.file, Body: p.body, Index: k.Index, Start: k.Start, End: k.End,
			Digest: chat.Digest{Fingerprint: k.Fingerprint, Detail: k.Detail}, Nth: k.Nth, Topic: k.Topic, Named: k.Named, CutBy: k.CutBy,
			Labeled: k.Labeled, Score: k.Score, TaskType: k.TaskType, Analysis: k.Analysis, CreatedAt: k.CreatedAt.UTC(), Tally: k.Tally,
		}
		setMark(&w.Segment, &k.Mark)
	}
	return rows, nil
}

// The sides of a recut: what was there, and what took its place.
const (
	sideBefore = iota
	sideAfter
)

// recutRow is a row of journal_recuts.
type recutRow struct {
	place
	messages  int
	segmented [2]bool
	held      [2]int
	settled   [2][]byte
	rest      string
	rows      [2][]wholeRow
}

const recutColumns = "session_id, session_file, body, messages, segmented_before, segmented_after, held_before, held_after, settled_before, settled_after, rest, before, after"

const recutRowSQL = "SELECT coalesce((SELECT source_agent_id FROM trajectory_records s WHERE s.id = session_id), ''), " + recutColumns + " FROM journal_recuts WHERE entry = ?"

func scanRecut(scan func(...any) error) (*recutRow, error) {
	r := &recutRow{}
	var kept [2]string
	err := scan(&r.agent, &r.session, &r.file, &r.body, &r.messages, &r.segmented[sideBefore], &r.segmented[sideAfter], &r.held[sideBefore], &r.held[sideAfter], &r.settled[sideBefore], &r.settled[sideAfter],
		&r.rest, &kept[sideBefore], &kept[sideAfter])
	if err != nil {
		return nil, err
	}
	for side, text := range kept {
		if r.rows[side], err = rowsKept(text, r.place); err != nil {
			return nil, fmt.Errorf("segments in the journal: %w", err)
		}
	}
	return r, nil
}

// recutOf returns what an entry cut, nil if it did not.
func (t *tx) recutOf(entry int64) (*recutRow, error) {
	r, err := scanRecut(func(dest ...any) error { return t.Row(recutRowSQL, []any{entry}, dest...) })
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return r, err
}

func (t *tx) appendRecut(entry int64, r *recutRow) error {
	var kept [2]string
	for side := range kept {
		var err error
		if kept[side], err = keptRows(r.rows[side]); err != nil {
			return err
		}
	}
	_, err := t.Exec("INSERT INTO journal_recuts (entry, "+recutColumns+") VALUES ("+places(14)+")", entry,
		r.session, r.file, r.body, r.messages, r.segmented[sideBefore], r.segmented[sideAfter], r.held[sideBefore], r.held[sideAfter], bytesOrNull(r.settled[sideBefore]), bytesOrNull(r.settled[sideAfter]),
		r.rest, kept[sideBefore], kept[sideAfter])
	return err
}

func bytesOrNull(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}

// recut is what a caller sees of it: from one side to the other.
func (r *recutRow) recut(from, to int) *review.Recut {
	list := func(rows []wholeRow) []review.Segment {
		out := make([]review.Segment, len(rows))
		for i := range rows {
			out[i] = rows[i].Segment
		}
		return out
	}
	return &review.Recut{Session: r.session, File: r.file, Before: list(r.rows[from]), After: list(r.rows[to])}
}

// changes are what exchanging one side for the other does to marks: segments
// leave with theirs, others come with theirs.
func (r *recutRow) changes(from, to int) []review.Change {
	var list []review.Change
	stay := map[string]bool{}
	for i := range r.rows[to] {
		stay[r.rows[to][i].ID] = true
	}
	for i := range r.rows[from] {
		s := &r.rows[from][i].Segment
		if stay[s.ID] {
			delete(stay, s.ID)
			continue
		}
		c := review.Change{Segment: s.ID, Before: markOf(s), Content: s.Digest}
		if s.Verdict.Judged() {
			c.Body, c.Start, c.End = s.Body, s.Start, s.End
		}
		list = append(list, c)
	}
	for i := range r.rows[to] {
		if s := &r.rows[to][i].Segment; stay[s.ID] {
			list = append(list, review.Change{Segment: s.ID, After: markOf(s), Content: s.Digest})
		}
	}
	return list
}

// journal appends the entry of a curator's cut, which replaced rows.
func (c *cutting) journal(rows []wholeRow) error {
	r := &recutRow{place: c.s.place, messages: c.s.messages, rest: restOf(c.s.rows, c.lo, len(rows))}
	r.segmented[sideBefore], r.held[sideBefore], r.settled[sideBefore] = c.s.segmented, c.s.held, c.s.settled
	r.rows[sideBefore] = rows
	const state = "SELECT segmented, held, settled FROM trajectory_records WHERE id = ?"
	err := c.Row(state, []any{c.s.session}, &r.segmented[sideAfter], &r.held[sideAfter], &r.settled[sideAfter])
	if err != nil {
		return err
	}
	if r.rows[sideAfter], err = c.wholeRows(c.s, c.lo, len(c.next)-c.tail); err != nil {
		return err
	}
	c.entry.Changes, c.entry.Recut = r.changes(sideBefore, sideAfter), r.recut(sideBefore, sideAfter)
	if err := c.newAction(c.entry); err != nil {
		return err
	}
	return c.appendRecut(c.entry.ID, r)
}
