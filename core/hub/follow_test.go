package hub

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"winnow/core/session"
	"winnow/core/watch"
)

// teller is a Watcher that tells what the test wants.
type teller struct {
	folders, anchors set
	batches          chan watch.Batch
	idle             chan bool // gets a value whenever the follower waits
}

func (w *teller) Add(folder string)    { w.folders[folder] = true }
func (w *teller) Remove(folder string) { delete(w.folders, folder) }
func (w *teller) Anchor(path string)   { w.anchors[path] = true }

func (w *teller) Next(ctx context.Context) (watch.Batch, error) {
	w.idle <- true
	select {
	case b := <-w.batches:
		return b, nil
	case <-ctx.Done():
		return watch.Batch{}, ctx.Err()
	}
}

// trail is a Follow under way.
type trail struct {
	*bench
	*teller
	rounds []Report
	end    func() Report
}

// follow follows paths of the bench's folder, the folder itself without any.
func (b *bench) follow(paths ...string) *trail {
	b.t.Helper()
	f := &trail{bench: b, teller: &teller{set{}, set{}, make(chan watch.Batch), make(chan bool)}}
	if len(paths) == 0 {
		paths = []string{b.dir}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan Report, 1)
	go func() {
		r, err := b.im.Follow(ctx, paths, Following{Watcher: f, Round: func(r Report) error {
			if len(f.rounds) == 0 || !r.Idle() {
				f.rounds = append(f.rounds, r)
			}
			return nil
		}})
		if err != nil {
			b.t.Error(err)
		}
		close(f.idle)
		done <- r
	}()
	f.end = func() Report {
		cancel()
		for range f.idle {
		}
		return <-done
	}
	<-f.idle
	return f
}

// tell sends a batch and waits until it was dealt with.
func (f *trail) tell(b watch.Batch) {
	f.t.Helper()
	f.batches <- b
	<-f.idle
	f.store.verify()
}

func (f *trail) all() { f.tell(watch.Batch{All: true}) }

// replaced tells that files came, went or became others.
func (f *trail) replaced(names ...string) { f.tell(watch.Batch{Changes: f.changes(true, names)}) }

func (f *trail) written(names ...string) { f.tell(watch.Batch{Changes: f.changes(false, names)}) }

func (f *trail) changes(replaced bool, names []string) []watch.Change {
	var list []watch.Change
	for _, name := range names {
		list = append(list, watch.Change{Path: filepath.Join(f.dir, name), Replaced: replaced})
	}
	return list
}

// silent tells of no change, as if no folder gave events.
func (f *trail) silent() {
	b := watch.Batch{}
	for folder := range f.folders {
		b.Silent = append(b.Silent, folder)
	}
	for path := range f.anchors {
		b.Changes = append(b.Changes, watch.Change{Path: path, Replaced: true})
	}
	f.tell(b)
}

// TestFollowCostsWhatChanged: one file of many is looked up and read, the
// others are not asked for.
func TestFollowCostsWhatChanged(t *testing.T) {
	b := newBench(t)
	for i := range 200 {
		b.write(fmt.Sprintf("%d/%d", i%7, i), talk(2, 20))
	}
	f := b.follow()
	lists, asked := b.store.lists, b.store.asked
	b.write("3/3", talk(3, 20))
	f.written("3/3")
	r := f.rounds[len(f.rounds)-1]
	if len(f.rounds) != 2 || r.Sources != 1 || r.NewMessages != 1 || r.Bytes > 200 || b.store.lists != lists {
		t.Errorf("%d rounds, the last %+v, sources listed %d times", len(f.rounds), r, b.store.lists-lists)
	}
	f.written("3/3", "3/10", "none", "3/none")
	f.all()
	f.silent()
	if n := b.store.asked - asked; n != 1 {
		t.Errorf("%d sources were looked up", n)
	}
	if len(f.rounds) != 2 {
		t.Errorf("a round for nothing: %+v", f.rounds[2:])
	}
	if r := f.end(); r.Sources != 200 || r.Unchanged != 0 || r.Messages != 401 || r.New != 200 || r.Updated != 0 || r.NewMessages != 401 {
		t.Errorf("in all %+v", r)
	}
}

// TestFollowCountsFilesThatGrew: once each, and new ones as new.
func TestFollowCountsFilesThatGrew(t *testing.T) {
	b := newBench(t)
	b.write("a", talk(2, 20))
	b.write("b", talk(2, 20))
	b.write("c", talk(2, 20))
	b.load()
	b.write("c", talk(3, 20))
	f := b.follow()
	for n := 3; n < 6; n++ {
		b.write("a", talk(n, 20))
		b.write("new", talk(n, 20))
		f.written("a", "new")
	}
	if r := f.end(); r.New != 1 || r.Updated != 2 || r.Unchanged != 1 || r.NewMessages != 1+3+5 || r.Messages != 5+2+3+5 {
		t.Errorf("%+v", r)
	}
}

// TestFollowReadsAgainWhatIsToBe: a source whose file is as it was, because what
// it is a copy of has changed.
func TestFollowReadsAgainWhatIsToBe(t *testing.T) {
	b := newBench(t)
	b.write("a", talk(2, 20))
	b.write("b", talk(2, 30))
	b.write("gone", talk(2, 40))
	f := b.follow()
	for _, src := range b.store.sources {
		src.ModTime, src.Proof = 0, Proof{}
	}
	if err := os.Remove(filepath.Join(b.dir, "gone")); err != nil {
		t.Fatal(err)
	}
	b.write("a", talk(3, 20))
	f.written("a")
	if len(f.rounds) != 3 || f.rounds[2].Sources != 1 || f.rounds[2].Bytes == 0 {
		t.Errorf("%+v", f.rounds)
	}
	f.end()
	if unread, err := b.store.Unread(t.Context(), "default"); err != nil || !slices.Equal(unread, []string{filepath.Join(b.dir, "gone")}) {
		t.Errorf("unread are %q, %v", unread, err)
	}
}

// TestFollowedPathsMayBeMissing: files and folders that come later, are
// replaced, or lie among others that nobody asked for.
func TestFollowedPathsMayBeMissing(t *testing.T) {
	b := newBench(t)
	b.write("in/a", talk(2, 20))
	b.write("in/other", talk(2, 20))
	for _, name := range []string{"empty", "filled"} {
		if err := os.Mkdir(filepath.Join(b.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	empty := filepath.Join(b.dir, "empty")
	f := b.follow(empty, filepath.Join(b.dir, "filled"), filepath.Join(b.dir, "in/a"), filepath.Join(b.dir, "in/late"), filepath.Join(b.dir, "no/where/x"), filepath.Join(b.dir, "dir"))
	if r := f.rounds[0]; r.Messages != 2 || len(r.Refused) != 3 {
		t.Errorf("at first %+v", r)
	}
	b.write("filled/x", talk(1, 20))
	f.replaced("filled/x")
	b.write("in/late", talk(3, 20))
	b.write("in/other", talk(9, 20))
	f.replaced("in/late", "in/other")
	b.write("in/a", talk(4, 20))
	f.written("in/a")
	b.write("no/where/x", talk(5, 20))
	f.replaced("no/where")
	b.write("no/where/x", talk(6, 20))
	f.written("no/where/x")
	b.write("dir/y", talk(7, 20))
	f.replaced("dir")
	b.write("dir/y", talk(8, 20))
	f.written("dir/y")
	b.rename("dir", "old")
	b.write("dir/y", talk(8, 20)+talk(1, 50))
	f.replaced("dir")
	for _, folder := range []string{"in", "no/where", "dir"} {
		if path := filepath.Join(b.dir, folder); !f.folders[path] || !f.anchors[path] {
			t.Errorf("%s is not watched", folder)
		}
	}
	r := f.end()
	if r.Sources != 5 || r.Messages != 1+4+3+6+9 || len(r.Refused) != 0 || len(b.store.sessions) != 5 || !slices.Equal(r.Empty, []string{empty}) {
		t.Errorf("%d sessions, %+v", len(b.store.sessions), r)
	}
	if b.store.sessions["default "+filepath.Join(b.dir, "in/other")] != nil {
		t.Error("a file was imported that nobody asked for")
	}
}

func TestFollowedLinks(t *testing.T) {
	b := newBench(t)
	outside := newBench(t)
	target := outside.write("target", talk(2, 20))
	outside.write("dir/x", talk(2, 20))
	b.write("own", talk(2, 20))
	for link, to := range map[string]string{"file": target, "dir": filepath.Join(outside.dir, "dir"), "loop": b.dir, "same": filepath.Join(b.dir, "own")} {
		if err := os.Symlink(to, filepath.Join(b.dir, link)); err != nil {
			return // a system where making links takes a privilege
		}
	}
	f := b.follow()
	outside.write("target", talk(3, 20))
	outside.write("beside", talk(3, 20))
	outside.write("dir/x", talk(4, 20))
	outside.write("dir/new/z", talk(5, 20))
	b.write("own", talk(6, 20))
	in := func(name string) watch.Change { return watch.Change{Path: filepath.Join(outside.dir, name)} }
	f.tell(watch.Batch{Changes: append(f.changes(false, []string{"own", "same"}), in("target"), in("beside"), in("dir/x"), in("dir/new"))})
	f.written("same")                  // is known as own
	outside.rename("beside", "target") // after the link
	f.tell(watch.Batch{Changes: []watch.Change{in("target"), in("beside")}})
	f.silent()
	f.all()
	if !f.folders[outside.dir] {
		t.Error("the folder of a file behind a link is not watched")
	}
	r := f.end()
	if r.Sources != 4 || r.Messages != 3+4+5+6 || len(b.store.sessions) != 4 {
		t.Errorf("%d sessions, %+v", len(b.store.sessions), r)
	}
	for name, n := range map[string]int{"file": 3, "dir/x": 4, "dir/new/z": 5, "own": 6} {
		if m := b.session(filepath.Join(b.dir, name)); len(m.messages) != n {
			t.Errorf("%s has %d messages, want %d", name, len(m.messages), n)
		}
	}
}

// TestRefusedFilesAreToldOnce, and tried again with each look at everything.
func TestRefusedFilesAreToldOnce(t *testing.T) {
	b := newBench(t)
	path := b.write("log", talk(2, 20))
	loop := filepath.Join(b.dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		return // a system where making links takes a privilege
	}
	f := b.follow()
	b.store.before = func(int) { b.store.sources[0].State.Lines++ } // somebody else imports it
	b.write("log", talk(3, 20))
	for range 2 {
		f.written("log", "loop")
		f.all()
	}
	if len(f.rounds) != 2 || len(f.rounds[0].Refused) != 1 || len(f.rounds[1].Refused) != 1 || f.rounds[1].Refused[0].Path != path {
		t.Errorf("%+v", f.rounds)
	}
	b.store.before = nil
	if err := os.Remove(loop); err != nil {
		t.Fatal(err)
	}
	b.write("loop", talk(1, 20))
	f.all()
	if r := f.end(); len(r.Refused) != 0 || r.Messages != 4 {
		t.Errorf("%+v", r)
	}
}

func TestFollowEndsWithAnError(t *testing.T) {
	b := newBench(t)
	b.write("log", talk(2, 20))
	w := &teller{set{}, set{}, make(chan watch.Batch, 1), make(chan bool, 9)}
	w.batches <- watch.Batch{All: true}
	full := errors.New("the output is full")
	_, err := b.im.Follow(t.Context(), []string{b.dir}, Following{Watcher: w, Round: func(r Report) error { return full }})
	if !errors.Is(err, full) {
		t.Errorf("an error of Round: %v", err)
	}
	b.write("log", talk(3, 20))
	r, err := b.im.Follow(t.Context(), []string{b.dir}, Following{Watcher: w, Round: func(r Report) error {
		b.write("log", talk(4, 20))
		b.store.failAt = b.store.writes + 1
		return nil
	}})
	if !errors.Is(err, errFull) || r.NewMessages != 1 {
		t.Errorf("an error of the store: %v, %+v", err, r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.im.Follow(ctx, []string{b.dir}, Following{Watcher: w, Round: func(Report) error { return nil }}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended in the first import: %v", err)
	}
}

// TestFollowWithTheSystemsEvents: the real watcher, until everything is there.
func TestFollowWithTheSystemsEvents(t *testing.T) {
	b := newBench(t)
	b.write("a/log", story("log", 3))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := watch.Start(ctx, watch.Options{})
	defer w.Close()
	half := story("log", 3) + line("user", "half")
	steps := []struct {
		when session.Counts // of all sources
		do   func()
	}{
		{session.Counts{Read: 3}, func() { b.write("a/log", half[:len(half)-9]) }},
		{session.Counts{Read: 3, Pending: 1}, func() { b.write("a/log", half) }},
		{session.Counts{Read: 4}, func() { b.write("b/c/d", story("d", 4)) }},
		{session.Counts{Read: 8}, func() { b.rename("a/log", "a/log.1"); b.write("a/log", story("anew", 2)) }},
		{session.Counts{Read: 10}, func() { b.rename("a", "e"); b.write("a/log", story("again", 5)) }},
		{session.Counts{Read: 15}, cancel},
	}
	r, err := b.im.Follow(ctx, []string{b.dir}, Following{Watcher: w, Round: func(Report) error {
		sources, err := b.store.Sources(ctx, "default")
		var now session.Counts
		for _, s := range sources {
			now = now.Plus(s.Counts())
		}
		if now == steps[0].when {
			steps[0].do()
			steps = steps[1:]
		}
		return err
	}})
	if err != nil || r.Messages != 15 || r.Sources != 4 || len(b.store.sessions) != 4 {
		t.Errorf("%+v, %v, %d sessions", r, err, len(b.store.sessions))
	}
}
