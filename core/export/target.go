package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ErrExists is returned when a target exists and may not be replaced.
var ErrExists = errors.New("exists already: use --force to replace it")

// target is the set of files of one export. They are written beside their
// final names and take those when all are complete.
type target struct {
	path  string // behind the links that name it: the other parts lie beside it
	parts []part
	at    []string   // by part, its file, behind links too
	files []*outFile // by part; nil until something is written
	force bool
}

// outFile is a file that is being written.
type outFile struct {
	*os.File
	buf  *bufio.Writer
	rows int
	size int64
	sum  hash.Hash
}

// File is one file that an export wrote.
type File struct {
	Path   string `json:"path"`
	Split  string `json:"split,omitzero"` // what it is part of, "" without a split
	Rows   int    `json:"rows"`
	Bytes  int64  `json:"bytes"` // as it lies there, compressed or not
	SHA256 string `json:"sha256"`
}

// tempMark is in the names of unfinished files: .NAME.winnow-tmp-PID-N.
const tempMark = ".winnow-tmp-"

// newOutput returns where an export goes.
func newOutput(opts *Options, e *Emitter) (output, error) {
	return newTarget(opts.Path, e.parts, opts.Force)
}

// newTarget makes sure that path can be written, and removes what an export
// to it that was killed has left.
func newTarget(path string, parts []part, force bool) (*target, error) {
	if len(parts) == 0 {
		parts = []part{{}}
	}
	path, err := follow(path)
	if err != nil {
		return nil, err
	}
	t := &target{path: path, parts: parts, at: make([]string, len(parts)), force: force, files: make([]*outFile, len(parts))}
	for i := range parts {
		if t.at[i], err = follow(t.name(i)); err != nil {
			return nil, err
		}
		if _, err := os.Stat(filepath.Dir(t.at[i])); err != nil {
			return nil, fmt.Errorf("folder of %s: %w", t.name(i), err)
		}
	}
	if err := t.mayReplace(); err != nil {
		return nil, err
	}
	for _, at := range t.at {
		if err := removeLeftovers(at); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// follow returns where the file of a path lies, or would be made: a link stays
// what it is when its file is replaced.
func follow(path string) (string, error) {
	const links = 40 // more are a loop, for systems too
	at := path
	for range links {
		target, err := os.Readlink(at)
		if err != nil {
			return at, nil // no link, or nothing at all
		}
		if !filepath.IsAbs(target) {
			// ".." means the folder above the real one.
			dir, err := filepath.EvalSymlinks(filepath.Dir(at))
			if err != nil {
				return "", fmt.Errorf("folder of %s: %w", path, err)
			}
			target = filepath.Join(dir, target)
		}
		at = target
	}
	return "", fmt.Errorf("%s is a link that leads to itself: name a file", path)
}

// removeLeftovers removes what exports to a file that were killed have left.
func removeLeftovers(path string) error {
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("folder of %s: %w", path, err)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), tempPrefix(path)) {
			if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("left by an earlier export: %w", err)
			}
		}
	}
	return nil
}

func tempPrefix(path string) string { return "." + filepath.Base(path) + tempMark }

// name returns the path of a part: train.notools.jsonl for train.jsonl.
func (t *target) name(i int) string {
	if t.parts[i].infix == "" {
		return t.path
	}
	ext := filepath.Ext(t.path)
	return strings.TrimSuffix(t.path, ext) + "." + t.parts[i].infix + ext
}

// mayReplace fails if a file is in the way that must not be replaced.
func (t *target) mayReplace() error {
	for i := range t.parts {
		info, err := os.Stat(t.name(i))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case info.IsDir():
			return fmt.Errorf("%s is a folder: name a file", t.name(i))
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is not a regular file: name another", t.name(i))
		case !t.force:
			return fmt.Errorf("%s %w", t.name(i), ErrExists)
		}
	}
	return nil
}

// add appends the records of a sample to the part they go to.
func (t *target) add(to destination, r *record) error {
	i := to.part
	if t.files[i] == nil {
		f, err := create(t.at[i])
		if err != nil {
			return err
		}
		t.files[i] = &outFile{File: f, buf: bufio.NewWriterSize(f, 1<<20), sum: sha256.New()}
	}
	f := t.files[i]
	f.rows += r.rows
	f.size += int64(len(r.lines))
	f.sum.Write(r.lines)
	_, err := f.buf.Write(r.lines)
	return err
}

// verify gives each file to check.
func (t *target) verify(check func(io.Reader) error) error {
	for _, f := range t.files {
		if f == nil {
			continue
		}
		if err := f.buf.Flush(); err != nil {
			return err
		}
		written, err := os.Open(f.Name())
		if err != nil {
			return err
		}
		err = check(written)
		if err := errors.Join(err, written.Close()); err != nil {
			return err
		}
	}
	return nil
}

// create opens a new unfinished file beside path.
func create(path string) (*os.File, error) {
	prefix := filepath.Join(filepath.Dir(path), tempPrefix(path)+strconv.Itoa(os.Getpid())+"-")
	for n := 0; ; n++ {
		f, err := os.OpenFile(prefix+strconv.Itoa(n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// commit gives all files their names. What a replaced export had and this one
// has not is removed: loaders take all files of a folder.
func (t *target) commit(*Options, *Report) ([]File, error) {
	if err := t.mayReplace(); err != nil {
		return nil, err
	}
	t.promote()
	for _, f := range t.files {
		if f == nil {
			continue
		}
		if err := errors.Join(f.buf.Flush(), f.Sync()); err != nil {
			return nil, err
		}
		// Another export to the same target may have taken the file for one
		// that was left behind.
		ours, err := f.Stat()
		if err != nil {
			return nil, err
		}
		if named, err := os.Stat(f.Name()); err != nil || !os.SameFile(ours, named) {
			return nil, fmt.Errorf("another export writes to %s", t.path)
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	var done []File
	for i, f := range t.files {
		at := t.at[i]
		if f == nil {
			if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return done, err
			}
			continue
		}
		if err := os.Rename(f.Name(), at); err != nil {
			return done, err
		}
		t.files[i] = nil
		done = append(done, File{Path: at, Rows: f.rows, Bytes: f.size, SHA256: hex.EncodeToString(f.sum.Sum(nil))})
		if err := syncFolder(filepath.Dir(at)); err != nil {
			return done, err
		}
	}
	return done, nil
}

// promote gives the first part's place to one that may have it, if the first
// stayed empty.
func (t *target) promote() {
	for i := 1; i < len(t.files) && t.files[0] == nil; i++ {
		if t.parts[i].promoted {
			t.files[0], t.files[i] = t.files[i], nil
		}
	}
}

// abort removes what is unfinished. It does nothing after a commit.
func (t *target) abort() {
	for i, f := range t.files {
		if f != nil {
			f.Close()
			os.Remove(f.Name())
			t.files[i] = nil
		}
	}
}

// syncFolder makes renames durable. Systems that cannot sync a folder make
// them durable by themselves, or not at all.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer d.Close()
	_ = d.Sync()
	return nil
}
