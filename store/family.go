package store

import (
	"context"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"

	"winnow/core/hub"
	"winnow/store/sqlite"
)

// closing collects what belongs to a family: sessions by id, and the sessions
// of sources that hold pieces of them.
type closing struct {
	s     *Store
	ctx   context.Context
	queue []string
	found map[string]bool
	raws  map[rawKey]bool
}

type rawKey struct {
	source int64
	key    string
}

// kinsfolkSQL finds the sessions that may hold messages of one, ?1: of the same
// native id, the one that it is a branch of, and its branches.
const kinsfolkSQL = `SELECT o.id FROM trajectory_records r CROSS JOIN trajectory_records o
		ON o.source_agent_id = r.source_agent_id AND o.native_id = r.native_id AND o.native_id <> '' WHERE r.id = ?1
	UNION SELECT p.id FROM trajectory_records r CROSS JOIN trajectory_records p ON p.id = r.parent WHERE r.id = ?1 AND r.parent_kind = 'branch'
	UNION SELECT c.id FROM trajectory_records c WHERE c.parent = ?1 AND c.parent <> '' AND c.parent_kind = 'branch'
	UNION SELECT q.session_id FROM pieces p CROSS JOIN pieces q ON q.source_id = p.source_id AND q.key = p.key WHERE p.session_id = ?1`

// sharedSQL finds those that hold pieces of the same sessions as ?1, and its
// branches and what it left where those are gathered: all that parting changes.
const sharedSQL = `SELECT q.session_id FROM pieces p CROSS JOIN pieces q ON q.source_id = p.source_id AND q.key = p.key WHERE p.session_id = ?1
	UNION SELECT p.id FROM trajectory_records r CROSS JOIN trajectory_records p ON p.id = r.parent WHERE r.id = ?1 AND r.parent_kind = 'branch'
	UNION SELECT c.id FROM trajectory_records c WHERE c.parent = ?1 AND c.parent <> '' AND c.parent_kind = 'branch'`

// ids adds what a query names.
func (c *closing) ids(text string, args ...any) error {
	list, err := sqlite.Column[string](c.s.db.Rows(c.ctx, text, args...))
	for _, id := range list {
		if id != "" && !c.found[id] {
			c.found[id] = true
			c.queue = append(c.queue, id)
		}
	}
	return err
}

// close adds all that a query finds for what was found.
func (c *closing) close(text string) error {
	for len(c.queue) > 0 {
		id := c.queue[0]
		c.queue = c.queue[1:]
		if err := c.ids(text, id); err != nil {
			return err
		}
	}
	return nil
}

// Family returns all that is stored of the sessions of a group, and of those
// that may hold the same messages.
func (s *Store) Family(ctx context.Context, agent string, g *hub.Group) (*hub.Family, error) {
	return s.family(ctx, kinsfolkSQL, "SELECT id FROM trajectory_records WHERE source_agent_id = ? AND native_id = ? AND native_id <> '' ORDER BY id", agent, g.Key)
}

// SourceFamily is Family for the sessions of a source that hold messages of
// others, or whose messages others hold. It has no members if there are none.
func (s *Store) SourceFamily(ctx context.Context, source int64) (*hub.Family, error) {
	return s.family(ctx, sharedSQL, `SELECT session_id FROM pieces WHERE source_id = ?1
		UNION SELECT p.session_id FROM trajectory_records r CROSS JOIN pieces p ON p.session_id = r.id WHERE r.source_id = ?1`, source)
}

// family returns what a question names, and all that further, asked of each, finds.
func (s *Store) family(ctx context.Context, further, text string, args ...any) (f *hub.Family, err error) {
	c := &closing{s: s, ctx: ctx, found: map[string]bool{}, raws: map[rawKey]bool{}}
	if err = c.ids(text, args...); err == nil {
		err = c.close(further)
	}
	if err == nil {
		f, err = c.load()
	}
	return f, s.fail("look for copies", err)
}

// Shares reports whether messages of a source's sessions are kept as others,
// and whether others are kept as its own.
func (s *Store) Shares(ctx context.Context, source int64) (elsewhere, here bool, err error) {
	const text = `SELECT EXISTS (SELECT 1 FROM raws WHERE source_id = ?1),
		EXISTS (SELECT 1 FROM trajectory_records r CROSS JOIN pieces p ON p.session_id = r.id WHERE r.source_id = ?1)`
	err = s.db.Rows(ctx, text, source).One(&elsewhere, &here)
	return elsewhere, here, s.fail("look for copies", err)
}

// load reads the sessions that were found.
func (c *closing) load() (*hub.Family, error) {
	f := &hub.Family{}
	for _, id := range slices.Sorted(maps.Keys(c.found)) {
		st, err := c.s.SessionByID(c.ctx, id)
		if err != nil {
			return nil, err
		}
		m := hub.Member{StoredSession: *st}
		const text = "SELECT r.born, r.gathered, coalesce(f.path, '') FROM trajectory_records r LEFT JOIN sources f ON f.id = r.source_id WHERE r.id = ?"
		if err := c.s.db.Rows(c.ctx, text, id).One(&m.Born, &m.Gathered, &m.Path); err != nil {
			return nil, err
		}
		if m.SourceID == 0 {
			m.Path = m.File
		}
		f.Members = append(f.Members, m)
		if err := c.pieces(f, id); err != nil {
			return nil, err
		}
		if err := c.offspring(f, id); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// pieces adds the sessions of sources that hold pieces of a session.
func (c *closing) pieces(f *hub.Family, id string) error {
	from := len(f.Raws)
	var one hub.Raw
	var row string
	rows := c.s.db.Rows(c.ctx, `SELECT DISTINCT w.source_id, w.key, w.row, s.path FROM pieces p
		CROSS JOIN raws w ON w.source_id = p.source_id AND w.key = p.key JOIN sources s ON s.id = w.source_id WHERE p.session_id = ? ORDER BY 1, 2`, id)
	for range rows.Into(&one.Source, &one.Key, &row, &one.Path) {
		if k := (rawKey{one.Source, one.Key}); !c.raws[k] {
			c.raws[k] = true
			r := one
			if err := json.Unmarshal([]byte(row), &r.Row); err != nil {
				return err
			}
			f.Raws = append(f.Raws, r)
		}
	}
	err := rows.Err()
	for i := from; i < len(f.Raws) && err == nil; i++ {
		r := &f.Raws[i]
		r.Pieces, err = sqlite.List(c.s.db.Rows(c.ctx, "SELECT session_id, at, messages FROM pieces WHERE source_id = ? AND key = ? ORDER BY n", r.Source, r.Key),
			func(p *hub.Piece) []any { return []any{&p.Session, &p.At, &p.Messages} })
	}
	return err
}

// offspring adds the sessions in the same source that belong to a session, but
// for its branches.
func (c *closing) offspring(f *hub.Family, id string) error {
	list, err := sqlite.List(c.s.db.Rows(c.ctx, `SELECT id, coalesce(source_id, 0), parent, parent_at FROM trajectory_records
		WHERE parent = ? AND parent <> '' AND parent_kind <> 'branch' AND parent_native = '' ORDER BY id`, id),
		func(o *hub.Offspring) []any { return []any{&o.ID, &o.Source, &o.Parent, &o.At} })
	f.Offspring = append(f.Offspring, list...)
	return err
}

// rowText is what a source tells of a session, as it is kept.
func rowText(r *hub.Raw) (string, error) {
	row := r.Row
	row.ID, row.Body = "", 0
	text, err := json.Marshal(row, json.Deterministic(true))
	return string(text), err
}
