package learn

import (
	"math"
	"math/rand/v2"
)

// A curator whose verdicts follow nothing is told so. Two things must speak against
// a coin: verdicts on sessions that were left out are foretold better than by one,
// and verdicts go with what is measured more than they would if those of each session
// had come out the other way or not by chance. The second sees what little evidence
// there is whole, the first only what is left of it in parts.

const (
	// doubted is how many standard errors the AUC has to be above that of a coin;
	// doubtedAlone where there are so many verdicts that it is enough.
	doubted      = 1
	doubtedAlone = 2
	// flips is how often verdicts are turned, byChance the share of coins that is
	// taken for a curator by this alone.
	flips    = 399
	byChance = .1
)

// looksRandom reports whether verdicts may as well be those of a coin.
func (d *data) looksRandom(auc float64, list []*Example) bool {
	good := 0.
	for _, g := range d.good {
		good += g
	}
	bad, errors := float64(d.rows())-good, float64(doubted)
	if d.rows() > few {
		errors = doubtedAlone
	}
	if auc < .5+errors*math.Sqrt((good+bad+1)/(12*good*bad)) {
		return true
	}
	return d.rows() <= few && d.chanceOfThat(list) > byChance
}

// chanceOfThat is the chance that verdicts go with what is measured as much as they do,
// or more, if they follow nothing of it. Those of a session are turned at once: they
// may be alike for reasons of their own.
func (d *data) chanceOfThat(list []*Example) float64 {
	rows := d.rows()
	mean, share := make([]float64, d.width), 0.
	for row := range rows {
		share += d.good[row] / float64(rows)
		for i := d.from[row]; i < d.from[row+1]; i++ {
			mean[d.at[i]] += d.value[i] / float64(rows)
		}
	}
	session, of := make([]int, rows), map[string]int{}
	for row := range rows {
		k, ok := of[list[row].Session]
		if !ok {
			k = len(of)
			of[list[row].Session] = k
		}
		session[row] = k
	}
	sign := make([]float64, len(of))
	sum := make([]float64, d.width)
	// together is the square of how verdicts go with all columns, with a strong ridge
	// that is what a fit explains.
	together := func() (square float64) {
		clear(sum)
		all := 0.
		for row := range rows {
			miss := sign[session[row]] * (d.good[row] - share)
			all += miss
			for i := d.from[row]; i < d.from[row+1]; i++ {
				sum[d.at[i]] += miss * d.value[i]
			}
		}
		for j := 1; j < d.width; j++ {
			x := sum[j] - all*mean[j]
			square += x * x
		}
		return square
	}
	for k := range sign {
		sign[k] = 1
	}
	seen, more := together(), 1
	r := rand.New(rand.NewPCG(uint64(rows), uint64(len(of))))
	for range flips {
		for k := range sign {
			sign[k] = float64(2*r.IntN(2) - 1)
		}
		if together() >= seen {
			more++
		}
	}
	return float64(more) / (1 + flips)
}
