package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// at returns a database at a path, with a table of three rows.
func at(t *testing.T, path string, readOnly bool) *DB {
	t.Helper()
	db, err := New(path, Options{ReadOnly: readOnly, Patience: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	schema := Schema{ID: 1, Tables: []string{"words"}, Steps: []Step{{Version: 1, Text: `CREATE TABLE words (n INTEGER, text TEXT);
		INSERT INTO words VALUES (1, 'one'), (2, 'two'), (3, 'three')`}}}
	if err := db.SetUp(t.Context(), &schema, func(string) {}); err != nil {
		t.Fatal(err)
	}
	return db
}

// add writes a row.
func add(t *testing.T, db *DB, n int, text string) {
	t.Helper()
	err := db.Write(t.Context(), Curator, func(t *Tx) error {
		_, err := t.Exec("INSERT INTO words VALUES (?, ?)", n, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func words(t *testing.T, db *DB) []string {
	t.Helper()
	list, err := Column[string](db.Rows(t.Context(), "SELECT text FROM words ORDER BY n"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// copied copies a database while it is open, with those of its files that have the
// given ends, into a folder of its own.
func copied(t *testing.T, path string, ends ...string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.db")
	for _, end := range ends {
		data, err := os.ReadFile(path + end)
		if err == nil {
			err = os.WriteFile(to+end, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func files(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestSealed checks that a database that is read only is read with all that its
// log holds, whatever lies beside it, and that nothing is left there.
func TestSealed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db := at(t, path, false)
	add(t, db, 4, "four") // in the log
	for _, ends := range [][]string{{"", "-wal"}, {"", "-wal", "-shm"}} {
		one := copied(t, path, ends...)
		before := files(t, one)
		r := at(t, one, true)
		if got := words(t, r); !slices.Equal(got, []string{"one", "two", "three", "four"}) {
			t.Errorf("with %q: %q", ends, got)
		}
		if err := r.Write(t.Context(), Curator, func(*Tx) error { return nil }); !errors.Is(err, errReadOnly) {
			t.Errorf("with %q: a write: %v", ends, err)
		}
		r.Checkpoint(t.Context())
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if after := files(t, one); !slices.Equal(after, before) {
			t.Errorf("with %q: leaves %q", ends, after)
		}
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(copied(t, path, "", "-wal"), link); err == nil { // Windows may not let us
		if got := words(t, at(t, link, true)); len(got) != 4 {
			t.Errorf("through a link: %q", got)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	one := copied(t, path, "")
	r := at(t, one, true)
	if got := words(t, r); !slices.Equal(got, []string{"one", "two", "three", "four"}) {
		t.Errorf("without a log: %q", got)
	}
	if after := files(t, one); len(after) != 1 {
		t.Errorf("without a log: leaves %q", after)
	}
}

// TestSealedKeepsATornLog: reading a database takes away nothing, also of a log that
// ends too early to hold anything.
func TestSealedKeepsATornLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	add(t, at(t, path, false), 4, "four")
	for _, size := range []int64{0, 16, 32, 100, leastLog, 4000} {
		one := copied(t, path, "", "-wal")
		if err := os.Truncate(one+"-wal", size); err != nil {
			t.Fatal(err)
		}
		r := at(t, one, true)
		words(t, r)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(one + "-wal"); err != nil || info.Size() != size {
			t.Errorf("a log of %d bytes: %v, %v", size, info, err)
		}
	}
}

// TestAFolderIsNoDatabase, whether it can be written to or not.
func TestAFolderIsNoDatabase(t *testing.T) {
	db, err := New(t.TempDir(), Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var folder *Error
	if err := db.SetUp(t.Context(), &Schema{}, func(string) {}); !errors.As(err, &folder) || folder.Kind != Folder {
		t.Error(err)
	}
}

// TestSealedBesideAWriter checks that somebody who may write is seen, though
// reading began without a log.
func TestSealedBesideAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	if err := at(t, path, false).Close(); err != nil {
		t.Fatal(err)
	}
	r := at(t, path, true)
	version := func() int64 {
		t.Helper()
		n, err := r.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if got := words(t, r); len(got) != 3 {
		t.Fatal(got)
	}
	over := errors.New("over")
	snapshot, err := r.Snapshot(t.Context(), over)
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	seen := map[int64]string{version(): "at first"}
	look := func(what string, want int) {
		t.Helper()
		if was, known := seen[version()]; known {
			t.Errorf("%s the version is the one %s", what, was)
		}
		seen[version()] = what
		if got := words(t, r); len(got) != want {
			t.Errorf("%s: %q", what, got)
		}
	}
	w := at(t, path, false)
	add(t, w, 4, "four")
	look("after a write", 4)
	add(t, w, 5, "five")
	look("after another", 5)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := words(t, r); len(got) != 5 {
		t.Errorf("after the writer left: %q", got)
	}
	if _, err := Column[string](snapshot.Rows(t.Context(), "SELECT text FROM words")); !errors.Is(err, over) {
		t.Errorf("one state, when another process wrote: %v", err)
	}
}
