package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// TestDoctor: what is wrong is named; what is derived is repaired; what is lost
// is not declared healthy.
func TestDoctor(t *testing.T) {
	b := newBench(t)
	b.ok("import", b.file("a.jsonl", twoLines))
	b.ok("doctor")
	db := filepath.Join(b.vars["HOME"], ".local", "share", "winnow", "winnow.db")

	damage(t, db, "UPDATE task_segments SET fingerprint = '0123456789abcdef'")
	if code := b.run("doctor"); code != exitFailed || !strings.Contains(b.stdout.String(), "winnow doctor --repair") {
		t.Errorf("a wrong fingerprint: exit status %d\n%s%s", code, &b.stdout, &b.stderr)
	}
	if out := b.ok("doctor", "--repair"); !strings.Contains(out, "repaired ") || !strings.Contains(out, "no problems") {
		t.Errorf("repairing says\n%s", out)
	}
	b.ok("doctor")

	damage(t, db, "DELETE FROM chunks")
	if code := b.run("doctor", "--repair", "--json"); code != exitFailed || !strings.HasPrefix(b.stdout.String(), `{"ok":false,"problems":[{"rule":"`) {
		t.Errorf("lost messages: exit status %d\n%s%s", code, &b.stdout, &b.stderr)
	}
}

func damage(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}
