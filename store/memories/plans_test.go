package memories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/store/sqlite"
)

// empty returns a database without a row.
func empty(t *testing.T) *sqlite.DB {
	t.Helper()
	steps, err := sqlite.ReadSteps(os.DirFS(".."), "migrations")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.New(filepath.Join(t.TempDir(), "w.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.SetUp(t.Context(), &sqlite.Schema{ID: 1, Tables: []string{"memories"}, Steps: steps}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	return db
}

// plan is how a statement is carried out, step by step.
func plan(t *testing.T, db *sqlite.DB, text string, args ...any) []string {
	t.Helper()
	var id, parent, unused int
	steps, err := sqlite.List(db.Once(t.Context(), "EXPLAIN QUERY PLAN "+text, args...), func(step *string) []any { return []any{&id, &parent, &unused, step} })
	if err != nil {
		t.Fatal(text, err)
	}
	return steps
}

// TestMemoriesUseIndexes: whatever is asked of memories is found by an index: no table
// is looked through, but for counts and what the doctor reads.
func TestMemoriesUseIndexes(t *testing.T) {
	db := empty(t)
	for _, text := range []string{
		rowsSQL, tagsSQL, sourcesSQL, segmentsSQL, putSQL, putTagSQL, untagSQL, putSourceSQL, extractedSQL, digestSQL, putDoneSQL, doneSQL, hashSQL,
		journalSQL, changesSQL, changesOfSQL, changesAfterSQL, changesBeforeSQL, removeSQL[0], removeSQL[1], removeSQL[2], knownSQL, prefixSQL, unextractedSQL, AgainSQL,
	} {
		for _, step := range plan(t, db, text, make([]any, strings.Count(text, "?"))...) {
			if strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "VIRTUAL TABLE") && !strings.HasPrefix(step, "SCAN CONSTANT") {
				t.Errorf("%s\n%s", text, step)
			}
		}
	}
}

// TestPagesWalkAnIndex: pages come in the order of an index, and what is looked up for
// each memory is found by one.
func TestPagesWalkAnIndex(t *testing.T) {
	db := empty(t)
	for _, words := range []string{"", "status:stale", "tag:go -tag:segment:1a2b3c4d", "segment:1a2b3c4d", "session:x grade>=0.5 created>7d word"} {
		for order, index := range map[memory.Order]string{memory.Newest: "memories_date", memory.Best: "memories_grade"} {
			f, err := memory.ParseFilter(words, filter.Options{Now: time.Unix(1e9, 0)})
			if err != nil {
				t.Fatal(err)
			}
			text, args, err := page(&memory.Query{Filter: f, Order: order, Limit: 10, After: "x"})
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range plan(t, db, text, args...) {
				if strings.HasPrefix(step, "SCAN") && !strings.Contains(step, index) || strings.Contains(step, "FOR ORDER BY") && strings.Contains(step, "TEMP") && !strings.HasPrefix(words, "segment:") { // few are of one
					t.Errorf("%s\n%s", text, step)
				}
			}
		}
	}
}
