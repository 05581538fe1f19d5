package review

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Unknown stands for the name of a Group that has none.
const Unknown = "unknown"

// FewJudged is the number of verdicts below which a rate of approval is marked
// as one of few.
const FewJudged = 5

// The first bands of the better grades.
const (
	usableBand    = 14 // from 0.70
	excellentBand = 17 // from 0.85
)

// BandName names a band: "0.80–0.85".
func BandName(i int) string {
	if i == len(Statistics{}.Bands)-1 {
		return "0.95–1"
	}
	return fmt.Sprintf("%.2f–%.2f", float64(i)/20, float64(i+1)/20)
}

// Graded counts scores by grade: excellent from 0.85, usable from 0.70, weak
// below.
func (c *Counts) Graded() (excellent, usable, weak int) {
	for band, n := range c.Histogram {
		switch {
		case band >= excellentBand:
			excellent += n
		case band >= usableBand:
			usable += n
		default:
			weak += n
		}
	}
	return excellent, usable, weak
}

// Average is the average score; ok is false if nothing is scored.
func (s *Statistics) Average() (score float64, ok bool) {
	return math.Round(s.ScoreSum/float64(max(s.Scored, 1))*1e4) / 1e4, s.Scored > 0
}

// Judged is the number of segments that are approved or rejected.
func (b ByBand) Judged() int { return b.Approved + b.Rejected }

// ApprovalText is the share of approved ones, in parentheses if it is one of
// few: "93%", "(50%)", "–".
func (b ByBand) ApprovalText() string {
	share, ok := b.Approval()
	switch {
	case !ok:
		return "–"
	case b.Judged() < FewJudged:
		return "(" + PercentText(share) + ")"
	}
	return PercentText(share)
}

// FailureText is the share of calls that are errors or exits.
func (t *ToolUse) FailureText() string {
	return PercentText(float64(t.Errors+t.Exits) / float64(max(t.Calls, 1)))
}

// PercentText rounds a share to percents.
func PercentText(share float64) string { return strconv.Itoa(int(math.Round(share*100))) + "%" }

// Text says where to put the threshold, or why nothing can be said.
func (s Suggestion) Text() string {
	switch {
	case s.Threshold > 0:
		return fmt.Sprintf("%.2f keeps %s of what you approved and drops %s of what you rejected", s.Threshold, PercentText(s.Keeps), PercentText(s.Drops))
	case s.MissingApproved > 0 && s.MissingRejected > 0:
		return fmt.Sprintf("no threshold yet: it takes %d more approved and %d more rejected segments", s.MissingApproved, s.MissingRejected)
	case s.MissingApproved > 0:
		return "no threshold yet: it takes " + moreSegments(s.MissingApproved, "approved")
	case s.MissingRejected > 0:
		return "no threshold yet: it takes " + moreSegments(s.MissingRejected, "rejected")
	}
	return "no threshold parts what you approved from what you rejected"
}

func moreSegments(n int, verdict string) string {
	if n == 1 {
		return "1 more " + verdict + " segment"
	}
	return fmt.Sprintf("%d more %s segments", n, verdict)
}

// HoursText tells a time of review: "1:05".
func HoursText(d time.Duration) string {
	m := int(math.Round(d.Minutes()))
	return fmt.Sprintf("%d:%02d", m/60, m%60)
}
