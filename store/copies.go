package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// Uncompared returns the numbers of the import transaction up to which the
// sessions of an agent were compared with each other, and of the last one.
func (s *Store) Uncompared(ctx context.Context, agent string) (from, to int64, err error) {
	const text = `SELECT coalesce((SELECT value FROM progress WHERE name = 'compared ' || ?), 0), (SELECT value FROM progress WHERE name = 'write')`
	err = s.db.Rows(ctx, text, agent).One(&from, &to)
	return from, to, s.fail("look for new sessions", err)
}

// Compared notes up to which import transaction sessions were compared.
func (s *Store) Compared(ctx context.Context, agent string, to int64) error {
	return s.write(ctx, sqlite.Machine, "note what was compared", func(t *tx) error {
		return t.do("INSERT INTO progress VALUES ('compared ' || ?, ?) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)", agent, to)
	})
}

// likeness is the columns that twins have in common, the index on them, and its
// condition.
type likeness struct{ columns, index, only string }

var likenesses = [...]likeness{
	hub.ByNative: {"native_id", "trajectory_records_native", "native_id <> ''"},
	hub.ByTrace:  {"trace", "trajectory_records_trace", "native_id = '' AND trace IS NOT NULL"},
	hub.ByHead:   {"head", "trajectory_records_head", "native_id = '' AND head IS NOT NULL"},
}

// alone is the condition that a session has messages of no other source, and
// no other has its own.
const alone = " AND r.gathered = 0 AND NOT EXISTS (SELECT 1 FROM pieces p WHERE p.session_id = r.id)"

// of returns columns, or the condition, of a row with a name.
func of(row, text string) string {
	return strings.NewReplacer("native_id", row+".native_id", "opening", row+".opening", "trace", row+".trace", "head", row+".head").Replace(text)
}

// alikeSQL finds groups of sessions, their twins by an index, after the group
// ?5 unless it is the first page. If few rows were written, those are found
// by the number of the transaction that did it; else all rows are gone through
// in the order of the groups, so that a page goes on where the one before ended.
func alikeSQL(by hub.Likeness, few, first bool) string {
	l := likenesses[by]
	index := l.index
	if few {
		index = "trajectory_records_touched"
	}
	behind := ""
	if !first {
		behind = " AND " + of("r", l.columns) + " > ?5"
	}
	alike := "EXISTS (SELECT 1 FROM trajectory_records o WHERE o.source_agent_id = r.source_agent_id AND " +
		of("o", l.columns) + " = " + of("r", l.columns) + " AND " + of("o", l.only) + " AND o.id <> r.id)"
	return "SELECT DISTINCT " + of("r", l.columns) + " FROM trajectory_records r INDEXED BY " + index + `
		WHERE r.touched > ?1 AND r.touched <= ?2 AND r.source_agent_id = ?3 AND ` + of("r", l.only) + behind + `
		AND ` + alike + `
		ORDER BY ` + of("r", l.columns) + " LIMIT ?4"
}

// fewWritten is a number of rows that are looked through in milliseconds.
const fewWritten = 1000

// Alike returns groups of sessions that may be the same, at least one of which
// was written by one of the import transactions from+1 to to: up to limit of
// them after the group after (nil begins).
func (s *Store) Alike(ctx context.Context, agent string, by hub.Likeness, from, to int64, after *hub.Group, limit int) ([]hub.Group, error) {
	var written int
	const count = "SELECT count(*) FROM (SELECT 1 FROM trajectory_records WHERE touched > ? LIMIT ?)"
	if err := s.db.Rows(ctx, count, from, fewWritten).One(&written); err != nil {
		return nil, s.fail("look for copies", err)
	}
	args := []any{from, to, agent, limit}
	if after != nil {
		args = append(args, after.Key)
	}
	keys, err := sqlite.Column[any](s.db.Rows(ctx, alikeSQL(by, written < fewWritten, after == nil), args...))
	list := make([]hub.Group, len(keys))
	for i, key := range keys {
		list[i] = hub.Group{By: by, Key: key}
	}
	return list, s.fail("look for copies", err)
}

// twinsSQL lists the members of a group. A session's branches, and theirs,
// count for its size. The + is that of adoptSQL.
func twinsSQL(g *hub.Group) string {
	l := likenesses[g.By]
	like := of("r", l.columns) + " = +?2"
	return `SELECT r.id, r.session_file, coalesce(r.source_id, 0), coalesce(f.path, ''), r.format, r.native_id, r.messages,
		(WITH RECURSIVE tree (id, n) AS (SELECT r.id, r.messages UNION ALL
			SELECT b.id, b.messages FROM tree JOIN trajectory_records b INDEXED BY trajectory_records_parent ON b.parent = tree.id AND b.parent <> '' AND b.parent_kind = 'branch')
			SELECT sum(n) FROM (SELECT n FROM tree LIMIT 10000)),
		` + marksSQL + " OR " + editedSQL + `, r.born, ` + trailColumns + `
		FROM trajectory_records r LEFT JOIN sources f ON f.id = r.source_id
		WHERE r.source_agent_id = ?1 AND ` + like + ` AND ` + of("r", l.only) + alone + ` ORDER BY r.born, r.id LIMIT ?3`
}

// Twins returns members of a group, the oldest first, up to limit of them.
func (s *Store) Twins(ctx context.Context, agent string, g hub.Group, limit int) ([]hub.Twin, error) {
	list, err := sqlite.List(s.db.Rows(ctx, twinsSQL(&g), agent, g.Key, limit), func(t *hub.Twin) []any {
		return append([]any{&t.ID, &t.File, &t.Source, &t.Path, &t.Format, &t.NativeID, &t.Messages, &t.Size, &t.Marked, &t.Born}, trailFields(&t.Trail)...)
	})
	return list, s.fail("look for copies", err)
}

// WriteCopies removes sessions that are the same as others, and remembers where
// they were. One that has changed since it was compared stays.
func (s *Store) WriteCopies(ctx context.Context, copies []hub.Copy) ([]hub.Change, error) {
	if len(copies) == 0 {
		return nil, nil
	}
	return s.importWrite(ctx, "link copies", func(im *importing) error {
		if err := im.last(); err != nil {
			return err
		}
		gone := map[int64]bool{} // by source, whether a file of it is not there
		for i := range copies {
			c := &copies[i]
			if err := im.link(c); err != nil {
				return err
			}
			if err := im.settleEdits(); err != nil {
				return err
			}
			gone[c.Source] = gone[c.Source] || c.Gone
		}
		for source, gone := range gone {
			if err := im.recount(source, gone); err != nil {
				return err
			}
		}
		return nil
	})
}

// last gives a transaction that changes sessions after they were imported the
// number of the last one that imported any.
func (im *importing) last() error {
	return im.Rows("SELECT value FROM progress WHERE name = 'write'").One(&im.number)
}

// link removes one session that is a copy. One that was judged since stays as it
// is, to be compared once more with the next import.
func (im *importing) link(c *hub.Copy) error {
	var body int64
	var marked bool
	const text = "SELECT body, " + marksSQL + " OR " + editedSQL + ` FROM trajectory_records r WHERE id = ?1 AND messages = ?2 AND coalesce(source_id, 0) = ?3
		AND EXISTS (SELECT 1 FROM trajectory_records WHERE id = ?4)`
	if there, err := im.Rows(text, c.ID, c.Messages, c.Source, c.Keep).Maybe(&body, &marked); err != nil || !there {
		return err
	}
	if marked && !c.Marked {
		return im.do("UPDATE trajectory_records SET touched = ? WHERE id = ?", im.number+1, c.ID)
	}
	if err := im.bequeath(c.ID, body, c.Keep); err != nil {
		return err
	}
	return im.remember(c)
}

// bequeath removes a session, whose children and copies are those of another from
// then on.
func (im *importing) bequeath(id string, body int64, heir string) error {
	var home int64
	_, err := im.Rows("SELECT body FROM trajectory_records WHERE id = ?", heir).Maybe(&home)
	if err == nil {
		err = im.formerly(body, 0, home)
	}
	if err == nil {
		err = im.adopt(id, heir)
	}
	if err == nil {
		err = im.do("UPDATE copies SET session_id = ? WHERE session_id = ?", heir, id)
	}
	if err == nil {
		err = im.remove(id, body)
	}
	return err
}

// forget gives up some messages of a source whose file is gone, as others hold
// them: should it come back, it is read again.
func (im *importing) forget(source int64, messages int) error {
	return im.do(`UPDATE sources SET mtime = 0, proof = '{}',
		state = json_set(state, '$.messages', max(0, coalesce(state ->> '$.messages', 0) - ?)) WHERE id = ?`, messages, source)
}

// remember notes where a session was that is kept as another one now, unless
// that file is not there any more.
func (im *importing) remember(c *hub.Copy) error {
	switch {
	case c.Source == 0:
		return nil
	case c.Gone:
		return im.forget(c.Source, c.Messages)
	}
	key := strings.TrimPrefix(strings.TrimPrefix(c.File, c.Path), "#")
	const text = "INSERT INTO copies VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET session_id = excluded.session_id, messages = excluded.messages"
	return im.do(text, c.Source, key, c.Keep, c.Messages)
}

// recount derives the counts of a source, 0 for none. One whose file is gone
// and that has nothing left leaves.
func (im *importing) recount(source int64, gone bool) error {
	err := im.do(`UPDATE sources SET sessions = (SELECT count(*) FROM trajectory_records WHERE source_id = ?1),
		copies = (SELECT count(*) FROM copies WHERE source_id = ?1) WHERE id = ?1`, source)
	if err != nil || !gone {
		return err
	}
	return im.run([]any{source},
		"DELETE FROM import_issues WHERE source_id = (SELECT id FROM sources WHERE id = ? AND sessions = 0 AND copies = 0)",
		"DELETE FROM sources WHERE id = ? AND sessions = 0 AND copies = 0")
}

// TakePlace lets one session take the place and the messages of another, as w
// says. What it had before is lost, which is a copy now.
func (s *Store) TakePlace(ctx context.Context, w *hub.SessionWrite, lost hub.Copy) ([]hub.Change, error) {
	return s.importWrite(ctx, "link copies", func(im *importing) error {
		if err := im.last(); err != nil {
			return err
		}
		var source int64
		const text = `SELECT coalesce(source_id, 0) FROM trajectory_records WHERE id = ?1 AND body = ?2 AND messages = ?3
			AND EXISTS (SELECT 1 FROM trajectory_records WHERE id = ?4 AND messages = ?5)`
		err := im.Rows(text, w.From, w.Session.Body, w.Session.Messages, w.Session.ID, lost.Messages).One(&source)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w: one of two equal sessions", review.ErrConflict)
		}
		if err != nil {
			return err
		}
		if err := im.makeRoom(w); err != nil {
			return err
		}
		p, err := im.session(source, w)
		if err == nil {
			err = im.covered(p, w.Session.Messages)
		}
		if err == nil {
			err = im.settleEdits()
		}
		if err == nil {
			err = im.remember(&lost)
		}
		if err == nil {
			err = im.recount(lost.Source, lost.Gone)
		}
		if err == nil && source != lost.Source {
			err = im.recount(source, false)
		}
		return err
	})
}

// linkedSQL names each source once, however many copies are about it.
const linkedSQL = `WITH about (id) AS (SELECT source_id FROM copies UNION SELECT r.source_id FROM copies c CROSS JOIN trajectory_records r ON r.id = c.session_id
		UNION SELECT source_id FROM raws UNION SELECT r.source_id FROM pieces p CROSS JOIN trajectory_records r ON r.id = p.session_id)
	SELECT f.path, (SELECT coalesce(sum(messages), 0) FROM trajectory_records WHERE source_id = f.id AND NOT gathered)
		+ (SELECT coalesce(sum(own), 0) FROM raws WHERE source_id = f.id)
	FROM about JOIN sources f ON f.id = about.id WHERE f.agent_id = ?`

// Linked returns, by path, how many of the stored messages the sources of an
// agent give that hold copies, or share sessions with others.
func (s *Store) Linked(ctx context.Context, agent string) (map[string]int, error) {
	list := map[string]int{}
	var path string
	var n int
	rows := s.db.Rows(ctx, linkedSQL, agent)
	for range rows.Into(&path, &n) {
		list[path] = n
	}
	return list, s.fail("count the messages of copies", rows.Err())
}

// CopyRow is a place where a session is found besides its own.
type CopyRow struct {
	File     string `json:"session_file"`
	Messages int    `json:"messages"`
	Joined   bool   `json:"joined,omitzero"` // it is a part that others do not hold, no copy
}

// Copies returns where the copies of a session (by its full id) are.
func (s *Store) Copies(ctx context.Context, session string) ([]CopyRow, error) {
	const text = `SELECT f.path || CASE c.key WHEN '' THEN '' ELSE '#' || c.key END AS file, c.messages, ` + filtersql.CopyJoined + `
		FROM copies c JOIN sources f ON f.id = c.source_id WHERE c.session_id = ? ORDER BY file`
	return s.copyRows(ctx, text, session)
}

// CopiedBy returns the session_files of the sessions that a source (by its id)
// holds copies or parts of, parts first: up to limit of them.
func (s *Store) CopiedBy(ctx context.Context, source int64, limit int) ([]CopyRow, error) {
	const text = `SELECT r.session_file, c.messages, ` + filtersql.CopyJoined + ` AS joined FROM copies c JOIN trajectory_records r ON r.id = c.session_id
		WHERE c.source_id = ? ORDER BY joined DESC, c.key LIMIT ?`
	return s.copyRows(ctx, text, source, limit)
}

// JoinedIn counts the sessions in a source (by its id) that are kept as parts of
// others, and are no copies.
func (s *Store) JoinedIn(ctx context.Context, source int64) (n int, err error) {
	const text = "SELECT count(*) FROM copies c WHERE c.source_id = ? AND " + filtersql.CopyJoined
	err = s.db.Rows(ctx, text, source).One(&n)
	return n, s.fail("count joined sessions", err)
}

func (s *Store) copyRows(ctx context.Context, text string, args ...any) ([]CopyRow, error) {
	list, err := sqlite.List(s.db.Rows(ctx, text, args...), func(r *CopyRow) []any { return []any{&r.File, &r.Messages, &r.Joined} })
	return list, s.fail("list copies", err)
}
