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

// SingleMax is the number of messages up to which a session is one segment
// without anybody cutting it: a question and its answer.
const SingleMax = 2

// Row is a segment row and whether it differs from what is stored.
type Row struct {
	review.Segment
	Changed bool
}

// Cover follows a session as it is read and keeps its segments complete. New
// messages extend an unjudged provisional or single segment; after any other
// they start a provisional one. A judged segment is never touched, unless its
// own content changes: then it is retired, and what replaces it is pending and
// stale.
//
// A message may still change while nothing but results of its calls stand
// after it (a turn that was being written), so it is hashed only when
// something else arrives.
type Cover struct {
	done    []Row           // closed segments, in order
	prints  map[string]bool // fingerprints of the first printed of done; nil: none
	printed int
	old     []review.Segment // rows of a rewritten session, still to be matched
	twins   twins            // of those that are matched
	plan    []review.Segment // rows whose messages are still to come, in order
	retired []review.Segment
	body    int64 // the one that is read on in; 0: none that rows lie in

	open   Row
	begun  bool // open stands for messages
	sealed bool // open takes no further message
	grown  bool // the content of open differs from its row
	moved  bool // the row of open comes from elsewhere: its number is to be found anew
	until  int  // messages up to here are those the row of open had before
	hasher *chat.Hasher
	tally  review.Tally // of the hashed messages of open
	topic  string       // from the first real user message of open
	tail   []held       // the newest messages of open, not hashed yet
	weight int          // bytes of text in tail
	end    int          // number of the newest message
}

// held is a message that may still change.
type held struct {
	m chat.Message
	t review.Tally
}

const (
	// maxHeld and maxWeight (bytes of text) bound the messages that may still
	// change: more calls at once, or larger results, are rare.
	maxHeld   = 512
	maxWeight = 4 << 20
)

// NewCover follows a session from its first message. The rows of an earlier
// reading of the same session, if it was rewritten, are matched by content:
// those at its beginning that did not change stay.
func NewCover(old []review.Segment) *Cover {
	return &Cover{old: old, twins: twinsOf(old), hasher: chat.NewHasher()}
}

// ResumeCover goes on after the stored segments of a session. state is the
// hash state of the last one without the session's last messages, which are
// tail and count for tallies: those that Held told when it was stored.
func ResumeCover(rows []review.Segment, state []byte, tail []chat.Message, tallies []review.Tally) (*Cover, error) {
	c := NewCover(nil)
	if len(rows) == 0 {
		return c, nil
	}
	c.body = rows[0].Body
	final := len(rows) - 1
	for i := range rows[:final] {
		c.done = append(c.done, Row{Segment: rows[i]})
	}
	c.open = Row{Segment: rows[final]}
	if err := c.hasher.UnmarshalBinary(state); err != nil {
		return nil, fmt.Errorf("segment %s: %w", c.open.Short(), err)
	}
	if len(tail) > c.open.End-c.open.Start+1 {
		return nil, fmt.Errorf("segment %s: shorter than what of it is held back", c.open.Short())
	}
	c.begun, c.topic, c.end, c.tally = true, c.open.Topic, c.open.End, c.open.Tally
	for i := range tail {
		c.hold(&tail[i], tallies[i])
		c.tally = c.tally.Minus(tallies[i])
	}
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

// Held is the number of messages, the newest ones, that Amend can still
// change. All others are part of hash states.
func (c *Cover) Held() int { return len(c.tail) }

// Add appends a message, which counts for t; its N must be one more than the
// last one's.
func (c *Cover) Add(m *chat.Message, t review.Tally) {
	planned := len(c.plan) > 0 && c.plan[0].Start == m.N
	closed := c.sealed && m.N > c.until
	if m.Role != chat.Tool || planned || closed || c.Matching() && c.old[0].End == m.N-1 ||
		len(c.tail) >= maxHeld || c.weight+m.Size() > maxWeight {
		c.settle()
		if planned || c.sealed && m.N > c.until {
			c.shut()
		}
	}
	if !c.begun {
		c.begin(m.N)
	}
	c.hold(m, t)
	c.end = m.N
	if m.N > c.until {
		c.grown = true
	}
}

func (c *Cover) hold(m *chat.Message, t review.Tally) {
	c.tail = append(c.tail, held{*m, t})
	c.weight += m.Size()
}

// Amend replaces the message that stands so many places before the newest
// one. It reports whether that is held back; else Reopen must come first.
func (c *Cover) Amend(back int, m *chat.Message, t review.Tally) bool {
	i := len(c.tail) - 1 - back
	if i < 0 {
		return false
	}
	if c.open.Verdict.Judged() {
		old := c.open.Segment
		c.retired = append(c.retired, old)
		next := successor(&old)
		c.spoil(&next, m.N)
		c.open, c.moved = Row{Segment: next, Changed: true}, false
	}
	c.weight += m.Size() - c.tail[i].m.Size()
	c.tail[i], c.grown = held{*m, t}, true
	return true
}

// begin opens the segment that starts at message n: the row that is planned
// there, or a provisional one.
func (c *Cover) begin(n int) {
	c.begun, c.sealed, c.grown, c.moved, c.until = true, false, false, false, 0
	c.hasher.Reset()
	c.tally, c.topic = review.Tally{}, ""
	if len(c.plan) == 0 || c.plan[0].Start != n {
		c.open = Row{Segment: review.Segment{Start: n, Index: len(c.done), CutBy: review.CutProvisional, Verdict: review.Pending, Nth: 1}}
		return
	}
	c.open = Row{Segment: c.plan[0], Changed: true}
	c.open.Index, c.open.Body, c.topic = len(c.done), c.body, c.open.Topic
	c.plan = c.plan[1:]
	if c.open.ID != "" {
		c.moved, c.until, c.sealed = true, c.open.End, !growable(&c.open.Segment)
	}
}

// settle hashes the messages that were held back.
func (c *Cover) settle() {
	for i := range c.tail {
		m := &c.tail[i].m
		c.hasher.Add(m)
		c.tally = c.tally.Plus(c.tail[i].t)
		c.name(m)
		if c.Matching() && c.old[0].End == m.N {
			c.match(c.hasher)
		}
	}
	clear(c.tail) // lets go of the texts
	c.tail, c.weight = c.tail[:0], 0
}

// Settle makes all messages part of hash states: none can be amended.
func (c *Cover) Settle() { c.settle() }

// shut closes the open segment at the newest message.
func (c *Cover) shut() {
	if !c.begun {
		return
	}
	if c.grown {
		c.refresh(c.hasher, c.tally, c.end)
	} else if c.moved {
		c.renumber(c.hasher)
	}
	c.done = append(c.done, c.open)
	c.begun, c.sealed, c.moved, c.until = false, false, false, 0
}

// renumber finds the place of an unchanged row among those of equal content.
func (c *Cover) renumber(h *chat.Hasher) {
	r := &c.open
	r.Nth, r.Fingerprint = c.number(h)
	r.Changed, c.moved = true, false
}

// name takes the topic from the first user message that has a title.
func (c *Cover) name(m *chat.Message) {
	if c.topic == "" && m.Role == chat.User {
		said, _ := m.BesideSummary()
		c.topic = Title(said)
	}
}

// refresh brings the derived fields of the open row up to date with its
// content, which ends at message end.
func (c *Cover) refresh(h *chat.Hasher, t review.Tally, end int) {
	r := &c.open
	r.End, r.Tally, r.Digest, r.Changed = end, t, h.Digest(), true
	r.Nth, r.Fingerprint = c.number(h)
	if c.topic != "" && !r.Named {
		r.Topic = c.topic
	}
	if growable(&r.Segment) {
		r.CutBy = review.CutProvisional
		if r.Start == 1 && end <= SingleMax {
			r.CutBy = review.CutSingle
		}
	}
	r.Labeled, r.Score, r.Analysis, r.TaskType = false, nil, "", ""
	c.grown, c.moved = false, false
}

// number finds which of the segments with equal content this one is.
func (c *Cover) number(h *chat.Hasher) (n int, fingerprint string) {
	if c.prints == nil {
		c.prints, c.printed = map[string]bool{}, 0
	}
	for ; c.printed < len(c.done); c.printed++ {
		c.prints[c.done[c.printed].Fingerprint] = true
	}
	n = 1
	for fingerprint = h.Nth(n); c.prints[fingerprint]; fingerprint = h.Nth(n) {
		n++
	}
	return n, fingerprint
}
