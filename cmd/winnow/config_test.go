package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// TestPlaces: where the database is, per system and environment.
func TestPlaces(t *testing.T) {
	abs := t.TempDir()
	for _, c := range []struct {
		name, goos string
		vars       map[string]string
		want       string
	}{
		{"home", "linux", map[string]string{"HOME": "/h"}, "/h/.local/share/winnow/winnow.db"},
		{"mac", "darwin", map[string]string{"HOME": "/h"}, "/h/.local/share/winnow/winnow.db"},
		{"xdg", "linux", map[string]string{"HOME": "/h", "XDG_DATA_HOME": abs}, filepath.Join(abs, "winnow", "winnow.db")},
		{"relative xdg is ignored", "linux", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "x"}, "/h/.local/share/winnow/winnow.db"},
		{"windows", "windows", map[string]string{"USERPROFILE": "/u", "LocalAppData": "/u/l"}, "/u/l/winnow/winnow.db"},
		{"bare windows", "windows", map[string]string{"USERPROFILE": "/u"}, "/u/.local/share/winnow/winnow.db"},
		{"no home", "linux", nil, ""},
	} {
		p := &cli{env: environment{goos: c.goos, lookup: func(n string) (string, bool) { v, ok := c.vars[n]; return v, ok }}}
		if got := filepath.ToSlash(p.standardDB()); got != filepath.ToSlash(c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestNoHome: without any place for the database the user is told, and nothing
// is written to the working folder.
func TestNoHome(t *testing.T) {
	b := newBench(t)
	delete(b.vars, "HOME")
	if code := b.run("list"); code != exitUsage || !strings.Contains(b.stderr.String(), "--db FILE") {
		t.Errorf("exit status %d, %s", code, b.stderr.String())
	}
}

// TestLocaleASCII: plain characters where the locale asks for them.
func TestLocaleASCII(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		want string
	}{
		{nil, "false"},
		{map[string]string{"LANG": "en_US.UTF-8"}, "false"},
		{map[string]string{"LANG": "C.utf8"}, "false"},
		{map[string]string{"LANG": "C"}, "true"},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, "true"},
		{map[string]string{"LANG": "zh_CN.UTF-8"}, "true"},
		{map[string]string{"LANG": "ja_JP.UTF-8", "LC_ALL": "en_US.UTF-8"}, "false"},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_CTYPE": "POSIX"}, "true"},
	} {
		p := &cli{env: environment{lookup: func(n string) (string, bool) { v, ok := c.vars[n]; return v, ok }}}
		if got := p.standardASCII(); got != c.want {
			t.Errorf("%v: %s, want %s", c.vars, got, c.want)
		}
	}
}

// TestSettings: every setting can be set in the file and by its variable, and
// every field of the file is a setting.
func TestSettings(t *testing.T) {
	samples := map[string][2]string{ // TOML and the text it means
		"db": {`"x.db"`, "x.db"}, "agent": {`"a"`, "a"}, "reviewer": {`"r"`, "r"}, "theme": {`"light"`, "light"},
		"ascii": {"true", "true"}, "jobs": {"3", "3"},
		"memory_score_threshold": {"0.25", "0.25"}, "sft_score_threshold": {"0.5", "0.5"},
	}
	if len(samples) != len(settings) {
		t.Fatalf("%d samples for %d settings", len(samples), len(settings))
	}
	b := newBench(t)
	p := &cli{env: b.env}
	for _, s := range settings {
		path := b.file(".config/winnow/config.toml", s.key+" = "+samples[s.key][0]+"\n")
		c, err := p.config()
		if err != nil {
			t.Fatal(err)
		}
		if got := c.values[s.key]; got != (value{samples[s.key][1], path}) {
			t.Errorf("file: %s = %v", s.key, got)
		}
		b.vars[s.env] = samples[s.key][1]
		if c, err = p.config(); err != nil {
			t.Fatal(err)
		}
		if got := c.values[s.key]; got != (value{samples[s.key][1], s.env}) {
			t.Errorf("environment: %s = %v", s.key, got)
		}
		delete(b.vars, s.env)
	}
}

// TestUnreadableConfig: a configuration that cannot be read is not ignored.
func TestUnreadableConfig(t *testing.T) {
	b := newBench(t)
	if err := os.MkdirAll(filepath.Join(b.vars["HOME"], ".config", "winnow", "config.toml"), 0o755); err != nil {
		t.Fatal(err)
	}
	if code := b.run("config"); code != exitFailed || !strings.Contains(b.stderr.String(), "config.toml") {
		t.Errorf("exit status %d, %s", code, b.stderr.String())
	}
}

func TestDescribeVersion(t *testing.T) {
	build := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"},
	}}
	if v := describeVersion("", build); v.Version != "v1.2.3" || v.Revision != "abc" || !v.Modified {
		t.Errorf("from the build: %+v", v)
	}
	if v := describeVersion("v9", build); v.Version != "v9" {
		t.Errorf("the linker's word does not win: %+v", v)
	}
	if v := describeVersion("", nil); v.Version != "devel" {
		t.Errorf("without anything: %+v", v)
	}
}
