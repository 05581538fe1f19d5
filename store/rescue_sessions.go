package store

import (
	"fmt"
	"strings"

	"winnow/store/dbfile"
	"winnow/store/sqlite"
)

// numbers brings up to date what follows from the rows: which messages there
// are, how far the text index is (it is filled anew), and the numbers that are
// given next.
func (c *rescuing) numbers() error {
	err := c.execAll("UPDATE bodies SET indexed = 0, part = 0, outdated = 0",
		"INSERT OR IGNORE INTO progress VALUES ('write', 0)",
		`UPDATE progress SET value = max(value, (SELECT coalesce(max(max(touched, born)), 0) FROM trajectory_records),
			(SELECT coalesce(max(changed), 0) FROM bodies)) WHERE name = 'write'`)
	if err != nil {
		return err
	}
	return c.remains.rows(c.ctx, "sqlite_sequence", func(row dbfile.Row) error {
		_, err := c.exec("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1", row.Values[0], row.Values[1])
		return err
	})
}

// entries calls f for the entries of an index whose row is not in a table of the
// new database.
func (c *rescuing) entries(index, table string, f func(number int64, v []any) error) error {
	type entry struct {
		number int64
		values []any
	}
	var lost []entry
	err := c.remains.rows(c.ctx, index, func(row dbfile.Row) error {
		v := row.Values
		number, ok := v[len(v)-1].(int64)
		if !ok || len(v) != len(c.shapes[index].columns) {
			return nil
		}
		var there bool
		err := c.ask("SELECT EXISTS (SELECT 1 FROM "+table+" WHERE rowid = ?)", number).One(&there)
		if !there {
			lost = append(lost, entry{number, v})
		}
		return err
	})
	for _, e := range lost {
		if err == nil {
			err = f(e.number, e.values)
		}
	}
	return err
}

// sources makes lost sources anew from their indexes, to be read again. Those of
// which lines of the ledger are lost are read again, too.
func (c *rescuing) sources() error {
	if c.damaged("sources") {
		const text = "INSERT OR IGNORE INTO sources (id, agent_id, path, size, mtime, proof, state) VALUES (?, ?, ?, 0, 0, '{}', '{}')"
		err := c.entries("sqlite_autoindex_sources_1", "sources", func(number int64, v []any) error {
			_, err := c.exec(text, number, v[0], v[1])
			return err
		})
		if err != nil {
			return err
		}
	}
	if _, err := c.exec("DELETE FROM import_issues WHERE source_id NOT IN (SELECT id FROM sources)"); err != nil {
		return err
	}
	for _, table := range []string{"import_issues", "copies", "raws", "pieces"} {
		if loss := c.loss[table]; loss.Any() {
			return c.unread("1")
		}
	}
	return nil
}

// unread sees that sources are read again.
func (c *rescuing) unread(which string, args ...any) error {
	_, err := c.exec(againSQL+which, args...)
	return err
}

const againSQL = "UPDATE sources SET mtime = 0, proof = '{}' WHERE "

// sessions makes lost sessions anew from their indexes, else from their
// segments, else from their messages, and gives all of them their messages.
func (c *rescuing) sessions() error {
	strays := "SELECT 1" // messages without a session are those that a segment had once
	if c.damaged("trajectory_records") {
		if err := c.indexedSessions(); err != nil {
			return err
		}
		strays = `INSERT OR IGNORE INTO trajectory_records (id, session_file, created_at, body)
			SELECT session_id, 'rescued#s=' || session_id, '` + longAgo + `', max(id) FROM bodies
			WHERE dropped = 0 AND session_id <> '' AND session_id NOT IN (SELECT id FROM trajectory_records)
			AND id NOT IN (SELECT body FROM trajectory_records) GROUP BY session_id`
	}
	err := c.execAll(
		// An id that only the session has is not its own.
		`UPDATE OR IGNORE trajectory_records SET id = (SELECT b.session_id FROM bodies b WHERE b.id = body)
			WHERE id NOT IN (SELECT session_id FROM bodies) AND id NOT IN (SELECT session_id FROM task_segments)
			AND (SELECT b.session_id FROM bodies b WHERE b.id = body) IN (SELECT session_id FROM task_segments)`,
		// A session of segments whose own is not there is that with their messages.
		`UPDATE task_segments SET session_id = (SELECT id FROM trajectory_records r WHERE r.body = task_segments.body)
			WHERE session_id NOT IN (SELECT id FROM trajectory_records) AND body IN (SELECT body FROM trajectory_records)`,
		`UPDATE task_segments SET session_id = (SELECT id FROM trajectory_records r WHERE r.session_file = task_segments.session_file AND r.source_agent_id = agent_id)
			WHERE session_id NOT IN (SELECT id FROM trajectory_records)
			AND (agent_id, session_file) IN (SELECT source_agent_id, session_file FROM trajectory_records)`,
		`INSERT OR IGNORE INTO trajectory_records (id, source_agent_id, session_file, created_at, body)
			SELECT session_id, agent_id, session_file, min(created_at), body FROM task_segments
			WHERE session_id <> '' AND session_id NOT IN (SELECT id FROM trajectory_records) GROUP BY session_id`,
		strays,
		"INSERT OR IGNORE INTO bodies (id, session_id) SELECT body, id FROM trajectory_records",
		"INSERT OR IGNORE INTO bodies (id, session_id) SELECT DISTINCT was_body, session_id FROM task_segments WHERE was_body > 0",
		"INSERT OR IGNORE INTO bodies (id, session_id) SELECT DISTINCT body, '' FROM journal_changes WHERE body IS NOT NULL",
		"UPDATE bodies SET dropped = 0 WHERE dropped <> 0 AND id IN (SELECT body FROM trajectory_records)",
		"DELETE FROM task_segments WHERE session_id NOT IN (SELECT id FROM trajectory_records)",
		`UPDATE bodies SET stored = coalesce((SELECT last FROM chunks WHERE chunks.id BETWEEN bodies.id << 32 AND (bodies.id + 1 << 32) - 1
			ORDER BY chunks.id DESC LIMIT 1), 0)`,
		"UPDATE trajectory_records SET source_id = NULL WHERE source_id NOT IN (SELECT id FROM sources)",
	)
	if err != nil {
		return fmt.Errorf("sessions: %w", err)
	}
	return c.findFiles()
}

// indexedSessions takes lost sessions from the indexes of their table.
func (c *rescuing) indexedSessions() error {
	const text = "INSERT OR IGNORE INTO trajectory_records (rowid, id, session_file, body, format, model, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)"
	const index = "trajectory_records_facets"
	err := c.entries(index, "trajectory_records", func(number int64, v []any) error {
		shape := c.shapes[index] // has fewer columns in earlier schemas
		mendTimes(shape, v)
		id, made := v[shape.at("id")], any(c.now)
		if at := shape.at("created_at"); at >= 0 {
			made = v[at]
		}
		if !isID(id) {
			return nil
		}
		_, err := c.exec(text, number, id, v[3], v[0], v[1], v[2], made)
		return err
	})
	if err != nil {
		return err
	}
	// The other indexes tell more of those that have no source yet.
	for index, text := range map[string]string{
		"sqlite_autoindex_trajectory_records_2": "UPDATE trajectory_records SET source_agent_id = ? WHERE rowid = ?2 AND source_id IS NULL",
		"trajectory_records_native":             "UPDATE trajectory_records SET native_id = ? WHERE rowid = ?2 AND source_id IS NULL AND native_id = ''",
	} {
		at := 0
		if index == "trajectory_records_native" {
			at = 1
		}
		var err error
		walked := c.remains.rows(c.ctx, index, func(row dbfile.Row) error {
			_, err = c.exec(text, row.Values[at], row.Values[len(row.Values)-1])
			return err
		})
		if walked != nil {
			return walked
		}
	}
	return nil
}

// findFiles finds the sources of sessions that have none, by their names.
func (c *rescuing) findFiles() error {
	type session struct{ id, agent, file string }
	alone, err := sqlite.List(c.ask("SELECT id, source_agent_id, session_file FROM trajectory_records WHERE source_id IS NULL"),
		func(s *session) []any { return []any{&s.id, &s.agent, &s.file} })
	for _, s := range alone {
		path, key, keyed := strings.Cut(s.file, "#")
		if keyed && strings.HasPrefix(key, "s="+s.id) {
			continue // it left its source, or never had one
		}
		if err == nil {
			_, err = c.exec("UPDATE trajectory_records SET source_id = (SELECT id FROM sources WHERE agent_id = ? AND path = ?), held = 1 WHERE id = ?", s.agent, path, s.id)
		}
		if err == nil {
			err = c.unread("agent_id = ? AND path = ?", s.agent, path)
		}
	}
	return err
}

// references sees that what refers to a row which is lost is gone, too, or has
// one that stands for it.
func (c *rescuing) references() error {
	if err := c.brokenRecuts(); err != nil {
		return err
	}
	err := c.execAll(
		"DELETE FROM copies WHERE source_id NOT IN (SELECT id FROM sources) OR session_id NOT IN (SELECT id FROM trajectory_records)",
		"DELETE FROM raws WHERE source_id NOT IN (SELECT id FROM sources)",
		"DELETE FROM pieces WHERE (source_id, key) NOT IN (SELECT source_id, key FROM raws) OR session_id NOT IN (SELECT id FROM trajectory_records)",
		"UPDATE sources SET copies = (SELECT count(*) FROM copies c WHERE c.source_id = sources.id), sessions = (SELECT count(*) FROM trajectory_records r WHERE r.source_id = sources.id)",
		"DELETE FROM export_files WHERE export_id NOT IN (SELECT id FROM exports)",
		// Who did what is lost with an entry, but not what it did.
		`INSERT OR IGNORE INTO journal (id, at, curator, action) SELECT DISTINCT e.entry,
			coalesce((SELECT max(j.at) FROM journal j WHERE j.id < e.entry), '`+longAgo+`'), '', 'edit'
			FROM (SELECT entry FROM journal_edits UNION SELECT entry FROM edits) e WHERE e.entry NOT IN (SELECT id FROM journal)`,
		`INSERT OR IGNORE INTO journal (id, at, curator, action) SELECT c.entry,
			coalesce((SELECT max(j.at) FROM journal j WHERE j.id < c.entry), '`+longAgo+`'),
			coalesce(json_extract(min(c.after), '$.reviewer'), ''), iif(json_extract(min(c.after), '$.verdict') = '', 'retire', 'verdict')
			FROM journal_changes c WHERE c.entry NOT IN (SELECT id FROM journal) AND c.entry NOT IN (SELECT entry FROM journal_recuts) GROUP BY c.entry`,
		// What an edit was is lost where the journal has nothing of it: it stays, and
		// can't be undone.
		"UPDATE journal SET action = 'unedit' WHERE action = 'edit' AND target = 0 AND id NOT IN (SELECT entry FROM journal_edits)",
		"DELETE FROM journal_recuts WHERE entry NOT IN (SELECT id FROM journal WHERE action IN "+recutList+")",
		"DELETE FROM journal_changes WHERE entry NOT IN (SELECT id FROM journal)",
		"DELETE FROM journal_changes WHERE entry IN (SELECT id FROM journal WHERE target = 0 AND action IN "+recutList+" AND id NOT IN (SELECT entry FROM journal_recuts))",
		"DELETE FROM journal WHERE target = 0 AND action IN "+recutList+" AND id NOT IN (SELECT entry FROM journal_recuts)",
		"DELETE FROM journal_changes WHERE entry IN (SELECT id FROM journal WHERE target > 0 AND target NOT IN (SELECT id FROM journal))",
		"DELETE FROM journal WHERE target > 0 AND target NOT IN (SELECT id FROM journal)",
		"DELETE FROM messages WHERE id >> 32 NOT IN (SELECT id FROM bodies WHERE dropped < 2)",
		"DELETE FROM chunks WHERE id >> 32 NOT IN (SELECT id FROM bodies WHERE dropped < 2)",
	)
	if err != nil {
		return fmt.Errorf("references: %w", err)
	}
	return nil
}

// brokenRecuts removes cuts that could not be taken back.
func (c *rescuing) brokenRecuts() error {
	all, err := sqlite.Column[int64](c.ask("SELECT entry FROM journal_recuts"))
	if err != nil {
		return err
	}
	for _, entry := range all {
		broken, err := brokenRecut(c.ask(recutsSQL+"entry = ?", entry))
		if broken != nil {
			_, err = c.exec("DELETE FROM journal_recuts WHERE entry = ?", entry)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
