package config

import (
	"os"
	"path/filepath"
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
		e := &Env{GOOS: c.goos, Lookup: func(n string) (string, bool) { v, ok := c.vars[n]; return v, ok }}
		if got := filepath.ToSlash(e.standardDB()); got != filepath.ToSlash(c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
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
		e := &Env{Lookup: func(n string) (string, bool) { v, ok := c.vars[n]; return v, ok }}
		if got := e.standardASCII(); got != c.want {
			t.Errorf("%v: %s, want %s", c.vars, got, c.want)
		}
	}
}

// TestSettings: every setting can be set in the file and by its variable, and
// every field of the file is a setting.
func TestSettings(t *testing.T) {
	samples := map[string][2]string{ // TOML and the text it means
		"db": {`"x.db"`, "x.db"}, "agent": {`"a"`, "a"}, "reviewer": {`"r"`, "r"}, "theme": {`"light"`, "light"},
		"ascii": {"true", "true"}, "digest": {"12", "12"}, "mouse": {"true", "true"}, "preview_format": {`"hermes"`, "hermes"}, "jobs": {"3", "3"}, "max_value": {`"1G"`, "1G"},
		"memory_score_threshold": {"0.25", "0.25"}, "enabled": {"false", "false"}, "from": {`"all"`, "all"}, "sft_score_threshold": {"0.5", "0.5"},
		"base_url": {`"http://h:1/v1"`, "http://h:1/v1"}, "model": {`"m"`, "m"}, "api_key_env": {`"KEY"`, "KEY"},
		"max_input_tokens": {"9000", "9000"}, "reserve": {"100", "100"}, "timeout": {`"90s"`, "90s"}, "retries": {"0", "0"},
		"concurrency": {"9", "9"}, "tokenizer": {`"cl100k_base"`, "cl100k_base"}, "price_in": {"2", "2"}, "price_out": {"0.5", "0.5"},
	}
	samples["width"], samples["edits"] = [2]string{"80", "80"}, [2]string{"true", "true"}
	samples["ask_below"] = [2]string{"0.25", "0.25"}
	samples["quiet"], samples["max_cost_per_day"] = [2]string{`"5m"`, "5m"}, [2]string{"2.5", "2.5"}
	samples["memory.from"], samples["filter"], samples["redact"] = [2]string{`"eligible"`, "eligible"}, [2]string{`"type:code"`, "type:code"}, [2]string{"false", "false"}
	samples["by"] = [2]string{`"offline"`, "offline"}
	for key, sample := range map[string][2]string{
		"backend": {`"openai"`, "openai"}, "base": {`"qwen"`, "qwen"}, "data": {`"new"`, "new"}, "format": {`"swift"`, "swift"}, "split": {`"train=1"`, "train=1"},
		"max_tokens": {"9000", "9000"}, "when": {"7", "7"}, "min_total": {"8", "8"}, "cooldown": {`"1h"`, "1h"}, "max_failures": {"3", "3"}, "min_gain": {"0.1", "0.1"}, "auto": {"true", "true"},
	} {
		samples["train."+key] = sample
	}
	for _, name := range metric.Names() {
		samples[name] = [2]string{"7", "7"}
	}
	for _, name := range metric.TaskTypeNames() {
		samples[name] = [2]string{"0.5", "0.5"}
	}
	home, vars := t.TempDir(), map[string]string{}
	vars["HOME"] = home
	env := &Env{GOOS: "linux", User: func() string { return "" }, Lookup: func(n string) (string, bool) { v, ok := vars[n]; return v, ok }}
	path := filepath.Join(home, ".config", "winnow", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	read := func() *Config {
		c, err := Read(env, func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	used := map[string]bool{}
	for _, s := range settings {
		table, key, nested := cutLast(s.Key)
		text := "[" + table + "]\n"
		if !nested {
			text = ""
		}
		if _, own := samples[s.Key]; own && nested {
			key = s.Key
		}
		sample, ok := samples[key]
		if !ok {
			t.Fatalf("no sample of %s", s.Key)
		}
		used[key] = true
		if err := os.WriteFile(path, []byte(text+key[strings.LastIndex(key, ".")+1:]+" = "+sample[0]+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := read().values[s.Key]; got != (value{sample[1], path}) {
			t.Errorf("file: %s = %v", s.Key, got)
		}
		vars[s.Env] = sample[1]
		if got := read().values[s.Key]; got != (value{sample[1], s.Env}) {
			t.Errorf("environment: %s = %v", s.Key, got)
		}
		delete(vars, s.Env)
	}
	if len(used) != len(samples) {
		t.Errorf("%d of %d samples are of settings", len(used), len(samples))
	}
}

// What runs execute comes from the file alone: lists, of which no shell reads any.
func TestCommandsComeFromTheFile(t *testing.T) {
	home := t.TempDir()
	env := &Env{GOOS: "linux", User: func() string { return "" }, Lookup: func(n string) (string, bool) {
		switch n {
		case "HOME":
			return home, true
		case "WINNOW_TRAIN_COMMAND":
			return "evil", true
		}
		return "", false
	}}
	path := filepath.Join(home, ".config", "winnow", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`command = ["swift", "sft", "--dataset", "{train}"]`: "",
		``:                      "",
		`command = "swift sft"`: `train.command must be a program and its arguments, as in ["swift", "sft"]: no shell reads them`,
		`command = []`:          "train.command: names no program",
		`evaluate = ["", "x"]`:  "train.evaluate: names no program",
		`comand = ["x"]`:        "unknown key train.comand: did you mean train.command?",
		`base = "-x"`:           "must be the name or the folder of a model",
		`split = "train=2"`:     "the share of train must be",
	} {
		if err := os.WriteFile(path, []byte("[train]\n"+text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := Read(env, func(string) string { return "" })
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if err != nil {
			continue
		}
		shown := ""
		for _, row := range c.Rows() {
			if row.Key == "train.command" {
				shown = row.Value
			}
		}
		if text == "" && (c.Commands.Train != nil || shown != NotSet) || text != "" && (strings.Join(c.Commands.Train, " ") != "swift sft --dataset {train}" || shown != `["swift", "sft", "--dataset", "{train}"]`) {
			t.Errorf("%s: %q, shown as %s", text, c.Commands.Train, shown)
		}
	}
}
