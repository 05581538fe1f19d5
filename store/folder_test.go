package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/hub"
	"winnow/core/review"
)

// folder is a folder of recorded sessions and the database they are imported
// into.
type folder struct {
	t   testing.TB
	s   *Store
	dir string
	age int
	// through, if not nil, is what imports use.
	through hub.ImportStore
}

func newFolder(t testing.TB) *folder { return &folder{t: t, s: openTemp(t), dir: t.TempDir()} }

// save writes a file, with a date that no other has.
func (f *folder) save(name string, lines ...string) {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		f.t.Fatal(err)
	}
	f.age++
	when := time.Date(2026, 5, 1, 0, 0, f.age, 0, time.UTC)
	if err := os.Chtimes(path, when, when); err != nil {
		f.t.Fatal(err)
	}
}

// load imports the folder, or files in it.
func (f *folder) load(names ...string) hub.Report {
	f.t.Helper()
	paths := []string{f.dir}
	if len(names) > 0 {
		paths = nil
	}
	for _, name := range names {
		paths = append(paths, filepath.Join(f.dir, name))
	}
	var to hub.ImportStore = f.s
	if f.through != nil {
		to = f.through
	}
	im := &hub.Importer{Store: to, Clock: newClock().Now, Agent: "default", Jobs: 1}
	r, err := im.Import(f.t.Context(), paths, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// sessions returns all sessions by what stands in their names after the folder.
func (f *folder) sessions() map[string]review.Session {
	f.t.Helper()
	list, err := f.s.Sessions(f.t.Context(), "", 1<<20)
	if err != nil {
		f.t.Fatal(err)
	}
	all := make(map[string]review.Session, len(list))
	for _, s := range list {
		all[strings.TrimPrefix(s.File, f.dir+string(filepath.Separator))] = s
	}
	return all
}

// move gives a file another name.
func (f *folder) move(from, to string) {
	f.t.Helper()
	if err := os.Rename(filepath.Join(f.dir, from), filepath.Join(f.dir, to)); err != nil {
		f.t.Fatal(err)
	}
}
