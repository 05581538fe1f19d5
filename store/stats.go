package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// Stats is how much room the database takes.
type Stats struct {
	Bytes int64 // of the database file
	Log   int64 // of the write-ahead log beside it
	// OldBodies are former contents of sessions that were rewritten: kept
	// for the verdicts that were given on them, or not deleted yet. OldBytes
	// is their compressed size.
	OldBodies int
	OldBytes  int64
}

// Stats measures the database. It looks at every session, but reads no text.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	for path, size := range map[string]*int64{s.path: &st.Bytes, s.path + "-wal": &st.Log} {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return st, s.fail("measure", err)
		}
		*size = info.Size()
	}
	const old = `WITH old AS (SELECT id FROM bodies WHERE dropped < 2 AND id NOT IN (SELECT body FROM trajectory_records))
		SELECT (SELECT count(*) FROM old),
		(SELECT coalesce(sum(length(c.data)), 0) FROM old CROSS JOIN chunks c ON c.id BETWEEN old.id << 32 AND ((old.id + 1) << 32) - 1)`
	err := s.db.Readers.Row(ctx, old, nil, []any{&st.OldBodies, &st.OldBytes})
	return st, s.fail("measure", err)
}
