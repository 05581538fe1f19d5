package export

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/export/lineage"
)

// Report says what an export did, or would do.
type Report struct {
	As         string `json:"as"`
	Candidates int    `json:"candidates"` // segments selected
	Written    int    `json:"written"`    // samples, or pairs
	Rows       int    `json:"rows"`       // records, of which a sample may have several
	Tokens     int    `json:"tokens"`     // of the samples written
	Trained    int    `json:"trained"`    // assistant messages that are trained
	// Unmarked counts assistant messages that are switched off, which the
	// format has no place to say: trainers train them all the same.
	Unmarked int `json:"unmarked,omitzero"`
	// OfRun counts samples whose system message names the day or the folder
	// of its own run, as if it was only meant for that.
	OfRun int `json:"of_run,omitzero"`
	// Cut counts samples that Options.Ephemeral was cut out of.
	Cut     int           `json:"ephemeral_cut,omitzero"`
	Bytes   int64         `json:"bytes"` // of the records, before compression
	Files   []File        `json:"files"` // none if nothing was written
	Splits  []Group       `json:"splits,omitzero"`
	Types   []Group       `json:"types"` // task types, the most frequent first, as the following
	Tools   []Group       `json:"tools"` // that the samples call
	LeftOut []LeftOut     `json:"left_out"`
	Repairs []RepairCount `json:"repairs"` // in the samples written, by check
	Secrets []Secret      `json:"secrets,omitzero"`
	Pairs   *PairCounts   `json:"pairs,omitzero"` // nil: the format writes samples
	// Compressed is nil where no compression was to be applied.
	Compressed *CompressedCounts `json:"compressed,omitzero"`
	// Policy is nil unless the export is on policy.
	Policy *PolicyCounts `json:"policy,omitzero"`
	// Placed are the samples written, in their order, with Options.Place.
	Placed []Placed `json:"-"`
}

// Placed is a sample that was written.
type Placed struct {
	Segment string // id
	Split   string // "" without a split
	Tokens  int
	Record  string // as lineage.Sample has it; "" for a further segment that a sample trains
}

// Group counts the samples written that share something.
type Group struct {
	Name    string `json:"name"`
	Samples int    `json:"samples"`
	Tokens  int    `json:"tokens"`
}

// place notes where a sample went, and what it trains of further segments.
func (r *Report) place(f *facts, lines []byte, split string) {
	r.Placed = append(r.Placed, Placed{strings.Clone(f.Origin.Segment), split, f.Tokens, recordOf(lines)})
	for i := range f.Origin.Also {
		r.Placed = append(r.Placed, Placed{strings.Clone(f.Origin.Also[i].Segment), split, 0, ""})
	}
}

// Unit is what is written, in the singular.
func (r *Report) Unit() string {
	if r.Pairs != nil {
		return "pair"
	}
	return "sample"
}

// Failed counts the segments and pairs that a check left out.
func (r *Report) Failed() int {
	n := 0
	for i := range r.LeftOut {
		if !r.LeftOut[i].ByOption() {
			n++
		}
	}
	return n
}

// LeftOutBy counts what was left out by the name of the check or option, the
// most frequent first.
func (r *Report) LeftOutBy() []Group {
	var groups []Group
	for _, l := range r.LeftOut {
		i := slices.IndexFunc(groups, func(g Group) bool { return g.Name == l.Check })
		if i < 0 {
			i = len(groups)
			groups = append(groups, Group{Name: l.Check})
		}
		groups[i].Samples++
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Samples, a.Samples) })
	return groups
}

// What the manifest has, too.
type (
	// Finding is what a check or a repair has to say.
	Finding = lineage.Finding
	// LeftOut is a segment that was selected and not written.
	LeftOut = lineage.LeftOut
	// Split is a part of a data set.
	Split = lineage.Split
)

// The names of what options leave out.
const (
	OutDuplicate     = lineage.OutDuplicate
	OutNearDuplicate = lineage.OutNearDuplicate
	OutBalance       = lineage.OutBalance
	OutLimit         = lineage.OutLimit
	OutNoReasoning   = lineage.OutNoReasoning
	OutUnedited      = lineage.OutUnedited
	OutUnsampled     = lineage.OutUnsampled
	OutElsewhere     = lineage.OutElsewhere
	OutRedacted      = lineage.OutRedacted
)

// RepairCount counts the samples in which a check repaired something.
type RepairCount struct {
	Check   string `json:"check"`
	Done    string `json:"done"` // Check.Done
	Samples int    `json:"samples"`
}

// repairCounts lists how many samples each check repaired.
func repairCounts(samples map[string]int) []RepairCount {
	counts := []RepairCount{}
	for _, c := range Checks() {
		if n := samples[c.Name]; n > 0 {
			counts = append(counts, RepairCount{c.Name, c.Done, n})
		}
	}
	return counts
}

// Secret is a secret that was found in a sample, and with Options.Redact
// replaced. It never holds the secret itself.
type Secret struct {
	Segment     string `json:"segment"` // id
	Message     int    `json:"message,omitzero"`
	Where       string `json:"where"` // "content", "reasoning", "arguments", "tools", …
	Rule        string `json:"rule"`
	Placeholder string `json:"placeholder,omitzero"`
	// Shown is the beginning and the end of the secret with the rest masked.
	Shown string `json:"shown"`
}
