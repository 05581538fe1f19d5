package cycles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/store/sqlite"
)

// TestCyclesUseIndexes: whatever is asked of leases, cycles and attempts is found by an
// index: no table is looked through, but where all of it is listed.
func TestCyclesUseIndexes(t *testing.T) {
	steps, err := sqlite.ReadSteps(os.DirFS(".."), "migrations")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.New(filepath.Join(t.TempDir(), "w.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.SetUp(t.Context(), &sqlite.Schema{ID: 1, Tables: []string{"cycles"}, Steps: steps}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{leasesSQL: true, attemptsSQL: true, waitingSQL: true, cyclesSQL: true}
	for _, text := range []string{
		takeSQL, leaseSQL, renewSQL, returnSQL, leasesSQL, overSQL, lostSQL, goneSQL, endSQL, newSQL, dropStepsSQL, dropCyclesSQL, putStepSQL, cyclesSQL, stepsSQL,
		costSQL, usedSQL, lastSQL, attemptsSQL, waitingSQL, ofKindSQL, triedSQL, retrySQL, retryAllSQL,
	} {
		var id, parent, unused int
		plan, err := sqlite.List(db.Once(t.Context(), "EXPLAIN QUERY PLAN "+text, make([]any, strings.Count(text, "?"))...), func(step *string) []any { return []any{&id, &parent, &unused, step} })
		if err != nil {
			t.Fatal(text, err)
		}
		for _, step := range plan {
			scan := strings.HasPrefix(step, "SCAN") && !all[text] && !strings.Contains(step, "cycles_open")
			if scan || strings.Contains(step, "B-TREE") {
				t.Errorf("%s\n%s", text, step)
			}
		}
	}
}
