package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReadme: the README names every setting with its variable and every exit
// status, and no command that is not there.
func TestReadme(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for i := range settings {
		s := &settings[i]
		if s.as != "" { // a table that is said to have the same keys as another
			table, _, _ := strings.Cut(s.key, ".")
			if prefix := "WINNOW_" + strings.ToUpper(table) + "_"; !strings.Contains(text, "\n["+table+"]") || !strings.Contains(text, prefix) {
				t.Errorf("no table %s with variables %s…", table, prefix)
			}
			continue
		}
		_, key, _ := cutLast(s.key)
		line := regexp.MustCompile(`(?m)^` + key + ` += .*# ` + s.env + `\b`)
		if !line.MatchString(text) || s.flag != "" && !strings.Contains(text, "--"+s.flag) {
			t.Errorf("no setting %s with %s", s.key, s.env)
		}
	}
	for _, code := range []int{exitDone, exitFailed, exitUsage, exitPartly, exitInterrupted} {
		if !strings.Contains(text, "\n| "+strconv.Itoa(code)+" | ") {
			t.Errorf("no exit status %d", code)
		}
	}
	var names []string
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

// TestReadmeListsTheFormatsThereAre: each format that is written has a row in
// the README, in their order, and is said on the page about training.
func TestReadmeListsTheFormatsThereAre(t *testing.T) {
	read := func(path ...string) string {
		b, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	_, section, _ := strings.Cut(read("README.md"), "\n## Formats written\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z][a-z-]*)`").FindAllStringSubmatch(section, -1) {
		rows = append(rows, m[1])
	}
	if want := emitterNames(); !slices.Equal(rows, want) {
		t.Errorf("the README lists %v, there are %v", rows, want)
	}
	training := read("docs", "training.md")
	for _, name := range emitterNames() {
		if !strings.Contains(training, "`"+name+"`") {
			t.Errorf("docs/training.md does not name %s", name)
		}
	}
}
