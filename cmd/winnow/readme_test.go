package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"winnow/cmd/winnow/config"
	"winnow/core/export"
)

// page returns a document of the project.
func page(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSettingsAreDocumented: every setting is documented with its variable.
func TestSettingsAreDocumented(t *testing.T) {
	text := page(t, "docs", "configuration.md")
	for _, s := range config.Settings() {
		if s.As != "" { // a table that is said to have the same keys as another
			table, _, _ := strings.Cut(s.Key, ".")
			if prefix := "WINNOW_" + strings.ToUpper(table) + "_"; !strings.Contains(text, "\n["+table+"]") || !strings.Contains(text, prefix) {
				t.Errorf("no table %s with variables %s…", table, prefix)
			}
			continue
		}
		key := s.Key[strings.LastIndexByte(s.Key, '.')+1:]
		line := regexp.MustCompile(`(?m)^` + key + ` += .*# ` + s.Env + `\b`)
		if !line.MatchString(text) || s.Flag != "" && !strings.Contains(text, "--"+s.Flag) {
			t.Errorf("no setting %s with %s", s.Key, s.Env)
		}
	}
}

// TestExitStatusesAreDocumented: every exit status is documented.
func TestExitStatusesAreDocumented(t *testing.T) {
	text := page(t, "docs", "commands.md")
	for _, code := range []int{exitDone, exitFailed, exitUsage, exitPartly, exitInterrupted} {
		if !strings.Contains(text, "\n| "+strconv.Itoa(code)+" | ") {
			t.Errorf("no exit status %d", code)
		}
	}
}

// TestReadme: the front page is short, names no command that is not there, and
// its links and those of the documents lead to files.
func TestReadme(t *testing.T) {
	text := page(t, "README.md")
	if n := strings.Count(text, "\n"); n > 250 {
		t.Errorf("the README has %d lines", n)
	}
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(pages, filepath.Join("..", "..", "README.md")) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\]\(([^):#]+)(?:#[^)]*)?\)`).FindAllSubmatch(b, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), string(m[1]))); err != nil {
				t.Errorf("%s links to %s", filepath.Base(path), m[1])
			}
		}
	}
	names := []string{"help"}
	for _, c := range (&cli{}).rootCommand().Commands() {
		names = append(names, c.Name())
	}
	found := regexp.MustCompile("`winnow ([a-z]+)").FindAllStringSubmatch(text, -1)
	for _, block := range regexp.MustCompile("(?s)```sh\n.*?```").FindAllString(text, -1) {
		found = append(found, regexp.MustCompile(`(?m)(?:^|; |\| )winnow ([a-z]+)`).FindAllStringSubmatch(block, -1)...)
	}
	if len(found) < 10 {
		t.Errorf("%d commands are named", len(found))
	}
	for _, m := range found {
		if !slices.Contains(names, m[1]) {
			t.Errorf("%q: no such command", m[0])
		}
	}
}

// TestWrittenFormatsAreDocumented: each format that is written has a row in the
// table of formats, in their order, and is said on the page about training.
func TestWrittenFormatsAreDocumented(t *testing.T) {
	_, section, _ := strings.Cut(page(t, "docs", "formats.md"), "\n## Formats written\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z][a-z-]*)`").FindAllStringSubmatch(section, -1) {
		rows = append(rows, m[1])
	}
	if want := export.Names(); !slices.Equal(rows, want) {
		t.Errorf("docs/formats.md lists %v, there are %v", rows, want)
	}
	training := page(t, "docs", "training.md")
	for _, name := range export.Names() {
		if !strings.Contains(training, "`"+name+"`") {
			t.Errorf("docs/training.md does not name %s", name)
		}
	}
}
