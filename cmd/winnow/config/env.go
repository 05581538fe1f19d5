package config

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Env is what the configuration takes from outside.
type Env struct {
	Lookup func(name string) (string, bool) // a variable
	GOOS   string                           // the system, as Go calls it
	User   func() string                    // the user's name, "" if the system does not know
}

// Get returns an environment variable, "" if it is not set.
func (e *Env) Get(name string) string {
	v, _ := e.Lookup(name)
	return v
}

// Home returns the user's home folder, "" if there is none.
func (e *Env) Home() string {
	if e.GOOS == "windows" {
		return e.Get("USERPROFILE")
	}
	return e.Get("HOME")
}

// folder returns a base folder: the variable if it names an absolute path
// (others are to be ignored, says the XDG specification), else the place the
// system uses, below the home folder. It is "" without a home.
func (e *Env) folder(xdg, windows string, below ...string) string {
	if dir := e.Get(xdg); filepath.IsAbs(dir) {
		return dir
	}
	if e.GOOS == "windows" {
		if dir := e.Get(windows); dir != "" {
			return dir
		}
	}
	return under(e.Home(), below...)
}

// Dir is where config.toml and the user's themes are, "" without a home.
func (e *Env) Dir() string {
	return under(e.folder("XDG_CONFIG_HOME", "AppData", ".config"), "winnow")
}

// standardDB is the database that is used without configuration, "" without
// a home.
func (e *Env) standardDB() string {
	return under(e.folder("XDG_DATA_HOME", "LocalAppData", ".local", "share"), "winnow", "winnow.db")
}

// under is a place below a folder, "" without one.
func under(dir string, names ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, filepath.Join(names...))
}

// ExpandHome replaces a leading "~/", which shells do, but files and the screen do
// not.
func (e *Env) ExpandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && e.Home() != "" {
		return filepath.Clean(e.Home()) + "/" + rest
	}
	return path
}

// standardReviewer is the user's name.
func (e *Env) standardReviewer() string {
	if name := cmp.Or(e.Get("USER"), e.Get("LOGNAME"), e.Get("USERNAME")); name != "" {
		return name
	}
	return cmp.Or(e.User(), "curator")
}

// UserNames are the names that count as those of users: what was given, the
// user's own and that of the home folder.
func (e *Env) UserNames(given []string) []string {
	names := append([]string(nil), given...)
	if name := e.User(); name != "" {
		names = append(names, name)
	}
	if home := e.Home(); home != "" {
		names = append(names, filepath.Base(home))
	}
	return names
}

// standardASCII reports ("true" or "false") whether the locale asks for plain
// characters: its encoding is not UTF-8, or its terminals draw some of our
// glyphs two cells wide. A locale that says nothing asks for nothing.
func (e *Env) standardASCII() string {
	v := strings.ToLower(cmp.Or(e.Get("LC_ALL"), e.Get("LC_CTYPE"), e.Get("LANG"), "utf-8"))
	wide := strings.HasPrefix(v, "zh") || strings.HasPrefix(v, "ja") || strings.HasPrefix(v, "ko")
	unicode := strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
	return strconv.FormatBool(wide || !unicode)
}

// ShortPath writes a path below the home folder with "~", as people know it.
func (e *Env) ShortPath(path string) string {
	rest, ok := strings.CutPrefix(path, e.Home()+string(filepath.Separator))
	if e.Home() == "" || !ok {
		return path
	}
	return "~/" + filepath.ToSlash(rest)
}

// ThemesDir is the folder of the user's own themes, "" without a home.
func (e *Env) ThemesDir() string {
	return under(e.Dir(), "themes")
}

// UserThemes is ThemesDir, nil without a home.
func (e *Env) UserThemes() fs.FS {
	dir := e.ThemesDir()
	if dir == "" {
		return nil
	}
	return os.DirFS(dir)
}

// NoColour reports whether colours are not wanted: NO_COLOR has a value, whatever
// it is (https://no-color.org).
func (e *Env) NoColour() bool { return e.Get("NO_COLOR") != "" }
