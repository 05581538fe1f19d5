package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoHome: without any place for the database the user is told, and nothing
// is written to the working folder.
func TestNoHome(t *testing.T) {
	b := newBench(t)
	delete(b.vars, "HOME")
	if code := b.run("list"); code != exitUsage || !strings.Contains(b.stderr.String(), "--db FILE") {
		t.Errorf("exit status %d, %s", code, b.stderr.String())
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
