package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"winnow/tui"
)

// savedFile is the shape of filters.toml.
type savedFile struct {
	Filters []savedEntry `toml:"filter"`
}

// savedEntry is one saved filter.
type savedEntry struct {
	Key   int    `toml:"key,omitempty"` // on the screen, 1 to 9; 0: none
	Name  string `toml:"name,omitempty"`
	Query string `toml:"query"`
}

// savedHead stands at the top of the file when the screen has written it.
const savedHead = `# Filters that are saved: on the screen by their key, for commands as --filter @NAME or @KEY.
# W on the screen writes this file anew, without other comments.

`

// Filters are the filters that a user has saved, in a file of the
// configuration folder; "" is none. Other programs may write it at any time.
type Filters string

// Filters returns the place of the saved filters.
func (e *Env) Filters() Filters {
	return Filters(under(e.Dir(), "filters.toml"))
}

// read returns what is saved; a missing file is empty. Errors name the file,
// the line and what is wrong.
func (s Filters) read() (f savedFile, err error) {
	if _, err := readTOML(string(s), &f, "saved filters", func(key []string) string {
		return "unknown key " + strings.Join(key, ".") + ": a [[filter]] has key, name and query"
	}, plainText); err != nil {
		return f, err
	}
	used := map[int]bool{}
	for _, e := range f.Filters {
		if e.Key < 0 || e.Key > 9 || used[e.Key] {
			return f, fmt.Errorf("%s: key = %d: keys are 1 to 9, each for one filter", s, e.Key)
		}
		used[e.Key] = e.Key > 0
	}
	return f, nil
}

// Saved implements tui.Saved.
func (s Filters) Saved(context.Context) ([]tui.SavedFilter, error) {
	f, err := s.read()
	var all []tui.SavedFilter
	for _, e := range f.Filters {
		all = append(all, tui.SavedFilter{Number: e.Key, Name: e.Name, Text: e.Query})
	}
	slices.SortStableFunc(all, func(a, b tui.SavedFilter) int { return (a.Number+9)%10 - (b.Number+9)%10 }) // 0 last
	return all, err
}

// Save implements tui.Saved.
func (s Filters) Save(_ context.Context, saved tui.SavedFilter) error {
	if s == "" {
		return errors.New("there is no folder for it: set HOME or XDG_CONFIG_HOME")
	}
	f, err := s.read()
	if err != nil {
		return err
	}
	entry := savedEntry{Key: saved.Number, Name: saved.Name, Query: saved.Text}
	at := len(f.Filters)
	for i, e := range f.Filters {
		switch {
		case e.Key == entry.Key:
			at = i
		case e.Name != "" && strings.EqualFold(e.Name, entry.Name):
			return fmt.Errorf("%q is already the name of a filter: %s", e.Name, e.Query)
		}
	}
	if at == len(f.Filters) {
		f.Filters = append(f.Filters, entry)
	} else {
		f.Filters[at] = entry
	}
	text, err := toml.Marshal(f)
	if err != nil {
		return err
	}
	return s.write(append([]byte(savedHead), text...))
}

// write replaces the file as a whole: whoever reads it sees the old one or the
// new one. A link stays one.
func (s Filters) write(text []byte) error {
	path := string(s)
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	half, err := os.CreateTemp(dir, ".filters-*.toml")
	if err != nil {
		return err
	}
	defer os.Remove(half.Name()) // nothing is there if it was renamed
	if old, err := os.Stat(path); err == nil {
		_ = half.Chmod(old.Mode().Perm()) // not on all systems
	}
	_, err = half.Write(text)
	if err = errors.Join(err, half.Sync(), half.Close()); err != nil {
		return err
	}
	return os.Rename(half.Name(), path)
}

// Expand returns the saved filter that an expression of the form @NAME or
// @KEY stands for, and any other expression as it is.
func (s Filters) Expand(query string) (string, error) {
	name, ok := strings.CutPrefix(strings.TrimSpace(query), "@")
	if !ok {
		return query, nil
	}
	f, err := s.read()
	if err != nil {
		return "", Wrong("%w", err)
	}
	key, _ := strconv.Atoi(name)
	var names []string
	for _, e := range f.Filters {
		if e.Name != "" && strings.EqualFold(e.Name, name) || e.Key > 0 && e.Key == key {
			return e.Query, nil
		}
		if e.Name != "" {
			names = append(names, "@"+e.Name)
		}
	}
	known := "none is saved"
	if len(names) > 0 {
		known = "there are " + strings.Join(names, ", ")
	}
	return "", Wrong("--filter %s: no filter is saved under this name: %s; to search for the text, quote it: '\"@%s\"'", query, known, name)
}
