package export

import (
	"slices"
	"strings"

	"winnow/core/export/lineage"
)

// PolicyCounts says how the counts of an export on policy add up. The candidates are
// Segments, and those in Report.LeftOut but for Partly, which are in both.
type PolicyCounts struct {
	Segments int `json:"segments"` // of which a sample that was written trains answers
	Partly   int `json:"partly"`   // of these, those that another sample was left out of
	// Gaps counts samples by what is not recorded of what the model saw.
	Gaps map[string]lineage.GapCount `json:"gaps"`
}

// exactBook keeps which segments are in a sample that was written, and why others,
// or parts of them, are in none.
type exactBook struct {
	written map[string]bool // ids of segments
	left    []*LeftOut      // each segment once
	at      map[string]*LeftOut
	counts  PolicyCounts
}

func newExactBook() *exactBook {
	return &exactBook{written: map[string]bool{}, at: map[string]*LeftOut{}, counts: PolicyCounts{Gaps: map[string]lineage.GapCount{}}}
}

// wrote notes the segments of a sample.
func (b *exactBook) wrote(f *facts) {
	b.written[strings.Clone(f.Origin.Segment)] = true
	for i := range f.Origin.Also {
		b.written[strings.Clone(f.Origin.Also[i].Segment)] = true
	}
	for _, g := range f.Gaps {
		b.count(string(g), 1, 0)
	}
}

func (b *exactBook) count(gap string, written, left int) {
	c := b.counts.Gaps[gap]
	c.Written, c.LeftOut = c.Written+written, c.LeftOut+left
	b.counts.Gaps[gap] = c
}

// leftOut notes that a segment, or a part of it, is in no sample.
func (b *exactBook) leftOut(l *LeftOut) {
	of := *l
	for name := range strings.SplitSeq(of.Gaps, ",") {
		if name != "" {
			b.count(name, 0, 1)
		}
	}
	if was := b.at[of.Segment]; was != nil {
		was.More += 1 + of.More
		return
	}
	b.left = append(b.left, &of)
	b.at[of.Segment] = &of
}

// settle completes the report.
func (b *exactBook) settle(r *Report, _ *takenOut) {
	r.LeftOut = r.LeftOut[:0]
	for _, l := range b.left {
		// What another sample trains is not missing where the segment is in one.
		if b.written[l.Segment] {
			if l.Check == OutElsewhere {
				continue
			}
			b.counts.Partly++
		}
		r.LeftOut = append(r.LeftOut, *l)
	}
	b.counts.Segments = len(b.written)
	r.Candidates = b.counts.Segments + len(r.LeftOut) - b.counts.Partly
	counts := b.counts
	r.Policy = &counts
}

// gaps counts samples by what is not recorded of what the model saw, nil for an
// export that does not look.
func (r *Report) gaps() map[string]lineage.GapCount {
	if r.Policy == nil {
		return nil
	}
	return r.Policy.Gaps
}

// gapList returns the names of gaps, nil without any.
func gapList(list []Gap) (names []string) {
	for _, g := range list {
		names = append(names, string(g))
	}
	return slices.Clip(names)
}
