package segment

import (
	"fmt"
	"strings"

	"winnow/core/review"
)

// Effects is what an outcome does to what curators left on segments.
type Effects struct {
	Kept  Counts `json:"kept"`  // verdicts that stay on their segments
	Stale Counts `json:"stale"` // judged segments that leave; a stale one in their place shows the verdict
	Into  int    `json:"-"`     // stale segments that show them: fewer where several become one
	Lost  Counts `json:"lost"`  // judged segments that leave; only the journal has the verdict
	// Left are other segments with a note, tags or an older verdict that leave
	// without anything in their place that takes these.
	Left int `json:"-"`
}

// Counts are segments by verdict.
type Counts struct {
	Approved int `json:"approved"`
	Rejected int `json:"rejected"`
	Unsure   int `json:"unsure"`
}

// Total is the sum of all counts.
func (c Counts) Total() int { return c.Approved + c.Rejected + c.Unsure }

func (c *Counts) add(v review.Verdict) {
	switch v {
	case review.Approved:
		c.Approved++
	case review.Rejected:
		c.Rejected++
	case review.Unsure:
		c.Unsure++
	}
}

// String lists them: "2 approved and 1 unsure", "" for none.
func (c Counts) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		name review.Verdict
	}{{c.Approved, review.Approved}, {c.Rejected, review.Rejected}, {c.Unsure, review.Unsure}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.name))
		}
	}
	if last := len(parts) - 1; last > 0 {
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return strings.Join(parts, "")
}

// of says what they are counts of: "1 approved verdict", "2 verdicts (1
// approved, 1 unsure)".
func (c Counts) of(one, several string) string {
	n, text := c.Total(), c.String()
	switch {
	case n == 1:
		return text + " " + one
	case n == max(c.Approved, c.Rejected, c.Unsure):
		return text + " " + several
	}
	return fmt.Sprintf("%d %s (%s)", n, several, strings.ReplaceAll(text, " and ", ", "))
}

// Effects counts what the outcome does.
func (o *Outcome) Effects() Effects {
	var e Effects
	for i := range o.Rows {
		e.Kept.add(o.Rows[i].Verdict)
	}
	into := map[int]bool{}
	for i := range o.Retired {
		s, to := &o.Retired[i], heir{row: -1}
		if i < len(o.heirs) {
			to = o.heirs[i]
		}
		switch {
		case s.Verdict.Judged() && to.shown:
			e.Stale.add(s.Verdict)
			into[to.row] = true
		case s.Verdict.Judged():
			e.Lost.add(s.Verdict)
		case to.row < 0 && bequeaths(s):
			e.Left++
		}
	}
	e.Into = len(into)
	return e
}

// String says it in a line for people: "1 approved segment becomes stale".
func (e Effects) String() string {
	var parts []string
	if n := e.Stale.Total(); n > 0 {
		becomes := "become stale"
		switch {
		case n == 1:
			becomes = "becomes stale"
		case e.Into == 1:
			becomes = "become 1 stale one"
		case e.Into < n:
			becomes = fmt.Sprintf("become %d stale ones", e.Into)
		}
		parts = append(parts, e.Stale.of("segment", "segments")+" "+becomes)
	}
	switch n := e.Lost.Total(); {
	case n == 1:
		parts = append(parts, e.Lost.of("verdict", "")+" stays in the journal only")
	case n > 1:
		parts = append(parts, e.Lost.of("", "verdicts")+" stay in the journal only")
	}
	switch {
	case e.Left == 1:
		parts = append(parts, "what was noted on 1 segment stays in the journal only")
	case e.Left > 1:
		parts = append(parts, fmt.Sprintf("what was noted on %d segments stays in the journal only", e.Left))
	}
	if len(parts) == 0 {
		return "nothing that was decided changes"
	}
	return strings.Join(parts, "; ")
}
