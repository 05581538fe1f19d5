package review

import (
	"slices"
	"testing"
	"time"
)

func TestBands(t *testing.T) {
	for score, want := range map[float64]int{0: 0, 0.0499: 0, 0.05: 1, 0.6999: 13, 0.7: 14, 0.85: 17, 0.95: 19, 1: 19} {
		if got := Band(score); got != want {
			t.Errorf("%v is in band %d, want %d", score, got, want)
		}
	}
	var b ByBand
	if _, ok := b.Approval(); ok {
		t.Error("nothing was judged")
	}
	b.Add(Approved, 3)
	b.Add(Rejected, 1)
	b.Add(Unsure, 5)
	b.Add(Pending, 7)
	if share, ok := b.Approval(); !ok || share != 0.75 || b != (ByBand{3, 1, 5, 7}) {
		t.Errorf("%+v: %v", b, share)
	}
}

func TestDistribution(t *testing.T) {
	if d := DistributionOf([]int{5, 1, 4, 2, 3, 10, 9, 8, 7, 6}); d != (Distribution{55, 5, 9, 10}) {
		t.Errorf("%+v", d)
	}
	if d := DistributionOf([]int{7}); d != (Distribution{7, 7, 7, 7}) {
		t.Errorf("%+v", d)
	}
	if d := DistributionOf(nil); d != (Distribution{}) {
		t.Errorf("%+v", d)
	}
}

// TestSuggest: the highest threshold that keeps 95% of the approved.
func TestSuggest(t *testing.T) {
	approved, rejected := make([]float64, 0, 100), make([]float64, 0, 50)
	for i := range 100 { // 0.50 … 0.995
		approved = append(approved, 0.5+float64(i)*0.005)
	}
	for i := range 50 { // 0.30 … 0.79
		rejected = append(rejected, 0.3+float64(i)*0.01)
	}
	slices.Reverse(approved)
	if s := Suggest(approved, rejected); s != (Suggestion{Threshold: 0.52, Keeps: 0.96, Drops: 0.44}) {
		t.Errorf("%+v", s)
	}
	if s := Suggest(approved[:19], rejected[:3]); s != (Suggestion{MissingApproved: 1, MissingRejected: 7}) {
		t.Errorf("%+v", s)
	}
	// As large a share of both lies below, which no rounding may tell apart.
	if s := Suggest(append(slices.Repeat([]float64{0.9}, 21), 0.3), append(slices.Repeat([]float64{0.95}, 21), 0.3)); s != (Suggestion{}) {
		t.Errorf("%+v", s)
	}
	// Rejected ones score no worse.
	if s := Suggest(slices.Repeat([]float64{0.5, 0.9}, 20), slices.Repeat([]float64{0.95}, 20)); s != (Suggestion{}) {
		t.Errorf("%+v", s)
	}
}

// TestReviewDays: the time between verdicts counts, pauses do not.
func TestReviewDays(t *testing.T) {
	at := func(clock string) time.Time {
		when, err := time.Parse(time.RFC3339, "2026-05-"+clock+":00Z")
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	zone := time.FixedZone("two hours east", 2*60*60)
	days := DaysOf([]Decision{
		{at("03T20:00"), "ann", 1}, {at("03T20:02"), "ann", 1}, {at("03T20:03"), "bob", 40}, {at("03T20:30"), "ann", 1},
		{at("03T22:01"), "ann", 2}, {at("03T22:05"), "ann", 1},
	}, zone)
	want := []ReviewDay{{"2026-05-03", 4, 43, 3*time.Minute + 30*time.Second}, {"2026-05-04", 2, 3, 4*time.Minute + 30*time.Second}}
	if !slices.Equal(days, want) {
		t.Errorf("%+v", days)
	}
	if got := days[0].PerHour(); got < 68 || got > 69 {
		t.Errorf("%v an hour", got)
	}
}
