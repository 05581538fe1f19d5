package store

import (
	"regexp"
	"strings"
	"testing"

	"winnow/core/review"
)

// listed are filters and orders that curators ask for, none about text.
var listed = []struct {
	filter string
	order  review.Order
}{
	{"", review.Natural},
	{"", review.Newest},
	{"", review.BestScore},
	{"", review.MostTokens},
	{"", review.Longest},
	{"", review.MostFailures},
	{"", review.Likeliest},
	{"", review.Unlikeliest},
	{"status:pending likely>=0.4", review.Unlikeliest},
	{"seen<50% status:pending", review.BestScore},
	{"seen=0 or seen!=25%", review.Natural},
	{"", review.Random},
	{"", review.Uncertain},
	{"", review.Balance},
	{"status:pending type:code", review.Balance},
	{"status:pending score>=0.7", review.Uncertain},
	{"status:pending", review.Natural},
	{"status:pending", review.BestScore},
	{"status:pending score>=0.7", review.BestScore},
	{"status:pending score>=0.7", review.WorstScore},
	{"status:approved or status:unsure", review.Newest},
	{"has:stale", review.Natural},
	{"compression:accepted -has:stale", review.Natural},
	{"has:compression compression:stale or compression:failed", review.Newest},
	{"score>=0.8 type:code status:pending tool:Bash -has:error agent:default", review.BestScore},
	{"score:0.4..0.6", review.Random},
	{"tool:web_search", review.Newest},
	{"tool:nothing", review.MostFailures},
	{"topic:postgres", review.BestScore},
	{"topic:größe", review.Oldest},
	{"topic:настройка", review.Natural},
	{"file:projects", review.LeastToken},
	{"file:отчёты -status:rejected", review.Newest},
	{"model:opus format:claude-code", review.BestScore},
	{"flag:loop or flag:truncated", review.WorstScore},
	{"metric.tool_success<0.5 metric.completion=1", review.Shortest},
	{"tag:keep reviewer:ann", review.Natural},
	{"note:again", review.Newest},
	{"after:2025-12 before:2026-03 turns>=3", review.Oldest},
	{"agent:default came>=2026-01-15", review.Newest},
	{"reviewed>=2026-01-15 tokens<10k", review.MostTokens},
	{"has:copies", review.Natural},
	{"-(type:chat or type:other) messages:10..40 toolfails>0 toolcalls>5", review.MostFailures},
	{"id:3f2a or session:9e37", review.Natural},
}

// plainScan is a walk through a table itself, instead of an index.
var plainScan = regexp.MustCompile(`(?m)^SCAN (task_segments|trajectory_records|messages|chunks|seen|v)(?: USING INDEX.*)?$`)

// However lists are filtered and sorted, no row is looked at in the table but
// those of the page, and some that a walk in its order meets.
func TestListsUseIndexes(t *testing.T) {
	s := openTemp(t)
	mixed(t, s, 20)
	for _, l := range listed {
		if l.order == review.Balance {
			continue // made in memory
		}
		q := review.Query{Filter: parsed(t, l.filter), Order: l.order, Limit: 3}
		if l.order == "" {
			t.Fatal(l)
		}
		first, err := s.Segments(t.Context(), review.Query{Order: l.order, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, q.After = range []review.Cursor{{}, first.First} {
			for _, q.Back = range []bool{false, true} {
				a, err := s.asking(t.Context(), &q)
				if err != nil {
					t.Fatal(err)
				}
				text, args := a.scanSQL()
				if steps := planOf(t, s, text, args...); plainScan.MatchString(steps) {
					t.Errorf("%s by %s: looks at all rows\n%s", l.filter, l.order, steps)
				}
				if a.walks() {
					text, args := a.walkSQL()
					steps := planOf(t, s, text, args...)
					_, index, _ := strings.Cut(a.source, "INDEXED BY ")
					index, _, _ = strings.Cut(index, " ")
					if !strings.Contains(steps, index) || strings.Contains(steps, "B-TREE") {
						t.Errorf("%s by %s: sorts\n%s", l.filter, l.order, steps)
					}
				}
			}
		}
	}
}

// Clusters are read by the indexes of their numbers and contents.
func TestClustersUseIndexes(t *testing.T) {
	s := openTemp(t)
	mixed(t, s, 20)
	for _, text := range []string{membersSQL, sharedClustersSQL, loadClustersSQL, countUnsignedSQL} {
		if steps := planOf(t, s, text, make([]any, strings.Count(text, "?"))...); strings.Contains(steps, "SCAN s") || strings.Contains(steps, "SCAN g") {
			if !strings.Contains(steps, "SCAN signatures USING COVERING INDEX signatures_") {
				t.Errorf("%s:\n%s", text, steps)
			}
		}
	}
}

// What doctor asks of each row, it asks by an index.
func TestChecksOfAlikeUseIndexes(t *testing.T) {
	s := openTemp(t)
	mixed(t, s, 20)
	for _, text := range []string{checkAlikeSQL, checkUnsignedSQL} {
		steps := planOf(t, s, text)
		for step := range strings.Lines(steps) {
			outer := strings.HasPrefix(step, "SCAN g") || strings.HasPrefix(step, "SCAN s")
			if looks := strings.Contains(step, "SCAN") || strings.Contains(step, "SEARCH"); looks && !outer && !strings.Contains(step, "=?)") {
				t.Errorf("%s: looks at all of them in each row\n%s", text, steps)
			}
		}
	}
}
