// Package places knows where agents keep their sessions, and finds out whether the
// working folder holds some. It reads names and sizes and opens nothing but
// folders. The command line and the screen offer what it finds.
//
// It imports nothing of winnow. Its tests are here.
package places

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Place is where an agent keeps its sessions, or a folder that looks like it holds
// some.
type Place struct {
	Agent string   // whose it is, in words: "Claude Code"
	Name  string   // as people write it: "~/.claude/projects"
	Paths []string // what is imported of it
	// Doubtful is a place that is imported only if somebody asks for it.
	Doubtful bool
}

// Machine is what there is to know of the machine to look on.
type Machine struct {
	Home   string                   // the home folder, "" if there is none
	Dir    string                   // the working folder, "" if there is none
	Getenv func(name string) string // "" if a variable is not set
	Short  func(path string) string // a path as people write it
}

// usualPlaces are the folders in which agents keep their sessions: a folder of
// the agent's, which a variable may move, and in it one below which all files
// are sessions or belong to them. "*" stands for every folder.
var usualPlaces = []struct {
	agent    string
	variable string   // "" if nothing moves the folder
	base     []string // below the home folder
	below    []string
}{
	{"Claude Code", "CLAUDE_CONFIG_DIR", []string{".claude"}, []string{"projects"}},
	{"Codex", "CODEX_HOME", []string{".codex"}, []string{"sessions"}},
	{"OpenClaw", "", []string{".openclaw"}, []string{"agents", "*", "sessions"}},
	{"Pi", "", []string{".pi"}, []string{"agent", "sessions"}},
	{"Gemini", "", []string{".gemini"}, []string{"tmp", "*", "chats"}},
}

// Find returns the usual places that are there, and the working folder
// if it looks like it holds sessions. It reads names only.
func (m *Machine) Find(ctx context.Context) ([]Place, error) {
	var places []Place
	for _, u := range usualPlaces {
		base := m.Getenv(u.variable)
		if u.variable == "" || !filepath.IsAbs(base) {
			if m.Home == "" {
				continue
			}
			base = filepath.Join(append([]string{m.Home}, u.base...)...)
		}
		paths := foldersLike(base, u.below)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(paths) > 0 {
			name := m.Short(filepath.Join(append([]string{base}, u.below...)...))
			places = append(places, Place{Agent: u.agent, Name: name, Paths: paths})
		}
	}
	here, err := m.workingPlace(ctx, places)
	if here != nil {
		places = append(places, *here)
	}
	return places, err
}

// foldersLike returns the folders below base along names, in which "*" stands
// for any folder.
func foldersLike(base string, names []string) []string {
	folders := []string{base}
	for _, name := range names {
		var next []string
		for _, dir := range folders {
			children := []string{name}
			if name == "*" {
				children = folderNames(dir)
			}
			for _, child := range children {
				if info, err := os.Stat(filepath.Join(dir, child)); err == nil && info.IsDir() {
					next = append(next, filepath.Join(dir, child))
				}
			}
		}
		folders = next
	}
	return folders
}

// mostEntries is how many files and folders of a place are looked at: more
// take seconds on a slow disk, and say little more.
const mostEntries = 100_000

// folderNames returns the names in a folder, sorted, but those of plain files.
func folderNames(dir string) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(mostEntries) // what could be listed is looked at
	var names []string
	for _, e := range entries {
		if !e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// workingPlace returns the working folder as a place if files in it are named
// like sessions. Of a home folder, or one above it, nobody means all that is
// below: only these files are offered.
func (m *Machine) workingPlace(ctx context.Context, known []Place) (*Place, error) {
	dir := m.Dir
	if dir == "" {
		return nil, nil
	}
	for _, place := range known {
		for _, path := range place.Paths {
			if within(path, dir) {
				return nil, nil
			}
		}
	}
	here := &Place{Agent: "this folder", Doubtful: true}
	if m.Home != "" && within(dir, m.Home) {
		here.Name = m.Short(filepath.Join(dir, "*"))
		here.Paths = sessionFiles(dir)
		if len(here.Paths) == 0 {
			return nil, nil
		}
		return here, nil
	}
	c := counter{ctx: ctx, like: sessionLike, enough: true}
	c.visit(dir)
	if c.files == 0 {
		return nil, ctx.Err()
	}
	here.Name, here.Paths = m.Short(dir), []string{dir}
	return here, nil
}

// within reports whether path is the folder dir or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// sessionFiles returns the files in a folder that are named like sessions.
func sessionFiles(dir string) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(mostEntries)
	var paths []string
	for _, e := range entries {
		if e.Type().IsRegular() && sessionLike(e.Name()) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(paths)
	return paths
}

// sessionLike reports whether a file is named as sessions often are. JSON
// files are everywhere: only those count whose name says what they are.
func sessionLike(name string) bool {
	name = strings.ToLower(name)
	for _, packed := range [...]string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch filepath.Ext(name) {
	case ".jsonl", ".traj":
		return true
	case ".json":
		for _, word := range [...]string{"session", "traj", "conversation", "chat", "rollout", "transcript", "messages"} {
			if strings.Contains(name, word) {
				return true
			}
		}
	}
	return false
}
