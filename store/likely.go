package store

import (
	"context"
	"encoding/binary"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/learn"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

var _ runs.LearnStore = (*Store)(nil)

const (
	learnedSQL      = "SELECT at, whose, made, told, off, model FROM learned"
	storeLearnedSQL = "INSERT OR REPLACE INTO learned (one, at, whose, made, told, off, model) VALUES (1, ?, ?, ?, ?, ?, ?)"
	factsColumns    = `SELECT s.place, s.start_line, s.id, s.verdict = 'approved', s.body, s.messages, s.turns, s.tool_calls, s.tool_fails, s.tokens, s.reasonings, s.media,
		s.errors, s.exits, s.task_type, s.flags, s.tools, s.measures, coalesce((SELECT value FROM likely WHERE segment = s.id), 0.0), r.model,
		coalesce((SELECT p.session_file FROM trajectory_records o JOIN trajectory_records p ON p.id = o.parent WHERE o.id = r.id), r.session_file)
		FROM task_segments s `
	factsSession = " CROSS JOIN trajectory_records r INDEXED BY trajectory_records_facets ON r.body = s.body WHERE "
	oneFactsSQL  = factsColumns + factsSession + "s.id = ?"
	// factsSQL reads the narrow index of filters in its order.
	factsSQL       = factsColumns + "INDEXED BY task_segments_facets" + factsSession + `(s.place, s.start_line, s.id) > (?, ?, ?)`
	judgedFactsSQL = factsSQL + " AND s.verdict IN ('approved', 'rejected') AND s.stale = 0 AND (? = '' OR s.reviewer = ?) ORDER BY s.place, s.start_line, s.id LIMIT ?"
	allFactsSQL    = factsSQL + " ORDER BY s.place, s.start_line, s.id LIMIT ?"
	putLikelySQL   = `INSERT INTO likely (segment, value) SELECT id, ?2 FROM task_segments WHERE id = ?1
		ON CONFLICT (segment) DO UPDATE SET value = excluded.value`
	dropLikelySQL = "DELETE FROM likely WHERE segment = ?"
)

// Learned returns what was learned last. One that can't be read is nothing: it is
// learned anew.
func (s *Store) Learned(ctx context.Context) (l learn.Learned, err error) {
	var at, model string
	found, err := s.db.Rows(ctx, learnedSQL).Maybe(&at, &l.Whose, &l.Made, &l.Told, &l.Off, &model)
	if err != nil || !found {
		return learn.Learned{}, s.fail("read what was learned", err)
	}
	l.At, _ = time.Parse(stamp.Layout, at)
	if json.Unmarshal([]byte(model), &l.Model) != nil {
		l.Model, l.Made = learn.Model{}, ""
	}
	return l, nil
}

// StoreLearned keeps what was learned in the place of what was. It returns
// review.ErrConflict if that is not there any more.
func (s *Store) StoreLearned(ctx context.Context, was, l learn.Learned) error {
	model, err := json.Marshal(l.Model, json.Deterministic(true))
	if err != nil {
		return err
	}
	return s.write(ctx, sqlite.Machine, "keep what was learned", func(t *tx) error {
		var is learn.Learned
		if _, err := t.Rows("SELECT whose, told, off FROM learned").Maybe(&is.Whose, &is.Told, &is.Off); err != nil {
			return err
		}
		if is.Whose != was.Whose || is.Told != was.Told || is.Off != was.Off {
			return review.ErrConflict
		}
		return t.do(storeLearnedSQL, stamp.Of(l.At), l.Whose, l.Made, l.Told, l.Off, string(model))
	})
}

// LastChange returns the number of the last change of segments.
func (s *Store) LastChange(ctx context.Context) (int64, error) {
	_, last, err := feed{s}.Kept(ctx)
	return last, s.fail("read what changed", err)
}

// EachFacts calls f for the segments that are approved or rejected and did not
// change since, by a curator ("" any), or with all for every segment, in natural
// order.
func (s *Store) EachFacts(ctx context.Context, all bool, curator string, f func(*runs.Foretold) error) error {
	var r factsRow
	err := s.inSteps(ctx, func() (int, error) {
		args := []any{r.Place, r.Start, r.ID}
		text := allFactsSQL
		if !all {
			text, args = judgedFactsSQL, append(args, curator, curator)
		}
		return readAll(s.db.Rows(ctx, text, append(args, s.loadStep)...), r.dest(), func() error {
			r.parse()
			return f(&r.Foretold)
		})
	})
	return s.fail("read what is known of segments", err)
}

// factsRow scans one segment.
type factsRow struct {
	runs.Foretold
	body     int64
	flags    string
	tools    string
	measures []byte
}

func (r *factsRow) dest() []any {
	return []any{
		&r.Place, &r.Start, &r.ID, &r.Approved, &r.body, &r.Messages, &r.Turns, &r.ToolCalls, &r.ToolFails, &r.Tokens, &r.Reasonings, &r.Media,
		&r.Errors, &r.Exits, &r.TaskType, &r.flags, &r.tools, &r.measures, &r.Likely, &r.Model, &r.Session,
	}
}

// parse takes the lists of a row apart, see derived.
func (r *factsRow) parse() {
	r.Scored = len(r.measures) > 0
	r.Measures = nil
	for i := 0; i+2 <= len(r.measures); i += 2 {
		r.Measures = append(r.Measures, binary.BigEndian.Uint16(r.measures[i:]))
	}
	for r.Scored && len(r.Measures) < len(metric.Names()) {
		r.Measures = append(r.Measures, metric.Unmeasured)
	}
	r.Flags, r.Tools = nil, nil
	if r.flags != "" {
		r.Flags = strings.Split(strings.Trim(r.flags, "\n"), "\n")
	}
	for name, n := range eachTool(r.tools) {
		r.Tools = append(r.Tools, learn.Tool{Name: name, Calls: n.calls, Failures: n.failures})
	}
}

// WhyLikely says why a segment is as likely to be approved as it is, by what was
// learned last; ok is false if nothing was.
func (s *Store) WhyLikely(ctx context.Context, id string) (why learn.Reasons, ok bool, err error) {
	l, err := s.Learned(ctx)
	p := l.Predictor()
	if err != nil || p == nil || l.Off {
		return why, false, err
	}
	var r factsRow
	found, err := s.db.Rows(ctx, oneFactsSQL, id).Maybe(r.dest()...)
	if err != nil || !found {
		return why, false, s.fail("read what is known of a segment", err)
	}
	if r.parse(); !r.Scored {
		return why, false, nil
	}
	return p.Reasons(&r.Facts), true, nil
}

// WriteLikely stores the first writes in one short transaction, and returns how many
// that were. Segments that are gone are passed over.
func (s *Store) WriteLikely(ctx context.Context, list []runs.LikelyWrite) (n int, err error) {
	err = s.write(ctx, sqlite.Machine, "store how likely segments are approved", func(t *tx) error {
		for n = 0; n < len(list) && (n == 0 || !t.Enough()); n++ {
			w := &list[n]
			var err error
			if w.Likely == 0 {
				err = t.do(dropLikelySQL, w.ID)
			} else {
				err = t.do(putLikelySQL, w.ID, w.Likely)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}
