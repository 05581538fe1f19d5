package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// bench is a watcher whose events and time are made by the test.
type bench struct {
	*Watcher
	t        *testing.T
	events   chan fsnotify.Event
	failures chan error
	refuse   map[string]bool // folders that cannot be watched
	closed   chan struct{}
	timers   map[time.Duration]chan chan time.Time
}

func start(t *testing.T) *bench {
	return startWith(t, func(b *bench) (Source, error) { return (*fake)(b), nil })
}

func startWith(t *testing.T, source func(*bench) (Source, error)) *bench {
	b := &bench{
		t: t, events: make(chan fsnotify.Event), failures: make(chan error), refuse: map[string]bool{},
		closed: make(chan struct{}), timers: map[time.Duration]chan chan time.Time{},
	}
	for _, d := range []time.Duration{quiet, beat} {
		b.timers[d] = make(chan chan time.Time, 1)
	}
	b.Watcher = Start(t.Context(), Options{
		Source: func() (Source, error) { return source(b) },
		Remote: func(folder string) bool { return folder == "/net" },
		After: func(d time.Duration) <-chan time.Time {
			c := make(chan time.Time, 1)
			b.timers[d] <- c
			return c
		},
	})
	t.Cleanup(b.Close)
	return b
}

// fake is the source of a bench.
type fake bench

func (f *fake) Add(folder string) error {
	if f.refuse[folder] {
		return errors.New("no space left on device")
	}
	return nil
}
func (f *fake) Remove(string) error           { return fsnotify.ErrNonExistentWatch }
func (f *fake) Events() <-chan fsnotify.Event { return f.events }
func (f *fake) Failures() <-chan error        { return f.failures }
func (f *fake) Close() error                  { close(f.closed); return nil }

// pass lets a time go by that the watcher waits for, and lets it see that. A
// beat is over when the next one is waited for.
func (b *bench) pass(d time.Duration) {
	timer := <-b.timers[d]
	timer <- time.Time{}
	for len(timer) > 0 || d == beat && len(b.timers[beat]) == 0 {
		runtime.Gosched()
	}
}

func (b *bench) event(op fsnotify.Op, path string) { b.events <- fsnotify.Event{Name: path, Op: op} }

// wants checks the next batch.
func (b *bench) wants(want Batch) {
	b.t.Helper()
	got, err := b.Next(b.t.Context())
	if err != nil || !reflect.DeepEqual(got, want) {
		b.t.Fatalf("%+v, %v, want %+v", got, err, want)
	}
}

func written(path string) Change  { return Change{path, false} }
func replaced(path string) Change { return Change{path, true} }

func TestChangesAreCollectedUntilItIsCalm(t *testing.T) {
	b := start(t)
	b.event(fsnotify.Write, "/d/b")
	b.event(fsnotify.Create, "/d/a")
	b.pass(quiet)
	b.event(fsnotify.Chmod, "/d/a")
	b.event(fsnotify.Remove, "/d/c")
	b.event(fsnotify.Rename, "/d//e/")
	b.pass(quiet)
	b.pass(quiet)
	b.wants(Batch{Changes: []Change{replaced("/d/a"), written("/d/b"), replaced("/d/c"), replaced("/d/e")}})
	b.event(fsnotify.Write, "/d/b")
	b.pass(quiet)
	b.wants(Batch{Changes: []Change{written("/d/b")}})
}

func TestBusyWriterIsHeard(t *testing.T) {
	b := start(t)
	b.event(fsnotify.Write, "/d/a")
	for range quietMost {
		b.event(fsnotify.Write, "/d/a")
		b.pass(quiet)
	}
	b.wants(Batch{Changes: []Change{written("/d/a")}})
}

// TestChangesThatNobodyTakesYetAreKept: the listener is busy with the batch
// before.
func TestChangesThatNobodyTakesYetAreKept(t *testing.T) {
	b := start(t)
	b.event(fsnotify.Write, "/d/a")
	b.pass(quiet)
	for i := range 3 {
		b.event(fsnotify.Write, fmt.Sprint("/d/b", i))
	}
	b.wants(Batch{Changes: []Change{written("/d/a"), written("/d/b0"), written("/d/b1"), written("/d/b2")}})
}

func TestLostEventsMeanEverything(t *testing.T) {
	b := start(t)
	b.event(fsnotify.Write, "/d/a")
	b.failures <- fsnotify.ErrEventOverflow
	b.event(fsnotify.Write, "/d/b")
	b.pass(quiet)
	b.pass(quiet)
	b.wants(Batch{All: true})

	for i := range most + 1 {
		b.event(fsnotify.Create, fmt.Sprint("/d/", i))
	}
	for range 2 {
		b.pass(quiet)
	}
	b.wants(Batch{All: true})
}

func TestEverythingIsLookedAtNowAndThen(t *testing.T) {
	b := start(t)
	for range safetyBeats - 1 {
		b.pass(beat)
	}
	b.event(fsnotify.Write, "/d/a")
	b.pass(quiet)
	b.wants(Batch{Changes: []Change{written("/d/a")}})
	b.pass(beat)
	b.pass(quiet)
	b.wants(Batch{All: true})
}

// TestFoldersWithoutEventsAreNamed: at every beat, those after a limit and
// those on a network.
func TestFoldersWithoutEventsAreNamed(t *testing.T) {
	b := start(t)
	b.refuse["/b"] = true
	for _, folder := range []string{"/a", "/net", "/b"} {
		b.Add(folder)
	}
	b.pass(beat)
	b.pass(quiet)
	b.wants(Batch{Silent: []string{"/b", "/net"}})
	delete(b.refuse, "/b")
	b.Add("/b")
	b.pass(beat)
	b.pass(quiet)
	b.wants(Batch{Silent: []string{"/net"}})
	b.Remove("/net")
	b.pass(beat)
	b.event(fsnotify.Write, "/a/x")
	b.pass(quiet)
	b.wants(Batch{Changes: []Change{written("/a/x")}})

	close(b.events)
	for deaf := false; !deaf; runtime.Gosched() {
		b.mu.Lock()
		deaf = b.deaf
		b.mu.Unlock()
	}
	b.Add("/c")
	b.pass(beat)
	b.pass(quiet)
	b.wants(Batch{Silent: []string{"/a", "/b", "/c"}})
}

func TestSomeFoldersAreLeftForOthers(t *testing.T) {
	b := start(t)
	for i := range mostFolders {
		b.Add(fmt.Sprint("/", i))
	}
	b.Add("/one more")
	b.Add("/0")
	b.pass(beat)
	b.pass(quiet)
	b.wants(Batch{Silent: []string{"/one more"}})
}

func TestWithoutEventsAtAllFoldersAreNamed(t *testing.T) {
	b := startWith(t, func(*bench) (Source, error) { return nil, errors.New("too many open files") })
	b.Add("/a")
	b.pass(beat)
	b.pass(quiet)
	b.wants(Batch{Silent: []string{"/a"}})
}

// TestEntriesSpeakForTheirFolder: some systems tell that a folder was written
// to when an entry was.
func TestEntriesSpeakForTheirFolder(t *testing.T) {
	b := start(t)
	b.Add("/d/e")
	b.event(fsnotify.Write, "/d/e")
	b.event(fsnotify.Chmod, "/d/e")
	b.event(fsnotify.Remove, "/d/e/f")
	b.pass(quiet)
	b.wants(Batch{Changes: []Change{replaced("/d/e/f")}})
	b.event(fsnotify.Remove, "/d/e")
	b.pass(quiet)
	b.wants(Batch{Changes: []Change{replaced("/d/e")}})
}

func TestAnchorsAreNamedWhenSomethingElseStandsThere(t *testing.T) {
	b := start(t)
	root := filepath.Join(t.TempDir(), "root")
	steps := []func() error{
		func() error { return os.Mkdir(root, 0o755) },
		func() error { return os.WriteFile(filepath.Join(root, "x"), nil, 0o644) }, // still the same folder
		func() error {
			return errors.Join(os.Rename(root, root+".old"), os.Mkdir(root, 0o755))
		},
		func() error { return os.Remove(root) },
	}
	b.Anchor(root)
	for i, step := range steps {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		b.pass(beat)
		if i == 1 {
			continue
		}
		b.pass(quiet)
		b.wants(Batch{Changes: []Change{replaced(root)}})
	}
}

func TestWatcherEnds(t *testing.T) {
	b := start(t)
	b.event(fsnotify.Write, "/d/a")
	b.Close()
	<-b.closed
	if _, err := b.Next(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	b.Close()

	ctx, cancel := context.WithCancel(t.Context())
	w := Start(ctx, Options{})
	cancel()
	if _, err := w.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
	w.Close()
}
