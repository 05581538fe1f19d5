package desk

import (
	"os"
	"path/filepath"
	"testing"
)

// Whatever links lead to a database, its runs are in one folder.
func TestRunsAreWhereTheDatabaseIs(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	real := filepath.Join(dir, "a", "my.db")
	if err := os.WriteFile(real, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{filepath.Join("b", "link.db"): real, "c": "a"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	want := (&Desk{Path: real}).runsFolder()
	for _, path := range []string{filepath.Join(dir, "b", "link.db"), filepath.Join(dir, "c", "my.db")} {
		if got := (&Desk{Path: path}).runsFolder(); got != want || filepath.Base(got) != "my.runs" {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
