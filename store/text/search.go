package text

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
	"winnow/core/words"
	"winnow/store/sqlite"
)

const (
	// firstPassages is how many passages are looked up at first: enough for a
	// screen of hits. All others follow in one more look.
	firstPassages = 256
	// surePassages is how many of them are turned into segments at a time, and
	// lookPassages how many if their text has to be looked at, which takes up to
	// a millisecond each.
	surePassages, lookPassages = 4096, 32
	// togetherPassages is how many passages are looked up that hold several words:
	// a few milliseconds, and enough for a screen of hits of which a filter lets one
	// of fifty through.
	togetherPassages = 4096
)

// Statements of a search. A search reads no message but those that it names.
const (
	matchSQL = "SELECT rowid FROM passages WHERE passages MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"
	// staleSQL lists bodies that have passages which are not true any more, with the
	// last message up to which they are.
	staleSQL      = "SELECT id, indexed FROM bodies WHERE outdated = 1"
	segmentsOfSQL = `SELECT s.body, s.start_line, s.rowid FROM json_each(?) j
		CROSS JOIN task_segments s INDEXED BY task_segments_body ON s.body = j.value ORDER BY j.key, s.start_line`
)

// Matches calls f with the rows of segments (their rowids in task_segments)
// in which a text is found, in the order of their messages in the index, each
// once, some at a time and the first ones soon. It stops at the first error of f
// and returns it. Messages that are not indexed yet are not found, see
// Share; those of a database that is read-only are all looked at. A text without letters and digits gives words.ErrNoWord.
func (x *Index) Matches(ctx context.Context, t filter.Text, f func(rows []int64) error) error {
	q, err := words.NewQuery(t.Value, t.Prefix)
	if err != nil {
		return err
	}
	m, err := x.search(ctx, q.Sure)
	if err != nil {
		return err
	}
	for i := range m.lookers {
		m.lookers[i].find.Query = q
	}
	limit, after := firstPassages, int64(0)
	if q.Prefix != "" {
		limit = -1 // finding all words with a beginning takes most of the time
	}
	for {
		ids, err := x.passages(ctx, &q, after, limit)
		if err == nil {
			err = m.passages(ctx, ids, f)
		}
		if err == nil && (limit < 0 || len(ids) < limit) {
			return m.unindexed(ctx, f)
		}
		if err != nil {
			return err
		}
		limit, after = -1, ids[len(ids)-1]
	}
}

// Holding returns the rows of segments with a passage that holds all words, of
// the first passages that do.
func (x *Index) Holding(ctx context.Context, list []string) (rows []int64, err error) {
	m, err := x.search(ctx, true)
	if err != nil {
		return nil, err
	}
	ids, err := x.passages(ctx, &words.Query{Words: list}, 0, togetherPassages)
	if err == nil {
		err = m.load(ctx, bodiesOf(ids))
	}
	if err != nil {
		return nil, err
	}
	for _, c := range m.candidates(ids) {
		if c.found { // else the words may be in other segments of the passage
			rows = append(rows, c.row)
		}
	}
	return rows, nil
}

// passages returns the ids of passages that match, after one, limit of them at
// most (-1: all). The list is complete before anything else is asked: an open
// statement keeps a connection that others may wait for.
func (x *Index) passages(ctx context.Context, q *words.Query, after int64, limit int) ([]int64, error) {
	return sqlite.Column[int64](x.DB.Rows(ctx, matchSQL, matchText(q), after, limit))
}

// matchText returns what FTS5 is asked for. A word has letters and digits only
// and stands in quotes: it is never syntax.
func matchText(q *words.Query) string {
	var parts []string
	for _, w := range q.Words {
		parts = append(parts, `"`+w+`"`)
	}
	if q.Prefix != "" {
		parts = append(parts, `"`+q.Prefix+`" *`)
	}
	return strings.Join(parts, " AND ")
}

// searching is one search.
type searching struct {
	*Index
	sure  bool          // what the words lead to need not be looked at
	stale map[int64]int // see staleSQL

	segments []segmentAt    // of the passages at hand, in their order
	last     segmentAt      // the segment that was found last
	found    map[int64]bool // rows, where messages that are not indexed are looked at
	lookers  [lookers]looker
}

func (x *Index) search(ctx context.Context, sure bool) (*searching, error) {
	m := &searching{Index: x, sure: sure, stale: map[int64]int{}}
	if x.DB.Writable() != nil {
		m.found = map[int64]bool{}
	}
	var body int64
	var indexed int
	rows := x.DB.Rows(ctx, staleSQL)
	for range rows.Into(&body, &indexed) {
		m.stale[body] = indexed
	}
	return m, rows.Err()
}

// segmentAt is where a segment begins. It ends where the next one of its body
// does, or with that.
type segmentAt struct {
	body, row int64
	start     int
}

// passages passes the rows of the segments that passages lead to on to f.
func (m *searching) passages(ctx context.Context, ids []int64, f func([]int64) error) error {
	step := surePassages
	if !m.sure {
		step = lookPassages
	}
	for some := range slices.Chunk(ids, step) {
		if err := m.load(ctx, bodiesOf(some)); err != nil {
			return err
		}
		if err := m.pass(ctx, m.candidates(some), f); err != nil {
			return err
		}
	}
	return nil
}

// pass looks at candidates and passes the rows of those that are found on to f.
func (m *searching) pass(ctx context.Context, list []candidate, f func([]int64) error) error {
	if err := m.look(ctx, list); err != nil {
		return err
	}
	var found []int64
	for i := range list {
		if c := &list[i]; c.found && !m.found[c.row] {
			found, m.last = append(found, c.row), c.segmentAt
		}
	}
	if m.found != nil {
		for _, row := range found {
			m.found[row] = true
		}
	}
	if len(found) > 0 {
		if err := f(found); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// unindexed looks at the messages that the index does not have, where nobody can
// fill it.
func (m *searching) unindexed(ctx context.Context, f func([]int64) error) error {
	if m.found == nil {
		return nil
	}
	const text = "SELECT id, indexed, stored FROM bodies WHERE indexed < stored AND dropped = 0 ORDER BY id"
	type filled struct {
		body         int64
		from, stored int
	}
	all, err := sqlite.List(m.DB.Rows(ctx, text), func(b *filled) []any { return []any{&b.body, &b.from, &b.stored} })
	if err != nil {
		return err
	}
	for some := range slices.Chunk(all, lookPassages) {
		bodies, of := make([]int64, len(some)), map[int64]filled{}
		for i, b := range some {
			bodies[i], of[b.body] = b.body, b
		}
		if err := m.load(ctx, bodies); err != nil {
			return err
		}
		var list []candidate
		for i, seg := range m.segments {
			b := of[seg.body]
			if end := m.end(i, b.stored); end > b.from {
				list = append(list, candidate{segmentAt: seg, spans: []stretch{{max(seg.start, b.from+1), end}}})
			}
		}
		if err := m.pass(ctx, list, f); err != nil {
			return err
		}
	}
	return nil
}

// bodiesOf returns the bodies in which passages lie.
func bodiesOf(ids []int64) (bodies []int64) {
	for _, id := range ids {
		bodies = append(bodies, passageOf(id).body)
	}
	return slices.Compact(bodies)
}

// load loads the segments of bodies.
func (m *searching) load(ctx context.Context, bodies []int64) error {
	list, err := json.Marshal(bodies)
	if err != nil {
		return err
	}
	m.segments = m.segments[:0]
	var at segmentAt
	rows := m.DB.Rows(ctx, segmentsOfSQL, string(list))
	for range rows.Into(&at.body, &at.start, &at.row) {
		m.segments = append(m.segments, at)
	}
	return rows.Err()
}

// end returns the last of some messages that one of the segments has.
func (m *searching) end(i, last int) int {
	if i+1 < len(m.segments) && m.segments[i+1].body == m.segments[i].body {
		return min(last, m.segments[i+1].start-1)
	}
	return last
}

// candidates returns the segments that passages lead to, in their order, but for
// the one that was found last.
func (m *searching) candidates(ids []int64) (list []candidate) {
	for _, id := range ids {
		p := passageOf(id)
		if indexed, stale := m.stale[p.body]; stale && p.last > indexed {
			continue
		}
		i, exact := slices.BinarySearchFunc(m.segments, segmentAt{body: p.body, start: p.first}, segmentAt.compare)
		if !exact {
			i-- // it begins in front of the passage
		}
		// A body that its session has left has no segments.
		for ; i >= 0 && i < len(m.segments) && m.segments[i].body == p.body && m.segments[i].start <= p.last; i++ {
			seg, end := m.segments[i], m.end(i, p.last)
			if seg == m.last {
				continue
			}
			if len(list) == 0 || list[len(list)-1].segmentAt != seg {
				list = append(list, candidate{segmentAt: seg})
			}
			c := &list[len(list)-1]
			if m.sure && p.first >= seg.start && p.last <= end {
				c.found = true
			} else if !c.found {
				c.add(stretch{max(p.first, seg.start), end})
			}
		}
	}
	return list
}

func (s segmentAt) compare(o segmentAt) int {
	return cmp.Or(cmp.Compare(s.body, o.body), cmp.Compare(s.start, o.start))
}
