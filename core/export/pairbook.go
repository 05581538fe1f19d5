package export

// PairCounts says how the counts of an export of preference pairs add up. Found
// are the pairs written, More, and those in Report.LeftOut, which have a Rejected
// segment. The candidates are Segments and those in Report.LeftOut without one.
type PairCounts struct {
	Found    int `json:"found"`    // forks of an approved and a rejected answer that were looked at
	More     int `json:"more"`     // of these, beyond the pairs wanted of one prompt
	Opposed  int `json:"opposed"`  // of the others, those that prefer what another one rejects to what it prefers
	Segments int `json:"segments"` // candidates that are in a pair which was written
}

// pairBook keeps which segments are in a pair that was written, and why others are
// in none.
type pairBook struct {
	finder  *pairFinder
	written map[string]bool    // ids
	left    map[string]Finding // why the first of its pairs was left out, by id
}

func newPairBook(f *pairFinder) *pairBook {
	return &pairBook{finder: f, written: map[string]bool{}, left: map[string]Finding{}}
}

// wrote notes the segments of a pair.
func (b *pairBook) wrote(f *facts) {
	b.written[f.Origin.Segment], b.written[f.Origin.Rejected.Segment] = true, true
}

// leftOut notes that a pair was left out.
func (b *pairBook) leftOut(of *LeftOut) {
	for _, id := range [...]string{of.Segment, of.Rejected} {
		if _, met := b.left[id]; !met {
			b.left[id] = of.Finding
		}
	}
}

// settle names every segment that is in no pair, and completes the counts.
func (b *pairBook) settle(r *Report, out *takenOut) {
	r.Pairs = &PairCounts{Found: r.Written + len(r.LeftOut) + b.finder.more, More: b.finder.more, Opposed: b.finder.opposed, Segments: len(b.written)}
	for i := range b.finder.segments {
		seg := &b.finder.segments[i]
		if b.written[seg.ID] {
			continue
		}
		why, known := b.left[seg.ID]
		if !known {
			why, known = b.finder.why[i]
		}
		if !known { // others were enough before its turn came
			why = Finding{Check: OutLimit, Detail: "not looked at: there were enough pairs"}
		}
		why.Message = 0
		r.LeftOut = append(r.LeftOut, LeftOut{Segment: seg.ID, SessionFile: out.of(seg.SessionFile), Finding: why})
	}
}
