package facets

import "winnow/core/review"

// count counts the segments of a set.
func (f *columns) count(in rowSet) review.Counts {
	c := review.Counts{ByVerdict: map[review.Verdict]int{}}
	verdicts := make([]int, len(f.verdict.text))
	var buckets [len(c.Histogram) + 1]int // the first is for those without a score
	stale := 0
	in.each(func(slot int32) {
		verdicts[f.verdict.at[slot]]++
		buckets[f.bucket[slot]+1]++
		stale += int(f.marks[slot] & MarkStale)
	})
	for n, count := range verdicts {
		if count > 0 {
			c.ByVerdict[review.Verdict(f.verdict.text[n])] = count
		}
		c.Segments += count
	}
	c.Stale = stale
	c.Scored = c.Segments - buckets[0]
	copy(c.Histogram[:], buckets[1:])
	return c
}
