package cycles

import (
	"strings"
	"testing"

	"winnow/store/storetest"
)

// TestCyclesUseIndexes: whatever is asked of leases, cycles and attempts is found by an
// index: no table is looked through, but where all of it is listed.
func TestCyclesUseIndexes(t *testing.T) {
	db := storetest.Empty(t, "cycles")
	all := map[string]bool{leasesSQL: true, attemptsSQL: true, waitingSQL: true, cyclesSQL: true}
	for _, text := range []string{
		takeSQL, leaseSQL, renewSQL, returnSQL, leasesSQL, overSQL, lostSQL, goneSQL, endSQL, newSQL, dropStepsSQL, dropCyclesSQL, putStepSQL, cyclesSQL, stepsSQL,
		costSQL, usedSQL, lastSQL, attemptsSQL, waitingSQL, ofKindSQL, triedSQL, retrySQL, retryAllSQL,
	} {
		for _, step := range storetest.Plan(t, db, text, make([]any, strings.Count(text, "?"))...) {
			scan := storetest.Scans(step) && !all[text] && !strings.Contains(step, "cycles_open")
			if scan || strings.Contains(step, "B-TREE") {
				t.Errorf("%s\n%s", text, step)
			}
		}
	}
}
