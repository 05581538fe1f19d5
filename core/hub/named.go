package hub

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
)

// ImportNamed imports files as Import does, and asks the store only about sources at
// these paths and those that begin alike: for a few of many. Sources whose path begins
// with within and that are to be read again, as what they were copies of has changed,
// follow.
func (im *Importer) ImportNamed(ctx context.Context, paths []string, within string) (Report, error) {
	var sum Report
	for n := 0; ; n++ {
		found, err := find(ctx, paths, im.Own)
		if err != nil {
			return sum, err
		}
		known, err := im.known(ctx, found.files)
		if err != nil {
			return sum, err
		}
		r, err := im.files(ctx, found, known, nil, nil)
		if n == 0 {
			sum = r
		}
		if err != nil || n == rereads {
			return sum, err
		}
		if paths, err = im.Store.Unread(ctx, im.Agent); err != nil {
			return sum, err
		}
		paths = slices.DeleteFunc(paths, func(path string) bool { return !strings.HasPrefix(path, within) })
		if len(paths) == 0 {
			return sum, nil
		}
	}
}

// manyFiles is above which all sources are loaded at once.
const manyFiles = 1000

// known returns the sources that files may go on from: those under their
// names, and where one is new or holds something else than before, those that
// begin alike.
func (im *Importer) known(ctx context.Context, files []file) (map[string]*Source, error) {
	if len(files) > manyFiles {
		return nil, nil // all
	}
	paths := make([]string, len(files))
	for i := range files {
		paths[i] = files[i].path
	}
	known, err := im.Store.FindSources(ctx, im.Agent, paths, nil)
	if err != nil {
		return nil, err
	}
	firsts := map[string]int64{} // with the size of the largest file that begins so
	for i := range files {
		in, err := openInput(files[i])
		if err != nil {
			continue // reading it says why
		}
		src := known[in.path]
		if src == nil || !in.continues(src) {
			firsts[in.first()] = max(firsts[in.first()], in.size)
			if src != nil && src.Proof.First != "" {
				firsts[src.Proof.First] = math.MaxInt64 // a copy of it may be longer
			}
		}
		in.f.Close()
	}
	more, err := im.Store.FindSources(ctx, im.Agent, nil, firsts)
	maps.Copy(known, more)
	return known, err
}
