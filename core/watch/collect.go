package watch

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// run collects changes and hands them over when they are wanted.
func (w *Watcher) run(ctx context.Context) {
	defer close(w.ended)
	defer w.source.Close()
	p := pending{}
	events, failures := w.source.Events(), w.source.Failures()
	tick, beats := w.after(beat), 0
	var calm <-chan time.Time  // while changes are collected
	var wanted chan chan Batch // nil as long as there is nothing to hand over
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				events = nil
				w.fallSilent()
				continue
			}
			w.take(&p, e)
		case _, ok := <-failures:
			if !ok {
				failures = nil
				continue
			}
			p.lose()
		case <-calm:
			calm = nil
			if p.waits++; p.waits < quietMost && p.moved {
				p.moved, calm = false, w.after(quiet)
			} else {
				wanted = w.wanted
			}
		case <-tick:
			if beats++; beats%safetyBeats == 0 {
				p.lose()
			}
			w.look(&p)
			tick = w.after(beat)
		case answer := <-wanted:
			answer <- p.batch()
			p, wanted = pending{}, nil
		}
		if calm == nil && wanted == nil && !p.empty() {
			p.moved, calm = false, w.after(quiet)
		}
	}
}

// take adds an event. A watched folder that was merely written to has changed
// entries, which are told themselves.
func (w *Watcher) take(p *pending, e fsnotify.Event) {
	if e.Name == "" {
		return
	}
	path := filepath.Clean(e.Name)
	replaced := e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	if !replaced {
		w.mu.Lock()
		_, folder := w.folders[path]
		w.mu.Unlock()
		if folder {
			return
		}
	}
	p.add(Change{path, replaced})
}

// fallSilent makes all folders silent, because there are no events any more.
func (w *Watcher) fallSilent() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deaf = true
	for folder := range w.folders {
		w.folders[folder] = true
	}
}

// look adds the anchors that changed and the silent folders.
func (w *Watcher) look(p *pending) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for path, before := range w.anchors {
		now := standing(path)
		if (now == nil) != (before == nil) || now != nil && !os.SameFile(now, before) {
			w.anchors[path] = now
			p.add(Change{path, true})
		}
	}
	for folder, silent := range w.folders {
		if silent {
			p.silence(folder)
		}
	}
}

// pending are the changes that nobody has taken yet.
type pending struct {
	all     bool
	changes map[string]bool // by path: whether it was replaced
	silent  map[string]bool
	waits   int  // how often it was waited for calm
	moved   bool // since the last time
}

func (p *pending) empty() bool { return !p.all && len(p.changes)+len(p.silent) == 0 }

// lose forgets what changed, because something else may have, too.
func (p *pending) lose() {
	p.all, p.moved, p.changes, p.silent = true, true, nil, nil
}

func (p *pending) add(c Change) {
	p.moved = true
	if p.all {
		return
	}
	if len(p.changes) == most {
		p.lose()
		return
	}
	if p.changes == nil {
		p.changes = map[string]bool{}
	}
	p.changes[c.Path] = p.changes[c.Path] || c.Replaced
}

func (p *pending) silence(folder string) {
	if p.all {
		return
	}
	if p.silent == nil {
		p.silent = map[string]bool{}
	}
	p.silent[folder] = true
}

func (p *pending) batch() Batch {
	b := Batch{All: p.all}
	for path, replaced := range p.changes {
		b.Changes = append(b.Changes, Change{path, replaced})
	}
	slices.SortFunc(b.Changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	for folder := range p.silent {
		b.Silent = append(b.Silent, folder)
	}
	slices.Sort(b.Silent)
	return b
}
