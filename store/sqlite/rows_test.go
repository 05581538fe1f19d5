package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

type numbered struct {
	n    int
	text string
}

func (v *numbered) dest() []any { return []any{&v.n, &v.text} }

const wordsSQL = "SELECT n, text FROM words WHERE n <= ? ORDER BY n"

func TestRows(t *testing.T) {
	db := at(t, filepath.Join(t.TempDir(), "test.db"), false)
	for most, want := range [][]numbered{nil, {{1, "one"}}, {{1, "one"}, {2, "two"}}, {{1, "one"}, {2, "two"}, {3, "three"}}} {
		list, err := List(db.Rows(t.Context(), wordsSQL, most), (*numbered).dest)
		if err != nil || !slices.Equal(list, want) {
			t.Errorf("list up to %d: %v, %v", most, list, err)
		}
		var v numbered
		found, err := db.Once(t.Context(), wordsSQL, most).Maybe(v.dest()...)
		if err != nil || found != (most > 0) || found && v != want[0] {
			t.Errorf("first up to %d: %t, %v, %v", most, found, v, err)
		}
		if err := db.Rows(t.Context(), wordsSQL, most).One(v.dest()...); most == 0 && !errors.Is(err, sql.ErrNoRows) || most > 0 && err != nil {
			t.Errorf("one up to %d: %v", most, err)
		}
	}
	texts, err := Column[string](db.Rows(t.Context(), "SELECT text FROM words ORDER BY text"))
	if err != nil || !slices.Equal(texts, []string{"one", "three", "two"}) {
		t.Errorf("column: %q, %v", texts, err)
	}
}

// TestRowsEnd checks that an error ends the rows and is told, and that rows give
// their connection back however they end.
func TestRowsEnd(t *testing.T) {
	db := at(t, filepath.Join(t.TempDir(), "test.db"), false)
	var n int
	var text string
	for range 2 * maxReaders {
		left := db.Rows(t.Context(), wordsSQL, 3)
		for range left.Into(&n, &text) {
			break
		}
		if left.Err() != nil || n != 1 {
			t.Fatalf("left after %d: %v", n, left.Err())
		}
		unfit := db.Rows(t.Context(), wordsSQL, 3)
		for range unfit.Into(&n, &n) {
			t.Fatal("a word was read into a number")
		}
		if kind, _ := Meaning(unfit.Err()); kind != BadRow {
			t.Fatalf("a word as a number: %v", unfit.Err())
		}
		if _, err := Column[int](db.Rows(t.Context(), "SELECT nothing FROM words")); err == nil {
			t.Fatal("a column that is not there was read")
		}
		stopped, stop := context.WithCancel(t.Context())
		cut := db.Rows(stopped, "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c")
		for range cut.Into(&n) {
			stop()
		}
		stop()
		if !errors.Is(cut.Err(), context.Canceled) {
			t.Fatalf("interrupted: %v", cut.Err())
		}
	}
}

// TestASnapshotNeverChangesItsState: a read that is interrupted may end the
// transaction, and what is read then must not be of another state.
func TestASnapshotNeverChangesItsState(t *testing.T) {
	db := at(t, filepath.Join(t.TempDir(), "test.db"), false)
	over := errors.New("over")
	snapshot, err := db.Snapshot(t.Context(), over)
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	conn, err := snapshot.readers.DB.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Raw(func(any) error { return driver.ErrBadConn }); !errors.Is(err, driver.ErrBadConn) {
		t.Fatal(err)
	}
	conn.Close()
	add(t, db, 4, "four")
	if list, err := List(snapshot.Rows(t.Context(), wordsSQL, 9), (*numbered).dest); !errors.Is(err, over) {
		t.Errorf("%v, %v", list, err)
	}
}
