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
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

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

// run is one import under way.
type run struct {
	im     *Importer
	known  map[string]*Source
	moved  *movedFiles
	writer *writer
	notify func()

	bytes atomic.Int64 // read so far

	mu       sync.Mutex // guards what follows
	report   Report
	progress Progress
}

// all reads the files in parallel and stores them one after the other.
func (r *run) all(ctx context.Context, files []file) error {
	work := r.changed(files)
	if len(work) > 0 {
		r.moved = findMoved(r.known, files)
	}
	jobs := r.im.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	next := make(chan file)
	var readers sync.WaitGroup
	errs := make([]error, min(jobs, len(work)))
	for i := range errs {
		readers.Go(func() {
			d := &desk{}
			for f := range next {
				if err := r.file(ctx, f, d); err != nil {
					errs[i] = err
					r.writer.cancel()
					return
				}
			}
		})
	}
	stored := make(chan error, 1)
	go func() { stored <- r.writer.loop(ctx, r.notify) }()
feed:
	for _, f := range work {
		select {
		case next <- f:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	readers.Wait()
	r.writer.close()
	if err := <-stored; err != nil {
		return err
	}
	if r.notify != nil {
		r.notify()
	}
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return ctx.Err()
}

// changed returns the files that have to be opened. The others are told by
// their size and time and only counted.
func (r *run) changed(files []file) []file {
	var work []file
	for _, f := range files {
		s := r.known[f.path]
		if s == nil || s.Size != f.size || s.ModTime != f.modTime || r.reforced(s) {
			work = append(work, f)
			continue
		}
		r.report.Unchanged++
		r.finish(s, 0, f.size)
	}
	return work
}

// reforced reports whether a source has to be read again because another
// format is asked for now.
func (r *run) reforced(s *Source) bool {
	return r.format() != "" && r.format() != s.Forced
}

func (r *run) format() string {
	if r.im.Format == "auto" {
		return ""
	}
	return r.im.Format
}

// count adds to the report what was stored.
func (r *run) count(news, updates, messages int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.New += news
	r.report.Updated += updates
	r.report.NewMessages += messages
}

// finish adds a source to the report.
func (r *run) finish(s *Source, read, size int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Sources++
	r.report.Lines = r.report.Lines.Plus(s.Counts())
	r.report.Messages += int(s.State.Messages)
	r.report.Bytes += read
	if s.Reason != "" {
		r.report.Nothing = append(r.report.Nothing, Unusable{s.Path, s.Reason})
	}
	r.progress.Done++
	r.bytes.Add(size - read)
}

func (r *run) refuse(path string, err error) {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Sources++
	r.report.Refused = append(r.report.Refused, Refused{path, err})
	r.progress.Done++
}

func (r *run) snapshot() Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.progress
	p.Bytes = r.bytes.Load()
	p.Sessions = r.report.New + r.report.Updated
	p.Messages = r.report.NewMessages
	return p
}

func (r *run) sortLists() {
	slices.SortFunc(r.report.Nothing, func(a, b Unusable) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(r.report.Refused, func(a, b Refused) int { return strings.Compare(a.Path, b.Path) })
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
// it from the candidates; nil if there is none.
func (m *movedFiles) take(in *input) *Source {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := m.byFirst[in.first()]
	for i, s := range list {
		if in.continues(s) {
			m.byFirst[s.Proof.First] = slices.Delete(list, i, i+1)
			return s
		}
	}
	return nil
}
