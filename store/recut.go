package store

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// wholeRow is a row of task_segments with all that is kept in it.
type wholeRow struct {
	review.SegmentWrite
	memory bool // memory_extracted
}

const wholeRowsSQL = "SELECT memory_extracted, hash_state, " + segmentColumns + " FROM task_segments WHERE session_id = ? AND segment_index >= ? AND segment_index < ? ORDER BY segment_index"

// wholeRows reads the segments of a session with index from..to-1.
func (t *tx) wholeRows(s *cutSession, from, to int) ([]wholeRow, error) {
	var list []wholeRow
	var r segmentRow
	var whole wholeRow
	rows := t.Rows(wholeRowsSQL, s.session, from, to)
	for range rows.Into(append([]any{&whole.memory, &whole.HashState}, r.dest()...)...) {
		whole.Segment = r.segment()
		list = append(list, whole)
	}
	return list, rows.Err()
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
	Edited      string       `json:"edited,omitzero"`
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
			s.ID, s.Index, s.Start, s.End, s.Fingerprint, s.Detail, s.Edited, s.Nth, s.Topic, s.Named, s.CutBy, s.Labeled, rows[i].memory,
			s.Score, s.TaskType, s.Analysis, markOf(s), s.Tally, s.CreatedAt, rows[i].HashState,
		}
	}
	text, err := json.Marshal(list, jsontext.AllowInvalidUTF8(true))
	return string(text), err
}

// rowsKept is the other way round.
func rowsKept(text string, p target) ([]wholeRow, error) {
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
			Digest: chat.Digest{Fingerprint: k.Fingerprint, Detail: k.Detail, Edited: k.Edited}, Nth: k.Nth, Topic: k.Topic, Named: k.Named, CutBy: k.CutBy,
			Labeled: k.Labeled && metric.Current(k.Analysis), Score: k.Score, TaskType: k.TaskType, Analysis: k.Analysis, CreatedAt: k.CreatedAt.UTC(), Tally: k.Tally,
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
	target
	messages  int
	segmented [2]bool
	held      [2]int
	settled   [2]chat.Trace
	rest      string
	rows      [2][]wholeRow
}

const recutColumns = "session_id, session_file, body, messages, segmented_before, segmented_after, held_before, held_after, settled_before, settled_after, rest, before, after"

func (r *recutRow) fields(kept *[2]string) []any {
	return []any{
		&r.session, &r.file, &r.body, &r.messages, &r.segmented[sideBefore], &r.segmented[sideAfter], &r.held[sideBefore], &r.held[sideAfter],
		traceIn{&r.settled[sideBefore]}, traceIn{&r.settled[sideAfter]}, &r.rest, &kept[sideBefore], &kept[sideAfter],
	}
}

// recutsSQL reads recuts, with their entries and agents.
const recutsSQL = "SELECT entry, coalesce((SELECT source_agent_id FROM trajectory_records s WHERE s.id = session_id), ''), " + recutColumns + " FROM journal_recuts WHERE "

// eachRecut calls f with the rows that a question as recutsSQL finds.
func eachRecut(rows *sqlite.Rows, f func(entry int64, r *recutRow)) error {
	var entry int64
	var row recutRow
	var kept [2]string
	for range rows.Into(append([]any{&entry, &row.agent}, row.fields(&kept)...)...) {
		r := row
		for side, text := range kept {
			var err error
			if r.rows[side], err = rowsKept(text, r.target); err != nil {
				return fmt.Errorf("segments in the journal: %w", err)
			}
		}
		f(entry, &r)
	}
	return rows.Err()
}

// brokenRecut says why the cut that a question as recutsSQL finds can't be taken
// back, nil if it can.
func brokenRecut(rows *sqlite.Rows) (broken, err error) {
	err = eachRecut(rows, func(_ int64, r *recutRow) { broken = r.fits() })
	if err == nil {
		return broken, nil
	}
	if isBadRow(err) {
		return err, nil
	}
	return nil, err
}

// kept is how both sides are kept.
func (r *recutRow) kept() (kept [2]string, err error) {
	for side := range kept {
		if err == nil {
			kept[side], err = keptRows(r.rows[side])
		}
	}
	return kept, err
}

// recutOf returns what an entry cut, nil if it did not.
func (t *tx) recutOf(entry int64) (found *recutRow, err error) {
	err = eachRecut(t.Rows(recutsSQL+"entry = ?", entry), func(_ int64, r *recutRow) { found = r })
	return found, err
}

func (t *tx) appendRecut(entry int64, r *recutRow) error {
	kept, err := r.kept()
	if err != nil {
		return err
	}
	return t.do(insertSQL("journal_recuts", "entry, "+recutColumns), append([]any{entry}, r.fields(&kept)...)...)
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
func (c *recutTx) journal(rows []wholeRow) error {
	r := &recutRow{target: c.s.target, messages: c.s.messages, rest: restOf(c.s.rows, c.lo, len(rows))}
	r.segmented[sideBefore], r.held[sideBefore], r.settled[sideBefore] = c.s.segmented, c.s.held, c.s.settled
	r.rows[sideBefore] = rows
	const state = "SELECT segmented, held, settled FROM trajectory_records WHERE id = ?"
	err := c.Rows(state, c.s.session).One(&r.segmented[sideAfter], &r.held[sideAfter], traceIn{&r.settled[sideAfter]})
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
