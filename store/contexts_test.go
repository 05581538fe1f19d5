package store

import (
	"fmt"
	"strings"
	"testing"
)

// contextsOf writes what compactions of a session kept.
func contextsOf(t *testing.T, s *Store, body int64) string {
	t.Helper()
	list, err := s.Contexts(t.Context(), body, 1, maxMessages)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range list {
		if c.Known {
			out = append(out, fmt.Sprintf("%d%v", c.N, c.Keeps))
		} else {
			out = append(out, fmt.Sprintf("%d?", c.N))
		}
	}
	return strings.Join(out, " ")
}

// What compactions kept follows their messages: while a file grows, into a branch,
// and where its file is written anew.
func TestContextsFollowTheirMessages(t *testing.T) {
	head := `{"type":"session","version":3,"id":"s1","timestamp":"2026-02-14T20:00:00.000Z","cwd":"/x"}`
	said := func(id, parent, text string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2026-02-14T20:00:01.000Z","message":{"role":"user","content":%q,"timestamp":1}}`, id, parent, text)
	}
	cut := func(id, parent, kept string) string {
		return fmt.Sprintf(`{"type":"compaction","id":%q,"parentId":%q,"timestamp":"2026-02-14T20:00:02.000Z","summary":"So far","firstKeptEntryId":%q}`, id, parent, kept)
	}
	lines := []string{head, said("e1", "", "One"), said("e2", "e1", "Two"), said("e3", "e2", "Three"), cut("c1", "e3", "e2"), said("e4", "c1", "Four"), cut("c2", "e4", "none")}
	f := newFolder(t)
	for n := 3; n <= len(lines); n++ {
		f.save("a.jsonl", lines[:n]...)
		f.load()
		clean(t, f.s)
	}
	if got, want := contextsOf(t, f.s, f.sessions()["a.jsonl"].Body), "4[[2 3]] 6?"; got != want {
		t.Errorf("grown: %s, want %s", got, want)
	}
	f.save("a.jsonl", append(lines, said("e5", "e2", "Other"), cut("c3", "e5", "e5"))...)
	f.load()
	clean(t, f.s)
	for name, want := range map[string]string{"a.jsonl": "4[[3 3]]", "a.jsonl#b=e3": "2? 4?"} { // what was before the fork is not told
		if got := contextsOf(t, f.s, f.sessions()[name].Body); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	f.save("a.jsonl", append([]string{head, said("e0", "", "Zero")}, lines[1:]...)...)
	f.load()
	clean(t, f.s)
	if got, want := contextsOf(t, f.s, f.sessions()["a.jsonl"].Body), "5[[3 4]] 7?"; got != want {
		t.Errorf("rewritten: %s, want %s", got, want)
	}
	change(t, f.s.Path(), "DELETE FROM contexts")
	if _, err := f.s.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	clean(t, f.s)
	if plan := planOf(t, f.s, contextsSQL, 1, 1, 9); !strings.Contains(plan, "PRIMARY KEY") {
		t.Error(plan)
	}
}
