package memories

import (
	"encoding/json"
	"slices"

	"winnow/core/memory"
	"winnow/core/runs"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

const (
	knownSQL  = "SELECT id FROM memories WHERE agent_id = ? AND dir = ? ORDER BY id"
	prefixSQL = "SELECT id FROM memories WHERE id >= ? AND id < ? ORDER BY id LIMIT 2"
	// countsSQL looks at all: there are thousands at most.
	countsSQL = "SELECT " + statusSQL + ", m.kind, " + staleSQL + ", count(*) FROM memories m GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
	// unextractedSQL are those of some segments, [id, content] each, that are to be
	// looked at: nobody has, or rules have and a model has not.
	unextractedSQL = "SELECT s.id FROM json_each(?1) j CROSS JOIN task_segments s ON s.id = j.value ->> 0 WHERE s.memory_extracted = 0" +
		" OR ?2 AND NOT EXISTS (SELECT 1 FROM extractions WHERE detail = j.value ->> 1 AND substr(extractor, 1, length(?3)) <> ?3 AND upto = 0) ORDER BY j.key"
)

// Known returns the memories of an agent and folder, whatever became of them.
func Known(ask Asks, agent, dir string) ([]memory.Memory, error) {
	ids, err := sqlite.Column[string](ask(knownSQL, agent, dir))
	if err != nil {
		return nil, err
	}
	return List(ask, ids)
}

// WithPrefix returns the ids that begin so, two at most.
func WithPrefix(ask Asks, prefix string) ([]string, error) {
	from, to := filtersql.IDs(prefix)
	return sqlite.Column[string](ask(prefixSQL, from, to))
}

// Page returns a page of memories. once asks a statement that is made for one question.
func Page(ask, once Asks, q memory.Query) (p memory.Page, err error) {
	limit := q.Limit
	q.Limit++
	text, args, err := page(&q)
	if err != nil {
		return p, err
	}
	ids, err := sqlite.Column[string](once(text, args...))
	if err != nil {
		return p, err
	}
	if p.More = len(ids) > limit; p.More {
		ids = ids[:limit]
	}
	p.Memories, err = List(ask, ids)
	return p, err
}

// Number is how many memories a filter lets through.
func Number(once Asks, f memory.Filter) (n int, err error) {
	where, args, err := condition(f)
	if err != nil {
		return 0, err
	}
	text := "SELECT count(*) FROM memories m"
	for i, w := range where {
		text += [...]string{" WHERE ", " AND "}[min(i, 1)] + w
	}
	return n, once(text, args...).One(&n)
}

// Counts returns how many there are by status and kind.
func Counts(ask Asks) ([]memory.Count, error) {
	list, err := sqlite.List(ask(countsSQL), func(c *memory.Count) []any { return []any{&c.Status, &c.Kind, &c.Stale, &c.N} })
	slices.SortStableFunc(list, func(a, b memory.Count) int {
		return slices.Index(memory.Statuses[:], a.Status) - slices.Index(memory.Statuses[:], b.Status)
	})
	return list, err
}

// Unextracted leaves those of some segments that an extractor is to look at.
func Unextracted(ask Asks, list []runs.LearnRef, extractor string) ([]runs.LearnRef, error) {
	asked := make([][2]string, len(list))
	for i := range list {
		asked[i] = [2]string{list[i].ID, memory.ContentKey(list[i].Digest)}
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	ids, err := sqlite.Column[string](ask(unextractedSQL, string(text), byModel(extractor), memory.RulesPrefix))
	open := make(map[string]bool, len(ids))
	for _, id := range ids {
		open[id] = true
	}
	return slices.DeleteFunc(list, func(r runs.LearnRef) bool { return !open[r.ID] }), err
}
