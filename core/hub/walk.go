package hub

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// file is one regular file found for an import.
type file struct {
	path    string // absolute; its name as a source
	size    int64
	modTime int64  // nanoseconds since 1970
	at      string // where it lies if not at path
	real    string // path without links, "" if there is none
}

// Refused is a path that could not be imported, and why.
type Refused struct {
	Path string `json:"path"`
	Err  error  `json:"reason"`
}

// walk finds the regular files under paths. Folders are followed in depth, in
// the order of their names; symbolic links are followed too, every real folder
// and file once, so that loops end. What cannot be read is refused; the walk
// goes on.
type walk struct {
	seen    map[string]bool // real paths of folders, and of files behind links
	files   []file
	refused []Refused
	empty   []string // paths asked for that hold no files, as they were named
	met     int      // files, things refused, and what was met before
	// enter is called with a folder before it is listed, and skip asked
	// whether something is not to be looked at; either may be nil.
	enter func(path, real string)
	skip  func(path, real string) bool
}

func (w *walk) add(ctx context.Context, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		w.refuse(path, err)
		return nil
	}
	met := w.met
	if err := w.visit(ctx, abs); err != nil {
		return err
	}
	if w.met == met {
		w.empty = append(w.empty, path)
	}
	return nil
}

// visit takes a path of any kind, following a link.
func (w *walk) visit(ctx context.Context, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		w.refuse(path, err)
		return nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		w.refuse(path, err)
		return nil
	}
	if w.passes(path, real) {
		return nil
	}
	w.seen[real] = true
	switch {
	case info.IsDir():
		return w.folder(ctx, path, real)
	case info.Mode().IsRegular():
		w.take(path, real, info)
	default:
		w.refuse(path, errors.New("is neither a file nor a folder"))
	}
	return nil
}

// folder lists a folder. Plain entries need no look at links above them: their
// real path is known from the folder's.
func (w *walk) folder(ctx context.Context, path, real string) error {
	if w.enter != nil {
		w.enter(path, real)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		w.refuse(path, err)
	}
	for _, e := range entries {
		child := filepath.Join(path, e.Name())
		if !e.Type().IsRegular() {
			if e.Type()&(fs.ModeDir|fs.ModeSymlink) != 0 {
				if err := w.visit(ctx, child); err != nil {
					return err
				}
			}
			continue // sockets, pipes and devices inside folders are not meant
		}
		realChild := filepath.Join(real, e.Name())
		if w.passes(child, realChild) {
			continue
		}
		w.seen[realChild] = true
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone since the folder was listed
		}
		if err != nil {
			w.refuse(child, err)
			continue
		}
		w.take(child, realChild, info)
	}
	return nil
}

// passes reports whether something is passed by, because it was met before or
// is not to be looked at.
func (w *walk) passes(path, real string) bool {
	if !w.seen[real] && (w.skip == nil || !w.skip(path, real)) {
		return false
	}
	w.met++
	return true
}

func (w *walk) take(path, real string, info fs.FileInfo) {
	w.met++
	w.files = append(w.files, file{path: path, real: real, size: info.Size(), modTime: info.ModTime().UnixNano()})
}

func (w *walk) refuse(path string, err error) {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err // the path is named already
	}
	w.met++
	w.refused = append(w.refused, Refused{path, err})
}

// find walks through paths; the files come in the order they will be imported.
// own may be nil.
func find(ctx context.Context, paths []string, own func(string) bool) (*walk, error) {
	w := &walk{seen: map[string]bool{}}
	if own != nil {
		w.skip = func(path, _ string) bool { return own(path) }
	}
	for _, p := range paths {
		if err := w.add(ctx, p); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(w.files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return w, nil
}
