package tell

import (
	"winnow/cmd/winnow/print"
	"winnow/core/review"
)

// Recheck is what "review --recheck-report --json" prints.
type Recheck struct {
	Answered int              `json:"answered"`
	Agreed   int              `json:"agreed"`
	Kappa    *float64         `json:"kappa"` // null: there is none
	Apart    []review.Recheck `json:"apart"` // where the answer was not the verdict
}

// RecheckOf returns the row of answers.
func RecheckOf(list []review.Recheck) Recheck {
	a := review.AgreementOf(list)
	row := Recheck{}
	row.Answered, row.Agreed = a.Counts()
	if k, ok := a.Kappa(); ok {
		row.Kappa = &k
	}
	for i := range list {
		if r := &list[i]; !r.Agreed() {
			row.Apart = append(row.Apart, *r)
		}
	}
	return row
}

// PrintRecheck prints how the answers of a row came out.
func PrintRecheck(o *print.Output, list []review.Recheck, row *Recheck) {
	a := review.AgreementOf(list)
	o.Printf("recheck: %s\n", a.String())
	for _, line := range a.Lines() {
		o.Printf("  %s\n", line)
	}
	for _, r := range row.Apart {
		o.Printf("  %s  %s by %s, now %s\n", review.Short(r.Segment), r.Was, r.WasBy, r.Answer)
	}
}
