package review

import "testing"

// Different seeds shuffle differently, and evenly: no row has its usual place.
func TestShuffles(t *testing.T) {
	const rows = 100_000
	for seed := range uint64(20) {
		a, b := ShuffleOf(seed), ShuffleOf(seed+1)
		var first [10]int
		together := 0
		for row := int64(1); row <= rows; row++ {
			place := a.Of(row)
			if place < 0 || place >= ShufflePrime {
				t.Fatalf("seed %d: row %d is at %d", seed, row, place)
			}
			tenth := place * 10 / ShufflePrime
			first[tenth]++
			if b.Of(row)*10/ShufflePrime == tenth {
				together++
			}
		}
		for tenth, n := range first {
			if n < rows/10*8/10 || n > rows/10*12/10 {
				t.Errorf("seed %d: %d of %d rows are in tenth %d", seed, n, rows, tenth)
			}
		}
		if together < rows/10*8/10 || together > rows/10*12/10 {
			t.Errorf("seeds %d and %d: %d of %d rows are in the same tenth of both", seed, seed+1, together, rows)
		}
	}
}
