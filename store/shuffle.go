package store

import "fmt"

// shufflePrime is the largest prime below 2^31: products of two numbers below it
// are exact in the integers of SQL.
const shufflePrime = 1<<31 - 1

// shuffle is a random order that a seed decides: rows are sorted by the cube of
// a linear function of their numbers, which SQL and Go reckon alike.
type shuffle struct{ factor, summand int64 }

func shuffleOf(seed uint64) shuffle {
	// Seeds that are close to each other give quite different orders.
	mix := func(x uint64) int64 {
		x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
		x = (x ^ x>>27) * 0x94D049BB133111EB
		return int64((x ^ x>>31) % (shufflePrime - 1))
	}
	return shuffle{1 + mix(seed+0x9E3779B97F4A7C15), mix(seed + 0x3C6EF372FE94F82A)}
}

// of returns the place of a row.
func (s shuffle) of(rowid int64) int64 {
	x := (rowid*s.factor + s.summand) % shufflePrime
	return x * x % shufflePrime * x % shufflePrime
}

// sql is of as an expression. Its numbers are our own.
func (s shuffle) sql() string {
	x := fmt.Sprintf("((rowid * %d + %d) %% %d)", s.factor, s.summand, shufflePrime)
	return fmt.Sprintf("(%s * %s %% %d * %s %% %d)", x, x, shufflePrime, x, shufflePrime)
}
