package store

import "winnow/core/review"

// How a segment is counted; the schema's triggers say the same.
const (
	bucketSQL = "iif(score IS NULL, -1, min(19, CAST(round(score * 10000) AS INTEGER) / 500))"
	scoreSQL  = "CAST(round(coalesce(score, 0) * 10000) AS INTEGER)"
)

// countKey names a row of segment_counts.
type countKey struct {
	verdict review.Verdict
	bucket  int
	stale   bool
}

// countRow is what segment_counts adds up, or a difference to it.
type countRow struct {
	segments, labeled, memory, messages, score int64
}

// counting are differences to segment_counts.
type counting map[countKey]countRow

// move counts a segment under its new verdict. Its staleness stays.
func (c counting) move(row *judgedRow, before, after review.Mark) {
	if before.Verdict == after.Verdict {
		return
	}
	c.add(countKey{before.Verdict, row.bucket, before.Stale}, row.counts, -1)
	c.add(countKey{after.Verdict, row.bucket, before.Stale}, row.counts, 1)
}

func (c counting) add(key countKey, n countRow, sign int64) {
	to := c[key]
	to.segments += sign * n.segments
	to.labeled += sign * n.labeled
	to.memory += sign * n.memory
	to.messages += sign * n.messages
	to.score += sign * n.score
	c[key] = to
}

func (c counting) write(t *tx) error {
	const text = `INSERT INTO segment_counts VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET segments = segments + excluded.segments, labeled = labeled + excluded.labeled,
		memory = memory + excluded.memory, messages = messages + excluded.messages, score_sum = score_sum + excluded.score_sum`
	for k, n := range c {
		if err := t.do(text, k.verdict, k.bucket, k.stale, n.segments, n.labeled, n.memory, n.messages, n.score); err != nil {
			return err
		}
	}
	return nil
}
