package sqlite

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"
)

// TestACuratorWaitsForNoMachine checks that a person is told so when his own patience
// is over, while a machine's write of the same process waits for another process.
func TestACuratorWaitsForNoMachine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db, other := at(t, path, false), at(t, path, false)
	started, finish, done := make(chan struct{}), make(chan struct{}), make(chan error, 2)
	go func() {
		done <- other.Write(context.Background(), Machine, func(*Tx) error { close(started); <-finish; return nil })
	}()
	<-started
	go func() { done <- db.Write(context.Background(), Machine, func(*Tx) error { return nil }) }()
	waits := func() bool {
		own := &db.writers[Machine].own
		own.mu.Lock()
		defer own.mu.Unlock()
		return own.taken
	}
	for !waits() {
		runtime.Gosched()
	}
	err := db.Write(t.Context(), Curator, func(*Tx) error { return nil })
	if kind, _ := Meaning(err); kind != Busy && kind != BusyHere {
		t.Errorf("while a machine waits: %v", err)
	}
	close(finish)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	add(t, db, 4, "four")
}
