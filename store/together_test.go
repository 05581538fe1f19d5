package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/hub"
	"winnow/core/review"
)

// programs work on one database at once, and others as processes of their own.
const programs, processes = 10, 3

// togetherActions is how much each of them does; TOGETHER in the environment
// asks for a time instead, as in 1m.
const togetherActions = 120

// together returns when programs that begin now have done enough: at a time, or
// after so many actions.
func together(t *testing.T) (until time.Time, actions int) {
	text := os.Getenv("TOGETHER")
	if text == "" {
		return until, togetherActions / slower
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return time.Now().Add(d), 0
}

// whole is what the programs of a test did, as they were told.
type whole struct {
	t        *testing.T
	mu       sync.Mutex
	done     map[int64]string // acknowledged entries, by curator
	did      map[review.Action]int
	refused  int // undos and redos
	held     map[string]string
	ids      []string // of segments that nobody cuts
	sessions []talked // that are cut
}

func newWhole(t *testing.T) *whole {
	return &whole{t: t, done: map[int64]string{}, did: map[review.Action]int{}, held: map[string]string{}}
}

// byName is the end of a refusal that tells who did what is in the way.
// Imports have no name.
var byName = regexp.MustCompile(`^segment [0-9a-f]{8} ((was|got) [a-z ]+ by curator \d+|got other messages) since`)

// acknowledged takes what a program was told. What it may be told instead of an
// entry is that somebody was quicker; who, if it wanted to undo something.
func (w *whole) acknowledged(what string, e review.Entry, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	steps := what == "undo" || what == "redo"
	switch {
	case err == nil && e.ID != 0:
		if by := w.done[e.ID]; by != "" {
			w.t.Errorf("entry %d is of %s and %s", e.ID, by, e.Curator)
		}
		w.done[e.ID] = e.Curator
		w.did[e.Action]++
	case err == nil, steps && errors.Is(err, review.ErrNothing), !steps && errors.Is(err, review.ErrNotFound):
	case !errors.Is(err, review.ErrConflict):
		w.t.Errorf("%s: %v", what, err)
	case steps:
		w.refused++
		if !byName.MatchString(err.Error()) {
			w.t.Errorf("%s does not say who is in the way: %v", what, err)
		}
	}
}

// program is one of those at work.
type program struct {
	*whole
	s       *Store
	random  *rand.Rand
	curator string
}

// work does one thing after the other.
func (p *program) work(until time.Time, actions int) {
	for n := 0; n < actions || time.Now().Before(until); n++ {
		p.act(n)
		p.goOn()
	}
}

// some returns up to n segments, also such as are cut.
func (p *program) some(n int) (ids []string) {
	rows := segmentsOf(p.t, p.s, p.sessions[p.random.IntN(len(p.sessions))])
	for range n {
		if p.random.IntN(2) == 0 {
			ids = append(ids, p.ids[p.random.IntN(len(p.ids))])
		} else {
			ids = append(ids, rows[p.random.IntN(len(rows))].ID)
		}
	}
	return ids
}

// act does one thing, whichever comes.
func (p *program) act(n int) {
	ctx := context.Background()
	j := review.Judgement{Curator: p.curator, IDs: p.some(1)}
	judge := func(what string) {
		e, err := p.s.Judge(ctx, j)
		p.acknowledged(what, e, err)
	}
	switch p.random.IntN(16) {
	case 0, 1, 2:
		j.Verdict = review.Verdicts[p.random.IntN(len(review.Verdicts))]
		judge("a verdict")
	case 3:
		note := fmt.Sprint("note ", n)
		j.Note = &note
		judge("a note")
	case 4:
		j.TagsOn, j.TagsOff = []string{fmt.Sprint("t", n%5)}, []string{fmt.Sprint("t", (n+1)%5)}
		judge("tags")
	case 5: // many
		j.IDs, j.Verdict = p.some(12), review.Rejected
		judge("a bulk of verdicts")
	case 6: // the best of a cluster
		j.IDs, j.Verdict = p.some(4), review.Rejected
		j.Verdicts = map[string]review.Verdict{j.IDs[0]: review.Approved}
		judge("the best")
	case 7:
		j.IDs, j.TagsOn = p.some(8), []string{p.curator[len("curator "):]}
		judge("a bulk of tags")
	case 8, 9, 10:
		c := p.sessions[p.random.IntN(len(p.sessions))]
		action, pieces := edited(p.random, segmentsOf(p.t, p.s, c))
		w := cutWrite(p.t, p.s, c, review.CutCurator, pieces)
		w.Curator, w.Action = p.curator, action
		e, err := p.s.WriteCuts(ctx, w)
		p.acknowledged(string(action), e, err)
	case 11, 12, 13:
		e, err := p.s.Undo(ctx, p.curator)
		p.acknowledged("undo", e, err)
	case 14:
		e, err := p.s.Redo(ctx, p.curator)
		p.acknowledged("redo", e, err)
	default:
		_, err := p.s.WriteImport(ctx, []hub.ImportWrite{write(fmt.Sprintf("/%s/%d", p.curator, n), talk(2, p.curator))})
		p.acknowledged("an import", review.Entry{}, err)
	}
}

// goOn claims what comes next. Nobody else may hold it while it is held.
func (p *program) goOn() {
	p.mu.Lock()
	delete(p.held, p.curator)
	p.mu.Unlock()
	got, err := p.s.Claim(context.Background(), review.Claiming{
		Program: p.curator, Curator: p.curator, Reads: p.ids[p.random.IntN(3)], Next: p.ids[3:], Judged: true,
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil || got.Next == "" {
		p.t.Errorf("%s gets %q: %v", p.curator, got.Next, err)
		return
	}
	for _, o := range got.Others {
		if o.Segment == got.Next {
			p.t.Errorf("%s is led to %s of %s", p.curator, got.Next, o.Curator)
		}
	}
	for other, id := range p.held {
		if id == got.Next {
			p.t.Errorf("%s and %s are led to %s", other, p.curator, id)
		}
	}
	p.held[p.curator] = got.Next
}

// fill puts sessions into a database for programs to work on.
func (w *whole) fill(s *Store) {
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 30 {
		w.ids = append(w.ids, put(w.t, s, write(fmt.Sprint("/", i), talk(2, fmt.Sprint(i))))...)
	}
	for i := range 4 {
		w.sessions = append(w.sessions, newSession(w.t, s, random, i))
	}
}

// read finds in a database what fill put there.
func (w *whole) read(s *Store) {
	for i := range 34 {
		file := fmt.Sprint("/", i)
		if i >= 30 {
			file = fmt.Sprint("/s/", i-30)
		}
		st, err := s.LoadSession(w.t.Context(), "default", file)
		if err != nil {
			w.t.Fatal(err)
		}
		if i < 30 {
			w.ids = append(w.ids, st.Segments[0].ID)
		} else {
			list, err := s.Messages(w.t.Context(), st.Body, 1, st.Messages)
			if err != nil {
				w.t.Fatal(err)
			}
			w.sessions = append(w.sessions, talked{st.ID, file, list})
		}
	}
}

// Ten programs at once do whatever curators do. Every action that was
// acknowledged is in the journal, each entry found what the one before it left,
// the segments are as the journal says, and nobody is led to what another holds.
func TestTenProgramsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	first := openAt(t, path)
	w := newWhole(t)
	w.fill(first)
	until, actions := together(t)
	var all sync.WaitGroup
	for n := range programs {
		s, err := Open(t.Context(), path, Options{}) // they agree on the time
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		p := &program{w, s, rand.New(rand.NewPCG(7, uint64(n))), fmt.Sprint("curator ", n)}
		all.Go(func() { p.work(until, actions) })
	}
	all.Wait()
	// Whatever they met, one is refused an undo.
	for _, step := range []struct {
		curator string
		verdict review.Verdict
	}{{"curator 0", review.Rejected}, {"curator 0", review.Approved}, {"curator 1", review.Rejected}} {
		e, err := first.Judge(t.Context(), review.Judgement{Curator: step.curator, IDs: w.ids[:1], Verdict: step.verdict})
		w.acknowledged("a verdict", e, err)
	}
	before := w.refused
	e, err := first.Undo(t.Context(), "curator 0")
	w.acknowledged("undo", e, err)
	if w.refused != before+1 || w.did[review.ActUndo] == 0 || w.did[review.ActSplit]+w.did[review.ActMerge]+w.did[review.ActTopic] == 0 {
		t.Errorf("too little happened: %d refused, done %v", w.refused, w.did)
	}
	w.replay(first)
	clean(t, first)
}

// oneProgram names, in the environment of a process, the database that it works
// on and the number of its curator.
const oneProgram = "WINNOW_ONE_PROGRAM"

// TestOneProgram is one of the processes of TestProcessesAtOnce: it writes down
// the entries that it was told of. Alone it has nothing to do.
func TestOneProgram(t *testing.T) {
	number, path, ok := strings.Cut(os.Getenv(oneProgram), " ")
	if !ok {
		return
	}
	seed, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := newWhole(t)
	w.read(s)
	until, actions := together(t)
	(&program{w, s, rand.New(rand.NewPCG(8, seed)), "curator " + number}).work(until, actions)
	for id := range w.done {
		fmt.Println("entry", id)
	}
}

// Programs in processes of their own lose nothing either.
func TestProcessesAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	first := openAt(t, path)
	w := newWhole(t)
	w.fill(first)
	var all sync.WaitGroup
	for n := range processes {
		all.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestOneProgram$", "-test.count", "1")
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", oneProgram, n, path))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v:\n%s", err, out)
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			for line := range strings.Lines(string(out)) {
				var id int64
				if found, _ := fmt.Sscanf(line, "entry %d", &id); found == 1 {
					w.done[id] = fmt.Sprint("curator ", n)
				}
			}
		})
	}
	all.Wait()
	if len(w.done) < processes {
		t.Errorf("%d entries", len(w.done))
	}
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
		switch seg, err := s.Segment(w.t.Context(), id); {
		case m == (review.Mark{}) && errors.Is(err, review.ErrNotFound): // it was cut
		case err != nil || markOf(&seg) != m:
			w.t.Errorf("%s is %+v, the journal says %+v: %v", id, markOf(&seg), m, err)
		}
	}
	w.t.Logf("%d entries, %d undos and redos refused, done: %v", len(log), w.refused, w.did)
}
