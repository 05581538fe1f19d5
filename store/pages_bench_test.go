package store

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"winnow/core/review"
)

// BenchmarkPages tells how long a page of 50 of 200,000 segments takes in each
// order: the first one, the next one and one in the middle; of all, of those that
// a filter lets through, many and few; from the database alone, and with what is
// in memory.
func BenchmarkPages(b *testing.B) {
	s := openTemp(b)
	directly(b, s, 200_000)
	tellLikely(b, s, rand.New(rand.NewPCG(5, 6)))
	for _, state := range []string{"cold", "warm"} {
		if state == "warm" {
			if err := s.Warm(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		for _, o := range review.Orders {
			for _, text := range []string{"", "status:pending", "tag:golden reviewer:ann"} {
				q := review.Query{Filter: parsed(b, text), Order: o, Seed: 3, Threshold: 0.6, Limit: 50}
				page := func(b *testing.B, q review.Query) review.Page {
					p, err := s.Segments(b.Context(), q)
					if err != nil || len(p.Segments) == 0 {
						b.Fatal(len(p.Segments), err)
					}
					return p
				}
				b.Run(fmt.Sprintf("%s/%s/%s/first", state, o, text), func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						ask := q
						if q.Filter != nil {
							ask.Filter = unasked(q.Filter, i)
						}
						page(b, ask)
					}
				})
				b.Run(fmt.Sprintf("%s/%s/%s/next", state, o, text), func(b *testing.B) {
					ask := q
					for b.Loop() {
						p := page(b, ask)
						if ask.After = p.Last; !p.More {
							ask.After = review.Cursor{}
						}
					}
				})
				b.Run(fmt.Sprintf("%s/%s/%s/jump", state, o, text), func(b *testing.B) {
					ask := q
					last := q
					last.Limit = 200
					ask.After = review.CursorOf(o, &page(b, last).Segments[len(page(b, last).Segments)/2])
					for b.Loop() {
						page(b, ask)
					}
				})
			}
		}
	}
}
