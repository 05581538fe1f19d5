package main

import (
	"winnow/core/chat"
)

// tally counts boundaries.
type tally struct{ hit, found, wanted int }

func (t tally) plus(o tally) tally {
	return tally{t.hit + o.hit, t.found + o.found, t.wanted + o.wanted}
}

func (t tally) precision() float64 { return share(t.hit, t.found) }
func (t tally) recall() float64    { return share(t.hit, t.wanted) }
func (t tally) f1() float64        { return share(2*t.hit, t.found+t.wanted) }

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// match pairs found boundaries with wanted ones, each with at most one that is
// no more than a message away. Both are in order; taking the earliest that
// fits makes the most pairs.
func match(found, wanted []int) tally {
	t := tally{found: len(found), wanted: len(wanted)}
	for i, j := 0, 0; i < len(found) && j < len(wanted); {
		switch d := found[i] - wanted[j]; {
		case d < -1:
			i++
		case d > 1:
			j++
		default:
			t.hit++
			i++
			j++
		}
	}
	return t
}

// byGreeting and byRole are the baselines: a user message that begins with a
// greeting, and one that does not follow the assistant's.
func byGreeting(msgs []chat.Message) (starts []int) {
	for i := 1; i < len(msgs); i++ {
		if msgs[i].Role == chat.User && greeting(msgs[i].Content) != "" {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func byRole(msgs []chat.Message) (starts []int) {
	for i := 1; i < len(msgs); i++ {
		if msgs[i].Role == chat.User && msgs[i-1].Role != chat.Assistant {
			starts = append(starts, i+1)
		}
	}
	return starts
}
