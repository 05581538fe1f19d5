package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/export/unfinished"
	"winnow/core/review"
)

// ErrExists is returned when a target exists and may not be replaced.
var ErrExists = errors.New("exists already: use --force to replace it")

// File is one file that an export wrote.
type File = review.ExportedFile

// newOutput makes sure that the target can be written, and removes what an
// export to it that was killed has left. A path that ends with a slash, or is
// a folder, is the folder of a data set; all else is a file, compressed if its
// name ends with .gz, and a table if it ends with .parquet.
func newOutput(opts *Options, e *Emitter) (output, error) {
	path, err := unfinished.Follow(filepath.Clean(opts.Path))
	if err != nil {
		return nil, err
	}
	if base := filepath.Base(path); base == "." || base == ".." { // which cannot be renamed
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() || endsWithSlash(opts.Path) {
		return newDataset(path, opts, e)
	}
	return newTarget(path, opts, e)
}

func endsWithSlash(path string) bool { return path != "" && os.IsPathSeparator(path[len(path)-1]) }

// target is an export to a file: the file itself, and those beside it that its
// options and format ask for. train.jsonl is that of the first split and of
// the first part; others are train.validation.jsonl, train.notools.jsonl,
// train.validation.notools.jsonl. With a size for shards, each name has a
// number before its extension.
//
// Each file takes its name when all are complete, train.jsonl the last.
type target struct {
	collection
	path  string // after the links that name it: the others lie beside it
	force bool
	names []string // by series, then those that only other formats write to
	side  []string // paths of the files of Emitter.beside
	locks []*unfinished.Lock
	done  bool
}

// newTarget takes a path behind all links.
func newTarget(path string, opts *Options, e *Emitter) (*target, error) {
	o := *opts
	stem, ext := splitExt(path)
	o.Gzip = o.Gzip || strings.HasSuffix(ext, ".gz")
	o.Parquet = o.Parquet || strings.HasSuffix(ext, ".parquet")
	code, err := codingOf(&o, e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t := &target{path: path, force: o.Force}
	t.collection = collection{emitter: e, coding: code, limit: o.ShardSize, target: path, create: unfinished.Create}
	var others []string
	if !o.alone {
		others = otherInfixes(e)
	}
	var former []string
	for i, split := range splitNames(&o) {
		first := stem
		if i > 0 {
			first += "." + split
		}
		for _, infix := range others {
			former = append(former, first+"."+infix)
		}
		for j, p := range e.allParts() {
			name := first
			if p.infix != "" {
				name += "." + p.infix
			}
			s := &series{split: split, part: j, at: name + ext, number: o.ShardSize > 0}
			t.names = append(t.names, name)
			t.series = append(t.series, s)
			if s.number {
				continue
			}
			if s.at, err = unfinished.Follow(s.at); err != nil {
				return nil, err
			}
		}
	}
	t.names = append(t.names, former...)
	if err := t.prepare(); err != nil {
		t.abort()
		return nil, err
	}
	return t, nil
}

// otherInfixes are those of the files that other formats write beside a target
// and this one does not.
func otherInfixes(e *Emitter) (infixes []string) {
	known := []string{""}
	for _, p := range e.allParts() {
		known = append(known, p.infix)
	}
	for i := range emitters {
		for _, p := range emitters[i].allParts() {
			if !slices.Contains(known, p.infix) {
				known = append(known, p.infix)
				infixes = append(infixes, p.infix)
			}
		}
	}
	return infixes
}

// at is the path that belongs to a name, without a number.
func (t *target) at(i int) string {
	if i < len(t.series) {
		return t.series[i].at
	}
	_, ext := splitExt(t.path)
	return t.names[i] + ext
}

// hasFolder reports whether the folder is there that a target belongs into.
func hasFolder(path string) error {
	_, err := os.Stat(filepath.Dir(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder of %s is not there: make it first", path)
	case err != nil:
		return fmt.Errorf("folder of %s: %w", path, err)
	}
	return nil
}

// prepare looks at what is there, and clears what is left over.
func (t *target) prepare() error {
	if err := t.mayReplace(); err != nil {
		return err
	}
	for _, at := range t.bases() {
		if err := hasFolder(at); err != nil {
			return err
		}
		l, err := unfinished.NewLock(at)
		if err != nil {
			return err
		}
		t.locks = append(t.locks, l)
		if err := unfinished.RemoveLeftovers(at); err != nil {
			return err
		}
	}
	return nil
}

// bases are the paths beside which something is made, the same ones once.
func (t *target) bases() []string {
	all := []string{t.path}
	for _, s := range t.series {
		if !slices.Contains(all, s.at) {
			all = append(all, s.at)
		}
	}
	return all
}

// splitExt cuts the extension off a path, ".jsonl.gz" as one.
func splitExt(path string) (stem, ext string) {
	base := filepath.Base(path)
	ext = filepath.Ext(base)
	if ext == ".gz" {
		ext = filepath.Ext(strings.TrimSuffix(base, ext)) + ext
	}
	if ext == base { // a hidden file has a name
		ext = ""
	}
	return strings.TrimSuffix(path, ext), ext
}

// mayReplace fails if a file is in the way that must not be replaced.
func (t *target) mayReplace() error {
	for i := range t.names {
		if t.limit > 0 {
			old, err := t.numbered(i)
			if err != nil {
				return err
			}
			if len(old) > 0 && !t.force {
				return fmt.Errorf("%s %w", old[0], ErrExists)
			}
			continue
		}
		at := t.at(i)
		info, err := os.Stat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case info.IsDir():
			return fmt.Errorf("%s is a folder: name a file", at)
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is not a regular file: name another", at)
		case !t.force:
			return fmt.Errorf("%s %w", at, ErrExists)
		}
	}
	return nil
}

// numbered lists the files that an earlier export has written to a series.
func (t *target) numbered(i int) (paths []string, err error) {
	stem := t.names[i]
	_, ext := splitExt(t.at(i))
	entries, err := os.ReadDir(filepath.Dir(stem))
	if err != nil {
		return nil, fmt.Errorf("folder of %s: %w", t.path, err)
	}
	for _, entry := range entries {
		if isNumbered(entry.Name(), filepath.Base(stem), ext) {
			paths = append(paths, filepath.Join(filepath.Dir(stem), entry.Name()))
		}
	}
	return paths, nil
}

func (t *target) add(to destination, r *record) error {
	s, err := t.find(to)
	if err != nil {
		return err
	}
	// Parts that only folders tell apart are one file.
	for _, first := range t.series {
		if first.at == s.at {
			s = first
			break
		}
	}
	_, _, err = t.collection.add(s, r)
	return err
}

// commit gives all files their names. What a replaced export had and this one
// has not is removed: loaders take all files of a folder.
func (t *target) commit(*Options, *Report) ([]File, error) {
	t.promote()
	if err := t.complete(); err != nil {
		return nil, err
	}
	if err := t.mayReplace(); err != nil {
		return nil, err
	}
	moves, done, err := t.moves()
	if err != nil {
		return nil, err
	}
	// The target comes last: if it is there, all of the export is.
	for i := len(moves) - 1; i >= 0; i-- {
		m := moves[i]
		if m.from == "" {
			err = os.Remove(m.to)
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		} else {
			err = os.Rename(m.from, m.to)
		}
		if err != nil {
			return nil, err
		}
		unfinished.SyncFolder(filepath.Dir(m.to))
	}
	t.done = true
	t.abort()
	return done, nil
}

// move gives a file its name, or removes what has it.
type move struct{ from, to string }

// moves tells all that a commit has to do, the target first.
func (t *target) moves() (moves []move, done []File, err error) {
	taken := map[string]bool{}
	for i, s := range t.series {
		for j, sh := range s.shards {
			to := s.at
			if s.number {
				_, ext := splitExt(s.at)
				to = numbered(t.names[i], j, len(s.shards), ext)
			}
			taken[to] = true
			moves = append(moves, move{sh.file.Name(), to})
			done = append(done, sh.info(to, s.split))
		}
	}
	side, err := t.sideMoves(done)
	if err != nil {
		return nil, nil, err
	}
	moves = append(moves, side...)
	for i := range t.names {
		old := []string{t.at(i)}
		if t.limit > 0 {
			if old, err = t.numbered(i); err != nil {
				return nil, nil, err
			}
		}
		for _, path := range old {
			if !taken[path] {
				taken[path] = true
				moves = append(moves, move{"", path})
			}
		}
	}
	return moves, done, nil
}

// abort removes what is unfinished. It does nothing after a commit.
func (t *target) abort() {
	if !t.done {
		t.collection.abort()
		for _, path := range t.side {
			os.Remove(path)
		}
	}
	for _, l := range t.locks {
		l.Release()
	}
	t.locks = nil
}
