package pairs

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Place is where a message stands: in which segment, by a number that is the
// caller's, and under which number in its session.
type Place struct{ Segment, N int32 }

// Kind says what a message may be in a pair.
type Kind uint8

// The kinds.
const (
	// Other is no answer of an assistant: runs that fork here were asked
	// something else.
	Other Kind = iota
	// Unfit is an answer that may not stand on its side: one that is not to be
	// trained or, of a rejected segment, one that the model did not write.
	Unfit
	// Answer may stand on the side of its verdict.
	Answer
)

// Step is a message of a segment that was approved or rejected.
type Step struct {
	Before, Sum Sum // without the message, and with it
	Place       Place
	Kind        Kind
	Approved    bool
	Asked       bool // a user message stands before it
}

// Pair is an answer that was approved and one that was rejected, both to what
// ends in Prompt.
type Pair struct {
	Prompt           Sum
	Chosen, Rejected Place
	// ChosenSum and RejectedSum are the sums with the answers.
	ChosenSum, RejectedSum Sum
}

// Forks are the steps of runs that may begin alike.
type Forks struct{ steps []Step }

// Add adds a step.
func (f *Forks) Add(s Step) { f.steps = append(f.steps, s) }

// Found is what Forks found.
type Found struct {
	Pairs []Pair
	// More counts the pairs beyond those that were wanted of a prompt.
	More int
	// Opposed counts the Pairs whose answers another one has the other way round:
	// runs that went on from them were judged differently.
	Opposed int
	// Why says for each segment that is in none of Pairs what came closest to
	// one. Segments without a step are not in it.
	Why map[int32]Reason
}

// Find returns the pairs: for each prompt, each answer of an approved segment
// with each other one of a rejected segment, and of these at most so many. Which
// ones follows from seed and from what the messages say, so that they stay when
// other runs are added, as far as that can be; all answers have their turn before
// one is taken again. Of equal answers the first place stands for all. Pairs are
// in the order of their places, those of a prompt together.
func (f *Forks) Find(most int, seed uint64) Found {
	slices.SortFunc(f.steps, func(a, b Step) int {
		return cmp.Or(bytes.Compare(a.Before[:], b.Before[:]), bytes.Compare(a.Sum[:], b.Sum[:]), a.Place.compare(b.Place))
	})
	s := search{most: most, seed: seed, found: Found{Why: map[int32]Reason{}}}
	for i := 0; i < len(f.steps); {
		n := i + 1
		for n < len(f.steps) && f.steps[n].Before == f.steps[i].Before {
			n++
		}
		s.fork(f.steps[i:n])
		i = n
	}
	for i := range s.found.Pairs {
		p := &s.found.Pairs[i]
		s.found.Why[p.Chosen.Segment], s.found.Why[p.Rejected.Segment] = paired, paired
	}
	for segment, why := range s.found.Why {
		if why == paired {
			delete(s.found.Why, segment)
		}
	}
	s.found.Opposed = opposed(s.found.Pairs)
	s.sort()
	return s.found
}

func (p Place) compare(o Place) int {
	return cmp.Or(cmp.Compare(p.Segment, o.Segment), cmp.Compare(p.N, o.N))
}

// search goes from prompt to prompt.
type search struct {
	most  int
	seed  uint64
	found Found
}

// fork finds the pairs of one prompt among what follows it, sorted by sums.
func (s *search) fork(steps []Step) {
	s.explain(steps)
	if !steps[0].Asked {
		return
	}
	chosen, rejected := s.side(steps, true), s.side(steps, false)
	n := len(chosen) * len(rejected)
	for _, c := range chosen {
		if _, both := slices.BinarySearchFunc(rejected, c, compareDealt); both {
			n-- // an answer is no pair with itself
		}
	}
	s.found.More += max(0, n-s.most)
	n = min(n, s.most)
	// One side goes around after the other, moved on by one whenever both are
	// where they began: each two meet once.
	a, b := len(chosen), len(rejected)
	for k := 0; n > 0; k++ {
		c, r := chosen[k%a].step, rejected[(k+k/lcm(a, b))%b].step
		if c.Sum == r.Sum {
			continue
		}
		n--
		s.found.Pairs = append(s.found.Pairs, Pair{c.Before, c.Place, r.Place, c.Sum, r.Sum})
	}
}

// dealt is an answer with what it is dealt by.
type dealt struct {
	key  Sum
	step *Step
}

func compareDealt(a, b dealt) int { return bytes.Compare(a.key[:], b.key[:]) }

// side returns the answers that may stand on a side, each once, as they are dealt.
func (s *search) side(steps []Step, approved bool) (side []dealt) {
	for i := range steps {
		step := &steps[i]
		if step.Kind != Answer || step.Approved != approved {
			continue
		}
		if n := len(side); n > 0 && side[n-1].step.Sum == step.Sum {
			continue
		}
		sum := sha256.Sum256(binary.BigEndian.AppendUint64(slices.Clone(step.Sum[:]), s.seed))
		side = append(side, dealt{Sum(sum[:16]), step})
	}
	slices.SortFunc(side, compareDealt)
	return side
}

// lcm returns the least common multiple.
func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// opposed counts the pairs that are there the other way round, too.
func opposed(pairs []Pair) (n int) {
	ways := make(map[[2]Sum]bool, len(pairs)) // a sum has its prompt in it
	for i := range pairs {
		ways[[2]Sum{pairs[i].ChosenSum, pairs[i].RejectedSum}] = true
	}
	for i := range pairs {
		if ways[[2]Sum{pairs[i].RejectedSum, pairs[i].ChosenSum}] {
			n++
		}
	}
	return n
}

// sort brings the pairs in order.
func (s *search) sort() {
	first := map[Sum]Place{}
	for i := range s.found.Pairs {
		p := &s.found.Pairs[i]
		if at, met := first[p.Prompt]; !met || p.Chosen.compare(at) < 0 {
			first[p.Prompt] = p.Chosen
		}
	}
	slices.SortFunc(s.found.Pairs, func(a, b Pair) int {
		return cmp.Or(first[a.Prompt].compare(first[b.Prompt]), bytes.Compare(a.Prompt[:], b.Prompt[:]),
			a.Chosen.compare(b.Chosen), a.Rejected.compare(b.Rejected))
	})
}
