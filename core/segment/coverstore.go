package segment

import (
	"winnow/core/chat"
	"winnow/core/review"
)

// Snapshot is what has to be stored of a cover.
type Snapshot struct {
	Changed []review.Segment // rows to insert (ID "") or update
	Retired []review.Segment // rows that leave
	// HashState is for ResumeCover: without the newest Held messages.
	HashState []byte
	Held      int
	// Segmented says that nobody needs to cut the session any more. It is
	// false as soon as messages lie in a provisional segment that nobody
	// judged.
	Segmented bool
}

// Snapshot returns what changed since the last one. Rows of an earlier reading
// that are not matched by now are retired.
func (c *Cover) Snapshot() (Snapshot, error) {
	state, err := c.hasher.MarshalBinary()
	if err != nil {
		return Snapshot{}, err
	}
	if c.begun && (c.grown || c.moved || c.Matching()) {
		h := chat.NewHasher()
		if err := h.UnmarshalBinary(state); err != nil {
			return Snapshot{}, err
		}
		t := c.tally
		for i := range c.tail {
			h.Add(&c.tail[i].m)
			t = t.Plus(c.tail[i].t)
			c.name(&c.tail[i].m)
		}
		if c.Matching() && c.old[0].End == c.end {
			c.match(h)
		}
		if c.Matching() {
			c.abandon()
		}
		if c.grown {
			c.refresh(h, t, c.end)
		} else if c.moved {
			c.renumber(h)
		}
	}
	if c.Matching() {
		c.abandon()
	}
	s := Snapshot{Retired: c.retired, HashState: state, Held: len(c.tail), Segmented: true}
	c.retired = nil
	for i := range c.done {
		s.take(&c.done[i])
	}
	if c.begun {
		s.take(&c.open)
	}
	return s, nil
}

func (s *Snapshot) take(r *Row) {
	if r.Changed {
		s.Changed = append(s.Changed, r.Segment)
		r.Changed = false
	}
	if open(&r.Segment) {
		s.Segmented = false
	}
}

// Stored tells the ids that new rows of the last snapshot were given.
func (c *Cover) Stored(rows []review.Segment) {
	for _, stored := range rows {
		for i := range c.done {
			if c.done[i].Start == stored.Start {
				c.done[i].ID = stored.ID
			}
		}
		if c.begun && c.open.Start == stored.Start {
			c.open.ID = stored.ID
		}
	}
}
