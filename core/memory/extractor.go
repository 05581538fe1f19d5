package memory

import (
	"context"
	"slices"
)

// Candidate is what may become a memory.
type Candidate struct {
	Kind                                Kind
	Title, Content, Context, Resolution string
	Tags                                []string
	Cites                               []Cite // number and quote are enough
	SameAs, Corrects                    string // ids of known memories, "" none
}

// Answer is what an Extractor found in one segment.
type Answer struct {
	Candidates []Candidate
	// MadeBy, Model and Prompt say who found them, as Memory has it.
	MadeBy, Model, Prompt string
	TokensIn, TokensOut   int
	// Upto is how many messages of the segment were asked about, where an error comes
	// with the answer: what was found in them counts.
	Upto int
	// Had is how many memories of the segment were kept before.
	Had int
}

// SegmentMost is how many memories a segment gives.
const SegmentMost = 3

// Extractor proposes memories. It may be used by many goroutines.
type Extractor interface {
	// Extract returns what may be learned from a segment, which is often nothing.
	// known are the memories there are of the same agent and folder. An error says
	// that the segment has to be asked about again, from Answer.Upto on: of what is
	// before About.From it is not asked.
	Extract(ctx context.Context, e *Evidence, known []Memory) (Answer, error)
	// Name tells extractors apart whose answers differ: "offline", or the model
	// and the version of the instruction.
	Name() string
}

// Sifted is what the gate made of an answer.
type Sifted struct {
	// Kept are new memories: without an id and times, which whoever stores them
	// gives them.
	Kept []Memory
	// Again are known memories that were found again, with one source to add.
	Again []Again
	// Dropped counts the candidates that are not among Kept by reason.
	Dropped map[Drop]int
}

// Again is a known memory that was found again.
type Again struct {
	ID     string
	Source Source
}

// Sift lets the candidates of an answer through the gate, one after the other. Of
// two that say the same the second adds its quotes to the first.
func Sift(a *Answer, e *Evidence, known []Memory) Sifted {
	s := Sifted{Dropped: map[Drop]int{}}
	for i := range a.Candidates {
		c := &a.Candidates[i]
		m, drop := Gate(*c, e, known)
		if drop == Kept {
			m.MadeBy, m.Model, m.Prompt = a.MadeBy, a.Model, a.Prompt
			at, again := alike(&m, s.Kept)
			if again == Kept {
				s.Kept = append(s.Kept, m)
				continue
			}
			drop = again
			own := &s.Kept[at].Sources[0]
			own.Cites = union(own.Cites, m.Sources[0].Cites)
		} else if m.ID != "" {
			s.Again = append(s.Again, Again{m.ID, m.Sources[0]})
		}
		s.Dropped[drop]++
	}
	s.few(max(SegmentMost-a.Had, 0))
	return s
}

// few keeps the best memories, in their order.
func (s *Sifted) few(most int) {
	for len(s.Kept) > most {
		worst := len(s.Kept) - 1
		for i := worst; i >= 0; i-- {
			if s.Kept[i].Grade < s.Kept[worst].Grade {
				worst = i
			}
		}
		s.Kept = slices.Delete(s.Kept, worst, worst+1)
		s.Dropped[Many]++
	}
}

// union adds the cites that are not there yet.
func union(cites, more []Cite) []Cite {
	for _, c := range more {
		if !slices.Contains(cites, c) {
			cites = append(cites, c)
		}
	}
	return cites
}
