package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/store/sqlite"
)

const (
	sourceSet     = "agent_id, path, format, forced, size, mtime, pending, sessions, reason, proof, state"
	sourceColumns = "id, copies, " + sourceSet
)

var (
	updateSourceSQL = updateSQL("sources", sourceSet)
	// Several processes may import one new file.
	upsertSourceSQL = insertSQL("sources", sourceSet) + ` ON CONFLICT (agent_id, path) DO UPDATE SET
		format = excluded.format, forced = excluded.forced, size = excluded.size, mtime = excluded.mtime, pending = excluded.pending,
		sessions = excluded.sessions, reason = excluded.reason, proof = excluded.proof, state = excluded.state RETURNING id`
)

// base checks that a source is stored as far as its writer believes.
func (im *importing) base(w *hub.ImportWrite) error {
	if w.Base == nil {
		return nil
	}
	var stored hub.Base
	var text []byte
	found, err := im.Rows("SELECT state FROM sources WHERE agent_id = ? AND path = ?", w.Source.AgentID, w.Source.Path).Maybe(&text)
	if err != nil {
		return err
	}
	if found {
		var state session.State
		if err := json.Unmarshal(text, &state); err != nil {
			return fmt.Errorf("its state: %w", err)
		}
		stored = hub.BaseOf(&state)
	}
	if stored != *w.Base {
		return fmt.Errorf("%w: somebody else has imported it", review.ErrConflict)
	}
	return nil
}

// source stores the new state of a source and returns its id.
func (im *importing) source(src *hub.Source) (int64, error) {
	proof, err := json.Marshal(src.Proof)
	if err != nil {
		return 0, err
	}
	state, err := json.Marshal(src.State)
	if err != nil {
		return 0, err
	}
	args := []any{
		src.AgentID, src.Path, src.Format, src.Forced, src.Size, src.ModTime, src.Pending, src.Sessions, src.Reason,
		string(proof), string(state),
	}
	if src.ID == 0 {
		var id int64
		err := im.Rows(upsertSourceSQL, args...).One(&id)
		im.MarkChanged()
		return id, err
	}
	n, err := im.change(updateSourceSQL, append(args, src.ID)...)
	if err == nil && n == 0 {
		err = fmt.Errorf("source %d: %w", src.ID, review.ErrNotFound)
	}
	return src.ID, err
}

// eachSource calls f with the sources that a question about sourceColumns finds.
func eachSource(rows *sqlite.Rows, f func(*hub.Source)) error {
	var proof, state sql.RawBytes
	s := &hub.Source{}
	for range rows.Into(&s.ID, &s.Copies, &s.AgentID, &s.Path, &s.Format, &s.Forced, &s.Size, &s.ModTime, &s.Pending, &s.Sessions, &s.Reason, &proof, &state) {
		one := *s
		if err := json.Unmarshal(proof, &one.Proof); err != nil {
			return fmt.Errorf("proof of %s: %w", s.Path, err)
		}
		if err := json.Unmarshal(state, &one.State); err != nil {
			return fmt.Errorf("state of %s: %w", s.Path, err)
		}
		f(&one)
	}
	return rows.Err()
}

// into adds sources to a map by path, without what the decoders of formats
// remember, which may be a hundred times as much as the rest.
func into(all map[string]*hub.Source) func(*hub.Source) {
	return func(src *hub.Source) {
		src.State.Decoder = nil
		all[src.Path] = src
	}
}

// Sources returns every source of an agent by path, without the memory of decoders.
func (s *Store) Sources(ctx context.Context, agent string) (map[string]*hub.Source, error) {
	all := map[string]*hub.Source{}
	err := eachSource(s.db.Rows(ctx, "SELECT "+sourceColumns+" FROM sources WHERE agent_id = ?", agent), into(all))
	return all, s.fail("read sources", err)
}

// SourceList returns the sources of all agents by path: up to limit of them
// after the path after ("" begins). Sources of one path are never torn
// apart, so that there may be a few more.
func (s *Store) SourceList(ctx context.Context, after string, limit int) ([]hub.Source, error) {
	var list []hub.Source
	err := pagesOf(limit, func(limit int, same bool) (int, error) {
		text := "SELECT " + sourceColumns + " FROM sources WHERE path > ? ORDER BY path, id LIMIT ?"
		args := []any{after, limit}
		if same {
			last := list[len(list)-1]
			text = "SELECT " + sourceColumns + " FROM sources WHERE path = ? AND id > ? ORDER BY id LIMIT ?"
			args = []any{last.Path, last.ID, limit}
		}
		had := len(list)
		err := eachSource(s.db.Rows(ctx, text, args...), func(src *hub.Source) { list = append(list, *src) })
		return len(list) - had, err
	})
	return list, s.fail("list sources", err)
}

// pagesOf reads a page of limit rows, then all further rows with the key of
// its last one.
func pagesOf(limit int, read func(limit int, same bool) (int, error)) error {
	n, err := read(limit, false)
	if err != nil || n < limit {
		return err
	}
	const all = -1 // SQLite's "no limit"
	_, err = read(all, true)
	return err
}

// MoveSource gives a source, its sessions and their segments a new path.
func (s *Store) MoveSource(ctx context.Context, id int64, path string) error {
	return s.write(ctx, sqlite.Machine, "move a source", func(t *tx) error {
		var agent, old string
		err := t.Rows("SELECT agent_id, path FROM sources WHERE id = ?", id).One(&agent, &old)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("source %d: %w", id, review.ErrNotFound)
		}
		if err != nil || old == path {
			return err
		}
		var taken bool
		const other = `SELECT EXISTS (SELECT 1 FROM sources WHERE agent_id = ?1 AND path = ?2)
			OR EXISTS (SELECT 1 FROM trajectory_records WHERE source_agent_id = ?1 AND session_file = ?2)`
		if err := t.Rows(other, agent, path).One(&taken); err != nil {
			return err
		}
		if taken {
			return fmt.Errorf("%w: %s is known as another source already", review.ErrConflict, path)
		}
		return t.moveSource(id, old, path)
	})
}

// moveSource gives a source and its sessions another path.
func (t *tx) moveSource(id int64, old, path string) error {
	if err := t.do("UPDATE sources SET path = ? WHERE id = ?", path, id); err != nil {
		return err
	}
	return t.moveSessions(id, old, path)
}

// moveSessions renames the sessions of a source. The names are put together
// here because SQLite counts characters and paths are bytes.
func (t *tx) moveSessions(source int64, old, path string) error {
	type session struct{ id, file string }
	all, err := sqlite.List(t.Rows("SELECT id, session_file FROM trajectory_records WHERE source_id = ?", source),
		func(s *session) []any { return []any{&s.id, &s.file} })
	for _, s := range all {
		key, ok := strings.CutPrefix(s.file, old)
		if !ok || key != "" && key[0] != '#' {
			continue // adopted from elsewhere
		}
		if err == nil {
			err = t.renameSession(s.id, path+key)
		}
	}
	return err
}

// renameSession gives a session and its segments another name.
func (t *tx) renameSession(id, file string) error {
	return t.run([]any{file, id}, "UPDATE trajectory_records SET session_file = ? WHERE id = ?", "UPDATE task_segments SET session_file = ? WHERE session_id = ?")
}

// IssueRow is an entry of the import ledger with its place in it.
type IssueRow struct {
	ID int64
	session.Issue
}

// Issues returns the ledger entries of a source in the order they were made:
// up to limit of them after the entry afterRow (0 begins).
func (s *Store) Issues(ctx context.Context, source, afterRow int64, limit int) ([]IssueRow, error) {
	const text = `SELECT id, line, offset, length, severity, reason FROM import_issues
		WHERE source_id = ? AND id > ? ORDER BY id LIMIT ?`
	list, err := sqlite.List(s.db.Rows(ctx, text, source, afterRow, limit), func(r *IssueRow) []any {
		return []any{&r.ID, &r.Line, &r.Offset, &r.Length, &r.Severity, &r.Reason}
	})
	return list, s.fail("read the ledger", err)
}

// IssueCount is how many lines of a source share a fate.
type IssueCount struct {
	Severity session.Severity `json:"severity"`
	Reason   string           `json:"reason"`
	Count    int              `json:"count"`
}

// IssueCounts counts the ledger entries of a source by severity and reason,
// the most frequent first.
func (s *Store) IssueCounts(ctx context.Context, source int64) ([]IssueCount, error) {
	const text = `SELECT severity, reason, count(*) AS n FROM import_issues WHERE source_id = ?
		GROUP BY severity, reason ORDER BY n DESC, severity, reason`
	list, err := sqlite.List(s.db.Rows(ctx, text, source), func(c *IssueCount) []any { return []any{&c.Severity, &c.Reason, &c.Count} })
	return list, s.fail("count the ledger", err)
}
