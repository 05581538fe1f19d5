package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// Several processes are several Stores on one file: SQLite can't tell.
func TestImportsAndCuratorsOfSeveralProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	first := openAt(t, path)
	ids := four(t, first)
	var all sync.WaitGroup
	errs := make(chan error, 100)
	for p := range 3 {
		s, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		all.Go(func() { // imports
			for i := range 20 {
				_, err := s.WriteImport(context.Background(), []hub.ImportWrite{write(fmt.Sprintf("/%d/%d", p, i), talk(8, "x"))})
				if err != nil {
					errs <- err
				}
			}
		})
		curator := fmt.Sprint("curator ", p)
		all.Go(func() { // judges a segment of its own and the one all judge
			for i := range 10 {
				v := review.Verdicts[i%3]
				for _, id := range []string{ids[p], ids[3]} {
					if _, err := s.Judge(context.Background(), review.Judgement{Curator: curator, IDs: []string{id}, Verdict: v}); err != nil {
						errs <- err
					}
				}
				if _, err := s.Undo(context.Background(), curator); err != nil && !errors.Is(err, review.ErrConflict) {
					errs <- err
				}
			}
		})
		all.Go(func() { // reads
			for range 20 {
				page, err := s.Segments(context.Background(), reviewAll(50))
				if err != nil {
					errs <- err
				}
				for i := range page.Segments {
					seg := &page.Segments[i]
					if _, err := s.Messages(context.Background(), seg.Body, seg.Start, seg.End); err != nil {
						errs <- err
					}
				}
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
	clean(t, first)
	totals, err := first.Totals(t.Context())
	if err != nil || totals.Sessions != 61 || totals.Segments != 64 {
		t.Errorf("totals %+v %v", totals, err)
	}
}

// Two imports of one new file end with one session.
func TestTwoImportsOfOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	a, b := openAt(t, path), openAt(t, path)
	put(t, a, write("/same", talk(8, "x")))
	second := write("/same", talk(8, "x"))
	_, err := b.WriteImport(t.Context(), []hub.ImportWrite{second})
	if err != nil && !errors.Is(err, review.ErrConflict) {
		t.Errorf("the second import: %v", err)
	}
	if all, _ := a.Sessions(t.Context(), "", 10); len(all) != 1 {
		t.Errorf("%d sessions", len(all))
	}
	clean(t, a)
}

func TestAVersionForEveryChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	a, b := openAt(t, path), openAt(t, path)
	version := func() int64 {
		v, err := a.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	seen := version()
	if again := version(); again != seen {
		t.Errorf("version %d became %d by itself", seen, again)
	}
	var ids []string
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"own import", func() { ids = put(t, a, write("/a", talk(4, "x"))) }},
		{"own verdict", func() { judge(t, a, "ann", review.Approved, ids...) }},
		{"another program's verdict", func() { judge(t, b, "bob", review.Rejected, ids...) }},
		{"another program's import", func() { put(t, b, write("/b", talk(4, "x"))) }},
		{"an import of a source that holds no session", func() {
			w := write("/empty", talk(2, "x"))
			w.Sessions, w.Source.Reason = nil, "empty"
			if _, err := b.WriteImport(t.Context(), []hub.ImportWrite{w}); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		c.change()
		if v := version(); v == seen {
			t.Errorf("%s: the version stayed", c.name)
		}
		seen = version()
	}
}

// A process that never lets go of the write lock: a curator is told so.
func TestABusyDatabaseSaysSo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := hasty(t, path)
	ids := four(t, s)
	other := openAt(t, path)
	release := locked(t, other)
	_, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: ids, Verdict: review.Approved})
	if !errors.Is(err, ErrBusy) {
		t.Errorf("judge: %v", err)
	}
	release()
	judge(t, s, "ann", review.Approved, ids...)
}

// hasty opens a database whose curators wait for others no longer than a moment.
func hasty(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{Clock: newClock().Now, patience: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// locked holds the lock of the database until the returned function is called.
func locked(t *testing.T, s *Store) (release func()) {
	t.Helper()
	started, finish, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- s.db.Write(context.Background(), sqlite.Machine, func(*sqlite.Tx) error { close(started); <-finish; return nil })
	}()
	<-started
	return func() {
		close(finish)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}

// A machine's write of the same process takes its time: a curator is told so when his
// own patience is over.
func TestACuratorWaitsForNoMachine(t *testing.T) {
	s := hasty(t, filepath.Join(t.TempDir(), "w.db"))
	ids := four(t, s)
	release := locked(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := s.Judge(ctx, review.Judgement{Curator: "ann", IDs: ids, Verdict: review.Approved}); !errors.Is(err, ErrBusy) {
		t.Errorf("while a machine writes: %v", err)
	}
	release()
	judge(t, s, "ann", review.Approved, ids...)
}
