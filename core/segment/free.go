package segment

import "winnow/core/review"

// Span is a run of messages: numbers in a session, from 1, inclusive.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Len is the number of messages in the span.
func (s Span) Len() int { return s.To - s.From + 1 }

// Clip returns the parts of cuts that lie in the span.
func (s Span) Clip(cuts []Cut) []Cut {
	var list []Cut
	for _, c := range cuts {
		if c.Start, c.End = max(c.Start, s.From), min(c.End, s.To); c.Start <= c.End {
			list = append(list, c)
		}
	}
	return list
}

// Free tells which messages of a session machines may cut anew, in order. rows
// are all its segments, in order.
//
// These are the unjudged provisional segments, each run of them with what is
// judged between them and with the machine-made segment right before it, judged
// or not: its task may go on in them. What of that stays as it is all the
// same, Spare tells. With again it is everything that no curator has cut.
func Free(rows []review.Segment, again bool) []Span {
	by := func(i int) bool {
		return again && rows[i].CutBy != review.CutCurator || rows[i].CutBy == review.CutProvisional
	}
	var spans []Span
	for i := 0; i < len(rows); i++ {
		first, last := i, -1
		for ; i < len(rows) && by(i); i++ {
			if again || open(&rows[i]) {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		if !again && first > 0 && rows[first-1].CutBy != review.CutCurator {
			first--
		}
		from, before := rows[first].Start, len(spans)-1
		if before >= 0 && spans[before].To == from-1 && !rows[first].Verdict.Judged() {
			spans[before].To = rows[last].End
		} else {
			spans = append(spans, Span{from, rows[last].End})
		}
	}
	return spans
}

// open reports whether a segment waits to be cut.
func open(s *review.Segment) bool {
	return s.CutBy == review.CutProvisional && !s.Verdict.Judged()
}
