package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// FindSources returns, by path, the sources of an agent that lie at one of the
// paths, or have one of the first keys in their proof and are not longer than
// what stands with it, without the memory of decoders. Paths are looked up in an
// index, keys cost a look at every source.
func (s *Store) FindSources(ctx context.Context, agent string, paths []string, firsts map[string]int64) (map[string]*hub.Source, error) {
	const byPath = "SELECT " + sourceColumns + ` FROM sources WHERE agent_id = ?1
		AND path IN (SELECT CAST(unhex(value) AS TEXT) FROM json_each(?2))`
	// The length of what is compressed is that of the text in it.
	const byFirst = "SELECT " + sourceColumns + ` FROM sources WHERE agent_id = ?1
		AND min(size, state ->> '$.offset') <= ?2 ->> ('$."' || (proof ->> '$.first') || '"')`
	found := map[string]*hub.Source{}
	if len(paths) > 0 {
		if err := s.findSources(ctx, found, byPath, agent, inHex(paths)); err != nil {
			return nil, err
		}
	}
	if len(firsts) > 0 {
		if err := s.findSources(ctx, found, byFirst, agent, firsts); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// findSources adds the sources that a query finds by keys, which it gets as JSON.
func (s *Store) findSources(ctx context.Context, found map[string]*hub.Source, text, agent string, keys any) error {
	list, err := json.Marshal(keys, json.Deterministic(true))
	if err != nil {
		return err
	}
	err = eachSource(s.db.Rows(ctx, text, agent, string(list)), into(found))
	return s.fail("find sources", err)
}

const unreadSQL = "SELECT path FROM sources WHERE agent_id = ? AND mtime = 0 ORDER BY path"

// Unread returns the paths of an agent's sources that are to be read again
// though their files may be as they were.
func (s *Store) Unread(ctx context.Context, agent string) ([]string, error) {
	paths, err := sqlite.Column[string](s.db.Rows(ctx, unreadSQL, agent))
	return paths, s.fail("find sources", err)
}

// inHex writes paths in hex: they are bytes, which JSON text cannot hold.
func inHex(paths []string) []string {
	coded := make([]string, len(paths))
	for i, p := range paths {
		coded[i] = fmt.Sprintf("%x", p)
	}
	return coded
}

// SwapSources gives two sources of one agent, their sessions and their
// segments each other's path.
func (s *Store) SwapSources(ctx context.Context, a, b int64) error {
	return s.write(ctx, sqlite.Machine, "swap sources", func(t *tx) error {
		var one, other string
		const both = `SELECT x.path, y.path FROM sources x JOIN sources y ON y.agent_id = x.agent_id WHERE x.id = ? AND y.id = ?`
		if err := t.Rows(both, a, b).One(&one, &other); errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("sources %d and %d: %w", a, b, review.ErrNotFound)
		} else if err != nil {
			return err
		}
		between := one + "\x00" // no file has this name
		for _, m := range []struct {
			id       int64
			from, to string
		}{{a, one, between}, {b, other, one}, {a, between, other}} {
			if err := t.moveSource(m.id, m.from, m.to); err != nil {
				return err
			}
		}
		return nil
	})
}

// Judged counts the segments with a verdict in a source's sessions.
func (s *Store) Judged(ctx context.Context, source int64) (n int, err error) {
	const text = `SELECT count(*) FROM task_segments WHERE verdict IN ('approved', 'rejected', 'unsure')
		AND session_id IN (SELECT id FROM trajectory_records WHERE source_id = ?)`
	err = s.db.Rows(ctx, text, source).One(&n)
	return n, s.fail("count verdicts", err)
}
