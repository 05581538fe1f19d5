package review

import (
	"cmp"
	"math"
	"slices"
	"time"

	"winnow/core/memory"
)

// Statistics describe the segments that a filter lets through, and what became
// of them.
type Statistics struct {
	Counts
	Sessions        int // that they are of
	Uncut           int // of these: they were not cut yet, or wait to be cut again
	Messages        int
	Labeled         int
	MemoryExtracted int
	// MemoryEligible and SFTEligible are fit for a memory, or for training, at
	// the thresholds that were asked for.
	MemoryEligible, SFTEligible int
	Memories                    []memory.Count      // all there are, whatever the filter
	ScoreSum                    float64             // of all scores
	Bands                       [20]ByBand          // scores in steps of 0.05; the last one includes 1
	Types                       []Group             // task types, the most frequent first, as the following are
	Tools                       []ToolUse           //
	Models, Formats, Agents     []Group             //
	Reasons                     []Group             // that were given for verdicts
	Tokens                      Distribution        // of a segment
	Compressions                map[Compression]int // of those that have one
	Suggested                   Suggestion
	Days                        []ReviewDay // in order; of the whole database, whatever the filter
}

// ByBand counts the segments with a score in one band by verdict.
type ByBand struct {
	Approved int `json:"approved"`
	Rejected int `json:"rejected"`
	Unsure   int `json:"unsure"`
	Pending  int `json:"pending"`
}

// Approval is the share of approved ones among those that are approved or
// rejected; ok is false if none is.
func (b ByBand) Approval() (share float64, ok bool) {
	n := b.Approved + b.Rejected
	return float64(b.Approved) / float64(max(n, 1)), n > 0
}

// Add counts segments under a verdict.
func (b *ByBand) Add(v Verdict, n int) {
	switch v {
	case Approved:
		b.Approved += n
	case Rejected:
		b.Rejected += n
	case Unsure:
		b.Unsure += n
	default:
		b.Pending += n
	}
}

// Band returns the band of a score.
func Band(score float64) int {
	return max(0, min(19, int(math.Round(score*1e4))/500))
}

// Group counts segments that have something in common. Name is "" where it is
// unknown.
type Group struct {
	Name     string `json:"name"`
	Segments int    `json:"segments"`
	ByBand          // their verdicts
}

// ToolUse is what became of the calls of a tool.
type ToolUse struct {
	Name     string `json:"name"`
	Segments int    `json:"segments"` // that call it
	Calls    int    `json:"calls"`
	Failures int    `json:"failures"` // by what was recorded
	// Errors and Exits count their results by outcome.
	Errors int `json:"errors"`
	Exits  int `json:"exits"`
}

// Distribution of a number.
type Distribution struct {
	Sum    int64 `json:"sum"`
	Median int   `json:"median"`
	P90    int   `json:"p90"`
	Most   int   `json:"max"`
}

// DistributionOf describes numbers, which are sorted by it.
func DistributionOf(numbers []int) Distribution {
	if len(numbers) == 0 {
		return Distribution{}
	}
	slices.Sort(numbers)
	d := Distribution{Median: rank(numbers, 0.5), P90: rank(numbers, 0.9), Most: numbers[len(numbers)-1]}
	for _, n := range numbers {
		d.Sum += int64(n)
	}
	return d
}

// rank returns the smallest number that at least a share of all do not exceed.
func rank[T any](sorted []T, share float64) T {
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

// Suggestion is a threshold that parts approved from rejected segments.
type Suggestion struct {
	// Threshold is 0 where there is none: too little was judged, or scores do
	// not part the two.
	Threshold float64 `json:"threshold"`
	Keeps     float64 `json:"keeps"` // share of approved segments with at least this score
	Drops     float64 `json:"drops"` // share of rejected ones below it
	// Missing is how many more approved and rejected segments with a score it
	// takes to suggest anything.
	MissingApproved, MissingRejected int `json:"-"`
}

const (
	// With fewer verdicts a share of 95% says nothing.
	suggestApproved = 20
	suggestRejected = 10
	// suggestKeeps is the share of approved segments that a suggestion keeps.
	suggestKeeps = 0.95
)

// Suggest returns the highest threshold, in steps of 0.01, that keeps 95% of
// the approved, if it drops a larger share of the rejected than of them. The
// scores are sorted by it.
func Suggest(approved, rejected []float64) Suggestion {
	s := Suggestion{
		MissingApproved: max(0, suggestApproved-len(approved)), MissingRejected: max(0, suggestRejected-len(rejected)),
	}
	if s.MissingApproved > 0 || s.MissingRejected > 0 {
		return s
	}
	slices.Sort(approved)
	slices.Sort(rejected)
	for step := 100; step > 0; step-- {
		t := float64(step) / 100
		lost := below(approved, t)
		if 1-lost < suggestKeeps {
			continue
		}
		if drops := below(rejected, t); drops > lost {
			s.Threshold, s.Keeps, s.Drops = t, 1-lost, drops
		}
		return s
	}
	return s
}

// below is the share of sorted scores that are less than t.
func below(sorted []float64, t float64) float64 {
	i, _ := slices.BinarySearch(sorted, t)
	return float64(i) / float64(len(sorted))
}

// ReviewDay is what curators decided on a day.
type ReviewDay struct {
	Date     string // "2026-11-20", in the zone that was asked for
	Actions  int    // verdicts given, those on many segments counting once
	Segments int    // that got one
	Time     time.Duration
}

// PerHour is the number of actions in an hour of review, 0 if there was too
// little to tell.
func (d ReviewDay) PerHour() float64 {
	if d.Time < time.Minute {
		return 0
	}
	return float64(d.Actions) / d.Time.Hours()
}

// Decision is a verdict given, on one segment or on several at once.
type Decision struct {
	At       time.Time
	Curator  string
	Segments int
}

const (
	// pause is the longest time between two verdicts of a curator that counts as
	// work on the second one.
	pause = 5 * time.Minute
	// firstDecision is what a verdict after a pause counts: nobody knows when
	// that segment was opened.
	firstDecision = 30 * time.Second
)

// DaysOf adds up decisions, which are in the order of time, by day.
func DaysOf(decisions []Decision, zone *time.Location) []ReviewDay {
	var days []ReviewDay
	last := map[string]time.Time{}
	for _, d := range decisions {
		date := d.At.In(zone).Format(time.DateOnly)
		i, found := slices.BinarySearchFunc(days, date, func(a ReviewDay, date string) int { return cmp.Compare(a.Date, date) })
		if !found {
			days = slices.Insert(days, i, ReviewDay{Date: date})
		}
		spent := firstDecision
		if before, ok := last[d.Curator]; ok && d.At.Sub(before) <= pause {
			spent = max(0, d.At.Sub(before))
		}
		last[d.Curator] = d.At
		day := &days[i]
		day.Actions++
		day.Segments += d.Segments
		day.Time += spent
	}
	return days
}
