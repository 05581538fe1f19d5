package segment

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/core/review"
)

// elsewhere makes pieces of words that lie in another body.
func elsewhere(words ...string) []Piece {
	pieces := cutUp(review.CutModel, words...)
	for i := range pieces {
		pieces[i].Body = 2
	}
	return pieces
}

// rejudged are the rows of words, a verdict for each: a, r, u or a space.
func rejudged(verdicts string, words ...string) []review.Segment {
	rows := stored(review.CutModel, words...)
	for i := range rows {
		switch verdicts[i] {
		case 'a':
			judged(&rows[i], review.Approved)
		case 'r':
			judged(&rows[i], review.Rejected)
		case 'u':
			judged(&rows[i], review.Unsure)
		}
	}
	return rows
}

func TestRemovingOneOfTwoEqualSegments(t *testing.T) {
	for _, c := range []struct {
		verdicts, old string
		new           string
		want          string
	}{
		// Nothing says which one is left: it has neither verdict.
		{"ar", "Xy Xy", "Xy", "new 1-2 was approved"},
		{" ar ", "A Xy Xy B", "A Xy B", "s1 1-1, new 2-3 was approved, s4 4-4"},
		{"a r ", "Xy A Xy A", "Xy A", "new 1-2 was approved, s2 3-3"},
		// What stands beside them says which one it is.
		{"a r", "Xy A Xy", "A Xy", "s2 1-1, s3 2-3 rejected"},
		{"a r", "Xy A Xy", "Xy A", "s1 1-2 approved, s2 3-3"},
		{"a r", "Xy A Xy", "A Xy B Xy", "s2 1-1, s3 2-3 rejected, new 4-4, new 5-6"},
		// As many as before are what they were.
		{"a r", "Xy A Xy", "Xy B Xy", "s1 1-2 approved, new 3-3, s3 4-5 rejected"},
		// Which of them it is does not matter.
		{"a a", "Xy A Xy", "B Xy", "new 1-1, s1 2-3 approved"},
	} {
		out := Reconcile(rejudged(c.verdicts, strings.Fields(c.old)...), elsewhere(strings.Fields(c.new)...), false)
		if got := strings.Join(show(out.Rows), ", "); got != c.want {
			t.Errorf("%q from %q: %s, want %s", c.new, c.old, got, c.want)
		}
	}
	// In the same body the place says it.
	out := Reconcile(rejudged(" ar", "A", "Xy", "Xy"), cutUp(review.CutModel, "AXy", "Xy"), false)
	expect(t, out, "new 1-3 was approved", "s3 4-5 rejected")
}

// TestNoVerdictGoesToAnotherSegment rewrites sessions: segments leave, others
// are added that were not there. Whatever stays of a row stands where that row's
// segment stands now, or where one with the same marks does.
func TestNoVerdictGoesToAnotherSegment(t *testing.T) {
	words := []string{"Ab", "Ab", "Cd", "Cd", "E", "Fg", "Hij"}
	matched := 0
	for seed := range uint64(cases) {
		rng := rand.New(rand.NewPCG(seed, 5))
		var old, kept []string
		var from []int
		verdicts := ""
		for i := range 1 + rng.IntN(9) {
			w := words[rng.IntN(len(words))]
			old, verdicts = append(old, w), verdicts+string("aru "[rng.IntN(4)])
			if rng.IntN(5) == 0 {
				kept, from = append(kept, fmt.Sprintf("New%d", i)), append(from, -1)
			}
			if rng.IntN(3) > 0 {
				kept, from = append(kept, w), append(from, i)
			}
		}
		rows := rejudged(verdicts, old...)
		out := Reconcile(rows, elsewhere(kept...), false)
		for i := range out.Rows {
			r := &out.Rows[i]
			if r.ID == "" {
				continue
			}
			matched++
			if from[i] < 0 || rows[from[i]].Verdict != r.Verdict || r.Body != 2 {
				t.Fatalf("seed %d: segment %d has the verdict of %s\nold %v\nnew %v", seed, i, r.ID, show(asRows(rows)), show(out.Rows))
			}
		}
		if err := checkElsewhere(rows, out); err != nil {
			t.Fatalf("seed %d: %v\nold %v\nnew %v", seed, err, show(asRows(rows)), show(out.Rows))
		}
	}
	if matched < 2*cases {
		t.Errorf("%d rows stayed in %d sessions", matched, cases)
	}
}

// checkElsewhere tests that all verdicts are accounted for.
func checkElsewhere(rows []review.Segment, out Outcome) error {
	var had, told Counts
	for i := range rows {
		had.add(rows[i].Verdict)
	}
	e := out.Effects()
	for _, c := range []Counts{e.Kept, e.Stale, e.Lost} {
		told.Approved += c.Approved
		told.Rejected += c.Rejected
		told.Unsure += c.Unsure
	}
	if had != told {
		return fmt.Errorf("%+v was decided, %+v is accounted for", had, told)
	}
	stale := 0
	for i := range out.Rows {
		if out.Rows[i].Stale {
			stale++
		}
	}
	if stale != e.Into {
		return fmt.Errorf("%d segments are stale, %d were announced", stale, e.Into)
	}
	return nil
}
