package segment

import (
	"runtime"
	"strconv"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// planned reads a session of n planned segments.
func planned(n int) *Cover {
	c := NewCover(nil)
	rows := make([]review.Segment, n)
	for i := range rows {
		rows[i] = review.Segment{Start: i + 1, End: i + 1}
	}
	c.Plan(rows)
	for i := range rows {
		m := chat.Message{N: i + 1, Role: chat.User, Content: strconv.Itoa(i)}
		c.Add(&m, review.TallyOf(&m))
	}
	return c
}

// TestManySegments: a segment more costs the same, however many there are.
func TestManySegments(t *testing.T) {
	cost := func(n int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		planned(n)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
	}
	few, many := cost(250), cost(4000)
	t.Logf("%.0f bytes for each of 250, %.0f of 4000", few, many)
	if many > 3*few {
		t.Errorf("a segment allocates %.0f bytes, of few %.0f", many, few)
	}
}

func BenchmarkCover(b *testing.B) {
	for b.Loop() {
		planned(4000)
	}
}
