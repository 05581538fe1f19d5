package store

import (
	"context"
	"slices"

	"winnow/core/hub"
	"winnow/store/sqlite"
)

// kinSQL finds, among the sessions of an agent (?1) whose parent is elsewhere,
// those that a session written after import transaction ?2 concerns: itself,
// its children, those of sessions with its native id, which may be better off
// with it, and those that wait for it as their parent. A branch is written
// together with the session that it left.
const kinSQL = `WITH fresh AS NOT MATERIALIZED (SELECT id, native_id, parent_native FROM trajectory_records INDEXED BY trajectory_records_touched WHERE touched > ?2 AND source_agent_id = ?1),
	kin (id) AS (
		SELECT id FROM fresh WHERE parent_native <> ''
		UNION SELECT c.id FROM fresh f CROSS JOIN trajectory_records c ON c.parent = f.id AND c.parent <> '' AND c.parent_native <> ''
		UNION SELECT c.id FROM (SELECT DISTINCT native_id FROM fresh WHERE native_id <> '') f
			CROSS JOIN trajectory_records o ON o.source_agent_id = ?1 AND o.native_id = f.native_id AND o.native_id <> ''
			CROSS JOIN trajectory_records c ON c.parent = o.id AND c.parent <> '' AND c.parent_native <> ''
		UNION SELECT c.id FROM fresh f CROSS JOIN trajectory_records c
			ON c.source_agent_id = ?1 AND c.parent_native = f.native_id AND c.parent = '' AND c.parent_native <> '' WHERE f.native_id <> '')
	` + placedSQL

// allKinSQL is kinSQL for all sessions, of whatever agent.
const allKinSQL = "WITH kin (id) AS (SELECT id FROM trajectory_records WHERE parent_native <> '')" + placedSQL

// placedSQL tells, of those in kin that are elsewhere than they belong, where
// that is. A session belongs to the one with the native id that it names as its
// parent; of several to one that goes on by itself, as a copy may continue
// itself, and then to the longest. If a message of it, or of a branch of it,
// reports on the session, it belongs there.
const placedSQL = `, told AS (SELECT c.id, c.session_file AS file, c.parent, c.parent_at,
			(SELECT o.id FROM trajectory_records o WHERE o.source_agent_id = c.source_agent_id AND o.native_id = c.parent_native
				AND o.native_id <> '' AND o.id <> c.id ORDER BY o.parent_kind, o.messages DESC, o.id LIMIT 1) AS native,
			(SELECT s.body << 32 | s.n FROM starts s CROSS JOIN bodies b ON b.id = s.body CROSS JOIN trajectory_records o ON o.id = b.session_id
				WHERE s.child = c.native_id AND c.native_id <> '' AND o.body = s.body AND o.source_agent_id = c.source_agent_id AND o.id <> c.id
				AND c.parent_native IN (WITH RECURSIVE trunk (native_id, kind, parent) AS (SELECT o.native_id, o.parent_kind, o.parent
						UNION ALL SELECT p.native_id, p.parent_kind, p.parent FROM trunk JOIN trajectory_records p ON p.id = trunk.parent
						WHERE trunk.kind = 'branch' LIMIT 1000)
					SELECT native_id FROM trunk)
				ORDER BY o.parent_kind, s.n LIMIT 1) AS message
		FROM kin CROSS JOIN trajectory_records c ON c.id = kin.id),
	belongs AS (SELECT id, file, parent, parent_at, coalesce((SELECT session_id FROM bodies WHERE id = message >> 32), native, '') AS is_parent,
		coalesce(message & 4294967295, 0) AS is_at FROM told)
	SELECT * FROM belongs WHERE parent <> is_parent OR parent_at <> is_at`

// misplaced is a session that is elsewhere than it belongs: at a message of its
// parent, 0 unknown.
type misplaced struct {
	id, file string
	parent   string
	at       int
	isParent string // where it belongs
	isAt     int
}

func scanMisplaced(rows *sqlite.Rows) ([]misplaced, error) {
	return sqlite.List(rows, func(p *misplaced) []any { return []any{&p.id, &p.file, &p.parent, &p.at, &p.isParent, &p.isAt} })
}

// reparent brings a session to where it belongs, unless it has got another one since.
func (t *tx) reparent(p *misplaced) error {
	const text = `UPDATE trajectory_records SET parent = ?1, parent_at = ?2 WHERE id = ?3 AND parent = ?4 AND parent_at = ?5
		AND (?1 = '' OR EXISTS (SELECT 1 FROM trajectory_records WHERE id = ?1))`
	return t.do(text, p.isParent, p.isAt, p.id, p.parent, p.at)
}

// reparentAll brings sessions to where they belong.
func (t *tx) reparentAll(list []misplaced) error {
	for i := range list {
		if err := t.reparent(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// placeBatch is how many sessions are placed in one transaction: some
// milliseconds.
const placeBatch = 256

// Adopt gives the sessions of an agent that come from others their parents and
// their places in them, as far as those are stored and either was written
// after import transaction from.
func (s *Store) Adopt(ctx context.Context, agent string, from int64) error {
	list, err := scanMisplaced(s.db.Rows(ctx, kinSQL, agent, from))
	if err != nil {
		return s.fail("find parents", err)
	}
	for batch := range slices.Chunk(list, placeBatch) {
		err := s.write(ctx, sqlite.Machine, "find parents", func(t *tx) error { return t.reparentAll(batch) })
		if err != nil {
			return err
		}
	}
	return nil
}

// starts notes which messages of a body started other sessions.
func (t *tx) starts(body int64, starts []hub.Start) error {
	for _, s := range starts {
		if err := t.do("INSERT INTO starts (body, n, child) VALUES (?, ?, ?)", body, s.N, s.Child); err != nil {
			return err
		}
	}
	return nil
}
