package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"winnow/core/review"
	"winnow/store/sqlite"
)

// shipped are the migrations of the program.
func shipped(t testing.TB) []sqlite.Step {
	t.Helper()
	steps, err := readSteps()
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

func TestOpenMakesFoldersAndKeepsWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "föl der?", "100% #1.db")
	s := openAt(t, path)
	id := four(t, s)[0]
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the log stayed behind: %v", err)
	}
	again := openAt(t, path)
	if got := segment(t, again, id[:8]); got.ID != id {
		t.Errorf("segment %+v", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("{\"role\":\"user\"}\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign, newer := filepath.Join(dir, "foreign.db"), filepath.Join(dir, "newer.db")
	change(t, foreign, "CREATE TABLE cookies (a)")
	if err := openAt(t, newer).Close(); err != nil {
		t.Fatal(err)
	}
	change(t, newer, "PRAGMA user_version = 999")
	for path, want := range map[string]error{text: ErrForeign, foreign: ErrForeign, dir: ErrForeign, newer: ErrNewer} {
		s, err := Open(t.Context(), path, Options{})
		if !errors.Is(err, want) || s != nil {
			t.Errorf("%s: %v, want %v", path, err, want)
			continue
		}
		if msg := err.Error(); strings.Contains(msg, "\n") || !strings.Contains(msg, path) || strings.Contains(msg, "store: ") {
			t.Errorf("%s: message %q", path, msg)
		}
	}
	if _, err := Open(t.Context(), newer, Options{}); err == nil || !strings.Contains(err.Error(), "winnow rescue OUT.db") {
		t.Errorf("a newer one, whose header may be damaged: %v", err)
	}
	if data, err := os.ReadFile(text); err != nil || !strings.HasPrefix(string(data), "{") {
		t.Errorf("the refused file was changed: %v", err)
	}
}

// change runs a statement on a database behind the program's back.
func change(t testing.TB, path, text string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text, args...); err != nil {
		t.Fatal(err)
	}
}

func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	if _, err := Open(t.Context(), path, Options{ReadOnly: true}); err == nil || !strings.Contains(err.Error(), "no database") {
		t.Errorf("missing database: %v", err)
	}
	id := four(t, openAt(t, path))[0]
	s, err := Open(t.Context(), path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := segment(t, s, id); got.ID != id {
		t.Errorf("segment %+v", got)
	}
	if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{id}, Verdict: review.Approved}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("judge: %v", err)
	}
}

func TestMigrationKeepsACopyOfTheOlderDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	old := openAt(t, path)
	id := four(t, old)[0]
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	steps := shipped(t)
	n := len(steps)
	more := append(steps, sqlite.Step{Version: n + 1, Text: "ALTER TABLE sources ADD COLUMN extra TEXT"}, sqlite.Step{Version: n + 2, Text: "CREATE TABLE extra (a)"})
	s, err := open(t.Context(), path, Options{}, more)
	if err != nil {
		t.Fatal(err)
	}
	if got := segment(t, s, id); got.ID != id {
		t.Errorf("segment %+v", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	copied, err := open(t.Context(), fmt.Sprintf("%s.v%d.bak", path, n), Options{}, steps)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if got := segment(t, copied, id); got.ID != id {
		t.Errorf("segment in the copy %+v", got)
	}
	if copies, err := filepath.Glob(path + ".v*.bak"); err != nil || len(copies) != 1 {
		t.Errorf("copies %q %v, want one of before the first migration", copies, err)
	}
}

// Copies of before earlier migrations go when a newer one is there, and nothing
// but them.
func TestMigrationKeepsTheNewestCopyOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a [*] w.db")
	old, err := open(t.Context(), path, Options{}, shipped(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	keep := []string{path + ".v99.bak", path + ".vx.bak", path + ".mine.bak", path + "x.v0.bak", filepath.Join(filepath.Dir(path), ".v0.bak")}
	for _, name := range append(keep, path+".v0.bak", path+".v0.bak.half", path+".v1.bak.half") {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	s, err := Open(t.Context(), path, Options{Notice: func(line string) { said = append(said, line) }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(said) != 1 || !strings.Contains(said[0], path+".v1.bak") || strings.Contains(said[0], "\n") {
		t.Errorf("said %q", said)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if strings.Contains(e.Name(), ".bak") {
			got = append(got, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	want := append(keep, path+".v1.bak")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("kept %q, want %q", got, want)
	}
}

// What people write to each other is nobody else's to read.
func TestFilesAreTheOwnersOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	dir := filepath.Join(t.TempDir(), "new")
	path := filepath.Join(dir, "deeper", "w.db")
	old, err := open(t.Context(), path, Options{}, shipped(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	four(t, openAt(t, path))
	files := map[string]bool{}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = fs.ModeDir | 0o700
		}
		if info.Mode() != want {
			t.Errorf("%s: %v, want %v", name, info.Mode(), want)
		}
		files[strings.TrimPrefix(name, path)] = true
		return nil
	})
	for _, end := range []string{"", "-wal", "-shm", ".v1.bak"} {
		if !files[end] {
			t.Errorf("there is no w.db%s: %v", end, err)
		}
	}
}

// TestJoinedOfOldRows: migration 22 tells files that are copies from those that
// others do not hold all of, and counts what each gives.
func TestJoinedOfOldRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	old, err := open(t.Context(), path, Options{}, shipped(t)[:21])
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	change(t, path, `PRAGMA foreign_keys = 0;
		INSERT INTO sources (id, agent_id, path, size, mtime, proof, state) VALUES (1, 'a', '/1', 1, 1, '{}', '{}'), (2, 'a', '/2', 1, 1, '{}', '{}'), (3, 'a', '/3', 1, 1, '{}', '{}');
		INSERT INTO bodies (id, session_id) VALUES (1, 'S');
		INSERT INTO trajectory_records (id, source_agent_id, session_file, created_at, body, source_id, messages, gathered) VALUES ('S', 'a', '/1', '', 1, 1, 6, 1);
		INSERT INTO raws (source_id, key, row) VALUES (1, '', '{}'), (2, '', '{}'), (3, '', '{}');
		-- The session is named after the first; the second has its end; the third nothing of its own.
		INSERT INTO pieces (source_id, key, n, session_id, at, messages, sum) VALUES (1, '', 1, 'S', 1, 4, 0), (2, '', 1, 'S', 3, 4, 0), (3, '', 1, 'S', 2, 2, 0);
		INSERT INTO copies (source_id, key, session_id, messages) VALUES (2, '', 'S', 4), (3, '', 'S', 2)`)
	s := openAt(t, path)
	var got string
	const text = "SELECT group_concat(source_id || ':' || own || ':' || joined, ' ') FROM (SELECT * FROM raws ORDER BY source_id)"
	if err := s.db.Rows(t.Context(), text).One(&got); err != nil || got != "1:4:0 2:4:1 3:0:0" {
		t.Errorf("%q %v", got, err)
	}
}

func TestAFailedMigrationChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	old := openAt(t, path)
	id := four(t, old)[0]
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	steps := shipped(t)
	if _, err := open(t.Context(), path, Options{}, append(steps, sqlite.Step{Version: len(steps) + 1, Text: "CREATE TABLE extra (a); CREATE TABLE sources (b)"})); err == nil {
		t.Fatal("a migration that can't be applied was")
	}
	again := openAt(t, path)
	if got := segment(t, again, id); got.ID != id {
		t.Errorf("segment %+v", got)
	}
	var n int
	if err := again.db.Rows(t.Context(), "SELECT count(*) FROM sqlite_master WHERE name = 'extra'").One(&n); err != nil || n != 0 {
		t.Errorf("half of the migration was kept: %d %v", n, err)
	}
}

func TestMigrationsAreNumberedWithoutGaps(t *testing.T) {
	for _, names := range [][]string{{"m/0002_a.sql"}, {"m/0001_a.sql", "m/0003_b.sql"}, {"m/0001_a.sql", "m/0001_b.sql"}, {"m/first.sql"}} {
		files := fstest.MapFS{}
		for _, name := range names {
			files[name] = &fstest.MapFile{}
		}
		if _, err := sqlite.ReadSteps(files, "m"); err == nil {
			t.Errorf("%v were accepted", names)
		}
	}
}

func TestManyOpenANewDatabaseAtOnce(t *testing.T) {
	for round := range 5 {
		path := filepath.Join(t.TempDir(), fmt.Sprint(round), "w.db")
		var all sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			all.Go(func() {
				s, err := Open(context.Background(), path, Options{})
				if err != nil {
					errs[i] = err
					return
				}
				_, err = s.Totals(context.Background())
				errs[i] = errors.Join(err, s.Close())
			})
		}
		all.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheDatabaseIsAsDesigned(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids[0])
	for text, want := range map[string]string{
		"PRAGMA page_size":    "16384",
		"PRAGMA journal_mode": "wal",
		"SELECT typeof(created_at) || created_at FROM trajectory_records":                     "text2026-05-03T12:00:01.000000Z",
		"SELECT typeof(reviewed_at) || reviewed_at FROM task_segments WHERE reviewer = 'ann'": "text2026-05-03T12:00:02.000000Z",
		"SELECT pair_index || segmented || source_agent_id FROM trajectory_records":           "-10default",
		"SELECT count(DISTINCT agent_id || session_file || fingerprint) FROM task_segments":   "4",
	} {
		var got string
		if err := s.db.Rows(t.Context(), text).One(&got); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", text, got, err, want)
		}
	}
}

func TestACopyInPlaceOfTheDatabaseIsLoggedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := openAt(t, path)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	change(t, path, "PRAGMA journal_mode = DELETE")
	s = openAt(t, path)
	var mode string
	if _, err := s.Totals(t.Context()); err != nil { // looks at the file again
		t.Fatal(err)
	}
	if err := s.db.Rows(t.Context(), "PRAGMA journal_mode").One(&mode); err != nil || mode != "wal" {
		t.Error(mode, err)
	}
}

// What is written to a file that nobody finds any more would be lost: it is
// refused, whether the file was deleted, moved or replaced.
func TestDatabaseThatIsGone(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"deleted": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "w.db")
			s := openAt(t, path)
			id := four(t, s)[0]
			if _, err := s.Version(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := lose(path); err != nil {
				t.Logf("this system does not let an open file be %s: %v", name, err)
				return
			}
			j := review.Judgement{Curator: "ann", IDs: []string{id}, Verdict: review.Approved}
			_, judged := s.Judge(t.Context(), j)
			_, version := s.Version(t.Context())
			for _, err := range []error{judged, version} {
				if !errors.Is(err, review.ErrGone) || !strings.Contains(err.Error(), path) {
					t.Errorf("%v", err)
				}
			}
		})
	}
}
