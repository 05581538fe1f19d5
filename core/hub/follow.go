package hub

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/session"
	"winnow/core/watch"
)

// Watcher tells what changes in folders; *watch.Watcher does.
type Watcher interface {
	Add(folder string)
	Remove(folder string)
	Anchor(path string)
	Next(ctx context.Context) (watch.Batch, error)
}

// Following says how files are followed.
type Following struct {
	Watcher Watcher
	// Progress is called now and then during the imports; may be nil.
	Progress func(Progress)
	// Round is called with the report of each import. Later ones than the first
	// name only those refused files that were not refused before for the same
	// reason. An error from it ends the following.
	Round func(Report) error
}

// Follow imports the files under paths, and then what changes there, until ctx
// ends. Paths may be missing as yet.
//
// The report is that of all imports together: Sources, Unchanged, Messages,
// Lines and Nothing describe the files that are there at the end, Updated
// counts what the first import updated and the files, not new ones, that grew
// since. It is right with an error, too, which is nil if ctx ended after the
// first import.
func (im *Importer) Follow(ctx context.Context, paths []string, how Following) (Report, error) {
	f := &follower{
		im: im, how: how, territory: newTerritory(paths, how.Watcher),
		files: map[string]standing{}, grown: map[string]bool{}, refused: map[string]error{},
	}
	found, err := f.all(ctx)
	if err != nil {
		return Report{}, err
	}
	first, err := f.load(ctx, found, nil)
	f.begun = true
	f.total.Updated = first.Updated
	f.total.Empty = slices.Clone(first.Empty)
	if err == nil {
		err = how.Round(first)
	}
	if err != nil {
		return f.sum(), err
	}
	for err = f.reread(ctx); err == nil; {
		var b watch.Batch
		if b, err = how.Watcher.Next(ctx); err == nil {
			err = f.round(ctx, b)
		}
	}
	if ctx.Err() != nil {
		err = nil
	}
	return f.sum(), err
}

// follower is a Follow under way.
type follower struct {
	*territory
	im      *Importer
	how     Following
	begun   bool                // the first import is done
	files   map[string]standing // by the name of their source
	grown   map[string]bool     // files, not new ones, that grew since the first import
	refused map[string]error    // files that could not be read, and why
	total   Report              // what the imports did
	linked  map[string]int      // as ImportStore.Linked tells

	polled time.Time     // when silent folders were looked at last
	cost   time.Duration // of that
}

// standing is what a file holds, as far as it was read.
type standing struct {
	lines    session.Counts
	messages int64
	reason   string // why it gave no session
	unread   bool   // nothing of it was read, because it was known already
	isNew    bool   // nothing of it was known
}

// pollShare is how many times the time that a look at silent folders takes
// passes until the next one.
const pollShare = 10

// round imports what a batch of changes tells.
func (f *follower) round(ctx context.Context, b watch.Batch) error {
	var found *look
	var err error
	if b.All {
		found, err = f.all(ctx)
	} else {
		began := f.im.Clock()
		poll := len(b.Silent) > 0 && began.Sub(f.polled) >= pollShare*f.cost
		if !poll {
			b.Silent = nil
		}
		found, err = f.changed(ctx, b)
		if poll {
			f.polled = f.im.Clock()
			f.cost = f.polled.Sub(began)
		}
	}
	if err != nil {
		return err
	}
	for _, path := range found.gone {
		delete(f.files, path)
		delete(f.refused, path)
	}
	found.empty = nil
	found.refused = slices.DeleteFunc(found.refused, func(r Refused) bool { return errors.Is(r.Err, fs.ErrNotExist) })
	before := maps.Clone(f.refused)
	if b.All {
		clear(f.refused) // what still is refused is refused again
	}
	if len(found.files) == 0 && len(found.refused) == 0 {
		return nil
	}
	if err := f.news(ctx, found, before); err != nil {
		return err
	}
	return f.reread(ctx)
}

// news imports what a look has found, and tells. before are the files that
// were refused until then.
func (f *follower) news(ctx context.Context, found *look, before map[string]error) error {
	known, err := f.im.known(ctx, found.files)
	if err != nil {
		return err
	}
	report, err := f.load(ctx, found, known)
	report.Refused = slices.DeleteFunc(report.Refused, func(r Refused) bool {
		was := before[r.Path]
		return was != nil && was.Error() == r.Err.Error()
	})
	if err != nil {
		return err
	}
	return f.how.Round(report)
}

// rereads bounds how often sources are read again in a row. What is left then
// is read with the next change.
const rereads = 3

// reread imports files that are as they were, but whose sources are to be read
// again: what they were copies of has changed.
func (f *follower) reread(ctx context.Context) error {
	for range rereads {
		paths, err := f.im.Store.Unread(ctx, f.im.Agent)
		if err != nil {
			return err
		}
		paths = slices.DeleteFunc(paths, func(path string) bool { return f.refused[path] != nil })
		found := f.still(paths)
		if len(found.files) == 0 {
			return nil
		}
		if err := f.news(ctx, found, maps.Clone(f.refused)); err != nil {
			return err
		}
	}
	return nil
}

// load imports what was found and keeps what the files hold now.
func (f *follower) load(ctx context.Context, found *look, known map[string]*Source) (Report, error) {
	r, err := f.im.files(ctx, found.walk, known, f.how.Progress, func(s *Source, read int64) {
		was, there := f.files[s.Path]
		unread := read == 0 && (was.unread || !f.begun)
		f.files[s.Path] = standing{s.Counts(), s.State.Messages, s.Reason, unread, was.isNew || s.ID == 0}
		if there && !was.isNew && s.State.Messages > was.messages {
			f.grown[s.Path] = true
		}
		delete(f.refused, s.Path)
	})
	if err == nil {
		f.linked = r.linked
	}
	var again []string
	for _, no := range r.Refused {
		f.refused[no.Path] = no.Err
		delete(f.files, no.Path)
		again = append(again, no.Path)
	}
	f.drop(again) // the next look at everything tries them once more
	f.total.New += r.New
	f.total.Copies += r.Copies
	f.total.NewMessages += r.NewMessages
	f.total.Bytes += r.Bytes
	f.total.Seconds += r.Seconds
	return r, err
}

// Idle reports whether an import did nothing that is worth telling: files had
// another date, or were refused as before.
func (r *Report) Idle() bool {
	return r.Bytes == 0 && r.New+r.Updated+r.Copies == 0 && len(r.Refused) == 0
}

// sum is the report of all imports.
func (f *follower) sum() Report {
	r := f.total
	r.Updated += len(f.grown)
	for path, s := range f.files {
		r.Sources++
		if s.unread {
			r.Unchanged++
		}
		r.Given += int(s.messages)
		if n, ok := f.linked[path]; ok {
			r.Messages += n
		} else {
			r.Messages += int(s.messages)
		}
		r.Lines = r.Lines.Plus(s.lines)
		if s.reason != "" {
			r.Nothing = append(r.Nothing, Unusable{path, s.reason})
		}
	}
	r.Empty = slices.DeleteFunc(r.Empty, f.filled)
	for path, err := range f.refused {
		if _, missing := os.Stat(path); missing == nil && errors.Is(err, fs.ErrNotExist) {
			continue // it has come
		}
		r.Refused = append(r.Refused, Refused{path, err})
	}
	r.sort()
	return r
}

// filled reports whether a path that held no files has some by now.
func (f *follower) filled(path string) bool {
	abs, err := filepath.Abs(path)
	for name := range f.files {
		if err == nil && strings.HasPrefix(name, abs+string(filepath.Separator)) {
			return true
		}
	}
	return false
}
