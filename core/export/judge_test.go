package export

import (
	"math/rand/v2"
	"testing"

	"winnow/core/review"
)

// What is told of a message is what the segment says that holds it, in whatever order
// segments come.
func TestJudge(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var of []review.Segment
		want := map[int]int{} // message → segment, from 1 on
		for at := 1 + rnd.IntN(3); at < 30; at += rnd.IntN(3) {
			end := at + rnd.IntN(5)
			of = append(of, review.Segment{Start: at, End: end, Masked: []int{1}})
			at = end + 1
		}
		rnd.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		for i := range of {
			for n := of[i].Start; n <= of[i].End; n++ {
				want[n] = i + 1
			}
		}
		judge := judgeOf(of)
		for n := range 40 {
			i, trains := judge(n)
			if i != want[n]-1 || trains != (i >= 0 && n > of[i].Start) {
				t.Fatalf("message %d: segment %d, %v; want %d of %+v", n, i, trains, want[n]-1, of)
			}
		}
	}
}

// The time to judge a message hardly grows with the number of segments.
func BenchmarkJudge(b *testing.B) {
	of := make([]review.Segment, 2000)
	for i := range of {
		of[i].Start, of[i].End = 1+10*i, 10+10*i
	}
	judge := judgeOf(of)
	for n := 0; b.Loop(); n++ {
		judge(1 + n%20000)
	}
}
