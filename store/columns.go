package store

import (
	"database/sql"
	"database/sql/driver"
	"slices"
	"strings"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/filtersql"
	"winnow/store/stamp"
)

// timeIn is the column of a time: the zero time is NULL.
func timeIn(at *time.Time) stamp.Time { return stamp.Time{At: at} }

// orNull is a column in which a zero value is NULL, which takes no space.
type orNull[T comparable] struct{ v *T }

// Scan implements sql.Scanner.
func (o orNull[T]) Scan(v any) error {
	var n sql.Null[T]
	err := n.Scan(v)
	*o.v = n.V
	return err
}

// Value implements driver.Valuer.
func (o orNull[T]) Value() (driver.Value, error) {
	return driver.DefaultParameterConverter.ConvertValue(valueOrNull(*o.v))
}

func valueOrNull[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

// traceIn is the column of a trace. That of no messages is NULL: it tells
// nothing.
type traceIn struct{ trace *chat.Trace }

// Scan implements sql.Scanner.
func (t traceIn) Scan(v any) error {
	data, _ := v.([]byte)
	*t.trace = chat.TraceFrom(data)
	return nil
}

// Value implements driver.Valuer.
func (t traceIn) Value() (driver.Value, error) {
	if t.trace.IsZero() {
		return nil, nil
	}
	return t.trace.Bytes(), nil
}

// places returns n comma-separated placeholders.
func places(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

// A function …Fields returns pointers to what columns of that name hold: they
// are scanned into it, and written from it.

const tallyColumns = "messages, turns, tool_calls, tool_fails, tokens, reasonings, media"

func tallyFields(t *review.Tally) []any {
	return []any{&t.Messages, &t.Turns, &t.ToolCalls, &t.ToolFails, &t.Tokens, &t.Reasonings, &t.Media}
}

// markColumns are the part of a segment that curators change.
const markColumns = "verdict, note, masked, reviewer, reviewed_at, stale, was, was_by, was_at, was_body, was_start, was_end, tags"

func markFields(m *review.Mark) []any {
	return []any{
		&m.Verdict, &m.Note, &m.Masked, &m.Reviewer, timeIn(&m.ReviewedAt), &m.Stale,
		&m.Was, &m.WasBy, timeIn(&m.WasAt), &m.WasBody, &m.WasStart, &m.WasEnd, &m.Tags,
	}
}

// markOf returns the curators' part of a segment.
func markOf(s *review.Segment) review.Mark {
	return review.Mark{
		Verdict: s.Verdict, Note: s.Note, Tags: review.TagText(s.Tags), Masked: review.MaskText(s.Masked), Reviewer: s.Reviewer, ReviewedAt: s.ReviewedAt,
		Stale: s.Stale, Was: s.Was, WasBy: s.WasBy, WasAt: s.WasAt,
		WasBody: s.WasBody, WasStart: s.WasStart, WasEnd: s.WasEnd,
	}
}

// setMark gives a segment its curators' part.
func setMark(s *review.Segment, m *review.Mark) {
	s.Verdict, s.Note, s.Reviewer, s.ReviewedAt = m.Verdict, m.Note, m.Reviewer, m.ReviewedAt
	s.Masked, _ = review.ParseMask(m.Masked) // Check tells of one that is none
	s.Tags, _ = review.ParseTags(m.Tags)     // likewise
	s.Stale, s.Was, s.WasBy, s.WasAt = m.Stale, m.Was, m.WasBy, m.WasAt
	s.WasBody, s.WasStart, s.WasEnd = m.WasBody, m.WasStart, m.WasEnd
}

// segmentSet are the columns that an import writes, in the order of
// segmentArgs. It never writes `named` of a row that is there.
const segmentSet = "session_id, agent_id, session_file, body, segment_index, start_line, end_line, fingerprint, detail, nth, " +
	"cut_by, labeled, score, task_type, quality_metrics, hash_state, " + derivedColumns + ", " + tallyColumns + ", updated_at, topic"

func segmentArgs(p target, w *review.SegmentWrite, now string) []any {
	d := derive(w.Analysis, w.ToolFails)
	args := []any{
		p.session, p.agent, p.file, p.body, w.Index, w.Start, w.End, w.Fingerprint, w.Detail, max(w.Nth, 1),
		w.CutBy, w.Labeled, w.Score, w.TaskType, w.Analysis, w.HashState,
	}
	return append(slices.Concat(args, derivedFields(&d), tallyFields(&w.Tally)), now, w.Topic)
}

var (
	insertSegmentSQL = strings.NewReplacer("(session_id", "(place, session_id", "VALUES (?", "VALUES ("+placeOfSession+", ?1").
				Replace(insertSQL("task_segments", segmentSet+", named, id, created_at, "+markColumns))
	// A topic that a curator gave while the import was reading stays.
	updateSegmentSQL = strings.NewReplacer("SET session_id = ?", "SET place = "+placeOfSession+", session_id = ?1", "topic = ?", "topic = iif(named, topic, ?)").
				Replace(updateSQL("task_segments", segmentSet))
)

// placeOfSession is where the session stands whose id is the first argument.
const placeOfSession = "coalesce((SELECT place FROM trajectory_records WHERE id = ?1), '')"

// segmentColumns is how a segment is read, in the order of segmentDest.
const segmentColumns = "id, session_id, agent_id, session_file, place, body, segment_index, start_line, end_line, fingerprint, detail, edited, compression, nth, " +
	"topic, named, cut_by, labeled, score, task_type, quality_metrics, created_at, updated_at, recorded, errors, exits, " + markColumns + ", " + tallyColumns +
	", coalesce((SELECT g.cluster FROM signatures g WHERE g.fingerprint = task_segments.fingerprint), 0), " + filtersql.Likely +
	", coalesce((SELECT r.model FROM trajectory_records r WHERE r.id = task_segments.session_id), '')"

// segmentRow scans one segment.
type segmentRow struct {
	review.Segment
	mark review.Mark
}

func (r *segmentRow) dest() []any {
	s := &r.Segment
	d := []any{
		&s.ID, &s.SessionID, &s.AgentID, &s.SessionFile, &s.Place, &s.Body, &s.Index, &s.Start, &s.End, &s.Fingerprint, &s.Detail, &s.Edited, compressionIn{&s.Compression}, &s.Nth,
		&s.Topic, &s.Named, &s.CutBy, &s.Labeled, &s.Score, &s.TaskType, &s.Analysis, timeIn(&s.CreatedAt), timeIn(&s.UpdatedAt), timeIn(&s.Recorded), &s.Errors, &s.Exits,
	}
	return append(slices.Concat(d, markFields(&r.mark), tallyFields(&s.Tally)), &s.Cluster, &s.Likely, &s.Model)
}

// segment returns what was scanned.
func (r *segmentRow) segment() review.Segment {
	s := r.Segment
	setMark(&s, &r.mark)
	return s
}

// sessionSet are the columns that an import writes of a session. The last ones
// before its counts say how it belongs to another, and what the recorder tells of
// it besides.
const sessionSet = "source_agent_id, session_file, segmented, source_id, body, format, native_id, title, model, completed, " +
	"started, ended, dir, tools, metadata, parent, parent_kind, parent_at, parent_call, parent_native, tokens_in, tokens_out, tokens_cached, failed, " + tallyColumns

func sessionSetFields(s *review.Session) []any {
	return append([]any{
		&s.AgentID, &s.File, &s.Segmented, orNull[int64]{&s.SourceID}, &s.Body, &s.Format, &s.NativeID, &s.Title, &s.Model, &s.Completed,
		&s.Started, &s.Ended, &s.Dir, &s.Tools, &s.Metadata, &s.Parent, &s.Origin.Kind, &s.Origin.At, &s.Origin.Call, &s.Origin.NativeID,
		&s.Usage.Input, &s.Usage.Output, &s.Usage.Cached, &s.Failed,
	}, tallyFields(&s.Tally)...)
}

// sessionColumns is how a session is read.
const sessionColumns = "id, created_at, place, opening, " + sessionSet

func sessionFields(s *review.Session) []any {
	return append([]any{&s.ID, timeIn(&s.CreatedAt), &s.Place, &s.Begins}, sessionSetFields(s)...)
}

var (
	insertSessionSQL = insertSQL("trajectory_records", sessionSet+", "+trailColumns+", touched, born, created_at, id")
	updateSessionSQL = updateSQL("trajectory_records", sessionSet+", "+trailColumns+", touched")
)

// trailColumns are what going on with a session, and finding it again, takes.
const trailColumns = "held, trace, settled, head, opening"

func trailFields(t *review.Trail) []any {
	return []any{&t.Held, traceIn{&t.Trace}, traceIn{&t.Settled}, orNull[int64]{&t.Head}, &t.Opening}
}

// insertSQL returns an INSERT of one row with these columns.
func insertSQL(table, columns string) string {
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + places(strings.Count(columns, ",")+1) + ")"
}

// updateSQL returns an UPDATE of these columns of the row with an id, which
// is the last argument.
func updateSQL(table, columns string) string {
	return "UPDATE " + table + " SET " + strings.ReplaceAll(columns, ",", " = ?,") + " = ? WHERE id = ?"
}
