package store

import (
	"fmt"
	"slices"
	"testing"

	"winnow/core/review"
)

// asksFor and gives are lines of Claude Code: a command that a model wants run, and
// what came of it.
func asksFor(id, parent, call, command string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":%q,"parentUuid":%q,"sessionId":"s1","message":{"id":"m-%[1]s","role":"assistant","content":[{"type":"tool_use","id":%[3]q,"name":"Bash","input":{"command":%[4]q}}]}}`, id, parent, call, command)
}

func gives(id, parent, call, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%q,"sessionId":"s1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}}`, id, parent, call, text)
}

const failingTests = "--- FAIL: TestParser (0.01s)\nFAIL\tx/parser\t0.1s\nFAIL"

// tried is a session in which the same text is the output of tests and of a file.
var tried = []string{
	`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","message":{"role":"user","content":"run the tests"}}`,
	asksFor("a1", "u1", "c1", "go test ./..."), gives("r1", "a1", "c1", failingTests),
	asksFor("a2", "r1", "c2", "cat log.txt"), gives("r2", "a2", "c2", failingTests),
	asksFor("a3", "r2", "c3", "go test ./..."), gives("r3", "a3", "c3", failingTests),
}

// outcomes are those of the tool messages of the session of a file.
func (f *folder) outcomes(name string) (list []string) {
	f.t.Helper()
	s := f.sessions()[name]
	heads, err := f.s.Heads(f.t.Context(), s.Body, 1, s.Messages)
	if err != nil {
		f.t.Fatal(err)
	}
	for i := range heads {
		if h := &heads[i]; h.Role == "tool" {
			said := h.Outcome().Outcome.String() + " " + h.Outcome().Evidence
			if !h.Judged {
				said = "unknown"
			}
			list = append(list, said)
		}
	}
	return list
}

var triedOutcomes = []string{"exit tests failed", "ok ", "exit tests failed"}

// TestOutcomesAreKnownFromTheImportOn: of what may still change, too, however a file
// grows, in a family of files, and after the doctor wrote the index anew.
func TestOutcomesAreKnownFromTheImportOn(t *testing.T) {
	want := func(t *testing.T, f *folder, name string) {
		t.Helper()
		if got := f.outcomes(name); !slices.Equal(got, triedOutcomes) {
			t.Errorf("%q, want %q", got, triedOutcomes)
		}
		clean(t, f.s)
	}
	t.Run("at once", func(t *testing.T) {
		f := newFolder(t)
		f.save("s.jsonl", tried...)
		f.load()
		want(t, f, "s.jsonl")
	})
	t.Run("line by line", func(t *testing.T) {
		f := newFolder(t)
		for n := range tried {
			f.save("s.jsonl", tried[:n+1]...)
			f.load()
		}
		want(t, f, "s.jsonl")
	})
	t.Run("a family", func(t *testing.T) {
		f := newFolder(t)
		f.save("a.jsonl", tried[:4]...)
		f.save("b.jsonl", tried[2:]...)
		f.load()
		if all := f.sessions(); len(all) != 1 {
			t.Fatalf("%d sessions", len(all))
		}
		for name := range f.sessions() {
			want(t, f, name)
		}
	})
	t.Run("mended", func(t *testing.T) {
		f := newFolder(t)
		f.save("s.jsonl", tried...)
		f.load()
		change(t, f.s.Path(), fmt.Sprintf("DELETE FROM messages WHERE id = %d", messageID(f.sessions()["s.jsonl"].Body, 3)))
		if _, err := f.s.Repair(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, f, "s.jsonl")
	})
}

// TestFailuresAreSortedByOutcomes: what the recorder marked is not what the list is
// sorted by, in SQL or in memory.
func TestFailuresAreSortedByOutcomes(t *testing.T) {
	f := newFolder(t)
	f.save("s.jsonl", tried...)
	f.load()
	change(t, f.s.Path(), "UPDATE task_segments SET tool_fails = 0, errors = 1, exits = 2")
	for _, warm := range []bool{false, true} {
		if warm {
			if err := f.s.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		page, err := f.s.Segments(t.Context(), review.Query{Order: review.MostFailures, Limit: 5})
		if err != nil || len(page.Segments) != 1 || page.Last.Key != 3 {
			t.Errorf("warm %v: %+v %v", warm, page.Last, err)
		}
	}
}
