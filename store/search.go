package store

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
	corewords "winnow/core/words"
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
)

// Statements of a search. A search reads no message but those that it names.
const (
	matchSQL = "SELECT rowid FROM passages WHERE passages MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"
	// staleTextSQL lists bodies that have passages which are not true any more.
	staleTextSQL  = "SELECT id, indexed FROM bodies WHERE outdated = 1"
	segmentsOfSQL = `SELECT s.body, s.start_line, s.rowid FROM json_each(?) j
		CROSS JOIN task_segments s INDEXED BY task_segments_body ON s.body = j.value ORDER BY j.key, s.start_line`
)

// TextMatches calls f with the rows of segments (their rowids in task_segments)
// in which a text is found, in the order of their messages in the index, each
// once, some at a time and the first ones soon. It stops at the first error of f
// and returns it. Messages that are not indexed yet are not found, see
// IndexedShare. A text without letters and digits gives corewords.ErrNoWord.
func (s *Store) TextMatches(ctx context.Context, t filter.Text, f func(rows []int64) error) error {
	q, err := corewords.NewQuery(t.Value, t.Prefix)
	if err != nil {
		return s.fail("search", err)
	}
	m := &searching{store: s, sure: q.Sure, emit: f}
	for i := range m.lookers {
		m.lookers[i].find.Query = q
	}
	if m.stale, err = s.staleText(ctx); err != nil {
		return s.fail("search", err)
	}
	limit, after := firstPassages, int64(0)
	if q.Prefix != "" {
		limit = -1 // finding all words with a beginning takes most of the time
	}
	for {
		ids, err := s.passages(ctx, matchText(&q), after, limit)
		if err == nil {
			err = m.passages(ctx, ids)
		}
		if err != nil || limit < 0 || len(ids) < limit {
			return s.fail("search", err)
		}
		limit, after = -1, ids[len(ids)-1]
	}
}

// matchText returns what FTS5 is asked for. A word has letters and digits only
// and stands in quotes: it is never syntax.
func matchText(q *corewords.Query) string {
	var parts []string
	for _, w := range q.Words {
		parts = append(parts, `"`+w+`"`)
	}
	if q.Prefix != "" {
		parts = append(parts, `"`+q.Prefix+`" *`)
	}
	return strings.Join(parts, " AND ")
}

// passages returns the ids of passages that match, behind one, limit of them at
// most (-1: all). The list is complete before anything else is asked: an open
// statement keeps a connection that others may wait for.
func (s *Store) passages(ctx context.Context, match string, after int64, limit int) (ids []int64, err error) {
	rows, err := s.db.Readers.Query(ctx, matchSQL, match, after, limit)
	if err != nil {
		return nil, err
	}
	var id int64
	err = sqlite.Each(rows, func() error {
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// staleText returns, of bodies with passages that are not true any more, the last
// message up to which they are.
func (s *Store) staleText(ctx context.Context) (map[int64]int, error) {
	rows, err := s.db.Readers.Query(ctx, staleTextSQL)
	if err != nil {
		return nil, err
	}
	stale := map[int64]int{}
	var body int64
	var indexed int
	err = sqlite.Each(rows, func() error {
		err := rows.Scan(&body, &indexed)
		stale[body] = indexed
		return err
	})
	return stale, err
}

// searching is one search.
type searching struct {
	store *Store
	sure  bool          // what the words lead to need not be looked at
	stale map[int64]int // see staleText
	emit  func([]int64) error

	segments []segmentAt // of the passages at hand, in their order
	last     segmentAt   // the segment that was found last
	lookers  [lookers]looker
}

// segmentAt is where a segment begins. It ends where the next one of its body
// does, or with that.
type segmentAt struct {
	body, row int64
	start     int
}

func (m *searching) passages(ctx context.Context, ids []int64) error {
	for len(ids) > 0 {
		n := surePassages
		if !m.sure {
			n = lookPassages
		}
		n = min(n, len(ids))
		if err := m.load(ctx, ids[:n]); err != nil {
			return err
		}
		list := m.candidates(ids[:n])
		if err := m.look(ctx, list); err != nil {
			return err
		}
		var found []int64
		for i := range list {
			if list[i].found {
				found, m.last = append(found, list[i].row), list[i].segmentAt
			}
		}
		if len(found) > 0 {
			if err := m.emit(found); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// load loads the segments of the bodies in which passages lie.
func (m *searching) load(ctx context.Context, ids []int64) error {
	var bodies []int64
	for _, id := range ids {
		if body := passageOf(id).body; len(bodies) == 0 || bodies[len(bodies)-1] != body {
			bodies = append(bodies, body)
		}
	}
	list, err := json.Marshal(bodies)
	if err != nil {
		return err
	}
	rows, err := m.store.db.Readers.Query(ctx, segmentsOfSQL, string(list))
	if err != nil {
		return err
	}
	m.segments = m.segments[:0]
	var at segmentAt
	return sqlite.Each(rows, func() error {
		err := rows.Scan(&at.body, &at.start, &at.row)
		m.segments = append(m.segments, at)
		return err
	})
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
			seg, end := m.segments[i], maxMessages
			if i+1 < len(m.segments) && m.segments[i+1].body == p.body {
				end = m.segments[i+1].start - 1
			}
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
				c.add(stretch{max(p.first, seg.start), min(p.last, end)})
			}
		}
	}
	return list
}

func (s segmentAt) compare(o segmentAt) int {
	if s.body != o.body {
		return int(max(-1, min(1, s.body-o.body)))
	}
	return s.start - o.start
}
