package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
	"winnow/store/stamp"
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

// fewFound is how many rows are read one by one in less time than it takes to
// look at all in the narrow index.
const fewFound = 3000

// expression is what an order sorts by in SQL, where it is not the column of that
// name.
type expression struct {
	keys func(q *review.Query) []string
	// written is what a generated column is made of, which the narrow index has.
	written string
	// there is the condition that a generated column has a value of its own.
	there string
	// apart is the table that has it, nil for that of segments.
	apart *apart
}

// apart is a table of its own that has what is sorted by, of those segments that
// have it; the others count as review.Unscored.
type apart struct {
	source  string // it by its index, with task_segments
	key, id string // its columns
}

func columns(names ...string) func(*review.Query) []string {
	return func(*review.Query) []string { return names }
}

var expressions = map[filter.Column]expression{
	review.ByPlace: {keys: columns("place", "start_line")},
	review.ByDate:  {keys: columns("dated"), written: "coalesce(recorded, created_at)"},
	review.ByScore: {keys: columns("score_key"), written: "coalesce(score, -1.0)", there: "score_key >= 0"},
	review.ByLikely: {
		keys:  columns("coalesce(" + filtersql.Likely + ", -1.0)"),
		apart: &apart{"likely INDEXED BY likely_value CROSS JOIN task_segments ON id = segment", "value", "segment"},
	},
	review.ByFailed: {keys: columns("failed"), written: "(errors + exits)"},
	review.ByChance: {keys: shuffled},
	review.ByDoubt:  {keys: doubted},
}

// inMemory reports whether only memory has an order.
func inMemory(o review.Order) bool {
	by, ok := o.Sorting()
	return ok && by.Index == "" && expressions[by.Column].keys == nil
}

// shuffled is review.Shuffle as an expression. Its numbers are our own.
func shuffled(q *review.Query) []string {
	s := review.ShuffleOf(q.Seed)
	x := fmt.Sprintf("((rowid * %d + %d) %% %d)", s.Factor, s.Summand, review.ShufflePrime)
	return []string{fmt.Sprintf("(%s * %s %% %d * %s %% %d)", x, x, review.ShufflePrime, x, review.ShufflePrime)}
}

// doubted is review.DoubtOf as an expression. Its numbers are our own.
func doubted(q *review.Query) []string {
	number := strconv.FormatFloat(q.Threshold, 'f', -1, 64)
	if !strings.Contains(number, ".") {
		number += ".0"
	}
	return []string{fmt.Sprintf("coalesce(abs(%s - 0.5), iif(score IS NULL, %.1f, abs(score - %s)))", filtersql.Likely, review.Undoubted, number)}
}

// asked is a query that was checked.
type asked struct {
	*review.Query
	by     review.By
	inSQL  expression
	keys   []string // what is sorted by, the id last
	narrow []string // the same, of what the narrow index has
	walked []string // the same, of what a walk reads
	source string   // what a walk reads
	where  filtersql.Condition
	few    bool  // a search has found so few rows that each is looked at by itself
	from   []any // values of the keys and the id of the cursor, nil from the beginning
	down   bool  // the highest come first
}

// asking checks a query and searches for the texts of its filter.
func (s *Store) asking(ctx context.Context, q *review.Query) (a asked, err error) {
	o, ok := q.Order.Sorting()
	if !ok {
		return a, fmt.Errorf("unknown order %q", q.Order)
	}
	if q.Limit < 1 {
		return a, fmt.Errorf("a page of %d rows", q.Limit)
	}
	a = asked{Query: q, by: o.By, inSQL: expressions[o.Column], keys: []string{string(o.Column)}, down: o.Desc != q.Back}
	if a.inSQL.keys != nil {
		a.keys = a.inSQL.keys(q)
	}
	a.keys = append(slices.Clip(a.keys), "id")
	if a.narrow = a.keys; a.inSQL.written != "" {
		a.narrow = []string{a.inSQL.written, "id"}
	}
	a.source, a.walked = "task_segments INDEXED BY task_segments_"+a.by.Index, a.keys
	if p := a.inSQL.apart; p != nil {
		a.source, a.walked = p.source, []string{p.key, p.id}
	}
	if q.After.ID != "" {
		key, err := s.keyOf(ctx, &a)
		if err != nil {
			return a, err
		}
		if !a.by.Fits(key) {
			return a, fmt.Errorf("a cursor of another order than %q", o.Order)
		}
		a.from = append(keyArgs(key), q.After.ID)
	}
	c, err := s.searched(ctx, q.Filter)
	if err != nil {
		return a, err
	}
	few := c.Fewest(q.Filter)
	a.few = few != nil && few.N <= fewFound
	if a.where, err = c.Condition(q.Filter); err == nil && inMemory(q.Order) {
		err = fmt.Errorf("the order %q waits for changes that are being read: ask again", o.Order)
	}
	return a, err
}

// keyOf returns the key of a query's cursor, which is that of its row if it has
// none and only the database can tell it.
func (s *Store) keyOf(ctx context.Context, a *asked) (key any, err error) {
	if _, err := facets.ParseID(a.After.ID); err != nil && inMemory(a.Order) {
		return nil, fmt.Errorf("the cursor %q: %w", a.After.ID, review.ErrNotFound)
	}
	if a.After.Key != nil || a.by.Key != nil {
		return a.After.Key, nil
	}
	found := false
	if !inMemory(a.Order) { // memory knows no such row
		found, err = s.db.Once(ctx, "SELECT "+a.keys[0]+" FROM task_segments WHERE id = ?", a.After.ID).Maybe(&key)
	}
	if !found && err == nil {
		err = fmt.Errorf("segment %s: %w", review.Short(a.After.ID), review.ErrNotFound)
	}
	return key, err
}

// keyArgs returns the values of the key columns.
func keyArgs(key any) []any {
	switch key := key.(type) {
	case review.Place:
		return []any{key.Session, key.Start}
	case time.Time:
		return []any{stamp.Of(key)}
	}
	return []any{key}
}

// beyond is the condition that a row follows the cursor.
func (a *asked) beyond(keys []string) filtersql.Condition {
	if a.from == nil {
		return filtersql.Condition{}
	}
	sign := ">"
	if a.down {
		sign = "<"
	}
	return filtersql.Where("("+strings.Join(keys, ", ")+") "+sign+" ("+places(len(a.from))+")", a.from...)
}

func (a *asked) orderBy(keys []string) string {
	direction := ""
	if a.down {
		direction = " DESC"
	}
	return " ORDER BY " + strings.Join(keys, direction+", ") + direction
}

// walks reports whether a walk makes sense. The natural order is that of the narrow
// index, which is read in order anyway. Of a table apart the segments that it lacks
// must not come first.
func (a *asked) walks() bool {
	return a.by.Index != "" && (a.inSQL.apart == nil || a.down || a.among()) && (a.where.All() || a.by.Column != review.ByPlace && !a.few)
}

// among reports whether all rows of a page are among those that a table apart has.
func (a *asked) among() bool {
	if !a.within().All() {
		return true
	}
	if a.down || a.from == nil {
		return false
	}
	from, ok := a.from[0].(float64)
	return ok && from > review.Unscored
}

// findInOrder finds the rows of a page in the database, and one more. What they
// are found in is what read reads: it looks at the same state.
func (s *Store) findInOrder(ctx context.Context, q *review.Query, read func(*sqlite.View, *facets.Found) error) (w *facets.Found, err error) {
	a, err := s.asking(ctx, q)
	if err != nil {
		return nil, err
	}
	err = s.db.Read(ctx, func(v *sqlite.View) error {
		ok := false
		if a.walks() {
			w, ok, err = a.walk(v)
		}
		if !ok && err == nil {
			w, err = a.scan(v)
		}
		if err != nil {
			return err
		}
		return read(v, w)
	})
	return w, err
}

// within is what the filter says about what is sorted by: a walk begins and ends
// there.
func (a *asked) within() filtersql.Condition {
	var all filtersql.Condition
	for _, n := range filter.Conjuncts(a.Filter) {
		t, ok := n.(filter.Term)
		info, _ := filter.Lookup(string(t.Field))
		if !ok || info.Column != a.by.Column || t.Op == filter.NotEqual {
			continue
		}
		all = all.And(filtersql.Within(a.walked[0], &t))
		if a.inSQL.there != "" {
			all = all.And(filtersql.Where(a.inSQL.there))
		}
	}
	return all
}

// walkSQL reads rows in the order of an index, and whether they pass the filter.
func (a *asked) walkSQL() (text string, args []any) {
	passes := a.where
	if passes.All() {
		passes.Text = "1"
	}
	where := a.beyond(a.walked).And(a.within())
	text = "SELECT rowid, id, " + passes.Text + " FROM " + a.source + where.After("WHERE") + a.orderBy(a.walked)
	return text, append(passes.Args[:len(passes.Args):len(passes.Args)], where.Args...)
}

// walk finds the rows of a page by a walk; ok is false if it met too few of them.
func (a *asked) walk(v *sqlite.View) (w *facets.Found, ok bool, err error) {
	text, args := a.walkSQL()
	w = &facets.Found{Loose: a.Collapse}
	rows := v.Once(text, args...)
	var row int64
	var id string
	var passes bool
	steps := 0
	for range rows.Into(&row, &id, &passes) {
		if steps++; passes {
			w.Rows, w.IDs = append(w.Rows, row), append(w.IDs, id)
		}
		if len(w.Rows) > a.Limit {
			break
		}
		if steps > walkSteps && !a.where.All() {
			return nil, false, nil
		}
	}
	// Those that a table apart lacks come after the others.
	return w, a.inSQL.apart == nil || len(w.Rows) > a.Limit || a.among(), rows.Err()
}

// scanSQL looks at all segments in the narrow index, or at those that a search
// found.
func (a *asked) scanSQL() (text string, args []any) {
	source := "task_segments INDEXED BY task_segments_facets"
	if a.few {
		source = "task_segments NOT INDEXED"
	}
	where := a.where.And(a.beyond(a.narrow))
	text = "SELECT rowid, id, " + a.narrow[0] + " FROM " + source + where.After("WHERE") + a.orderBy(a.narrow) + " LIMIT ?"
	return text, append(where.Args, a.Limit+1)
}

// scan finds the rows of a page among all.
func (a *asked) scan(v *sqlite.View) (*facets.Found, error) {
	text, args := a.scanSQL()
	w := &facets.Found{Loose: a.Collapse}
	rows := v.Once(text, args...)
	var row int64
	var id string
	var key any
	for range rows.Into(&row, &id, &key) {
		w.Rows, w.IDs = append(w.Rows, row), append(w.IDs, id)
		if a.by.Key == nil {
			w.Keys = append(w.Keys, key)
		}
	}
	return w, rows.Err()
}
