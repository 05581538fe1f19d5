package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/hub"
	"winnow/store/sqlite"
)

// withTurns opens a new database whose machines have had the turn for too long at the
// first look, or never.
func withTurns(t *testing.T, long bool) *Store {
	t.Helper()
	turns := func() time.Time { return time.Time{} }
	if long {
		turns = newClock().Now
	}
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "winnow.db"), Options{Clock: newClock().Now, turns: turns})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestAnImportStopsBetweenWritesWhenItsTurnIsOver(t *testing.T) {
	for long, want := range map[bool]string{false: "3", true: "1 1 1"} {
		s := withTurns(t, long)
		writes := []hub.ImportWrite{write("/a", talk(4, "x")), write("/b", talk(4, "y")), write("/c", talk(4, "z"))}
		got := ""
		for len(writes) > 0 {
			n, done, err := s.WriteSome(t.Context(), writes)
			if err != nil {
				t.Fatal(err)
			}
			if len(done) != n || writes[n-1].Sessions[0].Segments[0].ID == "" || n < len(writes) && writes[n].Sessions[0].Segments[0].ID != "" {
				t.Errorf("long %t: %d written, %d changes", long, n, len(done))
			}
			got += fmt.Sprint(" ", n)
			writes = writes[n:]
		}
		if got != " "+want {
			t.Errorf("long %t: writes of each transaction:%s, want %s", long, got, want)
		}
		clean(t, s)
	}
}

// What a transaction of the filling leaves is written by the next one.
func TestFillingStopsBetweenPassagesWhenItsTurnIsOver(t *testing.T) {
	for _, long := range []bool{false, true} {
		s := withTurns(t, long)
		put(t, s, write("/a", talk(12, "old")))
		put(t, s, write("/b", talk(8, "new")))
		index := s.index()
		write, transactions := index.Write, 0
		index.Write = func(ctx context.Context, f func(*sqlite.Tx) error) error {
			transactions++
			return write(ctx, f)
		}
		if more, err := index.Fill(t.Context(), time.Hour); more || err != nil {
			t.Errorf("more %t, %v", more, err)
		}
		if want := map[bool]int{false: 1, true: 5}[long]; transactions != want {
			t.Errorf("long %t: %d transactions, want %d", long, transactions, want)
		}
		for _, word := range []string{"old", "new"} {
			if len(hits(t, s, filter.Text{Value: word})) == 0 {
				t.Errorf("long %t: %s is found nowhere", long, word)
			}
		}
		clean(t, s)
	}
}
