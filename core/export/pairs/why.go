package pairs

// Reason says what came closest to a pair of a segment that is in none.
type Reason uint8

// The reasons, from the farthest to the closest.
const (
	// Apart: no run of the other verdict shares what stands before any of its
	// messages and goes on otherwise.
	Apart Reason = iota
	// AtPrompt: such runs fork where something else was asked, or answered by a
	// tool.
	AtPrompt
	// Unasked: they fork at an answer before the first user message.
	Unasked
	// UnfitHere: they fork at an answer of the segment that may not stand on its
	// side.
	UnfitHere
	// UnfitThere: they fork at an answer, and theirs may not stand on its side.
	UnfitThere
	// Enough: there are pairs, but others were taken: those that were wanted of
	// the prompt, or those of another segment that answers the same.
	Enough

	paired // it is in a pair
)

// explain notes how close the segments of one prompt come to a pair.
func (s *search) explain(steps []Step) {
	var there [2][Answer + 1]twoSums // by verdict, what it is good for
	for i := range steps {
		there[index(steps[i].Approved)][steps[i].Kind].add(steps[i].Sum)
	}
	for i := range steps {
		step := &steps[i]
		others := &there[index(!step.Approved)]
		why, asked := Apart, steps[0].Asked
		answers, unfit := others[Answer].hasOther(step.Sum), others[Unfit].hasOther(step.Sum)
		switch {
		case step.Kind != Other && (answers || unfit) && !asked:
			why = Unasked
		case step.Kind == Answer && answers:
			why = Enough
		case step.Kind == Answer && unfit:
			why = UnfitThere
		case step.Kind == Unfit && (answers || unfit):
			why = UnfitHere
		case answers || unfit || others[Other].hasOther(step.Sum):
			why = AtPrompt
		}
		s.found.Why[step.Place.Segment] = max(s.found.Why[step.Place.Segment], why)
	}
}

func index(approved bool) int {
	if approved {
		return 1
	}
	return 0
}

// twoSums are the first two different ones of many.
type twoSums struct {
	sums [2]Sum
	n    int
}

func (t *twoSums) add(s Sum) {
	if t.n == 0 || t.n == 1 && t.sums[0] != s {
		t.sums[t.n] = s
		t.n++
	}
}

// hasOther reports whether one of them is not s.
func (t *twoSums) hasOther(s Sum) bool {
	return t.n == 2 || t.n == 1 && t.sums[0] != s
}
