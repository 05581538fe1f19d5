package export

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// The order and the bytes are the same whatever the number of workers.
func TestWorkersChangeNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	l := &library{}
	for i := range 200 {
		said := "answer"
		if i%7 == 0 {
			said = string(make([]byte, 1<<16)) // left out, after a while
		}
		l.add(nil, user(fmt.Sprint("question ", i)), says(said))
	}
	var texts []string
	var reports []Report
	for _, n := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(n)
		path := filepath.Join(t.TempDir(), "out.jsonl")
		r := run(t, l, Options{Path: path})
		r.Files = nil
		texts, reports = append(texts, read(t, path)), append(reports, r)
	}
	if r := reports[0]; r.Written != 171 || len(r.LeftOut) != 29 {
		t.Errorf("%d written, %d left out", r.Written, len(r.LeftOut))
	}
	for i := range texts {
		if texts[i] != texts[0] || fmt.Sprint(reports[i]) != fmt.Sprint(reports[0]) {
			t.Errorf("run %d differs", i)
		}
	}
	if got := order(texts[0]); !slices.IsSortedFunc(got, func(a, b string) int { return len(a) - len(b) }) {
		t.Errorf("order %v", got)
	}
}

// candidatesOf reads all that a library holds.
func candidatesOf(l *library) func(context.Context, func(candidate) error) error {
	return func(ctx context.Context, yield func(candidate) error) error {
		return candidates(ctx, l, &hf, &Options{}, yield)
	}
}

// An error of one sample ends the export when it is that one's turn.
func TestTheFirstErrorInOrderEndsTheExport(t *testing.T) {
	broken := errors.New("broken")
	var taken []int
	p := pipeline{
		read:  candidatesOf(good(50)),
		first: func(*work) {}, between: func(*work) {},
		second: func(w *work) {
			if w.segment.Body >= 20 {
				w.err = fmt.Errorf("%d: %w", w.segment.Body, broken)
			}
		},
		take: func(w *work) error {
			taken = append(taken, int(w.segment.Body))
			return nil
		},
	}
	if err := p.run(t.Context()); err == nil || err.Error() != "20: broken" {
		t.Error(err)
	}
	if len(taken) != 20 || !slices.IsSorted(taken) {
		t.Errorf("took %v", taken)
	}
}
