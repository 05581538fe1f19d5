package proposals

import (
	"strings"
	"testing"

	"winnow/store/storetest"
)

// TestProposalsUseIndexes: whatever is asked of proposals is found by an index: no
// table is looked through, but for what the doctor reads.
func TestProposalsUseIndexes(t *testing.T) {
	db := storetest.Empty(t, "proposals")
	for _, text := range []string{
		foundSQL, textSQL, applySQL, contentSQL, journalSQL, markSQL, changesSQL, changesOfSQL, changesAfterSQL, changesBeforeSQL,
		draftSQL, putDraftSQL, listSQL, thereSQL, putSQL, putTextSQL, forgetSQL,
	} {
		for _, step := range storetest.Plan(t, db, text, make([]any, arguments(text))...) {
			if storetest.Scans(step) {
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
