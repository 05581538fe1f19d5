package store

import (
	"context"
	"fmt"
	"math"

	"github.com/go-json-experiment/json"

	"winnow/core/metric"
	"winnow/core/runs"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

var _ runs.ScoreStore = (*Store)(nil)

// judgedSQL tells analyses that a model made, as metric.Analysis writes them: who
// scored stands at the beginning, before any text of others.
const judgedSQL = `instr(substr(quality_metrics, 1, 64), '"scorer":"llm"') > 0`

// toScoreSQL is the index that the segments of a query are read from, in order,
// and the condition that they meet.
func toScoreSQL(q *runs.ScoreQuery, c filtersql.Found) (string, filtersql.Condition, error) {
	index, where := "task_segments_body", filtersql.Where("(body, start_line) > (?, ?)", q.After.Body, q.After.Start)
	switch {
	case q.All:
	case q.Judge:
		where.Text += " AND (labeled = 0 OR NOT " + judgedSQL + ")"
	default:
		index = "task_segments_unscored"
		where.Text += " AND labeled = 0"
	}
	some, err := c.Condition(q.Filter)
	quiet := quietSQL(q.Quiet, "(SELECT source_id FROM trajectory_records r WHERE r.id = task_segments.session_id)")
	return index, where.And(quiet).And(some), err
}

// segmentsToScoreSQL is the statement of a page, countToScoreSQL that of a
// count.
func segmentsToScoreSQL(q *runs.ScoreQuery, c filtersql.Found) (string, []any, error) {
	index, where, err := toScoreSQL(q, c)
	text := "SELECT id, session_file, body, start_line, end_line, fingerprint, detail, edited, tokens, quality_metrics FROM task_segments INDEXED BY " + index +
		where.After("WHERE") + " ORDER BY body, start_line LIMIT ?"
	return text, append(where.Args, max(q.Limit, 1)), err
}

func countToScoreSQL(q *runs.ScoreQuery, c filtersql.Found) (string, []any, error) {
	index, where, err := toScoreSQL(q, c)
	most := q.Request.Most
	if most <= 0 {
		most = math.MaxInt
	}
	text := "SELECT count(*), coalesce(sum(messages), 0), coalesce(sum(min(tokens, ?) + ?), 0) FROM task_segments INDEXED BY " + index + where.After("WHERE")
	return text, append([]any{most, q.Request.Plus}, where.Args...), err
}

// SegmentsToScore returns up to q.Limit segments after q.After, in the order of
// (body, start_line).
func (s *Store) SegmentsToScore(ctx context.Context, q runs.ScoreQuery) ([]runs.ScoreRef, error) {
	const what = "list segments to be scored"
	c, err := s.searched(ctx, q.Filter)
	if err != nil {
		return nil, s.fail(what, err)
	}
	text, args, err := segmentsToScoreSQL(&q, c)
	if err != nil {
		return nil, s.fail(what, err)
	}
	list, err := sqlite.List(s.db.Rows(ctx, text, args...), func(r *runs.ScoreRef) []any {
		return []any{&r.ID, &r.File, &r.Body, &r.Start, &r.End, &r.Fingerprint, &r.Detail, &r.Edited, &r.Tokens, &r.Analysis}
	})
	return list, s.fail(what, err)
}

// CountToScore counts the segments after q.After that SegmentsToScore would
// list, their messages and estimated tokens as q.Request counts them.
func (s *Store) CountToScore(ctx context.Context, q runs.ScoreQuery) (segments, messages, tokens int, err error) {
	c, err := s.searched(ctx, q.Filter)
	if err != nil {
		return 0, 0, 0, s.fail("count segments to be scored", err)
	}
	text, args, err := countToScoreSQL(&q, c)
	if err == nil {
		err = s.db.Rows(ctx, text, args...).One(&segments, &messages, &tokens)
	}
	return segments, messages, tokens, s.fail("count segments to be scored", err)
}

// A judged analysis takes the place of any other of the same content.
const writeScoreSQL = "UPDATE task_segments SET labeled = 1, quality_metrics = ?, score = ?, task_type = ?, flags = ?, tools = ?, measures = ?, recorded = ?, errors = ?, exits = ?, updated_at = ?" +
	" WHERE id = ? AND fingerprint = ? AND detail = ? AND edited = ? AND (? OR quality_metrics = ?)"

// WriteScores stores analyses in one transaction and sets Written of those that
// are. A segment that has another content by now, or another analysis than may
// be replaced, or left, is passed over. Scores are no entries of the journal:
// nobody decided them.
func (s *Store) WriteScores(ctx context.Context, list []runs.ScoreWrite) error {
	now := stamp.Of(s.now())
	return s.write(ctx, sqlite.Machine, "store scores", func(t *tx) error {
		for i := range list {
			w := &list[i]
			text := w.Analysis.Encode()
			d := derive(text, 0)
			args := append([]any{text, d.score, d.taskType}, derivedFields(&d)...)
			n, err := t.change(writeScoreSQL, append(args, now, w.ID, w.Fingerprint, w.Detail, w.Edited, w.Analysis.Scorer == metric.Judged, w.Over)...)
			if err != nil {
				return fmt.Errorf("segment %s: %w", w.ID, err)
			}
			if w.Written = n > 0; w.Written {
				err = t.found(w)
			}
			if err != nil {
				return fmt.Errorf("messages of segment %s: %w", w.ID, err)
			}
		}
		return nil
	})
}

// found stores the outcomes of the messages of a segment that were stored before
// outcomes were.
func (t *tx) found(w *runs.ScoreWrite) error {
	if len(w.Found) == 0 {
		return nil
	}
	var body int64
	var start int
	if err := t.Rows("SELECT body, start_line FROM task_segments WHERE id = ?", w.ID).One(&body, &start); err != nil {
		return err
	}
	var unknown bool
	err := t.Rows(unfoundSQL, messageID(body, start+w.Found[0].At), messageID(body, start+w.Found[len(w.Found)-1].At)).One(&unknown)
	if err != nil || !unknown {
		return err
	}
	list := make([][3]any, len(w.Found))
	for i := range w.Found {
		f := &w.Found[i]
		list[i] = [3]any{messageID(body, start+f.At), foundFlag(f.Outcome), valueOrNull(f.Evidence)}
	}
	rows, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return t.do(storeFoundSQL, string(rows))
}

// A tool message of which no outcome is known; see flagsOf.
const (
	unfound    = "m.flags & 3 = 3 AND m.flags >> 20 = 0"
	unfoundSQL = "SELECT EXISTS (SELECT 1 FROM messages m WHERE m.id BETWEEN ? AND ? AND " + unfound + ")"
	// storeFoundSQL takes a JSON list of lists: id, flag, evidence.
	storeFoundSQL = `UPDATE messages AS m SET flags = m.flags | f.flag, evidence = f.evidence
		FROM (SELECT value ->> 0 AS id, value ->> 1 AS flag, value ->> 2 AS evidence FROM json_each(?)) AS f
		WHERE m.id = f.id AND ` + unfound
)
