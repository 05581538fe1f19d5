// Package segment cuts sessions into segments: contiguous runs of messages
// that do one task each.
//
// Whoever cut it, the segments of a session are contiguous, do not overlap and
// cover all its messages. Cover keeps that promise while messages arrive.
package segment

import (
	"fmt"

	"winnow/core/chat"
	"winnow/core/review"
)

// singleMax is the number of messages up to which a session is one segment
// without anybody cutting it: a question and its answer.
const singleMax = 2

// Row is a segment row and whether it differs from what is stored.
type Row struct {
	review.Segment
	Changed bool
}

// Cover follows a session as it is read and keeps its segments complete. New
// messages extend an unjudged provisional or single segment; behind any other
// they start a provisional one. A judged segment is never touched, unless its
// own content changes: then it is retired, and what replaces it is pending and
// stale.
//
// The newest message may still change (a turn that was being written), so it
// is hashed only when the next one arrives.
type Cover struct {
	done    []Row            // closed segments, in order
	old     []review.Segment // rows of a rewritten session, still to be matched
	retired []review.Segment

	open   Row
	begun  bool // open stands for messages
	sealed bool // open takes no further message
	grown  bool // the content of open differs from its row
	hasher *chat.Hasher
	tally  review.Tally // of the hashed messages of open
	topic  string       // from the first real user message of open
	last   chat.Message // the newest message, not hashed yet; N 0: none
	counts review.Tally // of last
}

// NewCover follows a session from its first message. The rows of an earlier
// reading of the same session, if it was rewritten, are matched by content:
// those at its beginning that did not change stay.
func NewCover(old []review.Segment) *Cover {
	return &Cover{old: old, hasher: chat.NewHasher()}
}

// ResumeCover goes on behind the stored segments of a session. state is the
// hash state of the last one without the session's last message, which is last
// and counts for t.
func ResumeCover(rows []review.Segment, state []byte, last chat.Message, t review.Tally) (*Cover, error) {
	c := NewCover(nil)
	if len(rows) == 0 {
		return c, nil
	}
	final := len(rows) - 1
	for i := range rows[:final] {
		c.done = append(c.done, Row{Segment: rows[i]})
	}
	c.open = Row{Segment: rows[final]}
	if err := c.hasher.UnmarshalBinary(state); err != nil {
		return nil, fmt.Errorf("segment %s: %w", c.open.Short(), err)
	}
	c.last, c.counts, c.begun, c.topic = last, t, true, c.open.Topic
	c.tally = c.open.Tally.Minus(t)
	c.sealed = !growable(&c.open.Segment)
	return c, nil
}

// growable reports whether new messages may extend a segment.
func growable(s *review.Segment) bool {
	return !s.Verdict.Judged() && (s.CutBy == review.CutProvisional || s.CutBy == review.CutSingle)
}

// Matching reports whether rows of an earlier reading are still unmatched.
// Storing a snapshot before they are gives their verdicts up.
func (c *Cover) Matching() bool { return len(c.old) > 0 }

// Add appends a message, which counts for t; its N must be one more than the
// last one's.
func (c *Cover) Add(m *chat.Message, t review.Tally) {
	c.settle()
	if !c.begun {
		c.begin(m.N)
	}
	c.last, c.counts, c.grown = *m, t, true
}

// Amend replaces the newest message.
func (c *Cover) Amend(m *chat.Message, t review.Tally) {
	if c.sealed && !c.grown {
		old := c.open.Segment
		c.retired = append(c.retired, old)
		c.open = Row{Segment: successor(&old), Changed: true}
	}
	c.last, c.counts, c.grown = *m, t, true
}

// begin opens a provisional segment at message n.
func (c *Cover) begin(n int) {
	c.open = Row{Segment: review.Segment{Start: n, Index: len(c.done), CutBy: review.CutProvisional, Verdict: review.Pending, Nth: 1}}
	c.begun, c.sealed = true, false
	c.hasher.Reset()
	c.tally, c.topic = review.Tally{}, ""
}

// settle hashes the newest message and closes the segment if it ends there.
func (c *Cover) settle() {
	if c.last.N == 0 {
		return
	}
	m := c.last
	c.last = chat.Message{}
	c.hasher.Add(&m)
	c.tally = c.tally.Plus(c.counts)
	c.name(&m)
	if c.Matching() && c.old[0].End == m.N {
		c.match(c.hasher)
	}
	if c.sealed {
		if c.grown {
			c.refresh(c.hasher, c.tally, m.N)
		}
		c.done = append(c.done, c.open)
		c.begun, c.sealed = false, false
	}
}

// name takes the topic from the first user message that has a title.
func (c *Cover) name(m *chat.Message) {
	if c.topic == "" && m.Role == chat.User {
		c.topic = Title(m.Content)
	}
}

// match compares the open segment, hashed by h, with the next row of an
// earlier reading, which ends at the same message. Behind the first difference
// nothing is matched any more: numbers mean other messages there.
func (c *Cover) match(h *chat.Hasher) {
	old := c.old[0]
	if h.Nth(old.Nth) != old.Fingerprint || h.Digest().Detail != old.Detail {
		c.abandon()
		return
	}
	c.old = c.old[1:]
	c.open = Row{Segment: old, Changed: true} // same content at a new place
	c.grown = false
	c.sealed = c.Matching() || !growable(&old)
}

// abandon retires the rows of an earlier reading that found no match. What
// stands in their place reminds of the first verdict among them, or else of
// the first note.
func (c *Cover) abandon() {
	var heir *review.Segment
	for i := range c.old {
		o := &c.old[i]
		if o.Verdict.Judged() && (heir == nil || !heir.Verdict.Judged()) {
			heir = o
		} else if heir == nil && (o.Note != "" || len(o.Tags) > 0 || o.Stale) {
			heir = o
		}
	}
	if heir != nil && c.begun && c.grown {
		next := successor(heir)
		next.Start, next.Index, next.CutBy = c.open.Start, c.open.Index, review.CutProvisional
		c.open = Row{Segment: next, Changed: true}
	}
	c.retired = append(c.retired, c.old...)
	c.old = nil
}

// successor is the row that takes the place of one whose content changed. It
// keeps what the curator wrote and remembers the verdict.
func successor(old *review.Segment) review.Segment {
	next := review.Segment{
		Start: old.Start, End: old.End, Index: old.Index, CutBy: old.CutBy, Topic: old.Topic, Nth: 1,
		Note: old.Note, Tags: old.Tags, Verdict: review.Pending,
		Stale: old.Stale, Was: old.Was, WasBy: old.WasBy, WasAt: old.WasAt,
	}
	if old.Verdict.Judged() {
		next.Stale, next.Was, next.WasBy, next.WasAt = true, old.Verdict, old.Reviewer, old.ReviewedAt
	}
	return next
}

// refresh brings the derived fields of the open row up to date with its
// content, which ends at message end.
func (c *Cover) refresh(h *chat.Hasher, t review.Tally, end int) {
	r := &c.open
	r.End, r.Tally, r.Digest, r.Changed = end, t, h.Digest(), true
	r.Nth, r.Fingerprint = c.number(h)
	if c.topic != "" {
		r.Topic = c.topic
	}
	if growable(&r.Segment) {
		r.CutBy = review.CutProvisional
		if r.Start == 1 && end <= singleMax {
			r.CutBy = review.CutSingle
		}
	}
	r.Labeled, r.Score, r.Analysis, r.TaskType = false, nil, "", ""
	c.grown = false
}

// number finds which of the segments with equal content this one is.
func (c *Cover) number(h *chat.Hasher) (n int, fingerprint string) {
	taken := make(map[string]bool, len(c.done))
	for i := range c.done {
		taken[c.done[i].Fingerprint] = true
	}
	n = 1
	for fingerprint = h.Nth(n); taken[fingerprint]; fingerprint = h.Nth(n) {
		n++
	}
	return n, fingerprint
}

// Snapshot is what has to be stored of a cover.
type Snapshot struct {
	Changed []review.Segment // rows to insert (ID "") or update
	Retired []review.Segment // rows that leave
	// HashState is for ResumeCover.
	HashState []byte
	// Segmented says that nobody needs to cut the session any more. It is
	// false as soon as messages lie in a provisional segment.
	Segmented bool
}

// Snapshot returns what changed since the last one. Rows of an earlier reading
// that are not matched by now are retired.
func (c *Cover) Snapshot() (Snapshot, error) {
	state, err := c.hasher.MarshalBinary()
	if err != nil {
		return Snapshot{}, err
	}
	if c.last.N > 0 && (c.grown || c.Matching()) {
		h := chat.NewHasher()
		if err := h.UnmarshalBinary(state); err != nil {
			return Snapshot{}, err
		}
		h.Add(&c.last)
		c.name(&c.last)
		if c.Matching() && c.old[0].End == c.last.N {
			c.match(h)
		}
		if c.Matching() {
			c.abandon()
		}
		if c.grown {
			c.refresh(h, c.tally.Plus(c.counts), c.last.N)
		}
	}
	s := Snapshot{Retired: c.retired, HashState: state, Segmented: true}
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
	if r.CutBy == review.CutProvisional {
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
