package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlacesAreToldWithoutATerminal: what the screen would have offered, and
// the words that import it.
func TestPlacesAreToldWithoutATerminal(t *testing.T) {
	b := newBench(t)
	b.env.dir = func() (string, error) { return filepath.Join(b.vars["HOME"], "elsewhere"), nil }
	b.file(".claude/projects/p/a.jsonl", twoLines)
	b.file(".gemini/tmp/0a/chats/session-1.json", "{}")
	moved := filepath.Join(t.TempDir(), "my codex")
	if err := os.MkdirAll(filepath.Join(moved, "sessions"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(moved, "sessions", "r.jsonl"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.vars["CODEX_HOME"] = moved
	if code := b.run(); code != exitUsage {
		t.Errorf("exit status %d", code)
	}
	told := b.stderr.String()
	for _, want := range []string{
		"winnow: Claude Code: 1 file (119 B) in ~/.claude/projects\n", "winnow: Codex: 1 file (2 B) in " + moved,
		"winnow import ~/.claude/projects '" + filepath.Join(moved, "sessions") + "' ~/.gemini/tmp/*/chats loads them\n", "no terminal to draw on",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("no %q in:\n%s", want, told)
		}
	}
	if _, err := os.Stat(filepath.Join(b.vars["HOME"], ".local")); err == nil {
		t.Error("a database was made")
	}
}
