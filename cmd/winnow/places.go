package main

import (
	"path/filepath"
	"strings"
)

// home returns the user's home folder, "" if there is none.
func (p *cli) home() string {
	if p.env.goos == "windows" {
		return p.env.get("USERPROFILE")
	}
	return p.env.get("HOME")
}

// folder returns a base folder: the variable if it names an absolute path
// (others are to be ignored, says the XDG specification), else the place the
// system uses, below the home folder. It is "" without a home.
func (p *cli) folder(xdg, windows string, below ...string) string {
	if dir := p.env.get(xdg); filepath.IsAbs(dir) {
		return dir
	}
	if p.env.goos == "windows" {
		if dir := p.env.get(windows); dir != "" {
			return dir
		}
	}
	home := p.home()
	if home == "" {
		return ""
	}
	return filepath.Join(append([]string{home}, below...)...)
}

// configDir is where config.toml and the user's themes are, "" without a home.
func (p *cli) configDir() string {
	return below(p.folder("XDG_CONFIG_HOME", "AppData", ".config"))
}

// standardDB is the database that is used without configuration, "" without
// a home.
func (p *cli) standardDB() string {
	dir := below(p.folder("XDG_DATA_HOME", "LocalAppData", ".local", "share"))
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "winnow.db")
}

func below(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "winnow")
}

// expandHome replaces a leading "~/", which shells do and files do not.
func (p *cli) expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && p.home() != "" {
		return filepath.Join(p.home(), rest)
	}
	return path
}

// standardReviewer is the user's name.
func (p *cli) standardReviewer() string {
	for _, name := range [...]string{"USER", "LOGNAME", "USERNAME"} {
		if v := p.env.get(name); v != "" {
			return v
		}
	}
	if name := p.env.userName(); name != "" {
		return name
	}
	return "curator"
}

// standardASCII reports ("true" or "false") whether the locale asks for plain
// characters: its encoding is not UTF-8, or its terminals draw some of our
// glyphs two cells wide. A locale that says nothing asks for nothing.
func (p *cli) standardASCII() string {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		v := strings.ToLower(p.env.get(name))
		if v == "" {
			continue
		}
		wide := strings.HasPrefix(v, "zh") || strings.HasPrefix(v, "ja") || strings.HasPrefix(v, "ko")
		unicode := strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		if wide || !unicode {
			return "true"
		}
		return "false"
	}
	return "false"
}

// shortPath writes a path below the home folder with "~", as people know it.
func (p *cli) shortPath(path string) string {
	rest, ok := strings.CutPrefix(path, p.home()+string(filepath.Separator))
	if p.home() == "" || !ok {
		return path
	}
	return "~/" + filepath.ToSlash(rest)
}
