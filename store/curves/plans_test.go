package curves

import (
	"strings"
	"testing"

	"winnow/store/storetest"
)

// TestCurvesUseIndexes: the points and evaluations of a run are found by an index. The
// names of a run are a list of their own.
func TestCurvesUseIndexes(t *testing.T) {
	db := storetest.Empty(t, "run_points")
	for _, text := range []string{putPointSQL, manySQL, ofNameSQL, dropPointSQL, dropFromSQL, pointsSQL, namesSQL, putEvalSQL, dropEvalSQL, evalsSQL} {
		for _, step := range storetest.Plan(t, db, text, make([]any, min(strings.Count(text, "?"), 5))...) {
			if storetest.Scans(step) && step != "SCAN n" || strings.Contains(step, "B-TREE") {
				t.Errorf("%s\n%s", text, step)
			}
		}
	}
}
