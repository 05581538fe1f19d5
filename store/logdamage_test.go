package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/review"
	"winnow/store/sqlite"
)

// copyOpen copies a database that is open, and its log, as a process that is
// killed leaves them.
func copyOpen(t *testing.T, path string, change func(log []byte) []byte) (to string, log []byte) {
	t.Helper()
	to = filepath.Join(t.TempDir(), "copy.db")
	for _, end := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + end)
		if err == nil && end != "" {
			b = change(b)
			log = b
		}
		if err == nil {
			err = os.WriteFile(to+end, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to, log
}

// A log that is damaged in its middle is not opened, which would drop what
// follows; one that ends early, as a crash leaves it, is.
func TestADamagedLogIsNotOpened(t *testing.T) {
	path, _ := judgedLibrary(t, 2)
	s := openAt(t, path)
	page, err := s.Segments(t.Context(), reviewAll(10))
	if err != nil {
		t.Fatal(err)
	}
	judge := func(n int) {
		for i := range n {
			note := fmt.Sprint("note ", i)
			if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{page.Segments[i%3].ID}, Note: &note}); err != nil {
				t.Fatal(err)
			}
		}
	}
	const step = 24 + sqlite.PageSize
	judge(6)
	// An older log, longer than the one that is written over it.
	var busy int
	if err := s.db.Once(t.Context(), "PRAGMA wal_checkpoint(RESTART)").One(&busy, new(int), new(int)); err != nil || busy != 0 {
		t.Fatal(err)
	}
	judge(2)
	flip := func(at int) func([]byte) []byte {
		return func(log []byte) []byte { log[at] ^= 4; return log }
	}
	for _, c := range []struct {
		name    string
		change  func([]byte) []byte
		damaged bool
	}{
		{"sound", func(log []byte) []byte { return log }, false},
		{"torn", func(log []byte) []byte { return log[:32+step+100] }, false},
		{"a page", flip(32 + 24 + 1000), true},
		{"a salt", flip(32 + 9), true},
		{"a sum", flip(32 + 17), true},
		{"header", flip(8), true},
		{"of an older one", func(log []byte) []byte { log[len(log)-3*step+200] ^= 1; return log }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			to, log := copyOpen(t, path, c.change)
			for _, readOnly := range []bool{true, false} {
				opened, err := Open(t.Context(), to, Options{ReadOnly: readOnly})
				if err == nil {
					opened.Close()
				}
				if errors.Is(err, ErrDamaged) != c.damaged || !c.damaged && err != nil {
					t.Fatalf("opened, read-only %v: %v", readOnly, err)
				}
			}
			if !c.damaged {
				return
			}
			if b, err := os.ReadFile(to + "-wal"); err != nil || !bytes.Equal(b, log) {
				t.Errorf("the log is not what it was: %v", err)
			}
			for range 2 { // what was kept before stays
				if _, err := KeepLog(to); err != nil {
					t.Fatal(err)
				}
			}
			openAt(t, to)
			for _, end := range []string{"-wal.damaged", "-wal.damaged.2"} {
				if b, err := os.ReadFile(to + end); err != nil || !bytes.Equal(b, log) {
					t.Errorf("%s is not the log: %v", end, err)
				}
			}
		})
	}
}
