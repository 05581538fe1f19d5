package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
)

// write is one thing to be done in the database.
type write struct {
	seq   int
	id    string // the segment it changes, "" if that is not known
	reads bool   // it changes nothing: a question whose answer depends on the writes before it
	run   func(context.Context, Library) outcome
}

// outcome is what came of a write.
type outcome interface {
	// failure is why it was not done; nil if it was.
	failure() error
}

// wrote says that a write is done.
type wrote struct {
	seq int
	out outcome
}

// writes are done one after the other, in the order of the keys: an undo must
// not overtake its verdict. A command does one of them, whichever is next; what
// is left when the screen has gone, Run does. Nothing waits for a command that
// the program may never start.
type writes struct {
	turn sync.Mutex // held while one is done

	mu      sync.Mutex // guards what follows
	waiting []write
	failed  map[int]error // by number, those the curator was not told of
}

func (q *writes) put(w write) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, w)
}

// do does the next write; ok is false if there is none. It waits for the one
// under way.
func (q *writes) do(ctx context.Context, lib Library) (done wrote, ok bool) {
	q.turn.Lock()
	defer q.turn.Unlock()
	w, ok := q.take()
	if !ok {
		return wrote{}, false
	}
	out := w.run(ctx, lib)
	if err := out.failure(); err != nil {
		q.fail(w.seq, err)
	}
	return wrote{w.seq, out}, true
}

func (q *writes) take() (write, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return write{}, false
	}
	w := q.waiting[0]
	q.waiting = q.waiting[1:]
	return w, true
}

func (q *writes) fail(seq int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.failed == nil {
		q.failed = map[int]error{}
	}
	q.failed[seq] = err
}

// told forgets a failure that was shown.
func (q *writes) told(seq int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.failed, seq)
}

// errLeft is why a write was not done when the curator would not wait for it.
var errLeft = errors.New("left before it was saved")

// drop gives up what nobody has begun.
func (q *writes) drop() {
	for w, ok := q.take(); ok; w, ok = q.take() {
		q.fail(w.seq, errLeft)
	}
}

// lost tells what was not saved without anybody seeing it.
func (q *writes) lost() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, err := range q.failed {
		if n := len(q.failed); n > 1 {
			return fmt.Errorf("%d verdicts, notes or cuts were not saved: %w", n, err)
		}
		return fmt.Errorf("a verdict, note or cut was not saved: %w", err)
	}
	return nil
}

// enqueue appends a write and returns the command that does the next one.
// Quitting does not cancel it.
func (a *App) enqueue(id string, run func(context.Context, Library) outcome) tea.Cmd {
	a.epoch++
	return a.queueUp(write{id: id, run: run})
}

// askAfter appends a question that is asked when all writes before it are done.
func (a *App) askAfter(run func(context.Context, Library) outcome) tea.Cmd {
	return a.queueUp(write{reads: true, run: run})
}

func (a *App) queueUp(w write) tea.Cmd {
	a.written++
	w.seq = a.written
	a.queue = append(a.queue, w)
	a.writes.put(w)
	q, lib, ctx := a.writes, a.lib, context.WithoutCancel(a.ctx)
	return func() tea.Msg {
		done, ok := q.do(ctx, lib)
		if !ok {
			return nil
		}
		return done
	}
}

// writing reports whether what is read may change before it is shown.
func (a *App) writing() bool {
	return slices.ContainsFunc(a.queue, func(w write) bool { return !w.reads })
}

// tookWrite takes a result. If it is a failure, the screen stays to show it.
func (a *App) tookWrite(m wrote) tea.Cmd {
	i := 0
	for i < len(a.queue) && a.queue[i].seq != m.seq {
		i++
	}
	if i == len(a.queue) {
		return nil
	}
	if !a.queue[i].reads {
		a.epoch++
	}
	a.queue = append(a.queue[:i:i], a.queue[i+1:]...)
	if m.out.failure() != nil {
		a.leaving = false
		a.writes.told(m.seq)
	}
	var cmd tea.Cmd
	switch r := m.out.(type) {
	case judged:
		a.tookJudged(r)
	case stepped:
		cmd = tea.Batch(a.tookStepped(r), a.changedSeated())
	case entryUndone:
		cmd = tea.Batch(a.tookEntryUndone(r), a.changedSeated())
	case many:
		a.tookMany(r)
	case bulkCounted:
		cmd = a.tookCounted(r)
	case tagsFound:
		cmd = a.tookTags(r)
	case foundNext:
		cmd = a.tookNext(r)
	case bestGiven:
		cmd = a.tookBest(r)
	case recheckOver:
		cmd = a.tookRecheckOver()
	case tookAnswer:
		a.tookTaken(r)
	case recut:
		cmd = a.tookRecut(r)
	}
	return cmd
}

func (m judged) failure() error    { return m.err }
func (m foundNext) failure() error { return nil } // it changes nothing

func (m stepped) failure() error {
	if errors.Is(m.err, review.ErrNothing) {
		return nil
	}
	return m.err
}
