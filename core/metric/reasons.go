package metric

import (
	"cmp"
	"slices"
)

// Reason is what one metric says of a segment, for people.
type Reason struct {
	Metric string
	Value
}

// Reasons returns the metrics that apply, the lowest score first and of equal
// ones the heaviest. The messages that reasons cite are named by the numbers
// that they have where the segment begins at message start: it may have moved
// since it was analysed.
func (a *Analysis) Reasons(start int) []Reason {
	by := a.moved(start)
	var list []Reason
	for _, name := range a.MetricNames() {
		if v := a.Metrics[name]; v != nil {
			r := Reason{name, *v}
			r.Reason = ShiftCites(v.Reason, by)
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(x, y Reason) int {
		return cmp.Or(cmp.Compare(x.Score, y.Score), cmp.Compare(y.Weight, x.Weight))
	})
	return list
}

// ReasonFor returns the summary's reason likewise.
func (a *Analysis) ReasonFor(start int) string { return ShiftCites(a.Summary.Reason, a.moved(start)) }

// moved returns by how much a segment that begins at message start has moved
// since it was analysed, 0 if nobody knows.
func (a *Analysis) moved(start int) int {
	if a.Start == 0 {
		return 0
	}
	return start - a.Start
}
