package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/tui"
)

func TestSavedFilters(t *testing.T) {
	dir := t.TempDir()
	env := Env{GOOS: "linux", Lookup: func(n string) (string, bool) { return dir, n == "XDG_CONFIG_HOME" }}
	s := env.Filters()
	if all, err := s.Saved(t.Context()); len(all) > 0 || err != nil {
		t.Fatalf("%v, %v", all, err)
	}
	save := func(n int, name, text string) error {
		return s.Save(t.Context(), tui.SavedFilter{Number: n, Name: name, Text: text})
	}
	for _, err := range []error{
		save(3, "to do", `status:pending score>=0.7 topic:"a \"b\""`), save(1, "stale", "has:stale"), save(3, "To do", "status:pending"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Saved(t.Context())
	if err != nil || len(all) != 2 || all[0].Text != "has:stale" || all[1] != (tui.SavedFilter{Number: 3, Name: "To do", Text: "status:pending"}) {
		t.Fatalf("%+v, %v", all, err)
	}
	if err := save(4, "STALE", "x"); err == nil || !strings.Contains(err.Error(), "already the name of a filter: has:stale") {
		t.Errorf("one name for two filters: %v", err)
	}
	for query, want := range map[string]string{"@to do": "status:pending", "@stale": "has:stale", " @1 ": "has:stale", "a@b": "a@b", "": ""} {
		if got, err := s.Expand(query); got != want || err != nil {
			t.Errorf("%q: %q, %v", query, got, err)
		}
	}
	if _, err := s.Expand("@nobody"); err == nil || !strings.Contains(err.Error(), "there are @To do, @stale") || !strings.Contains(err.Error(), `'"@nobody"'`) {
		t.Errorf("%v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(string(s)))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the file: %v, %v", entries, err)
	}
}

// TestSavedFiltersOfABrokenFileStay: what a person wrote is not replaced by
// what could be read of it.
func TestSavedFiltersOfABrokenFileStay(t *testing.T) {
	s := Filters(filepath.Join(t.TempDir(), "filters.toml"))
	for text, want := range map[string]string{
		"[[filter]]\nkey = 1\nqueri = \"x\"\n":               "filters.toml:3: unknown key filter.queri",
		"[[filter]]\nkey = 1\nquery = x\n":                   "filters.toml:3:",
		"[[filter]]\nkey = 12\nquery = \"x\"\n":              "keys are 1 to 9",
		"[[filter]]\nkey = 1\n[[filter]]\nkey=1\nquery=\"\"": "each for one filter",
	} {
		if err := os.WriteFile(string(s), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Saved(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
		if err := s.Save(t.Context(), tui.SavedFilter{Number: 2, Text: "y"}); err == nil {
			t.Errorf("%q: written over", text)
		}
		if now, err := os.ReadFile(string(s)); string(now) != text || err != nil {
			t.Errorf("%q: now %q, %v", text, now, err)
		}
	}
}

func TestSavedFiltersKeepALink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "dotfiles.toml"), filepath.Join(dir, "filters.toml")
	if err := os.WriteFile(real, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		return // not on this system
	}
	if err := Filters(link).Save(t.Context(), tui.SavedFilter{Number: 1, Text: "has:note"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	text, _ := os.ReadFile(real)
	if err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.Contains(string(text), "has:note") {
		t.Errorf("%v, %v: %q", info.Mode(), err, text)
	}
}
