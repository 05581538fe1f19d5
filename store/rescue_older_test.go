package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// A database that is being made is not there any more when its error is read.
func TestErrorsOfRescueNameWhatIsThere(t *testing.T) {
	s := &Store{path: "/out.db.half", from: "/bad.db"}
	if err := s.broken("check"); strings.Contains(err.Error(), "half") || !strings.Contains(err.Error(), "/bad.db") || !strings.Contains(err.Error(), "/out.db was not written") {
		t.Error(err)
	}
}

// A database of an earlier schema loses its sessions' table: its index then has other
// columns than it has today, or is not there yet.
func TestRescueOfEarlierSchemas(t *testing.T) {
	const id, made = "aaaaaaaa-0000-4000-8000-000000000000", "2026-04-02T12:00:01.000000Z"
	for _, version := range []int{5, 18, 33, len(shipped(t))} {
		dir := t.TempDir()
		path, to := filepath.Join(dir, "old.db"), filepath.Join(dir, "out.db")
		old, err := open(t.Context(), path, Options{}, shipped(t)[:version])
		if err != nil {
			t.Fatal(err)
		}
		old.Close()
		change(t, path, "INSERT INTO bodies (id, session_id) VALUES (1, ?)", id)
		change(t, path, "INSERT INTO trajectory_records (id, session_file, created_at, body, messages, format, model) VALUES (?, '/a.jsonl', ?, 1, 1, 'codex', 'm')", id, made)
		change(t, path, "INSERT INTO messages (id, flags, content_len, reasoning_len, calls, tokens, source_line, source_offset) VALUES (1 << 32 | 1, 1, 1, 0, 0, 1, 1, 0)")
		change(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
		var page int64
		db, err := sqlite.Setup(path)
		if err == nil {
			err = sqlite.On(t.Context(), db.DB, "SELECT rootpage FROM sqlite_schema WHERE name = 'trajectory_records'").One(&page)
		}
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteAt([]byte(strings.Repeat("x", sqlite.PageSize)), (page-1)*sqlite.PageSize)
		f.Close()
		if _, err := Rescue(t.Context(), path, to, false, Options{Clock: newClock().Now}, nil); err != nil {
			t.Errorf("schema %d: %v", version, err)
			continue
		}
		s := openAt(t, to)
		var file, format, model string
		var at time.Time
		err = s.db.Rows(t.Context(), "SELECT session_file, format, model, created_at FROM trajectory_records WHERE id = ?", id).One(&file, &format, &model, timeIn(&at))
		switch stamp := stamp.Of(at); {
		case err != nil, version < 36 && stamp == made, version >= 36 && stamp != made:
			t.Errorf("schema %d: at %s, %v", version, stamp, err)
		case version > 5 && (file != "/a.jsonl" || format != "codex" || model != "m"):
			t.Errorf("schema %d: %q %q %q", version, file, format, model)
		}
	}
}
