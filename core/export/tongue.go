package export

import (
	"cmp"
	"slices"

	"winnow/core/tongue"
)

// tongues counts the languages that samples seem to be in, roughly.
type tongues struct {
	counts  map[string]int // samples, each that is looked at for those it stands for
	samples int
	seen    int
}

func newTongues() *tongues { return &tongues{counts: map[string]int{}} }

const (
	// tongueBytes of a record are looked at: its beginning is what people say.
	tongueBytes = 4 << 10
	// fewWords do not tell a language.
	fewWords = 8
	// allOf the first samples are looked at, and each of so many after
	// them: it is a rough number, and takes time.
	allOf    = 1000
	everyNth = 64
)

// add looks at a record. Its keys are too few words to count.
func (t *tongues) add(lines []byte) {
	stands := 1 // for so many samples
	if t.seen++; t.seen > allOf {
		if t.seen%everyNth != 0 {
			return
		}
		stands = everyNth
	}
	best := tongue.Of(string(lines[:min(len(lines), tongueBytes)]), fewWords)
	if best != "" {
		t.counts[best] += stands
	}
	t.samples += stands
}

// list names the languages of at least a tenth of the samples, the most
// frequent first; none if it cannot be told.
func (t *tongues) list() (names []string) {
	for of, n := range t.counts {
		if n*10 >= t.samples {
			names = append(names, of)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(t.counts[b]-t.counts[a], cmp.Compare(a, b)) })
	return names
}
