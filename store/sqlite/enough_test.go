package sqlite

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestAMachineHasEnoughAfterItsTurn(t *testing.T) {
	db := at(t, filepath.Join(t.TempDir(), "test.db"), false)
	now := time.Time{}
	db.writers[Machine].now = func() time.Time { return now }
	err := db.Write(t.Context(), Machine, func(tx *Tx) error {
		for _, step := range []struct {
			passed time.Duration
			enough bool
		}{{0, false}, {machineTurn - 1, false}, {machineTurn, true}} {
			now = time.Time{}.Add(step.passed)
			if got := tx.Enough(); got != step.enough {
				t.Errorf("after %v: %t", step.passed, got)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAMachineHasEnoughWhenACuratorWaits(t *testing.T) {
	db := at(t, filepath.Join(t.TempDir(), "test.db"), false)
	db.writers[Machine].now = func() time.Time { return time.Time{} }
	done := make(chan error, 2)
	err := db.Write(t.Context(), Machine, func(tx *Tx) error {
		// Another machine that waits is no reason.
		go func() {
			err := db.turn.take(context.Background(), false)
			db.turn.give()
			done <- err
		}()
		for len(db.turn.waiting()) < 1 {
			runtime.Gosched()
		}
		if tx.Enough() {
			t.Error("enough because a machine waits")
		}
		go func() { done <- db.Write(context.Background(), Curator, func(*Tx) error { return nil }) }()
		for len(db.turn.waiting()) < 2 {
			runtime.Gosched()
		}
		if !tx.Enough() {
			t.Error("a curator waits in vain")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// grow writes so many pages and returns how many the log holds, and how many of them
// the database has.
func grow(t *testing.T, db *DB, pages int) (all, copied int) {
	t.Helper()
	err := db.Write(t.Context(), Machine, func(t *Tx) error {
		_, err := t.Exec("INSERT INTO words VALUES (0, zeroblob(?))", pages*PageSize)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return db.writers[Machine].wal(t.Context(), "NOOP")
}

// A long log that a reader kept from being used anew is not copied with every write:
// most of it the database has.
func TestALogIsCopiedOnce(t *testing.T) {
	db := at(t, filepath.Join(t.TempDir(), "test.db"), false)
	rows, err := db.readers.DB.Query("SELECT n FROM words")
	if err != nil || !rows.Next() { // of a state before all that follows
		t.Fatal(err)
	}
	defer rows.Close()
	write := func(pages int) (all, copied int) { return grow(t, db, pages) }
	all, _ := write(walSoft + 10)
	rows.Close()
	if rows, err = db.readers.DB.Query("SELECT n FROM words"); err != nil || !rows.Next() {
		t.Fatal(err)
	}
	db.Checkpoint(t.Context())
	_, first := db.writers[Machine].wal(t.Context(), "NOOP")
	if first != all {
		t.Fatalf("%d of %d copied", first, all)
	}
	write(2)
	rows.Close() // the log could be copied to its end
	if all, again := write(2); again != first || all <= first {
		t.Errorf("%d of %d copied after a small write, %d before it", again, all, first)
	}
}

// A log that could not be copied to its end, because a reader looked at an earlier
// state, is tried again long before it has grown by as much once more.
func TestALogThatWasCopiedInPartIsTriedAgain(t *testing.T) {
	db := at(t, filepath.Join(t.TempDir(), "test.db"), false)
	write := func(pages int) (all, copied int) { return grow(t, db, pages) }
	write(walSoft - 2*walAgain)
	rows, err := db.readers.DB.Query("SELECT n FROM words") // of this state
	if err != nil || !rows.Next() {
		t.Fatal(err)
	}
	defer rows.Close()
	if all, copied := write(2 * walAgain); copied == 0 || all-copied < walAgain || all-copied >= walSoft {
		t.Fatalf("%d of %d pages were copied beside a reader", copied, all)
	}
	rows.Close()
	if all, copied := write(2); copied != all {
		t.Errorf("%d of %d pages are copied after the reader left", copied, all)
	}
}

// To close is not to take the turn of others, as emptying the log would.
func TestClosingCopiesTheLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db, other := at(t, path, false), at(t, path, false)
	add(t, other, 4, "four")
	add(t, db, 5, "five")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if all, copied := other.writers[Curator].wal(t.Context(), "NOOP"); all == 0 || copied != all {
		t.Errorf("%d of %d pages copied", copied, all)
	}
}
