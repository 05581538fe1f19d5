package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// shelf plays the store: it keeps rows between imports.
type shelf struct {
	rows     []review.Segment
	messages []chat.Message
	state    []byte
	held     int
	nextID   int
	retired  []review.Segment
	marked   bool // segmented
}

// store applies a snapshot as a transaction would.
func (s *shelf) store(t *testing.T, c *Cover) {
	t.Helper()
	snap, err := c.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	gone := map[string]bool{}
	for _, r := range snap.Retired {
		gone[r.ID] = true
		s.retired = append(s.retired, r)
	}
	kept := s.rows[:0:0]
	for _, r := range s.rows {
		if !gone[r.ID] {
			kept = append(kept, r)
		}
	}
	s.rows = kept
	for i := range snap.Changed {
		r := snap.Changed[i]
		if r.ID == "" {
			s.nextID++
			r.ID = fmt.Sprintf("id-%06d", s.nextID)
			snap.Changed[i].ID = r.ID
			s.rows = append(s.rows, r)
			continue
		}
		for j := range s.rows {
			if s.rows[j].ID == r.ID {
				s.rows[j] = r
			}
		}
	}
	slices.SortFunc(s.rows, func(a, b review.Segment) int { return a.Start - b.Start })
	c.Stored(snap.Changed)
	s.state, s.held, s.marked = snap.HashState, snap.Held, snap.Segmented
}

// resume follows the session as the next import would.
func (s *shelf) resume(t *testing.T) *Cover {
	t.Helper()
	if len(s.messages) == 0 {
		return NewCover(nil)
	}
	tail := s.messages[len(s.messages)-s.held:]
	tallies := make([]review.Tally, len(tail))
	for i := range tail {
		tallies[i] = review.TallyOf(&tail[i])
	}
	c, err := ResumeCover(s.rows, s.state, tail, tallies)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s *shelf) add(c *Cover, texts ...string) {
	for _, text := range texts {
		role := chat.User
		if len(s.messages)%2 == 1 {
			role = chat.Assistant
		}
		s.messages = append(s.messages, chat.Message{N: len(s.messages) + 1, Role: role, Content: text})
		m := &s.messages[len(s.messages)-1]
		c.Add(m, review.TallyOf(m))
	}
}

func (s *shelf) judge(i int, v review.Verdict) {
	s.rows[i].Verdict, s.rows[i].Reviewer = v, "ann"
}

// check tests the invariants of a stored session.
func (s *shelf) check(t *testing.T) {
	t.Helper()
	next := 1
	prints := map[string]bool{}
	for i, r := range s.rows {
		if r.Start != next || r.End < r.Start || r.Index != i {
			t.Fatalf("segment %d is %d–%d (index %d), want a start at %d", i, r.Start, r.End, r.Index, next)
		}
		next = r.End + 1
		run := s.messages[r.Start-1 : r.End]
		h := chat.NewHasher()
		var tally review.Tally
		for j := range run {
			h.Add(&run[j])
			tally.Add(&run[j])
		}
		if h.Nth(r.Nth) != r.Fingerprint || h.Digest().Detail != r.Detail {
			t.Fatalf("segment %d: fingerprint %s n %d is not that of its messages", i, r.Fingerprint, r.Nth)
		}
		if r.Tally != tally {
			t.Fatalf("segment %d: tally %+v, want %+v", i, r.Tally, tally)
		}
		if prints[r.Fingerprint] {
			t.Fatalf("fingerprint %s twice", r.Fingerprint)
		}
		prints[r.Fingerprint] = true
	}
	if next != len(s.messages)+1 {
		t.Fatalf("segments end at %d of %d messages", next-1, len(s.messages))
	}
}

func TestSessionOfTwoMessagesIsSingle(t *testing.T) {
	var s shelf
	c := NewCover(nil)
	s.add(c, "hi", "hello")
	s.store(t, c)
	s.check(t)
	if len(s.rows) != 1 || s.rows[0].CutBy != review.CutSingle || !s.marked {
		t.Fatalf("rows %+v, segmented %v", s.rows, s.marked)
	}
}

func TestUnjudgedSingleGrowsIntoProvisional(t *testing.T) {
	var s shelf
	c := NewCover(nil)
	s.add(c, "hi", "hello")
	s.store(t, c)
	id := s.rows[0].ID
	c = s.resume(t)
	s.add(c, "more")
	s.store(t, c)
	s.check(t)
	if len(s.rows) != 1 || s.rows[0].ID != id || s.rows[0].CutBy != review.CutProvisional || s.marked {
		t.Fatalf("rows %+v, segmented %v", s.rows, s.marked)
	}
}

func TestJudgedSegmentStaysAndTheRestIsProvisional(t *testing.T) {
	var s shelf
	c := NewCover(nil)
	s.add(c, "hi", "hello")
	s.store(t, c)
	s.judge(0, review.Approved)
	before := s.rows[0]
	for _, text := range []string{"more", "answer", "and more"} {
		c = s.resume(t)
		s.add(c, text)
		s.store(t, c)
		s.check(t)
	}
	if len(s.rows) != 2 || s.rows[0].Fingerprint != before.Fingerprint || s.rows[0].Verdict != review.Approved {
		t.Fatalf("the approved segment changed: %+v", s.rows)
	}
	if r := s.rows[1]; r.CutBy != review.CutProvisional || r.Start != 3 || r.End != 5 || r.Verdict != review.Pending || s.marked {
		t.Fatalf("behind it: %+v, segmented %v", r, s.marked)
	}
}

func TestEqualSegmentsGetDifferentFingerprints(t *testing.T) {
	var s shelf
	c := NewCover(nil)
	for i := range 3 {
		if i > 0 {
			c = s.resume(t)
		}
		s.add(c, "same", "again")
		s.store(t, c)
		s.check(t)
		s.judge(i, review.Approved)
	}
	for i, r := range s.rows {
		if r.Nth != i+1 {
			t.Errorf("segment %d is number %d of its kind", i, r.Nth)
		}
	}
}

func TestAmendedJudgedMessageMakesItsSegmentStale(t *testing.T) {
	var s shelf
	c := NewCover(nil)
	s.add(c, "hi", "hello")
	s.store(t, c)
	s.judge(0, review.Rejected)
	c = s.resume(t)
	s.messages[1].Content = "hello there"
	c.Amend(0, &s.messages[1], review.TallyOf(&s.messages[1]))
	s.store(t, c)
	s.check(t)
	r := s.rows[0]
	if len(s.rows) != 1 || r.Verdict != review.Pending || !r.Stale || r.Was != review.Rejected || r.WasBy != "ann" {
		t.Fatalf("%+v", r)
	}
	if len(s.retired) != 1 || s.retired[0].Verdict != review.Rejected {
		t.Fatalf("retired %+v", s.retired)
	}
}

func TestRewrittenSessionKeepsWhatDidNotChange(t *testing.T) {
	var s shelf
	c := NewCover(nil)
	s.add(c, "a", "b")
	s.store(t, c)
	s.judge(0, review.Approved)
	c = s.resume(t)
	s.add(c, "c", "d")
	s.store(t, c)
	s.judge(1, review.Rejected)
	kept := s.rows[0]

	old := s.rows
	s.messages = nil
	c = NewCover(old)
	s.add(c, "a", "b", "c", "D", "e")
	s.store(t, c)
	s.check(t)
	if len(s.rows) != 2 || s.rows[0].ID != kept.ID || s.rows[0].Verdict != review.Approved {
		t.Fatalf("%+v", s.rows)
	}
	if r := s.rows[1]; r.Verdict != review.Pending || !r.Stale || r.Was != review.Rejected {
		t.Fatalf("what replaced the rejected one: %+v", r)
	}
}

func TestRewriteWithEqualContentKeepsEveryRow(t *testing.T) {
	var s shelf
	c := NewCover(nil)
	s.add(c, "a", "b")
	s.store(t, c)
	s.judge(0, review.Approved)
	c = s.resume(t)
	s.add(c, "c", "d", "e")
	s.store(t, c)
	ids := []string{s.rows[0].ID, s.rows[1].ID}

	texts := s.messages
	old := s.rows
	s.messages = nil
	c = NewCover(old)
	for _, m := range texts {
		s.add(c, m.Content)
	}
	s.store(t, c)
	s.check(t)
	if len(s.rows) != 2 || s.rows[0].ID != ids[0] || s.rows[1].ID != ids[1] || len(s.retired) != 0 {
		t.Fatalf("rows %+v retired %+v", s.rows, s.retired)
	}
	c = s.resume(t)
	s.add(c, "f")
	s.store(t, c)
	s.check(t)
	if len(s.rows) != 2 || s.rows[1].ID != ids[1] {
		t.Fatalf("after the rewrite it does not grow: %+v", s.rows)
	}
}

// TestCoverInvariants grows, amends, judges and rewrites random sessions. The
// segments must cover everything at every step, and no verdict may get lost:
// it stays on its row, or its row was retired.
func TestCoverInvariants(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var s shelf
		verdicts := 0
		word := func() string { return fmt.Sprint(rng.IntN(3)) }
		for range 1 + rng.IntN(8) {
			var c *Cover
			switch {
			case len(s.messages) > 0 && rng.IntN(4) == 0: // rewritten
				old := s.messages
				s.messages = nil
				c = NewCover(append([]review.Segment(nil), s.rows...))
				for i := range old[:rng.IntN(len(old)+1)] {
					text := old[i].Content
					if rng.IntN(6) == 0 {
						text = word()
					}
					s.add(c, text)
				}
			default:
				c = s.resume(t)
			}
			for range rng.IntN(5) {
				s.add(c, word())
			}
			if len(s.messages) == 0 {
				s.add(c, word())
			}
			if rng.IntN(3) == 0 {
				last := &s.messages[len(s.messages)-1]
				last.Content += word()
				c.Amend(0, last, review.TallyOf(last))
			}
			s.store(t, c)
			s.check(t)
			for i := range s.rows {
				if rng.IntN(3) == 0 && !s.rows[i].Verdict.Judged() {
					s.judge(i, review.Approved)
					verdicts++
				}
			}
		}
		found := 0
		for _, r := range append(s.rows, s.retired...) {
			if r.Verdict.Judged() {
				found++
			}
		}
		if found != verdicts {
			t.Fatalf("seed %d: %d verdicts given, %d found", seed, verdicts, found)
		}
	}
}
