package store

import (
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/proposal"
	"winnow/core/review"
)

// BenchmarkProposals measures verdicts on ten thousand compressions at 200,000
// segments, spread over all of them.
func BenchmarkProposals(b *testing.B) {
	s, _ := bigCorpus(b, filepath.Join(b.TempDir(), "big.db"), 200_000)
	ids, err := s.IDs(b.Context(), review.Query{Filter: parsed(b, "tokens<10k"), Order: review.BestScore})
	if err != nil {
		b.Fatal(err)
	}
	ids = ids[:min(len(ids), 10_000)]
	list := make([]proposal.Proposal, len(ids))
	for i, id := range ids {
		list[i] = proposalOf(b, s, id, strings.Repeat("what was done, in words; ", 200))
	}
	b.Run("propose-10000", func(b *testing.B) {
		for b.Loop() {
			propose(b, s, list...)
		}
	})
	b.Run("judge-10000", func(b *testing.B) { // for comparison
		for i := 0; b.Loop(); i++ {
			judge(b, s, "ann", review.Verdicts[i%3], ids...)
		}
	})
	b.Run("accept-10000", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := judgeProposals(s, b.Context(), "ann", []proposal.Status{proposal.Accepted, proposal.Rejected}[i%2], ids...); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("undo-10000", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			f := s.Undo
			if i%2 == 1 {
				f = s.Redo
			}
			if _, err := f(b.Context(), "ann"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("list", func(b *testing.B) {
		q := review.Query{Filter: parsed(b, "compression:accepted or compression:rejected"), Order: review.Natural, Limit: 50}
		for b.Loop() {
			if page, err := s.Segments(b.Context(), q); err != nil || len(page.Segments) != 50 {
				b.Fatal(len(page.Segments), err)
			}
		}
	})
}
