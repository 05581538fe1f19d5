package statistics

import (
	"strconv"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/learn"
	"winnow/core/review"
	"winnow/tui/draw"
)

// likelySection is what was learned from verdicts: of all of them, whatever passes
// the filter. A step leads to the segments that are believed to be so likely.
func (s *Screen) likelySection(l *learn.Learned) section {
	sec := section{title: "Likely", full: true, note: "learned from verdicts; it decides nothing"}
	for _, line := range l.Lines() {
		sec.rows = append(sec.rows, row{name: s.plain(clean.Line(draw.Head(line))), whole: true, why: "winnow learn tells more"})
	}
	if len(l.Bands) == 0 {
		return sec
	}
	sec.head = "likely"
	sec.columns = []column{{"judged", 9, 3}, {"believed", 9, 2}, {"approval", 9, 4}}
	for _, b := range l.Bands {
		of := review.ByBand{Approved: b.Approved, Rejected: b.Segments - b.Approved}
		approval := cell{review.PercentText(b.Share()), draw.TextInk}
		if b.Segments < review.FewJudged {
			approval.ink = draw.MutedInk
		}
		r := row{
			name: s.plain(b.Steps()), tell: "of sessions not learned from, " + approvalOf(of), bar: of,
			cells: []cell{number(b.Segments, draw.TextInk), {strconv.FormatFloat(b.Believed, 'f', 2, 64), draw.TextInk}, approval},
			node:  func() filter.Node { return within(filter.Likely, b.From, b.To) },
		}
		if !l.Knows() {
			r.why = "no segment has a value"
		}
		sec.rows, sec.most = append(sec.rows, r), max(sec.most, b.Segments)
	}
	return sec
}
