package metric

import "slices"

// Thresholds are the overall scores from which on a segment qualifies.
type Thresholds struct {
	Memory float64 // as a memory
	SFT    float64 // as training data
}

// DefaultThresholds are used where nothing else is configured.
func DefaultThresholds() Thresholds { return Thresholds{Memory: 0.7, SFT: 0.8} }

// Blocking returns the flags that keep a segment out of training data, whatever
// its score.
func Blocking() []Flag { return []Flag{Truncated, MalformedToolCall, NoAssistant} }

// SFTEligible reports whether a segment qualifies as training data: it scores
// at least the threshold, is well-formed (its format is 1 or does not apply)
// and has no blocking flag. A segment without a score does not.
func SFTEligible(a *Analysis, threshold float64) bool {
	if !a.scores(threshold) {
		return false
	}
	if f := a.Metrics[Format]; f != nil && f.Score < 1 {
		return false
	}
	blocking := Blocking()
	return !slices.ContainsFunc(a.Flags, func(f Flag) bool { return slices.Contains(blocking, f) })
}

// MemoryEligible reports whether a segment qualifies as a memory: it scores at
// least the threshold, and the assistant says something in it.
func MemoryEligible(a *Analysis, threshold float64) bool {
	return a.scores(threshold) && !slices.Contains(a.Flags, NoAssistant)
}

func (a *Analysis) scores(threshold float64) bool {
	return a.Summary.OverallScore != nil && *a.Summary.OverallScore >= threshold
}
