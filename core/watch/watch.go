// Package watch tells what changes in folders, within a second and at the cost
// of what changed.
//
// The system's events are an accelerator, not the truth. Folders that give
// none (a limit was reached, a network file system) are named every second,
// and all is named when events were lost and every half minute anyway. A
// listener that looks at what it is told misses nothing.
package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// quiet is how long changes are collected: a line is often written in
	// several pieces, and a file renamed in several steps.
	quiet = 100 * time.Millisecond
	// quietMost is how many times quiet is waited while changes go on, so
	// that a busy writer is heard, too.
	quietMost = 4
	// beat is how often anchors and folders without events are looked at.
	beat = time.Second
	// safetyBeats is how many beats pass between two looks at everything.
	safetyBeats = 30
	// most is how many changes are collected. More come from work on whole
	// trees, where a look at everything is the cheaper way.
	most = 10_000
	// mostFolders is how many folders are watched for events: systems limit
	// them for all programs of a user together, to a hundred thousand or so.
	mostFolders = 20_000
)

// Batch is what changed since the one before.
type Batch struct {
	// All says that anything may have changed.
	All bool
	// Changes are the paths that changed, sorted: entries of watched folders,
	// watched folders themselves, and anchors.
	Changes []Change
	// Silent are the watched folders that give no events, sorted. Their
	// entries have to be looked at.
	Silent []string
}

// Change is a path at which something happened.
type Change struct {
	Path string
	// Replaced says that something else may stand there than before: it was
	// made, renamed or removed. Otherwise it was written to.
	Replaced bool
}

// Options say where events come from. The zero value is the system.
type Options struct {
	// Source returns the source of events. If it fails, all folders are silent.
	Source func() (Source, error)
	// Remote tells folders whose events do not tell all, such as those on a
	// network: they are silent, too.
	Remote func(folder string) bool
	// After is time.After.
	After func(time.Duration) <-chan time.Time
}

// Source is a source of events, such as a *fsnotify.Watcher.
type Source interface {
	// Add watches the entries of a folder; it fails if they give no events.
	// Adding a folder again watches what stands there now.
	Add(folder string) error
	Remove(folder string) error
	Events() <-chan fsnotify.Event
	// Failures are the times when events may have been lost.
	Failures() <-chan error
	Close() error
}

// Watcher collects changes until it is closed. Its methods may be called from
// several goroutines.
type Watcher struct {
	source Source
	remote func(string) bool
	after  func(time.Duration) <-chan time.Time
	wanted chan chan Batch
	cancel context.CancelFunc
	ended  chan struct{}

	mu      sync.Mutex             // guards what follows
	folders map[string]bool        // watched: whether it is silent
	deaf    bool                   // there are no events any more
	anchors map[string]os.FileInfo // nil: nothing stands there
}

// Start begins to watch. The watcher ends with ctx or Close.
func Start(ctx context.Context, o Options) *Watcher {
	ctx, cancel := context.WithCancel(ctx)
	w := &Watcher{
		remote: o.Remote, after: o.After, wanted: make(chan chan Batch), cancel: cancel, ended: make(chan struct{}),
		folders: map[string]bool{}, anchors: map[string]os.FileInfo{},
	}
	if o.Source == nil {
		o.Source = system
	}
	if w.remote == nil {
		w.remote = remote
	}
	if w.after == nil {
		w.after = time.After
	}
	source, err := o.Source()
	if err != nil {
		source, w.deaf = nothing{}, true
	}
	w.source = source
	go w.run(ctx)
	return w
}

// Close ends the watching and returns when nothing of it is left.
func (w *Watcher) Close() {
	w.cancel()
	<-w.ended
}

// Next waits until something has changed and returns it. The error is that of
// ctx, or ErrClosed.
func (w *Watcher) Next(ctx context.Context) (Batch, error) {
	answer := make(chan Batch, 1)
	select {
	case w.wanted <- answer:
		return <-answer, nil
	case <-ctx.Done():
		return Batch{}, ctx.Err()
	case <-w.ended:
		if err := ctx.Err(); err != nil {
			return Batch{}, err
		}
		return Batch{}, ErrClosed
	}
}

// ErrClosed says that the watcher has ended.
var ErrClosed = errors.New("the watcher is closed")

// Add watches the entries of a folder, given by its real path. What changes
// after Add has returned is told: a listing made then misses nothing. Adding a
// folder again watches what stands there now.
func (w *Watcher) Add(folder string) {
	folder = filepath.Clean(folder)
	w.mu.Lock()
	_, known := w.folders[folder]
	full := !known && len(w.folders) >= mostFolders
	w.mu.Unlock()
	silent := full || w.source.Add(folder) != nil || w.remote(folder)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.folders[folder] = silent || w.deaf
}

// Remove ends the watching of a folder, which may have gone.
func (w *Watcher) Remove(folder string) {
	folder = filepath.Clean(folder)
	_ = w.source.Remove(folder) // what is gone has been forgotten already
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.folders, folder)
}

// Anchor names path as replaced when something else stands there than now,
// whatever happens to the folders above it.
func (w *Watcher) Anchor(path string) {
	info := standing(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.anchors[path] = info
}

// standing returns what stands at a path, nil for nothing.
func standing(path string) os.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}
