package review

import "math"

// ShufflePrime is the largest prime below 2^31: products of two numbers below it
// are exact in the integers of SQL.
const ShufflePrime = 1<<31 - 1

// Shuffle is the order Random of one seed: rows are sorted by the cube of a linear
// function of their numbers, which SQL and Go reckon alike.
type Shuffle struct{ Factor, Summand int64 }

// ShuffleOf returns the shuffle of a seed.
func ShuffleOf(seed uint64) Shuffle {
	// Seeds that are close to each other give quite different orders.
	mix := func(x uint64) int64 {
		x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
		x = (x ^ x>>27) * 0x94D049BB133111EB
		return int64((x ^ x>>31) % (ShufflePrime - 1))
	}
	return Shuffle{1 + mix(seed+0x9E3779B97F4A7C15), mix(seed + 0x3C6EF372FE94F82A)}
}

// Of returns the place of a row.
func (s Shuffle) Of(row int64) int64 {
	x := (row*s.Factor + s.Summand) % ShufflePrime
	return x * x % ShufflePrime * x % ShufflePrime
}

// Undoubted is the key of a segment without a score in the order Uncertain: after
// all others.
const Undoubted = 2.0

// DoubtOf is the key of a segment in the order Uncertain, by how likely it would be
// approved, or where that is not known by its score; NaN is none.
func DoubtOf(likely, score, threshold float64) float64 {
	if !math.IsNaN(likely) {
		return math.Abs(likely - 0.5)
	}
	if math.IsNaN(score) {
		return Undoubted
	}
	return math.Abs(score - threshold)
}
