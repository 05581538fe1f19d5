package store

import (
	"context"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// childrenSQL names a session without a title by what its first segment is
// about: few recorders give sub-agents and branches titles.
const childrenSQL = `SELECT id, parent_kind, native_id, iif(title <> '', title, ifnull((SELECT topic FROM task_segments s
		WHERE s.session_id = trajectory_records.id ORDER BY segment_index LIMIT 1), '')), parent_at, parent_call, ` + tallyColumns + `
	FROM trajectory_records WHERE parent = ? AND parent <> '' ORDER BY parent_at, place, id`

// Children returns the sessions that come from a session, in the order of
// their places in it.
func (s *Store) Children(ctx context.Context, id string) ([]review.Child, error) {
	list, err := sqlite.List(s.db.Rows(ctx, childrenSQL, id), func(c *review.Child) []any {
		return append([]any{&c.ID, &c.Kind, &c.NativeID, &c.Title, &c.At, &c.Call}, tallyFields(&c.Tally)...)
	})
	return list, s.fail("sessions that come from one", err)
}

// SourceSessions returns what tells the sessions of a source apart, in the
// order of their session_files.
func (s *Store) SourceSessions(ctx context.Context, source int64) ([]hub.Known, error) {
	const text = "SELECT id, session_file, native_id, messages, segmented, " + marksSQL + ", " + trailColumns +
		" FROM trajectory_records r WHERE source_id = ? ORDER BY place, session_file"
	list, err := sqlite.List(s.db.Rows(ctx, text, source), func(k *hub.Known) []any {
		return append([]any{&k.ID, &k.File, &k.NativeID, &k.Messages, &k.Segmented, &k.Marked}, trailFields(&k.Trail)...)
	})
	return list, s.fail("sessions of a source", err)
}

// CopiedSessions returns the native ids and traces of the sessions that a source
// holds copies of.
func (s *Store) CopiedSessions(ctx context.Context, source int64) ([]hub.Known, error) {
	const text = "SELECT DISTINCT r.native_id, " + trailColumns + " FROM copies c JOIN trajectory_records r ON r.id = c.session_id WHERE c.source_id = ?"
	list, err := sqlite.List(s.db.Rows(ctx, text, source), func(k *hub.Known) []any {
		return append([]any{&k.NativeID}, trailFields(&k.Trail)...)
	})
	return list, s.fail("copies of a source", err)
}

// HasCopy reports whether the session with a key in a source is known as a
// copy of another one.
func (s *Store) HasCopy(ctx context.Context, source int64, key string) (bool, error) {
	var has bool
	const text = "SELECT EXISTS (SELECT 1 FROM copies WHERE source_id = ? AND key = ?)"
	err := s.db.Rows(ctx, text, source, key).One(&has)
	return has, s.fail("look for a copy", err)
}
