package places

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// Size is what a place holds, as far as it was counted.
type Size struct {
	Files int
	Bytes int64
	More  bool // there are more than were counted
}

// Measure counts the files of a place that an import would look at. It stops
// early where there are very many.
func (*Machine) Measure(ctx context.Context, p Place) (Size, error) {
	c := counter{ctx: ctx}
	for _, path := range p.Paths {
		c.visit(path)
	}
	return Size{Files: c.files, Bytes: c.bytes, More: c.more}, ctx.Err()
}

// counter counts the files that an import of a path would look at. It follows
// links as an import does, and opens nothing but folders.
type counter struct {
	ctx    context.Context
	like   func(name string) bool // nil: all files count
	enough bool                   // one is enough

	met   int
	more  bool // it stopped early
	seen  map[string]bool
	files int
	bytes int64
}

// visit counts what is at a path, whatever it is.
func (c *counter) visit(path string) {
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || c.seen[real] {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[real] = true
	switch {
	case info.IsDir():
		c.folder(path, real)
	case info.Mode().IsRegular():
		c.take(info)
	}
}

func (c *counter) take(info fs.FileInfo) {
	if c.like == nil || c.like(info.Name()) {
		c.files++
		c.bytes += info.Size()
	}
}

// listed is how many names of a folder are read at once.
const listed = 1024

func (c *counter) folder(path, real string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	var below []fs.DirEntry
	for !c.done() {
		entries, err := f.ReadDir(listed)
		for _, e := range entries {
			c.met++
			switch {
			case !e.Type().IsRegular():
				below = append(below, e)
			case c.like != nil && !c.like(e.Name()):
			case !c.seen[filepath.Join(real, e.Name())]:
				if info, err := e.Info(); err == nil {
					c.take(info)
				}
			}
		}
		if err != nil { // the end, or what cannot be listed
			break
		}
	}
	for _, e := range below {
		if c.done() {
			return
		}
		if e.Type()&(fs.ModeDir|fs.ModeSymlink) != 0 {
			c.visit(filepath.Join(path, e.Name()))
		}
	}
}

// done reports whether nothing more is to be looked at.
func (c *counter) done() bool {
	if c.met >= mostEntries {
		c.more = true
	}
	return c.more || c.enough && c.files > 0 || c.ctx.Err() != nil
}
