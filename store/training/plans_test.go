package training

import (
	"strings"
	"testing"

	"winnow/store/storetest"
)

// TestTrainingUsesIndexes: whatever is asked of runs is found by an index. What there is
// to train on is counted along one of the contents that could, and of the runs themselves there are few.
func TestTrainingUsesIndexes(t *testing.T) {
	db := storetest.Empty(t, "runs")
	walks := map[string]string{toTrainSQL: "task_segments_train", namesSQL: "model_names", basesSQL: "SCAN runs"}
	for _, text := range []string{
		newSQL, putSQL, oneSQL, listSQL, openSQL, promotedSQL, clearSQL, putSampleSQL, countSQL, samplesSQL, withdrawnSQL, withdrawnCountSQL, toTrainSQL, failingSQL,
		heldBackSQL, shutsSQL, trainedsSQL, putNameSQL, namesSQL, basesSQL, EmptySQL,
	} {
		for _, step := range storetest.Plan(t, db, text, make([]any, strings.Count(text, "?"))...) {
			walk := walks[text] != "" && strings.Contains(step, walks[text]) || step == "SCAN k" && text == toTrainSQL
			if storetest.Scans(step) && !walk || strings.Contains(step, "B-TREE") && text != openSQL && text != basesSQL {
				t.Errorf("%s\n%s", text, step)
			}
		}
	}
}
