package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"winnow/core/hub"
	"winnow/core/review"
)

// programs work on one database at once.
const programs = 10

// togetherActions is how much each of them does; TOGETHER in the environment
// asks for a time instead, as in 1m.
const togetherActions = 120

// whole is what the programs of a test did, as they were told.
type whole struct {
	t    *testing.T
	mu   sync.Mutex
	done map[int64]string // acknowledged entries, by curator
	held map[string]string
	ids  []string
}

func (w *whole) acknowledged(e review.Entry, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case errors.Is(err, review.ErrNothing), errors.Is(err, review.ErrConflict) && len(err.Error()) > len("store: segment "):
	case err != nil:
		w.t.Error(err)
	case e.ID != 0:
		if by := w.done[e.ID]; by != "" {
			w.t.Errorf("entry %d is of %s and %s", e.ID, by, e.Curator)
		}
		w.done[e.ID] = e.Curator
	}
}

// act does one thing, whichever comes.
func (w *whole) act(s *Store, r *rand.Rand, curator string, n int) {
	ctx := context.Background()
	some := func(n int) (ids []string) {
		for range n {
			ids = append(ids, w.ids[r.IntN(len(w.ids))])
		}
		return ids
	}
	j := review.Judgement{Curator: curator, IDs: some(1)}
	switch r.IntN(8) {
	case 0, 1, 2:
		j.Verdict = review.Verdicts[r.IntN(len(review.Verdicts))]
		w.acknowledged(s.Judge(ctx, j))
	case 3:
		note := fmt.Sprint("note ", n)
		j.Note = &note
		w.acknowledged(s.Judge(ctx, j))
	case 4:
		j.IDs, j.Verdict = some(5), review.Rejected
		w.acknowledged(s.Judge(ctx, j))
	case 5:
		w.acknowledged(s.Undo(ctx, curator))
	case 6:
		w.acknowledged(s.Redo(ctx, curator))
	default:
		_, err := s.WriteImport(ctx, []hub.ImportWrite{write(fmt.Sprintf("/%s/%d", curator, n), talk(2, curator))})
		w.acknowledged(review.Entry{}, err)
	}
	w.goOn(s, r, curator)
}

// goOn claims what comes next. Nobody else may hold it while it is held.
func (w *whole) goOn(s *Store, r *rand.Rand, curator string) {
	w.mu.Lock()
	delete(w.held, curator)
	w.mu.Unlock()
	got, err := s.Claim(context.Background(), review.Claiming{Program: curator, Curator: curator, Reads: w.ids[r.IntN(3)], Next: w.ids[3:], Judged: true})
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || got.Next == "" {
		w.t.Errorf("%s gets %q: %v", curator, got.Next, err)
		return
	}
	for other, id := range w.held {
		if id == got.Next {
			w.t.Errorf("%s and %s are led to %s", other, curator, id)
		}
	}
	w.held[curator] = got.Next
}

// Ten programs at once do whatever curators do. Every action that was
// acknowledged is in the journal, each entry found what the one before it left,
// the segments are as the journal says, and nobody is led to what another holds.
func TestTenProgramsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	first := openAt(t, path)
	w := &whole{t: t, done: map[int64]string{}, held: map[string]string{}}
	for i := range 30 {
		w.ids = append(w.ids, put(t, first, write(fmt.Sprint("/", i), talk(2, fmt.Sprint(i))))...)
	}
	until := time.Time{}
	if text := os.Getenv("TOGETHER"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		until = time.Now().Add(d)
	}
	var all sync.WaitGroup
	for p := range programs {
		curator := fmt.Sprint("curator ", p)
		s, err := Open(t.Context(), path, Options{}) // they agree on the time
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		all.Go(func() {
			r := rand.New(rand.NewPCG(7, uint64(p)))
			for n := 0; n < togetherActions/slower || time.Now().Before(until); n++ {
				w.act(s, r, curator, n)
			}
		})
	}
	all.Wait()
	w.replay(first)
	clean(t, first)
}

// replay compares the journal with what was acknowledged, and with the segments.
func (w *whole) replay(s *Store) {
	w.t.Helper()
	log, err := s.Journal(w.t.Context(), 0, 1<<30)
	if err != nil {
		w.t.Fatal(err)
	}
	marks := map[string]review.Mark{}
	for i := len(log) - 1; i >= 0; i-- {
		e := &log[i]
		if by := w.done[e.ID]; by != "" && by != e.Curator {
			w.t.Errorf("entry %d is of %s, not of %s", e.ID, e.Curator, by)
		}
		delete(w.done, e.ID)
		for _, c := range e.Changes {
			if before, known := marks[c.Segment]; known && before != c.Before {
				w.t.Errorf("entry %d found %+v, and %+v was left", e.ID, c.Before, before)
			}
			marks[c.Segment] = c.After
		}
	}
	if len(w.done) > 0 {
		w.t.Errorf("%d acknowledged actions are not in the journal", len(w.done))
	}
	for id, m := range marks {
		seg, err := s.Segment(w.t.Context(), id)
		if err != nil || seg.Verdict != m.Verdict || seg.Note != m.Note || seg.Reviewer != m.Reviewer || !seg.ReviewedAt.Equal(m.ReviewedAt) {
			w.t.Errorf("%s is %s by %s, the journal says %+v: %v", id, seg.Verdict, seg.Reviewer, m, err)
		}
	}
	w.t.Logf("%d entries", len(log))
}
