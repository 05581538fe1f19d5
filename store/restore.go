package store

import (
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/stamp"
)

// restoring exchanges the two sides of a recut: what it left goes, what it
// replaced comes back with the ids, marks and scores it had, or the other way
// round.
type restoring struct {
	*importing
	store    *Store
	entry    int64 // of the recut
	r        *recutRow
	from, to int // sides
	s        *cutSession
	at       int                    // index of the first segment that goes
	others   []*cutRow              // further segments of the session
	index    []int                  // their places in the order afterwards
	updates  []*review.SegmentWrite // others that get another number among equal ones
	held     int                    // of the session afterwards
	settled  chat.Trace             // the same
	stays    map[string]bool        // ids on both sides
}

// restoring checks that one side of a recut is there, exactly as it was left or
// found, so that it can be exchanged for the other: else a review.ErrConflict
// says why not.
func (s *Store) restoring(t *tx, e *review.Entry, r *recutRow) (*restoring, error) {
	c := &restoring{
		importing: &importing{tx: t, ids: s.ids, now: stamp.Of(e.At)},
		store:     s, entry: e.Target, r: r, from: sideBefore, to: sideAfter, stays: map[string]bool{},
	}
	if e.Action == review.ActUndo {
		c.from, c.to = sideAfter, sideBefore
	}
	var err error
	if c.s, err = t.stored(r.session); err != nil {
		return nil, err
	}
	from, to := r.rows[c.from], r.rows[c.to]
	if len(from) == 0 || len(to) == 0 {
		return nil, fmt.Errorf("entry %d has no segments on one side: run winnow doctor", c.entry)
	}
	known := make([]review.Segment, len(from))
	goes := make(map[string]bool, len(from))
	for i := range from {
		known[i], goes[from[i].ID] = from[i].Segment, true
	}
	for i := range to {
		c.stays[to[i].ID] = goes[to[i].ID]
	}
	c.at = max(0, slices.IndexFunc(c.s.rows, func(row cutRow) bool { return row.ID == known[0].ID }))
	if err := same(c.s.rows[c.at:min(c.at+len(from), len(c.s.rows))], known); err != nil {
		return nil, err
	}
	for i := range to {
		to[i].AgentID, to[i].SessionFile, to[i].Body, to[i].Index = c.s.agent, c.s.file, c.s.body, c.at+i
	}
	for i := range c.s.rows {
		if i < c.at {
			c.others, c.index = append(c.others, &c.s.rows[i]), append(c.index, i)
		} else if i >= c.at+len(from) {
			c.others, c.index = append(c.others, &c.s.rows[i]), append(c.index, i-len(from)+len(to))
		}
	}
	if err := c.free(to); err != nil {
		return nil, err
	}
	if err := c.number(); err != nil {
		return nil, err
	}
	if err := c.end(); err != nil {
		return nil, err
	}
	if r.rows[c.from], err = t.wholeRows(c.s, c.at, c.at+len(from)); err != nil {
		return nil, err
	}
	e.Changes, e.Recut = r.changes(c.from, c.to), r.recut(c.from, c.to)
	return c, nil
}

// free checks that nothing else is named as the segments that come back. New
// ids are drawn beside those in the table only.
func (c *restoring) free(to []wholeRow) error {
	for i := range to {
		var taken bool
		const text = "SELECT EXISTS (SELECT 1 FROM task_segments WHERE substr(id, 1, 8) = ? AND id <> ?)"
		if err := c.Rows(text, to[i].Short(), to[i].ID).One(&taken); err != nil {
			return err
		}
		if taken {
			return conflict("another segment is named " + to[i].Short() + " by now")
		}
	}
	return nil
}

// end finds how the session goes on after its last segment, if that comes
// back. What was kept of it is right as long as nobody has read its last
// messages again since.
func (c *restoring) end() error {
	c.held, c.settled = c.s.held, c.s.settled
	to := c.r.rows[c.to]
	last := &to[len(to)-1]
	if last.End != c.s.messages {
		return nil
	}
	if c.r.messages == c.s.messages && c.r.held[c.from] == c.held && c.r.settled[c.from] == c.settled {
		c.held, c.settled = c.r.held[c.to], c.r.settled[c.to]
		return nil
	}
	if c.held > last.End-last.Start+1 {
		return conflict("the last messages were read again since")
	}
	h, err := c.hash(last.Start, last.End-c.held)
	if err != nil {
		return err
	}
	last.HashState, err = h.MarshalBinary()
	return err
}

// hash hashes messages of the session.
func (c *restoring) hash(from, to int) (*chat.Hasher, error) {
	h := chat.NewHasher()
	err := c.store.EachRecorded(c.Context(), c.s.body, from, to, func(m *chat.Message) error {
		h.Add(m)
		return nil
	})
	return h, err
}

// number gives the segments that come back, and the others, their numbers among
// those of equal content. They have them already if the others are as they
// were, or if no two are equal.
func (c *restoring) number() error {
	if restOf(c.s.rows, c.at, len(c.r.rows[c.from])) == c.r.rest {
		return nil
	}
	all := c.ordered()
	first := map[string]bool{}
	for _, s := range all {
		if s.Nth == 1 {
			first[s.Fingerprint] = true
		}
	}
	if len(first) == len(all) {
		return nil
	}
	count := map[string]int{}
	for i, s := range all {
		changed, err := c.numberOne(s, count)
		if err != nil {
			return err
		}
		if changed && (i < c.at || i >= c.at+len(c.r.rows[c.to])) {
			s.Index = i
			c.updates = append(c.updates, &review.SegmentWrite{Segment: *s})
		}
	}
	return nil
}

// ordered are the segments of the session afterwards.
func (c *restoring) ordered() []*review.Segment {
	var all []*review.Segment
	for _, row := range c.others[:c.at] {
		all = append(all, &row.Segment)
	}
	for i := range c.r.rows[c.to] {
		all = append(all, &c.r.rows[c.to][i].Segment)
	}
	for _, row := range c.others[c.at:] {
		all = append(all, &row.Segment)
	}
	return all
}

// numberOne numbers a segment after those that were counted by their content,
// and reports whether it had another number.
func (c *restoring) numberOne(s *review.Segment, count map[string]int) (bool, error) {
	if s.Nth == 1 && count[s.Fingerprint] == 0 {
		count[s.Fingerprint] = 1
		return false, nil
	}
	h, err := c.hash(s.Start, s.End)
	if err != nil {
		return false, err
	}
	plain := h.Nth(1)
	count[plain]++
	if s.Nth == count[plain] {
		return false, nil
	}
	s.Nth, s.Fingerprint = count[plain], h.Nth(count[plain])
	return true, nil
}

// apply exchanges the sides.
func (c *restoring) apply() error {
	from, to := c.r.rows[c.from], c.r.rows[c.to]
	if err := c.keep(); err != nil {
		return err
	}
	for i := range from {
		if id := from[i].ID; !c.stays[id] {
			if err := c.deleteRow(id); err != nil {
				return err
			}
		}
	}
	if err := c.shift(c.others, c.index); err != nil {
		return err
	}
	updates := c.updates
	for i := range to {
		if c.stays[to[i].ID] {
			updates = append(updates, &to[i].SegmentWrite)
		}
	}
	if err := c.parkAll(updates); err != nil {
		return err
	}
	for _, w := range updates {
		if err := c.recut(w); err != nil {
			return err
		}
	}
	for i := range to {
		if !c.stays[to[i].ID] {
			if err := c.bringBack(&to[i]); err != nil {
				return err
			}
		}
	}
	if err := c.digestsIfEdited(c.s.body, c.now); err != nil {
		return err
	}
	return c.state()
}

// keep notes what goes as it is now: it may have been scored since. Both sides
// may have got other numbers among equal segments.
func (c *restoring) keep() error {
	kept, err := c.r.kept()
	if err != nil {
		return err
	}
	return c.do("UPDATE journal_recuts SET before = ?, after = ? WHERE entry = ?", kept[sideBefore], kept[sideAfter], c.entry)
}

// bringBack inserts a segment as it was.
func (c *restoring) bringBack(w *wholeRow) error {
	err := c.insertRow(c.s.target, &w.SegmentWrite, w.ID, stamp.Of(w.CreatedAt))
	if err == nil && w.Edited != "" {
		err = c.do("UPDATE task_segments SET edited = ? WHERE id = ?", w.Edited, w.ID)
	}
	if err == nil && w.memory {
		err = c.do("UPDATE task_segments SET memory_extracted = 1 WHERE id = ?", w.ID)
	}
	return err
}

// state brings the session to its new state and checks that everything fits.
func (c *restoring) state() error {
	var st cutState
	for _, row := range c.others {
		st.add(row.CutBy, row.Verdict)
	}
	to := c.r.rows[c.to]
	for i := range to {
		st.add(to[i].CutBy, to[i].Verdict)
	}
	segmented := c.s.segmented
	if segmented == c.r.segmented[c.from] {
		segmented = c.r.segmented[c.to]
	}
	if err := c.sessionState(c.s, st.segmented(segmented), c.held, c.settled); err != nil {
		return err
	}
	if to[len(to)-1].End < c.s.messages {
		return nil
	}
	return c.heldIn(c.s)
}
