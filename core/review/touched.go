package review

import "slices"

// Touched names the segments that an entry changed, at most so many; of boundaries
// those on either side that the other side has not.
func (e *Entry) Touched(most int) []string {
	var ids []string
	if r := e.Recut; r != nil {
		ids = append(without(r.After, r.Before), without(r.Before, r.After)...)
	} else {
		for _, c := range e.Changes {
			ids = append(ids, c.Segment)
		}
		for _, c := range e.Proposals {
			ids = append(ids, c.Segment)
		}
	}
	return ids[:min(len(ids), most)]
}

// without names the segments that others has not, at least not like this.
func without(segments, others []Segment) []string {
	type shape struct {
		id, topic  string
		start, end int
	}
	of := func(s *Segment) shape { return shape{s.ID, s.Topic, s.Start, s.End} }
	known := make(map[shape]bool, len(others))
	for i := range others {
		known[of(&others[i])] = true
	}
	var ids []string
	for i := range segments {
		if !known[of(&segments[i])] {
			ids = append(ids, segments[i].ID)
		}
	}
	return ids
}

// SameBounds reports whether a recut changed no boundary: only what the pieces are
// called.
func (r *Recut) SameBounds() bool {
	return slices.EqualFunc(r.Before, r.After, func(x, y Segment) bool { return x.Start == y.Start && x.End == y.End })
}
