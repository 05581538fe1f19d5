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

// Eligible reports for what a segment with a score qualifies, and with flags. It is a
// memory if it scores at least the threshold and the assistant says something in it;
// training data if it scores at least that threshold, is well-formed (its format is 1
// or does not apply) and has no blocking flag. A segment without a score is neither.
func (t Thresholds) Eligible(score *float64, wellFormed bool, has func(Flag) bool) (memory, training bool) {
	if score == nil {
		return false, false
	}
	return *score >= t.Memory && !has(NoAssistant), *score >= t.SFT && wellFormed && !slices.ContainsFunc(Blocking(), has)
}

// Eligible is Thresholds.Eligible of what an analysis says.
func (a *Analysis) Eligible(t Thresholds) (memory, training bool) {
	f := a.Metrics[Format]
	return t.Eligible(a.Summary.OverallScore, f == nil || f.Score >= 1, a.Has)
}
