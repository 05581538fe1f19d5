package store

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"winnow/core/metric"
	"winnow/core/review"
)

func naiveDoubt(s *review.Segment, threshold float64) float64 {
	if s.Likely != nil {
		return math.Abs(*s.Likely - 0.5)
	}
	if s.Score == nil {
		return math.Inf(1)
	}
	return math.Abs(*s.Score - threshold)
}

// naiveBalance puts segments in the order Balance, by doing what it says: again
// and again it takes the best one of the type that is most behind its share,
// counting what it took as approved.
func naiveBalance(t testing.TB, s *Store, quotas review.Quotas, rows []review.Segment) []review.Segment {
	t.Helper()
	known := []string{}
	for _, kind := range metric.TaskTypes() {
		known = append(known, string(kind))
	}
	shares, approved := quotas.Shares(known), map[string]int64{}
	for _, r := range naiveRows(t, s) {
		if r.Verdict == review.Approved {
			approved[r.TaskType]++
		}
	}
	score := func(s *review.Segment) float64 {
		if s.Score == nil {
			return review.Unscored
		}
		return *s.Score
	}
	pending, others := map[string][]review.Segment{}, []review.Segment{}
	for _, r := range rows {
		if r.Verdict == review.Pending {
			pending[r.TaskType] = append(pending[r.TaskType], r)
		} else {
			others = append(others, r)
		}
	}
	for _, list := range pending {
		slices.SortFunc(list, func(a, b review.Segment) int {
			return -cmp.Or(cmp.Compare(score(&a), score(&b)), strings.Compare(a.ID, b.ID))
		})
	}
	var out []review.Segment
	taken := map[string]int64{}
	for {
		best := ""
		found := false
		// ahead compares (a + n) / q, without a share n alone after all others.
		ahead := func(x, y string) int {
			a, b := approved[x]+taken[x]+1, approved[y]+taken[y]+1
			switch {
			case shares[x] > 0 && shares[y] > 0:
				return cmp.Compare(a*shares[y], b*shares[x])
			case shares[x] == 0 && shares[y] == 0:
				return cmp.Compare(taken[x], taken[y])
			}
			return -cmp.Compare(shares[x], shares[y])
		}
		for kind, list := range pending {
			if len(list) == 0 {
				continue
			}
			if c := 0; found {
				if c = ahead(kind, best); c > 0 || c == 0 && list[0].ID > pending[best][0].ID {
					continue
				}
			}
			best, found = kind, true
		}
		if !found {
			break
		}
		out = append(out, pending[best][0])
		pending[best] = pending[best][1:]
		taken[best]++
	}
	slices.SortFunc(others, func(a, b review.Segment) int {
		return cmp.Or(cmp.Compare(math.Floor((1-score(&a))*review.TurnScores), math.Floor((1-score(&b))*review.TurnScores)), strings.Compare(a.ID, b.ID))
	})
	return append(out, others...)
}

// Approving from the top leaves the order of the rest as it is; rejecting serves
// the same type again.
func TestBalanceStaysWhileOneApproves(t *testing.T) {
	s := openTemp(t)
	directly(t, s, 200)
	q := review.Query{Filter: parsed(t, "status:pending"), Order: review.Balance, Quotas: review.Quotas{"code": 0.5, "data": 0.3, "qa": 0.2, "chat": 0}, Limit: 40}
	page := func() []review.Segment {
		t.Helper()
		p, err := s.Segments(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return p.Segments
	}
	for _, warm := range []bool{false, true} {
		if warm {
			if err := s.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for range 10 {
			before := page()
			judge(t, s, "ann", review.Approved, before[0].ID)
			if after := page(); !slices.Equal(idsOf(after[:39]), idsOf(before[1:])) {
				t.Fatalf("warm %t: another order after approving the first", warm)
			}
		}
		first := page()[0]
		judge(t, s, "ann", review.Rejected, first.ID)
		if next := page()[0]; next.TaskType != first.TaskType {
			t.Errorf("warm %t: a rejected %s is followed by %s", warm, first.TaskType, next.TaskType)
		}
	}
	counts := map[string]int{}
	q.Limit = 1000
	for _, r := range page() {
		counts[r.TaskType]++
	}
	if last := page(); last[len(last)-1].TaskType != "chat" || counts["chat"] == 0 {
		t.Errorf("a type without a share is not at the end: %v", counts)
	}
}

// A verdict moves a segment in a list of all, too, which nothing filters.
func TestBalanceOfAllFollowsVerdicts(t *testing.T) {
	s := openTemp(t)
	directly(t, s, 120)
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		first := ""
		for _, quotas := range []review.Quotas{{"code": 0.6, "qa": 0.4}, {"data": 1}} {
			p, err := s.Segments(t.Context(), review.Query{Order: review.Balance, Quotas: quotas, Limit: 1000})
			if err != nil {
				t.Fatal(err)
			}
			if want := naiveBalance(t, s, quotas, p.Segments); !slices.Equal(idsOf(p.Segments), idsOf(want)) {
				t.Fatalf("after %d verdicts: %v, want %v", i, idsOf(p.Segments), idsOf(want))
			}
			first = p.Segments[0].ID
		}
		judge(t, s, "ann", review.Verdicts[i%3], first)
	}
}
