package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// A machine sees that a person of another process waits, here of another DB, which
// shares nothing with it but the file; nothing is left behind.
func TestAMachineSeesWhoWaitsInAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db, other := at(t, path, false), at(t, path, false)
	clock := time.Now()
	db.writers[Machine].now = func() time.Time { return clock }
	db.writers[Machine].sign.now = time.Now
	done := make(chan error, 1)
	err := db.Write(t.Context(), Machine, func(tx *Tx) error {
		if tx.Enough() {
			t.Error("enough, and nobody waits")
		}
		go func() { done <- other.Write(context.Background(), Curator, func(*Tx) error { return nil }) }()
		for !tx.Enough() {
			select {
			case err := <-done:
				t.Error("the other was not seen")
				done <- err
				return nil
			default:
				runtime.Gosched()
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + signEnding); err == nil {
		t.Error("the sign is still there")
	}
}

// A sign that a killed process left counts for some seconds only.
func TestAnOldSignDoesNotCount(t *testing.T) {
	now := time.Now()
	s := sign{path: filepath.Join(t.TempDir(), "test.db"+signEnding), now: func() time.Time { return now }}
	s.raise()
	if !s.up() {
		t.Error("a new sign is not seen")
	}
	now = now.Add(signFresh + time.Second)
	if s.up() {
		t.Error("an old sign counts")
	}
	s.raise() // with the time of now, which is later than the file's
	s.lower()
	now = time.Now()
	if s.up() {
		t.Error("a sign that was taken down is seen")
	}
}
