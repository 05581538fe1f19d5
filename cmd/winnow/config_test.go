package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"winnow/core/metric"
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
		"ascii": {"true", "true"}, "mouse": {"true", "true"}, "preview_format": {`"hermes"`, "hermes"}, "jobs": {"3", "3"},
		"memory_score_threshold": {"0.25", "0.25"}, "sft_score_threshold": {"0.5", "0.5"},
		"base_url": {`"http://h:1/v1"`, "http://h:1/v1"}, "model": {`"m"`, "m"}, "api_key_env": {`"KEY"`, "KEY"},
		"max_input_tokens": {"9000", "9000"}, "reserve": {"100", "100"}, "timeout": {`"90s"`, "90s"}, "retries": {"0", "0"},
		"concurrency": {"9", "9"}, "tokenizer": {`"cl100k_base"`, "cl100k_base"}, "price_in": {"2", "2"}, "price_out": {"0.5", "0.5"},
	}
	samples["by"] = [2]string{`"offline"`, "offline"}
	for _, name := range metric.Names() {
		samples[name] = [2]string{"7", "7"}
	}
	for _, name := range taskTypeNames() {
		samples[name] = [2]string{"0.5", "0.5"}
	}
	b := newBench(t)
	p := &cli{env: b.env}
	used := map[string]bool{}
	for _, s := range settings {
		table, key, nested := cutLast(s.key)
		text := "[" + table + "]\n"
		if !nested {
			text = ""
		}
		sample, ok := samples[key]
		if !ok {
			t.Fatalf("no sample of %s", s.key)
		}
		used[key] = true
		path := b.file(".config/winnow/config.toml", text+key+" = "+sample[0]+"\n")
		c, err := p.config()
		if err != nil {
			t.Fatal(err)
		}
		if got := c.values[s.key]; got != (value{sample[1], path}) {
			t.Errorf("file: %s = %v", s.key, got)
		}
		b.vars[s.env] = sample[1]
		if c, err = p.config(); err != nil {
			t.Fatal(err)
		}
		if got := c.values[s.key]; got != (value{sample[1], s.env}) {
			t.Errorf("environment: %s = %v", s.key, got)
		}
		delete(b.vars, s.env)
	}
	if len(used) != len(samples) {
		t.Errorf("%d of %d samples are of settings", len(used), len(samples))
	}
}

// TestNoSecretIsShown: neither where it belongs nor where it was put by
// mistake is a key printed, nor a password or token in an address.
func TestNoSecretIsShown(t *testing.T) {
	const secret = "sk-tellNobody"
	for name, c := range map[string]struct {
		vars map[string]string
		file string
	}{
		"key":              {vars: map[string]string{"OPENAI_API_KEY": secret}},
		"other key":        {vars: map[string]string{"MY_KEY": secret}, file: "[llm]\napi_key_env = \"MY_KEY\"\n"},
		"key for a name":   {file: "[llm]\napi_key_env = \"" + secret + "\"\n"},
		"key for a name 2": {vars: map[string]string{"WINNOW_JUDGE_API_KEY_ENV": secret}},
		"key in the file":  {file: "[judge]\napi_key = \"" + secret + "\"\n"},
		"password":         {vars: map[string]string{"OPENAI_BASE_URL": "https://u:" + secret + "@h/v1"}},
		"no address":       {vars: map[string]string{"OPENAI_BASE_URL": "u:" + secret + "@h/v1"}},
		"query":            {file: "[llm]\nbase_url = \"https://h/v1?key=" + secret + "\"\n"},
	} {
		b := newBench(t)
		for k, v := range c.vars {
			b.vars[k] = v
		}
		b.file(".config/winnow/config.toml", c.file)
		for _, args := range [][]string{{"config"}, {"config", "--json"}} {
			b.run(args...)
			if out := b.stdout.String() + b.stderr.String(); strings.Contains(out, "Nobody") || out == "" {
				t.Errorf("%s: %v printed %s", name, args, out)
			}
		}
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
