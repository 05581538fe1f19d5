// Package work is what the program does besides drawing: the writes that keys
// ask for, which are done one after the other (Queue), and the jobs that run after
// the screen (Planner). Another kind of work is a Source and a row in NewPlanner.
//
// It imports neither tui nor a screen; what it needs of the program is its Host. Its
// tests are beside it, with sources of worktest; what the screen shows of it is
// tested in tui.
package work

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Show puts what a write brought on the screen. It is called by the program's
// Update, after the write; it may be nil.
type Show func() tea.Cmd

// Write is one thing to be done in the database.
type Write struct {
	// ID is the segment that it changes, "" if that is not known.
	ID string
	// Doing says what is being done, for a write that takes long: "approving
	// 2,000 segments".
	Doing string
	// Run does it and returns what is to be shown of it. An error says that it
	// was not done. It runs besides the screen: what it returns may use the
	// screen, it must not.
	Run func(context.Context) (Show, error)

	seq   int
	reads bool // it changes nothing: a question whose answer depends on the writes before it
}

// Done says that a write is done: a message for Queue.Take.
type Done struct {
	seq  int
	show Show
	err  error
}

// Queue has writes done one after the other, in the order of the keys: an undo
// must not overtake its verdict. A command does one of them, whichever is next;
// what is left when the screen has gone, Do does. Nothing waits for a command
// that the program may never start. The zero Queue is empty.
type Queue struct {
	// The program's own: those whose answer has not come, in order.
	open  []Write
	last  int // number of the last one
	epoch int // counts the beginnings and ends of writes

	turn sync.Mutex // held while one is done

	mu      sync.Mutex // guards what follows
	waiting []Write
	failed  map[int]error // by number, those the curator was not told of
}

// Put appends a write and returns the command that does the next one. The end of
// ctx does not cancel it.
func (q *Queue) Put(ctx context.Context, w Write) tea.Cmd {
	q.epoch++
	return q.put(ctx, w)
}

// Ask appends a question that is asked when all writes before it are done.
func (q *Queue) Ask(ctx context.Context, ask func(context.Context) Show) tea.Cmd {
	return q.put(ctx, Write{reads: true, Run: func(ctx context.Context) (Show, error) { return ask(ctx), nil }})
}

func (q *Queue) put(ctx context.Context, w Write) tea.Cmd {
	q.last++
	w.seq = q.last
	q.open = append(q.open, w)
	q.mu.Lock()
	q.waiting = append(q.waiting, w)
	q.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	return func() tea.Msg {
		if done, ok := q.Do(ctx); ok {
			return done
		}
		return nil
	}
}

// Do does the next write; ok is false if there is none. It waits for the one
// under way.
func (q *Queue) Do(ctx context.Context) (done Done, ok bool) {
	q.turn.Lock()
	defer q.turn.Unlock()
	w, ok := q.next()
	if !ok {
		return Done{}, false
	}
	show, err := w.Run(ctx)
	if err != nil {
		q.fail(w.seq, err)
	}
	return Done{w.seq, show, err}, true
}

func (q *Queue) next() (Write, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return Write{}, false
	}
	w := q.waiting[0]
	q.waiting = q.waiting[1:]
	return w, true
}

func (q *Queue) fail(seq int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.failed == nil {
		q.failed = map[int]error{}
	}
	q.failed[seq] = err
}

// Take takes the answer of a write and returns what is to be shown of it, nil for
// nothing. failed tells whether it was not done; that is shown, too.
func (q *Queue) Take(m Done) (show Show, failed bool) {
	i := slices.IndexFunc(q.open, func(w Write) bool { return w.seq == m.seq })
	if i < 0 {
		return nil, false
	}
	if !q.open[i].reads {
		q.epoch++
	}
	q.open = slices.Delete(q.open, i, i+1)
	if failed = m.err != nil; failed {
		q.mu.Lock()
		delete(q.failed, m.seq)
		q.mu.Unlock()
	}
	return m.show, failed
}

// Open reports whether there are writes or questions that were not answered.
func (q *Queue) Open() bool { return len(q.open) > 0 }

// Writing reports whether what is read may change before it is shown.
func (q *Queue) Writing() bool {
	return slices.ContainsFunc(q.open, func(w Write) bool { return !w.reads })
}

// Epoch counts the beginnings and ends of writes: what was read under another
// one may be older than what the screen shows.
func (q *Queue) Epoch() int { return q.epoch }

// Changes reports whether a write that was not answered changes a segment.
func (q *Queue) Changes(id string) bool {
	return slices.ContainsFunc(q.open, func(w Write) bool { return w.ID == id })
}

// Doing says what the first of the writes does that take long, "" if none does.
func (q *Queue) Doing() string {
	if i := slices.IndexFunc(q.open, func(w Write) bool { return w.Doing != "" }); i >= 0 {
		return q.open[i].Doing
	}
	return ""
}

// ErrLeft is why a write was not done when the curator would not wait for it.
var ErrLeft = errors.New("winnow was closed before it was saved")

// Drop gives up what nobody has begun.
func (q *Queue) Drop() {
	for w, ok := q.next(); ok; w, ok = q.next() {
		if !w.reads { // nobody misses an answer
			q.fail(w.seq, ErrLeft)
		}
	}
}

// Lost tells what was not saved without anybody seeing it.
func (q *Queue) Lost() error {
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
