package memories

import (
	"strings"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/store/storetest"
)

// TestMemoriesUseIndexes: whatever is asked of memories is found by an index: no table
// is looked through, but for counts and what the doctor reads.
func TestMemoriesUseIndexes(t *testing.T) {
	db := storetest.Empty(t, "memories")
	for _, text := range []string{
		rowsSQL, tagsSQL, sourcesSQL, segmentsSQL, putSQL, putTagSQL, untagSQL, putSourceSQL, extractedSQL, digestSQL, putDoneSQL, doneSQL, partSQL, partlySQL, hashSQL,
		journalSQL, changesSQL, removedSQL, changesOfSQL, changesAfterSQL, changesBeforeSQL, removeSQL[0], removeSQL[1], removeSQL[2], knownSQL, prefixSQL, unextractedSQL, AgainSQL,
	} {
		for _, step := range storetest.Plan(t, db, text, make([]any, strings.Count(text, "?"))...) {
			if storetest.Scans(step) {
				t.Errorf("%s\n%s", text, step)
			}
		}
	}
}

// TestPagesWalkAnIndex: pages come in the order of an index, and what is looked up for
// each memory is found by one.
func TestPagesWalkAnIndex(t *testing.T) {
	db := storetest.Empty(t, "memories")
	for _, words := range []string{"", "status:stale", "tag:go -tag:segment:1a2b3c4d", "segment:1a2b3c4d", "session:x grade>=0.5 created>7d word"} {
		for order, index := range map[memory.Order]string{memory.Newest: "memories_date", memory.Best: "memories_grade"} {
			f, err := memory.ParseFilter(words, filter.Options{Now: time.Unix(1e9, 0)})
			if err != nil {
				t.Fatal(err)
			}
			text, args, err := page(&memory.Query{Filter: f, Order: order, Limit: 10, After: memory.Cursor{ID: "x"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range storetest.Plan(t, db, text, args...) {
				if storetest.Scans(step) && !strings.Contains(step, index) || strings.Contains(step, "FOR ORDER BY") && strings.Contains(step, "TEMP") && !strings.HasPrefix(words, "segment:") { // few are of one
					t.Errorf("%s\n%s", text, step)
				}
			}
		}
	}
}
