package proposals

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	if err := db.SetUp(t.Context(), &sqlite.Schema{ID: 1, Tables: []string{"proposals"}, Steps: steps}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	return db
}

// TestProposalsUseIndexes: whatever is asked of proposals is found by an index: no
// table is looked through, but for what the doctor reads.
func TestProposalsUseIndexes(t *testing.T) {
	db := empty(t)
	for _, text := range []string{
		foundSQL, textSQL, applySQL, contentSQL, journalSQL, markSQL, changesSQL, changesOfSQL, changesAfterSQL, changesBeforeSQL,
		draftSQL, putDraftSQL, listSQL, thereSQL, putSQL, putTextSQL, forgetSQL,
	} {
		var id, parent, unused int
		steps, err := sqlite.List(db.Once(t.Context(), "EXPLAIN QUERY PLAN "+text, make([]any, arguments(text))...), func(step *string) []any { return []any{&id, &parent, &unused, step} })
		if err != nil {
			t.Fatal(text, err)
		}
		for _, step := range steps {
			if strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "VIRTUAL TABLE") && !strings.HasPrefix(step, "SCAN CONSTANT") {
				t.Errorf("%s\n%s", text, step)
			}
			if strings.Contains(step, "B-TREE") && text != listSQL { // in the order of the ids, those of a page
				t.Errorf("%s\n%s", text, step)
			}
		}
	}
}

// arguments is how many a statement takes.
func arguments(text string) int {
	for n := '9'; n > '0'; n-- {
		if strings.Contains(text, "?"+string(n)) {
			return int(n - '0')
		}
	}
	return strings.Count(text, "?")
}
