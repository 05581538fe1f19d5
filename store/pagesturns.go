package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// doubtSQL is review.DoubtOf as an expression. Its numbers are our own.
func doubtSQL(threshold float64) string {
	number := strconv.FormatFloat(threshold, 'f', -1, 64)
	if !strings.Contains(number, ".") {
		number += ".0"
	}
	return fmt.Sprintf("iif(score IS NULL, %.1f, abs(score - %s))", review.Undoubted, number)
}

// shuffleSQL is review.Shuffle as an expression. Its numbers are our own.
func shuffleSQL(seed uint64) string {
	s := review.ShuffleOf(seed)
	x := fmt.Sprintf("((rowid * %d + %d) %% %d)", s.Factor, s.Summand, review.ShufflePrime)
	return fmt.Sprintf("(%s * %s %% %d * %s %% %d)", x, x, review.ShufflePrime, x, review.ShufflePrime)
}

// standing is how a type of task stands: the place of one more is (approved + n)
// / share.
type standing struct {
	Type     string `json:"type"`
	Approved int64  `json:"approved"`
	Share    int64  `json:"share"`
}

const approvedTypesSQL = "SELECT task_type, count(*) FROM task_segments INDEXED BY task_segments_facets WHERE verdict = 'approved' GROUP BY task_type"

// standings returns how the types of task stand, as a JSON list.
func (s *Store) standings(ctx context.Context, q review.Quotas) (string, error) {
	approved := map[string]int64{}
	rows, err := s.db.Readers.Query(ctx, approvedTypesSQL)
	if err != nil {
		return "", err
	}
	err = sqlite.Each(rows, func() error {
		var kind string
		var n int64
		err := rows.Scan(&kind, &n)
		approved[kind] = n
		return err
	})
	if err != nil {
		return "", err
	}
	var list []standing
	for kind, share := range facets.SharesOf(q) {
		list = append(list, standing{kind, approved[kind], share})
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// turnExpression is review.Turn and review.TurnJudged of a row: n is its number
// among the pending ones of its type.
var turnExpression = fmt.Sprintf(`CASE WHEN verdict <> 'pending' THEN %d + CAST((1.0 - coalesce(score, -1.0)) * %d.0 AS INTEGER)
	WHEN coalesce(k.share, 0) <= 0 THEN %d + n ELSE min((k.approved + n) * %d / k.share, %[3]d - 1) END`,
	review.TurnsJudged, review.TurnScores, review.TurnsNoShare, review.TurnUnit)

// turnsSQL reads columns, of row, id and turn, of the rows that pass a filter and
// meet a condition on these.
func (s *Store) turnsSQL(ctx context.Context, a *asked, columns string, where filtersql.Condition) (text string, args []any, err error) {
	list, err := s.standings(ctx, a.Quotas)
	if err != nil {
		return "", nil, err
	}
	text = `WITH k AS MATERIALIZED (SELECT value ->> 'type' AS type, value ->> 'approved' AS approved, value ->> 'share' AS share FROM json_each(?)),
		passing AS (SELECT rowid AS row, id, verdict, score, task_type,
			row_number() OVER (PARTITION BY verdict = 'pending', task_type ORDER BY coalesce(score, -1.0) DESC, id DESC) AS n
			FROM ` + a.source() + a.where.After("WHERE") + `),
		turns AS (SELECT row, id, ` + turnExpression + ` AS turn FROM passing LEFT JOIN k ON k.type = passing.task_type)
		SELECT ` + columns + " FROM turns" + where.After("WHERE")
	return text, append(append([]any{list}, a.where.Args...), where.Args...), nil
}

// turnRows reads a page in the order Balance, and one row more.
func (s *Store) turnRows(ctx context.Context, a *asked) (list []review.Segment, keys []any, err error) {
	text, args, err := s.turnsSQL(ctx, a, "row, turn", a.behind())
	if err != nil {
		return nil, nil, err
	}
	// What is found and what is read of it must be of one moment.
	read, err := s.db.Readers.DB.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, nil, err
	}
	defer read.Rollback()
	rows, err := read.QueryContext(ctx, text+a.orderBy()+" LIMIT ?", append(args, a.Limit+1)...)
	if err != nil {
		return nil, nil, err
	}
	var found []int64
	err = sqlite.Each(rows, func() error {
		var row, turn int64
		err := rows.Scan(&row, &turn)
		found, keys = append(found, row), append(keys, turn)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	numbers, err := json.Marshal(found)
	if err != nil {
		return nil, nil, err
	}
	if rows, err = read.QueryContext(ctx, rowsSQL, string(numbers)); err != nil {
		return nil, nil, err
	}
	list, err = scanSegments(rows)
	return list, keys, err
}

// turnOf returns the turn of a row in the order Balance; of one that does not
// pass the filter as if it was the first of its type.
func (s *Store) turnOf(ctx context.Context, q *review.Query, row int64) (any, error) {
	all := *q
	all.After, all.Limit = review.Cursor{}, 1
	a, err := s.asking(ctx, &all)
	if err != nil {
		return nil, err
	}
	text, args, err := s.turnsSQL(ctx, &a, "turn", filtersql.Where("row = ?", row))
	if err != nil {
		return nil, err
	}
	var turn int64
	err = s.db.Readers.DB.QueryRowContext(ctx, text, args...).Scan(&turn)
	if !errors.Is(err, sql.ErrNoRows) {
		return turn, err
	}
	var verdict review.Verdict
	var kind string
	var score float64
	const alone = "SELECT verdict, task_type, coalesce(score, -1.0) FROM task_segments WHERE rowid = ?"
	if err := s.db.Readers.Row(ctx, alone, []any{row}, []any{&verdict, &kind, &score}); err != nil {
		return nil, err
	}
	if verdict != review.Pending {
		return review.TurnJudged(score), nil
	}
	var approved int64
	const count = "SELECT count(*) FROM task_segments INDEXED BY task_segments_facets WHERE verdict = 'approved' AND task_type = ?"
	err = s.db.Readers.Row(ctx, count, []any{kind}, []any{&approved})
	return review.Turn(approved, 1, facets.SharesOf(q.Quotas)[kind]), err
}
