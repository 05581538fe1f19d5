package segment

import "winnow/core/review"

// Span is a run of messages: numbers in a session, from 1, inclusive.
type Span struct{ From, To int }

// Len is the number of messages in the span.
func (s Span) Len() int { return s.To - s.From + 1 }

// Free tells which messages of a session machines may cut anew, in order and
// with gaps between them. rows are all its segments, in order.
//
// These are the unjudged provisional segments, each run of them with the
// unjudged machine-made segment right before it, which may go on in them. With
// again it is everything that no curator has cut, whatever the verdict on it.
func Free(rows []review.Segment, again bool) []Span {
	var spans []Span
	for i := range rows {
		r := &rows[i]
		free := again && r.CutBy != review.CutCurator || !again && open(r) ||
			!again && machined(r) && i+1 < len(rows) && open(&rows[i+1])
		if !free {
			continue
		}
		if last := len(spans) - 1; last >= 0 && spans[last].To == r.Start-1 {
			spans[last].To = r.End
		} else {
			spans = append(spans, Span{r.Start, r.End})
		}
	}
	return spans
}

// open reports whether a segment waits to be cut.
func open(s *review.Segment) bool {
	return s.CutBy == review.CutProvisional && !s.Verdict.Judged()
}

// machined reports whether a machine may change a segment that it made.
func machined(s *review.Segment) bool {
	return (s.CutBy == review.CutModel || s.CutBy == review.CutOffline || s.CutBy == review.CutSingle) && !s.Verdict.Judged()
}
