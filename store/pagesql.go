package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/filtersql"
)

// A page is found in one of two ways. Where many segments pass the filter, a walk
// through the index of the order meets enough of them soon. Where few do, looking
// at all of them in the narrow index of what filters ask for, and sorting those,
// takes less than going on. Nobody knows before which it is: a walk that has met
// too few ends after walkSteps.

// walkSteps is how many rows a walk looks at: each costs some microseconds,
// because the row itself is read, so that this is a tenth of looking at all of
// 200,000 in the index.
const walkSteps = 1000

// walks reports whether a walk makes sense: the natural order is that of the
// narrow index, which is read in order anyway, and a shuffle has none.
func (a *asked) walks() bool { return a.index != "" && a.index != "facets" && !a.few }

// fewFound is how many rows are read one by one in less time than it takes to
// look at all in the narrow index.
const fewFound = 3000

// source is where all segments are looked at, or those that a search found.
func (a *asked) source() string {
	if a.few {
		return "task_segments NOT INDEXED"
	}
	return "task_segments INDEXED BY task_segments_facets"
}

// behind is the condition that a row lies behind the cursor.
func (a *asked) behind() filtersql.Condition {
	if a.after == nil {
		return filtersql.Condition{}
	}
	sign := ">"
	if a.down {
		sign = "<"
	}
	return filtersql.Where("("+strings.Join(a.keys, ", ")+", id) "+sign+" ("+places(len(a.after))+")", a.after...)
}

func (a *asked) orderBy() string {
	direction := ""
	if a.down {
		direction = " DESC"
	}
	return " ORDER BY " + strings.Join(a.keys, direction+", ") + direction + ", id" + direction
}

// walkSQL reads columns in the order of its index; with a limit as many as the
// page wants, and one more.
func (a *asked) walkSQL(columns string, limited bool) (text string, args []any) {
	where := a.behind().And(a.within())
	text = "SELECT " + columns + " FROM task_segments INDEXED BY task_segments_" + a.index + where.After("WHERE") + a.orderBy()
	if limited {
		return text + " LIMIT ?", append(where.Args, a.Limit+1)
	}
	return text, where.Args
}

// scanSQL looks at all segments in the narrow index and reads the rows of those
// that come first.
func (a *asked) scanSQL() (text string, args []any) {
	a = a.plain()
	where := a.where.And(a.behind())
	text = "SELECT " + segmentColumns + " FROM task_segments WHERE rowid IN (SELECT rowid FROM " + a.source() +
		where.After("WHERE") + a.orderBy() + " LIMIT ?)" + a.orderBy()
	return text, append(where.Args, a.Limit+1)
}

// written are generated columns by what they come from, which the narrow index
// has.
var written = map[string]string{"dated": "coalesce(recorded, created_at)", "score_key": "coalesce(score, -1.0)"}

// plain is the same without generated columns.
func (a *asked) plain() *asked {
	p := *a
	p.keys = slices.Clone(a.keys)
	for i, key := range p.keys {
		if text, ok := written[key]; ok {
			p.keys[i] = text
		}
	}
	return &p
}

// idsSQL is scanSQL for the ids of all.
func (a *asked) idsSQL() (text string, args []any) {
	a = a.plain()
	return "SELECT id FROM " + a.source() + a.where.After("WHERE") + a.orderBy(), a.where.Args
}

// within is what the filter says about the first key: a walk begins and ends
// there.
func (a *asked) within() filtersql.Condition {
	var all filtersql.Condition
	for _, n := range filter.Conjuncts(a.Filter) {
		t, ok := n.(filter.Term)
		switch {
		case !ok, t.Op == filter.NotEqual:
		case t.Field == a.field, a.index == "date" && (t.Field == filter.After || t.Field == filter.Before):
			all = all.And(filtersql.Within(a.keys[0], &t))
		}
		if ok && t.Field == filter.Score && a.field == filter.Score && t.Op != filter.NotEqual {
			all = all.And(filtersql.Where("score_key >= 0"))
		}
	}
	return all
}

// walk reads a page by a walk; ok is false if it met too few rows.
func (s *Store) walk(ctx context.Context, a *asked) (list []review.Segment, ok bool, err error) {
	// What is found and what is read of it must be of one moment.
	read, err := s.db.Readers.DB.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, false, err
	}
	defer read.Rollback()
	found, ok, err := a.walked(ctx, read)
	if !ok || err != nil {
		return nil, false, err
	}
	numbers, err := json.Marshal(found)
	if err != nil {
		return nil, false, err
	}
	rows, err := read.QueryContext(ctx, rowsSQL, string(numbers))
	if err != nil {
		return nil, false, err
	}
	list, err = scanSegments(rows)
	return list, true, err
}

// walked returns the rows that a walk meets.
func (a *asked) walked(ctx context.Context, read *sql.Tx) (found []int64, ok bool, err error) {
	text, args := a.walkSQL("rowid, "+a.where.Text, false)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rows, err := read.QueryContext(ctx, text, append(a.where.Args[:len(a.where.Args):len(a.where.Args)], args...)...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for steps := 0; rows.Next(); steps++ {
		var row int64
		var passes bool
		if err := rows.Scan(&row, &passes); err != nil {
			return nil, false, err
		}
		if passes {
			found = append(found, row)
		}
		if len(found) > a.Limit {
			return found, true, nil
		}
		if steps >= walkSteps {
			return nil, false, nil
		}
	}
	return found, true, rows.Err()
}
