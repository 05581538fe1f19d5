package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"winnow/core/session"
)

// Importer brings files into the store: new ones whole, grown ones from where
// the last import stopped, rewritten ones again, unchanged ones not at all.
type Importer struct {
	Store ImportStore
	Clock Clock
	Agent string // whose sessions they are
	// Format forces a format by its registry name; "" or "auto" detects.
	Format string
	// Jobs is how many files are read at once; 0 means one per processor.
	Jobs int
}

// Progress is a moment of a running import.
type Progress struct {
	Files    int // found
	Done     int // files done
	Sessions int // new and updated so far
	Messages int // new so far
	Bytes    int64
	Total    int64 // bytes to be looked at
}

// Unusable is a file that gave no session, and what was seen in it.
type Unusable struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Report is the outcome of an import. Messages and Lines describe the sources
// named as they now stand; the others what this import did.
type Report struct {
	Sources     int // files looked at
	Unchanged   int // of them, not read because nothing changed
	New         int // sessions
	Updated     int // sessions
	Messages    int // in the sources
	NewMessages int
	Lines       session.Counts
	Bytes       int64 // read
	Seconds     float64
	Nothing     []Unusable
	Refused     []Refused
	Empty       []string // paths asked for that hold no files, as they were named
}

// Import imports the files under paths. progress, if not nil, is called now
// and then from one goroutine. Cancelling ctx stops between two transactions;
// what was committed stays, and the next import goes on from there.
func (im *Importer) Import(ctx context.Context, paths []string, progress func(Progress)) (Report, error) {
	found, err := find(ctx, paths)
	if err != nil {
		return Report{}, err
	}
	return im.files(ctx, found, progress)
}

// ImportReader imports what r gives, which is kept in a temporary file while
// it is read. The source is named "stdin:" and a hash of its content, so that
// the same content is imported once.
func (im *Importer) ImportReader(ctx context.Context, r io.Reader, progress func(Progress)) (Report, error) {
	spool, err := os.CreateTemp("", "winnow-stdin-")
	if err != nil {
		return Report{}, err
	}
	defer os.Remove(spool.Name())
	defer spool.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(spool, h), r)
	if err != nil {
		return Report{}, fmt.Errorf("standard input: %w", err)
	}
	name := "stdin:" + hex.EncodeToString(h.Sum(nil)[:8])
	return im.files(ctx, &walk{files: []file{{path: name, size: n, at: spool.Name()}}}, progress)
}

// files imports what a walk has found.
func (im *Importer) files(ctx context.Context, found *walk, progress func(Progress)) (Report, error) {
	files := found.files
	began := im.Clock()
	known, err := im.Store.Sources(ctx, im.Agent)
	if err != nil {
		return Report{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{im: im, known: known, writer: newWriter(im.Store, cancel)}
	r.report.Refused, r.report.Empty = found.refused, found.empty
	r.progress.Files = len(files)
	for _, f := range files {
		r.progress.Total += f.size
	}
	if progress != nil {
		r.notify = func() { progress(r.snapshot()) }
	}
	err = r.all(ctx, files)
	r.report.Seconds = im.Clock().Sub(began).Seconds()
	r.sortLists()
	return r.report, err
}

// movedFiles finds sources again whose file has another name now.
type movedFiles struct {
	mu      sync.Mutex
	byFirst map[string][]*Source
}

// findMoved collects the known sources whose path is gone. It looks only if
// some file is unknown.
func findMoved(known map[string]*Source, files []file) *movedFiles {
	m := &movedFiles{byFirst: map[string][]*Source{}}
	present := make(map[string]bool, len(files))
	unknown := false
	for _, f := range files {
		present[f.path] = true
		unknown = unknown || known[f.path] == nil
	}
	if !unknown {
		return m
	}
	for path, s := range known {
		if present[path] || s.Proof.First == "" {
			continue
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			m.byFirst[s.Proof.First] = append(m.byFirst[s.Proof.First], s)
		}
	}
	for _, list := range m.byFirst {
		slices.SortFunc(list, func(a, b *Source) int { return strings.Compare(a.Path, b.Path) })
	}
	return m
}

// take returns the vanished source that an opened file continues, and removes
// it from the candidates; nil if there is none. One file may begin with all of
// another: the longest that fits is meant, and of equal ones the same name.
func (m *movedFiles) take(in *input) *Source {
	m.mu.Lock()
	defer m.mu.Unlock()
	list, best := m.byFirst[in.first()], -1
	for i, s := range list {
		if best >= 0 && !better(s, list[best], in) {
			continue
		}
		if in.continues(s) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	s := list[best]
	m.byFirst[s.Proof.First] = slices.Delete(list, best, best+1)
	return s
}

// better reports whether a is more likely than b what a file was before.
func better(a, b *Source, in *input) bool {
	if a.State.Offset != b.State.Offset {
		return a.State.Offset > b.State.Offset
	}
	name := filepath.Base(in.path)
	return filepath.Base(a.Path) == name && filepath.Base(b.Path) != name
}
