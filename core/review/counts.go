package review

// Totals counts the segments of a database.
type Totals struct {
	Sessions  int
	Segments  int
	Labeled   int
	ByVerdict map[Verdict]int
	Stale     int
	Messages  int
	Memory    int  // memory_extracted
	Likely    bool // of any it is known how likely it would be approved
	// ScoreSum is the sum of all scores, Labeled their number at most.
	ScoreSum  float64
	Scored    int
	Histogram [20]int // scores in steps of 0.05
}

// Counts counts the segments that a filter lets through.
type Counts struct {
	Segments  int
	ByVerdict map[Verdict]int
	Stale     int
	Scored    int
	Histogram [20]int // scores in steps of 0.05
}

// Done is the number of judged segments.
func (c *Counts) Done() int {
	return c.ByVerdict[Approved] + c.ByVerdict[Rejected] + c.ByVerdict[Unsure]
}

// Done is the number of judged segments.
func (t Totals) Done() int {
	return t.ByVerdict[Approved] + t.ByVerdict[Rejected] + t.ByVerdict[Unsure]
}

// Counts are the counts of everything.
func (t *Totals) Counts() Counts {
	return Counts{Segments: t.Segments, ByVerdict: t.ByVerdict, Stale: t.Stale, Scored: t.Scored, Histogram: t.Histogram}
}

// Move counts n segments more under a verdict.
func (c *Counts) Move(v Verdict, n int) {
	if c.ByVerdict != nil {
		c.ByVerdict[v] = max(0, c.ByVerdict[v]+n)
	}
}
