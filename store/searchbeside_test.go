package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/store/text"
)

// Two programs that fill the index of one database, while sessions grow in it and
// somebody searches, index every message once.
func TestSeveralFillOneIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := openAt(t, path)
	a := author{rand.New(rand.NewPCG(8, 9))}
	const sessions = 6
	texts := make([][]string, sessions)
	for i := range texts {
		for n := range 6 {
			texts[i] = append(texts[i], fmt.Sprint(a.text(), " ", i, " ", n))
		}
		put(t, s, spoken(fmt.Sprint("/", i), texts[i]...))
	}
	more := make([]string, sessions)
	for i := range more {
		more[i] = a.text()
	}
	var work sync.WaitGroup
	stop := make(chan struct{})
	busy := func(f func() error) {
		work.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := f(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for _, filler := range []*Store{s, openAt(t, path)} {
		filler.textSizes = text.Sizes{Least: 200, Most: 400, Passage: 300, Overlap: 60}
		busy(func() error {
			_, err := filler.IndexText(t.Context(), 10*time.Millisecond)
			return err
		})
	}
	busy(func() error {
		return s.TextMatches(t.Context(), filter.Text{Value: "connection refused", Phrase: true}, func([]int64) error { return nil })
	})
	for i := range texts {
		file := fmt.Sprint("/", i)
		list := spokenList(append(texts[i], more[i])...)
		put(t, s, grow(t, s, file, list, seg(list, len(list)-1, len(list), len(texts[i]))))
	}
	close(stop)
	work.Wait()
	fillAll(t, s)
	clean(t, s)
	sameAsScan(t, s, "filled by several")
	if done, all, err := s.IndexedShare(t.Context()); err != nil || done != all || all != 2*7*sessions {
		t.Errorf("%d of %d %v", done, all, err)
	}
}
