package store

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/filtersql"
)

const stampLayout = filtersql.StampLayout

// stamp returns a time as it is kept.
func stamp(t time.Time) string { return t.UTC().Format(stampLayout) }

// stampOrNull is stamp for times that may be missing.
func stampOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp(t)
}

// timeInto scans a kept time, NULL as the zero time.
type timeInto struct{ to *time.Time }

// Scan implements sql.Scanner. The driver gives columns declared TIMESTAMP as
// time.Time, and others as text.
func (t timeInto) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*t.to = time.Time{}
	case time.Time:
		*t.to = v.UTC()
	case string:
		when, err := time.Parse(stampLayout, v)
		if err != nil {
			return err
		}
		*t.to = when
	default:
		return fmt.Errorf("a time kept as %T", v)
	}
	return nil
}

// textInto scans text, NULL as "".
type textInto struct{ to *string }

// Scan implements sql.Scanner.
func (t textInto) Scan(v any) error {
	var s sql.NullString
	err := s.Scan(v)
	*t.to = s.String
	return err
}

// orNull keeps "" as NULL, which takes no space.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// places returns n comma-separated placeholders.
func places(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

const tallyColumns = "messages, turns, tool_calls, tool_fails, tokens, reasonings, media"

func tallyArgs(t *review.Tally) []any {
	return []any{t.Messages, t.Turns, t.ToolCalls, t.ToolFails, t.Tokens, t.Reasonings, t.Media}
}

func tallyDest(t *review.Tally) []any {
	return []any{&t.Messages, &t.Turns, &t.ToolCalls, &t.ToolFails, &t.Tokens, &t.Reasonings, &t.Media}
}

// markColumns are the part of a segment that curators change.
const markColumns = "verdict, note, masked, reviewer, reviewed_at, stale, was, was_by, was_at, was_body, was_start, was_end, tags"

func markArgs(m review.Mark) []any {
	return []any{
		string(m.Verdict), m.Note, m.Masked, m.Reviewer, stampOrNull(m.ReviewedAt), m.Stale,
		string(m.Was), m.WasBy, stampOrNull(m.WasAt), m.WasBody, m.WasStart, m.WasEnd, m.Tags,
	}
}

func markDest(m *review.Mark) []any {
	return []any{
		&m.Verdict, &m.Note, &m.Masked, &m.Reviewer, timeInto{&m.ReviewedAt}, &m.Stale,
		&m.Was, &m.WasBy, timeInto{&m.WasAt}, &m.WasBody, &m.WasStart, &m.WasEnd, &m.Tags,
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

func segmentArgs(p place, w *hub.SegmentWrite, now string) []any {
	var score any
	if w.Score != nil {
		score = *w.Score
	}
	args := []any{
		p.session, p.agent, p.file, p.body, w.Index, w.Start, w.End, w.Fingerprint, w.Detail, max(w.Nth, 1),
		string(w.CutBy), w.Labeled, score, w.TaskType, w.Analysis, w.HashState,
	}
	args = append(args, derivedArgs(derive(w.Analysis))...)
	return append(append(args, tallyArgs(&w.Tally)...), now, w.Topic)
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
const segmentColumns = "id, session_id, agent_id, session_file, place, body, segment_index, start_line, end_line, fingerprint, detail, nth, " +
	"topic, named, cut_by, labeled, score, task_type, quality_metrics, created_at, updated_at, recorded, " + markColumns + ", " + tallyColumns +
	", coalesce((SELECT g.cluster FROM signatures g WHERE g.fingerprint = task_segments.fingerprint), 0)"

// segmentRow scans one segment.
type segmentRow struct {
	review.Segment
	mark review.Mark
}

func (r *segmentRow) dest() []any {
	s := &r.Segment
	d := []any{
		&s.ID, &s.SessionID, &s.AgentID, &s.SessionFile, &s.Place, &s.Body, &s.Index, &s.Start, &s.End, &s.Fingerprint, &s.Detail, &s.Nth,
		&s.Topic, &s.Named, &s.CutBy, &s.Labeled, &s.Score, &s.TaskType, &s.Analysis, timeInto{&s.CreatedAt}, timeInto{&s.UpdatedAt}, timeInto{&s.Recorded},
	}
	return append(append(append(d, markDest(&r.mark)...), tallyDest(&s.Tally)...), &s.Cluster)
}

// segment returns what was scanned.
func (r *segmentRow) segment() review.Segment {
	s := r.Segment
	setMark(&s, &r.mark)
	return s
}

// sessionSet are the columns that an import writes, in the order of
// sessionArgs.
const sessionSet = "source_agent_id, session_file, segmented, source_id, body, format, native_id, title, model, completed, " +
	"started, ended, dir, tools, metadata, parent, " + kinColumns + ", " + tallyColumns

// kinColumns say how a session belongs to another, and what the recorder tells
// of it besides.
const kinColumns = "parent_kind, parent_at, parent_call, parent_native, tokens_in, tokens_out, tokens_cached, failed"

func sessionArgs(source, body int64, s *review.Session) []any {
	var completed any
	if s.Completed != nil {
		completed = *s.Completed
	}
	var from any
	if source != 0 {
		from = source
	}
	args := []any{
		s.AgentID, s.File, s.Segmented, from, body, s.Format, s.NativeID, s.Title, s.Model, completed,
		s.Started, s.Ended, s.Dir, s.Tools, s.Metadata, s.Parent,
		string(s.Origin.Kind), s.Origin.At, s.Origin.Call, s.Origin.NativeID, s.Usage.Input, s.Usage.Output, s.Usage.Cached, s.Failed,
	}
	return append(args, tallyArgs(&s.Tally)...)
}

var (
	insertSessionSQL = insertSQL("trajectory_records", sessionSet+", "+trailColumns+", touched, born, created_at, id")
	updateSessionSQL = updateSQL("trajectory_records", sessionSet+", "+trailColumns+", touched")
)

// trailColumns are what going on with a session, and finding it again, takes.
const trailColumns = "held, trace, settled, head, opening"

func trailArgs(t *hub.Trail) []any {
	var head any
	if t.Head != 0 {
		head = t.Head
	}
	return []any{t.Held, blobOrNull(t.Trace), blobOrNull(t.Settled), head, t.Opening}
}

// trailRow scans trailColumns.
type trailRow struct {
	trace, settled []byte
	head           sql.NullInt64
	hub.Trail
}

func (r *trailRow) dest() []any { return []any{&r.Held, &r.trace, &r.settled, &r.head, &r.Opening} }

func (r *trailRow) trail() hub.Trail {
	t := r.Trail
	t.Trace, t.Settled, t.Head = chat.TraceFrom(r.trace), chat.TraceFrom(r.settled), r.head.Int64
	return t
}

// blobOrNull keeps the trace of no messages as NULL: it tells nothing.
func blobOrNull(t chat.Trace) any {
	if t.IsZero() {
		return nil
	}
	return t.Bytes()
}

// sessionColumns is how a session is read, in the order of sessionDest.
const sessionColumns = "id, coalesce(source_id, 0), created_at, source_agent_id, session_file, place, segmented, body, format, native_id, title, model, completed, " +
	"started, ended, dir, tools, metadata, parent, " + kinColumns + ", " + tallyColumns

func sessionDest(s *review.Session) []any {
	d := []any{
		&s.ID, &s.SourceID, timeInto{&s.CreatedAt}, &s.AgentID, &s.File, &s.Place, &s.Segmented, &s.Body, &s.Format, &s.NativeID, &s.Title, &s.Model, &s.Completed,
		&s.Started, &s.Ended, &s.Dir, &s.Tools, &s.Metadata, &s.Parent,
		&s.Origin.Kind, &s.Origin.At, &s.Origin.Call, &s.Origin.NativeID, &s.Usage.Input, &s.Usage.Output, &s.Usage.Cached, &s.Failed,
	}
	return append(d, tallyDest(&s.Tally)...)
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
