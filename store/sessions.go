package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// minPrefix is the shortest beginning of an id that names a row. Fewer digits
// are more likely a typing error than a name.
const minPrefix = 4

// idRange returns the bounds between which ids with a prefix lie: from ≤ id <
// to.
func idRange(prefix string) (from, to string, err error) {
	if len(prefix) < minPrefix {
		return "", "", fmt.Errorf("%q: %w: give at least %d characters of an id", prefix, review.ErrNotFound, minPrefix)
	}
	from, to = filtersql.IDs(prefix)
	return from, to, nil
}

// Session returns one session by its id or a unique prefix of at least four
// characters: review.ErrNotFound, review.ErrAmbiguous.
func (s *Store) Session(ctx context.Context, id string) (review.Session, error) {
	from, to, err := idRange(id)
	if err != nil {
		return review.Session{}, s.fail("session", err)
	}
	list, err := s.sessionRows(ctx, "SELECT "+sessionColumns+" FROM trajectory_records WHERE id >= ? AND id < ? ORDER BY id LIMIT 2", from, to)
	if err == nil {
		err = one("session", id, len(list))
	}
	if err != nil {
		return review.Session{}, s.fail("session", err)
	}
	return list[0], nil
}

// one checks that a lookup by prefix gave one row.
func one(what, id string, n int) error {
	switch n {
	case 0:
		return fmt.Errorf("%s %q: %w", what, id, review.ErrNotFound)
	case 1:
		return nil
	}
	return fmt.Errorf("%s %q: %w: give more of it", what, id, review.ErrAmbiguous)
}

// Sessions returns sessions in natural order: up to limit of them after the
// place after ("" begins). Sessions of one place are never torn apart, so that
// there may be a few more.
func (s *Store) Sessions(ctx context.Context, after string, limit int) ([]review.Session, error) {
	return s.SessionsWith(ctx, nil, after, limit)
}

// SessionsWith is Sessions for those that have a segment which a filter lets
// through; nil lets all.
func (s *Store) SessionsWith(ctx context.Context, n filter.Node, after string, limit int) ([]review.Session, error) {
	found, err := s.searched(ctx, n)
	if err != nil {
		return nil, s.fail("list sessions", err)
	}
	some, err := withSegments(found, n)
	if err != nil {
		return nil, s.fail("list sessions", err)
	}
	var list []review.Session
	err = pagesOf(limit, func(limit int, same bool) (int, error) {
		text := "SELECT " + sessionColumns + " FROM trajectory_records WHERE place > ?" + some.After("AND") + " ORDER BY place, id LIMIT ?"
		args := append(append([]any{after}, some.Args...), limit)
		if same {
			last := list[len(list)-1]
			text = "SELECT " + sessionColumns + " FROM trajectory_records WHERE place = ? AND id > ?" + some.After("AND") + " ORDER BY id LIMIT ?"
			args = append(append([]any{last.Place, last.ID}, some.Args...), limit)
		}
		page, err := s.sessionRows(ctx, text, args...)
		list = append(list, page...)
		return len(page), err
	})
	return list, s.fail("list sessions", err)
}

// withSegments is the condition that a session has a segment which a filter lets
// through. Its segments are looked at one after the other, in the narrow index,
// so that a page costs what it looks at; an EXISTS SQLite would turn around.
func withSegments(found filtersql.Found, n filter.Node) (filtersql.Condition, error) {
	some, err := found.Condition(n)
	if err == nil && !some.All() {
		some.Text = "(SELECT 1 FROM task_segments INDEXED BY task_segments_facets" +
			" WHERE place = trajectory_records.place AND body = trajectory_records.body AND " + some.Text + ") IS NOT NULL"
	}
	return some, err
}

func (s *Store) sessionRows(ctx context.Context, text string, args ...any) ([]review.Session, error) {
	return sqlite.List(s.db.Rows(ctx, text, args...), sessionFields)
}

// LoadSession returns a session by agent and session_file, with what an
// append needs to know, or review.ErrNotFound.
func (s *Store) LoadSession(ctx context.Context, agent, file string) (*review.StoredSession, error) {
	return s.load(ctx, file, "source_agent_id = ? AND session_file = ?", agent, file)
}

// SessionByID is LoadSession by the id.
func (s *Store) SessionByID(ctx context.Context, id string) (*review.StoredSession, error) {
	return s.load(ctx, id, "id = ?", id)
}

func (s *Store) load(ctx context.Context, name, where string, args ...any) (*review.StoredSession, error) {
	st := &review.StoredSession{}
	// The segments must be those of the session.
	err := s.db.Read(ctx, func(v *sqlite.View) error {
		fields := append(sessionFields(&st.Session), trailFields(&st.Trail)...)
		if err := v.Rows("SELECT "+sessionColumns+", "+trailColumns+" FROM trajectory_records WHERE "+where, args...).One(fields...); err != nil {
			return err
		}
		var r segmentRow
		var state []byte
		rows := v.Rows("SELECT "+segmentColumns+", hash_state FROM task_segments WHERE session_id = ? ORDER BY segment_index", st.ID)
		for range rows.Into(append(r.dest(), &state)...) {
			st.Segments = append(st.Segments, review.SegmentWrite{Segment: r.segment(), HashState: state})
			r, state = segmentRow{}, nil
		}
		if err := rows.Err(); err != nil {
			return err
		}
		var id int64
		_, err := v.Rows("SELECT id FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1", messageID(st.Body, 1), lastID(st.Body)).Maybe(&id)
		if err != nil {
			return err
		}
		st.LastChunk = numberOf(id)
		_, err = v.Rows("SELECT edits FROM bodies WHERE id = ?", st.Body).Maybe(&st.Edits)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("session %s: %w", name, review.ErrNotFound)
	}
	if err != nil {
		return nil, s.fail("load a session", err)
	}
	return st, nil
}
