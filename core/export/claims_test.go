package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/review"
)

// What a sample would train that is left out as a near duplicate is trained by the one
// that stays.
func TestClaimsOfWhatIsLeftOut(t *testing.T) {
	var words []string
	for i := range 200 {
		words = append(words, fmt.Sprint("word", i))
	}
	long := strings.Join(words, " ")
	for _, as := range []string{"hf", "steps"} {
		l := &library{}
		score := func(x float64) func(*review.Segment, *review.Session) {
			return func(s *review.Segment, _ *review.Session) { s.Score = &x }
		}
		l.add(score(0.1), sys("s"), user(long), says("a"), user("v"), says("b"))
		l.add(score(0.9), sys("s"), user(long), says("a"), user("v"), says("c"))
		got, r := trainedBy(t, l, Options{As: as, Gaps: everyGap, Dedupe: DedupeNear})
		want := []string{"s " + long + " a", "s " + long + " a v c"}
		if slices.Sort(got); !slices.Equal(got, want) || len(r.LeftOut) != 1 || r.LeftOut[0].Check != OutNearDuplicate {
			t.Errorf("%s: %d trained, %+v", as, len(got), r.LeftOut)
		}
	}
}
