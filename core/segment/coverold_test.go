package segment

import (
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// lieIn says in which body the stored rows lie.
func (s *shelf) lieIn(body int64) {
	for i := range s.rows {
		s.rows[i].Body = body
	}
}

// begin is a session of some messages, each of which is judged as one segment.
func begun(t *testing.T, segments ...[]string) *shelf {
	var s shelf
	c := NewCover(nil)
	for i, texts := range segments {
		if i > 0 {
			c = s.resume(t)
		}
		s.add(c, texts...)
		s.store(t, c)
		s.judge(i, review.Approved)
		s.lieIn(1)
	}
	return &s
}

// reread reads the session again, as a file that was rewritten.
func (s *shelf) reread(t *testing.T, texts ...string) {
	t.Helper()
	c := NewCover(slices.Clone(s.rows))
	s.messages = nil
	s.add(c, texts...)
	s.store(t, c)
	s.check(t)
}

func wasAt(s *review.Segment) [3]int { return [3]int{int(s.WasBody), s.WasStart, s.WasEnd} }

// readded gives the messages from..to to the cover again.
func (s *shelf) readded(c *Cover, from, to int) {
	for i := from - 1; i < to; i++ {
		c.Add(&s.messages[i], review.TallyOf(&s.messages[i]))
	}
}

func TestStaleSegmentsKnowWhereTheOldMessagesLie(t *testing.T) {
	t.Run("rewritten", func(t *testing.T) {
		s := begun(t, []string{"a", "b"}, []string{"c", "d", "e"})
		s.reread(t, "a", "b", "c", "X", "e", "f")
		if r := &s.rows[1]; !r.Stale || wasAt(r) != [3]int{1, 3, 5} {
			t.Errorf("%+v", r)
		}
		// Again: what was stale hands on what it was.
		s.lieIn(2)
		s.reread(t, "a", "b", "Y")
		if r := &s.rows[1]; !r.Stale || r.Was != review.Approved || r.WasBy != "ann" || wasAt(r) != [3]int{1, 3, 5} {
			t.Errorf("%+v", r)
		}
	})
	t.Run("the last message was amended", func(t *testing.T) {
		s := begun(t, []string{"a", "b", "c"})
		c := s.resume(t)
		s.messages[2].Content = "C"
		c.Amend(0, &s.messages[2], review.TallyOf(&s.messages[2]))
		s.add(c, "d")
		s.store(t, c)
		s.check(t)
		if r := &s.rows[0]; !r.Stale || wasAt(r) != [3]int{1, 1, 2} {
			t.Errorf("%+v", r)
		}
	})
	t.Run("the only message was amended", func(t *testing.T) {
		s := begun(t, []string{"a"})
		c := s.resume(t)
		s.messages[0].Content = "A"
		c.Amend(0, &s.messages[0], review.TallyOf(&s.messages[0]))
		s.store(t, c)
		if r := &s.rows[0]; !r.Stale || r.Was != review.Approved || wasAt(r) != [3]int{} {
			t.Errorf("%+v", r)
		}
	})
	t.Run("an earlier message changes", func(t *testing.T) {
		for n, want := range map[int][3]int{1: {1, 2, 5}, 2: {1, 3, 5}, 4: {1, 1, 3}, 5: {1, 1, 4}} {
			s := begun(t, []string{"a", "b", "c", "d", "e"}, []string{"f", "g"})
			c := s.resume(t)
			from := c.Reopen(n)
			s.messages[n-1].Content = "X"
			s.readded(c, from, 7)
			s.store(t, c)
			s.check(t)
			if len(s.rows) != 2 || !s.rows[0].Stale || wasAt(&s.rows[0]) != want || s.rows[1].Stale {
				t.Errorf("message %d: %+v", n, s.rows)
			}
		}
	})
	t.Run("the last messages leave", func(t *testing.T) {
		s := begun(t, []string{"a", "b", "c", "d", "e"})
		c := s.resume(t)
		from, _ := c.Cut(3, false)
		s.messages = s.messages[:3]
		s.readded(c, from, 3)
		s.add(c, "x")
		s.store(t, c)
		s.check(t)
		if r := &s.rows[0]; !r.Stale || wasAt(r) != [3]int{1, 1, 3} {
			t.Errorf("%+v", r)
		}
	})
	t.Run("most messages go elsewhere", func(t *testing.T) {
		s := begun(t, []string{"a", "b", "c", "d", "e"})
		c := s.resume(t)
		behind := c.Behind(1)
		if len(behind) != 1 || !behind[0].Stale || wasAt(&behind[0]) != [3]int{} {
			t.Errorf("%+v", behind)
		}
	})
}

func TestNothingThatWasNotedIsLostWhenASessionIsRewritten(t *testing.T) {
	s := begun(t, []string{"a", "b"}, []string{"c", "d"}, []string{"e"})
	s.rows[0].Note, s.rows[1].Note, s.rows[2].Note = "one", "two", "one"
	s.rows[1].Tags, s.rows[2].Tags = []string{"x"}, []string{"y", "x"}
	s.rows[0].Topic, s.rows[0].Named = "mine", true
	s.reread(t, "A", "B", "C")
	if r := &s.rows[0]; r.Note != "one\ntwo" || !slices.Equal(r.Tags, []string{"x", "y"}) || r.Topic != "mine" || !r.Named {
		t.Errorf("%+v", r)
	}
}

func TestCuratorsTopicStaysWhileASegmentGrows(t *testing.T) {
	var s shelf
	c := NewCover(nil)
	s.add(c, "the task", "done")
	s.store(t, c)
	if s.rows[0].Topic != "the task" {
		t.Fatalf("topic %q", s.rows[0].Topic)
	}
	s.rows[0].Topic, s.rows[0].Named = "mine", true
	id := s.rows[0].ID
	c = s.resume(t)
	s.add(c, "more", "done again")
	s.store(t, c)
	if r := &s.rows[0]; r.ID != id || r.End != 4 || r.Topic != "mine" || !r.Named {
		t.Errorf("%+v", r)
	}
	s.judge(0, review.Approved)
	c = s.resume(t)
	s.messages[3].Content = "done otherwise"
	c.Amend(0, &s.messages[3], review.TallyOf(&s.messages[3]))
	s.store(t, c)
	if r := &s.rows[0]; r.ID == id || r.Topic != "mine" || !r.Named {
		t.Errorf("%+v", r)
	}
}

func TestJudgedProvisionalSegmentIsNotToBeCut(t *testing.T) {
	s := begun(t, []string{"a", "b", "c"})
	if s.rows[0].CutBy != review.CutProvisional || s.marked {
		t.Fatalf("%+v, segmented %v", s.rows[0], s.marked)
	}
	s.reread(t, "a", "b", "c")
	if !s.marked || s.rows[0].Verdict != review.Approved {
		t.Errorf("%+v, segmented %v", s.rows[0], s.marked)
	}
	c := s.resume(t)
	s.add(c, "d")
	s.store(t, c)
	if s.marked {
		t.Error("messages that nobody has cut are segmented")
	}
}

// A file is written again, and one of two equal segments is not in it any more.
// Nobody knows which, so that neither verdict is handed to the other.
func TestRewritingAwayOneOfTwoEqualSegments(t *testing.T) {
	texts := [][]string{{"a", "b"}, {"a", "b"}, {"c", "d"}}
	s := begun(t, texts...)
	s.rows[1].Verdict = review.Rejected
	s.reread(t, "a", "b", "c", "d")
	if r := &s.rows[0]; r.Verdict.Judged() || !r.Stale || r.Was != review.Approved || wasAt(r) != [3]int{1, 1, 2} {
		t.Errorf("it has a verdict: %+v", r)
	}
	verdicts := map[review.Verdict]int{}
	for i := range s.retired {
		verdicts[s.retired[i].Verdict]++
	}
	if verdicts[review.Approved] != 2 || verdicts[review.Rejected] != 1 {
		t.Errorf("retired %+v", s.retired)
	}
	// With equal verdicts it does not matter.
	s = begun(t, texts...)
	id := s.rows[0].ID
	s.reread(t, "a", "b", "c", "d")
	if r := &s.rows[0]; r.ID != id || r.Verdict != review.Approved {
		t.Errorf("it lost its verdict: %+v", r)
	}
	// Nothing of that kind left.
	s = begun(t, texts...)
	s.rows[1].Verdict = review.Rejected
	s.reread(t, "a", "b", "a", "b", "c", "D")
	if s.rows[0].Verdict != review.Approved || s.rows[1].Verdict != review.Rejected {
		t.Errorf("they lost their verdicts: %+v", s.rows)
	}
	// The file ends after the one that is left.
	s = begun(t, texts...)
	s.rows[1].Verdict = review.Rejected
	s.reread(t, "a", "b")
	if r := &s.rows[0]; r.Verdict.Judged() || !r.Stale {
		t.Errorf("it has a verdict: %+v", r)
	}
	c := s.resume(t)
	s.messages = append(s.messages, chat.Message{N: 3, Role: chat.User, Content: "more"})
	s.readded(c, 3, 3)
	s.store(t, c)
	s.check(t)
}

// TestRewritingAwaySegmentsHandsNoVerdictOn does that with random sessions of
// few different segments.
func TestRewritingAwaySegmentsHandsNoVerdictOn(t *testing.T) {
	words := [][]string{{"a", "b"}, {"c", "d"}}
	stayed := 0
	for seed := range uint64(cases / 4) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var old [][]string
		for range 1 + rng.IntN(6) {
			old = append(old, words[rng.IntN(len(words))])
		}
		s := begun(t, old...)
		var texts []string
		truth := map[int]review.Verdict{} // by the message that a segment begins at
		for i := range s.rows {
			s.rows[i].Verdict = review.Verdicts[rng.IntN(3)]
			if rng.IntN(4) > 0 {
				truth[len(texts)+1] = s.rows[i].Verdict
				texts = append(texts, old[i]...)
			}
		}
		if len(texts) == 0 {
			continue
		}
		s.reread(t, texts...)
		for i := range s.rows {
			r := &s.rows[i]
			if !r.Verdict.Judged() {
				continue
			}
			stayed++
			if truth[r.Start] != r.Verdict {
				t.Fatalf("seed %d: %q of %q: %d–%d is %s", seed, texts, old, r.Start, r.End, r.Verdict)
			}
		}
	}
	if stayed < cases/4 {
		t.Errorf("%d verdicts stayed", stayed)
	}
}
