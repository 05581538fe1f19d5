package store

import (
	"strings"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store/filtersql"
)

// TestPlansOfLearning: what is left to look at is read from an index of that alone, in
// order.
func TestPlansOfLearning(t *testing.T) {
	s := openTemp(t)
	approved := (&runs.Learning{}).Query()
	quiet := runs.Quiet{Since: time.Unix(1, 0), Until: time.Unix(2, 0)}
	for _, c := range []struct {
		q     runs.LearnQuery
		index string
	}{
		{runs.LearnQuery{Extractor: "offline 1", Filter: approved}, "task_segments_unlearned"},
		{runs.LearnQuery{Extractor: "tiny 1", Filter: approved, Quiet: quiet}, "task_segments_unasked"},
		{runs.LearnQuery{Extractor: "tiny 1", All: true}, "task_segments_body"},
	} {
		text, args, err := toLearnSQL(&c.q, filtersql.Found{})
		if err != nil {
			t.Fatal(err)
		}
		if plan := planOf(t, s, text, args...); !strings.Contains(plan, "USING INDEX "+c.index) || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%+v: %s", c.q, plan)
		}
	}
}

// TestWhatIsWrittenIsNotLearnedFrom: sessions that are being written are passed over, and
// so is what the filter of a run leaves out.
func TestWhatIsWrittenIsNotLearnedFrom(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids[0], ids[1])
	change(t, s.Path(), "UPDATE task_segments SET cut_by = 'offline'")
	q := runs.LearnQuery{Extractor: "tiny 1", Filter: (&runs.Learning{}).Query(), Limit: 9}
	list := func() string {
		refs, err := s.SegmentsToLearn(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for i := range refs {
			found = append(found, refs[i].ID)
		}
		return strings.Join(found, " ")
	}
	if got := list(); got != ids[0]+" "+ids[1] {
		t.Errorf("%s, want two of %v", got, ids)
	}
	if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: ids[:1], TagsOn: []string{"private"}}); err != nil {
		t.Fatal(err)
	}
	if got := list(); got != ids[1] {
		t.Errorf("with a private one: %s", got)
	}
	q.Filter = filter.ByStatus("pending")
	if got := list(); strings.Count(got, " ") != 1 || strings.Contains(got, ids[0]) {
		t.Errorf("pending ones: %s", got)
	}
	q.Filter = nil
	change(t, s.Path(), "UPDATE sources SET mtime = ?", time.Unix(100, 0).UnixNano())
	q.Quiet = runs.Quiet{Since: time.Unix(90, 0), Until: time.Unix(110, 0)}
	if got := list(); got != "" {
		t.Errorf("while they are written: %s", got)
	}
	q.Quiet.Since = time.Unix(101, 0)
	if got := list(); strings.Count(got, " ") != 3 {
		t.Errorf("after that: %s", got)
	}
}
