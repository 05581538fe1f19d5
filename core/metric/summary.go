package metric

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// weakestShown is how many metrics the summary names, the first with its reason.
const weakestShown = 4

// longEffort is the score below which the summary speaks of effort: of any work
// a little is lost by it.
const longEffort = 0.6

// summarize fills the summary: the type of task with what speaks for it, and
// the metrics that cost most, the costliest first.
func (m *Meter) summarize(a *Analysis, end *ending) {
	kind, why := m.kind.decide(end.tools)
	a.Summary.TaskType = kind.taskType()
	reason := string(a.Summary.TaskType)
	if len(why) > 0 {
		reason += " by " + list(why)
	}
	type loss struct {
		name string
		lost float64
	}
	var losses []loss
	for _, name := range a.MetricNames() {
		if v := a.Metrics[name]; v != nil && v.Score < 1 && (name != Effort || v.Score < longEffort) {
			losses = append(losses, loss{name, v.Weight * (1 - v.Score)})
		}
	}
	slices.SortStableFunc(losses, func(x, y loss) int { return cmp.Compare(y.lost, x.lost) })
	var parts []string
	for _, l := range losses[:min(len(losses), weakestShown)] {
		parts = append(parts, l.name+" "+strconv.FormatFloat(a.Metrics[l.name].Score, 'f', -1, 64))
	}
	switch {
	case a.Summary.OverallScore == nil:
		reason += "; no metric applies"
	case len(parts) == 0:
		reason += "; nothing speaks against it"
	default:
		reason += "; " + parts[0] + ": " + a.Metrics[losses[0].name].Reason
		if len(parts) > 1 {
			reason += "; also " + strings.Join(parts[1:], ", ")
		}
	}
	a.Summary.Reason = reason
}

// list is "a", "a and b", "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
