package hub

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"winnow/core/review"
	"winnow/core/session"
)

// run is one import under way.
type run struct {
	im        *Importer
	known     map[string]*Source
	moves     *moves
	committer *committer
	notify    func()
	// finished is called with a source and the bytes that were read of it when
	// its file is done; may be nil.
	finished func(s *Source, read int64)

	bytes atomic.Int64 // read so far

	mu       sync.Mutex // guards what follows
	report   Report
	progress Progress
	counts   counts
	gave     map[string]int  // messages of sources, by path
	there    map[string]bool // which files of copies are there

	parting sync.Mutex        // held while sessions get their own messages back; guards what follows
	apart   map[rawName]bool  // copies of other sources that got them
	parted  map[int64]bool    // sources that got messages back from others: their lines are not known until they are read again
	left    map[string]string // ids of sessions that left for that, by their names
}

// all reads the files in parallel and stores them one after the other.
func (r *run) all(ctx context.Context, files []file) error {
	work := r.changed(files)
	r.moves = newMoves(r, files, work)
	if slices.ContainsFunc(work, func(f file) bool { s := r.known[f.path]; return s != nil && f.size < s.Size }) {
		if err := r.moves.early(ctx); err != nil {
			return err
		}
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
			if err := r.work(ctx, next); err != nil {
				errs[i] = err
				r.committer.cancel()
			}
		})
	}
	stored := make(chan error, 1)
	go func() { stored <- r.committer.loop(ctx, r.notify) }()
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
	r.committer.close()
	failed := <-stored
	if r.notify != nil && failed == nil {
		r.notify()
	}
	for _, err := range append(errs, failed) {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	if failed != nil {
		return failed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.link(ctx); err != nil {
		return err
	}
	return r.held(ctx)
}

// held counts what the database holds of the sources: all that they gave, but
// for copies and what they are copies of.
func (r *run) held(ctx context.Context) (err error) {
	if r.report.linked, err = r.im.Store.Linked(ctx, r.im.Agent); err != nil {
		return err
	}
	for path, n := range r.gave {
		if stored, ok := r.report.linked[path]; ok {
			n = stored
		}
		r.report.Messages += n
	}
	return nil
}

// tries is how often a file is read again because somebody else, a curator or
// another import, changed what was to be written. Each try goes on from what is
// stored, so that they come to an end.
const tries = 20

// work reads files until there are none, and sees that each is stored.
func (r *run) work(ctx context.Context, files <-chan file) error {
	d := &desk{}
	var open []*reading // read, but perhaps not stored yet
	for f := range files {
		rd, err := r.file(ctx, f, d)
		if err != nil {
			return err
		}
		if rd != nil {
			open = append(open, rd)
		}
		for len(open) > 0 && (len(open) > queue || open[0].ready()) {
			if err := r.awaitStored(ctx, open[0], d); err != nil {
				return err
			}
			open = open[1:]
		}
	}
	for _, rd := range open {
		if err := r.awaitStored(ctx, rd, d); err != nil {
			return err
		}
	}
	return nil
}

// awaitStored waits until a source is stored. In a conflict it is read again.
func (r *run) awaitStored(ctx context.Context, rd *reading, d *desk) error {
	for try := 0; ; try++ {
		err := rd.conflict
		if err == nil {
			err = rd.wait()
		}
		var storeErr *review.StoreError
		switch {
		case err == nil:
			r.finish(rd.src, rd.bytes, rd.in.size)
			return nil
		case !errors.Is(err, review.ErrConflict):
			if errors.As(err, &storeErr) {
				return storeErr.Err
			}
			return err
		case try == tries:
			r.refuse(rd.file.path, errors.New("is being imported by somebody else: import it again"))
			return nil
		}
		path := rd.file.path
		known, err := r.im.Store.FindSources(ctx, r.im.Agent, []string{path}, nil)
		if err != nil {
			return err
		}
		r.relearn(path, known[path])
		if rd, err = r.file(ctx, rd.file, d); err != nil || rd == nil {
			return err
		}
	}
}

// source returns what is known of a path, nil if nothing.
func (r *run) source(path string) *Source {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[path]
}

// relearn replaces what is known of a path.
func (r *run) relearn(path string, s *Source) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s == nil {
		delete(r.known, path)
		return
	}
	r.known[path] = s
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
// format is asked for now, or because longer values may be read.
func (r *run) reforced(s *Source) bool {
	return r.format() != "" && r.format() != s.Forced || s.State.MaxValue > 0 && s.State.MaxValue < r.options("").MaxValue
}

// options are those of reading a source of a format, "" to detect.
func (r *run) options(format string) session.Options {
	return session.Options{Format: format, MaxValue: cmp.Or(r.im.MaxValue, session.DefaultMaxValue)}
}

func (r *run) format() string {
	if r.im.Format == "auto" {
		return ""
	}
	return r.im.Format
}

// finish adds a source to the report.
func (r *run) finish(s *Source, read, size int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Sources++
	r.report.Lines = r.report.Lines.Plus(s.Counts())
	r.report.Given += int(s.State.Messages)
	if r.gave == nil {
		r.gave = map[string]int{}
	}
	r.gave[s.Path] = int(s.State.Messages)
	r.report.Bytes += read
	if s.Reason != "" {
		r.report.Nothing = append(r.report.Nothing, Unusable{s.Path, s.Reason})
	}
	r.progress.Done++
	r.bytes.Add(size - read)
	if r.finished != nil {
		r.finished(s, read)
	}
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

// sort puts the lists in the order of their paths.
func (r *Report) sort() {
	slices.SortFunc(r.Nothing, func(a, b Unusable) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(r.Refused, func(a, b Refused) int { return strings.Compare(a.Path, b.Path) })
}
