package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// chatter is n messages of so few words that equal segments are common.
func chatter(random *rand.Rand, n int) []chat.Message {
	list := make([]chat.Message, n)
	for i := range list {
		list[i] = chat.Message{N: i + 1, Role: chat.User, Content: string(rune('a' + random.IntN(2)))}
		if i%2 == 1 {
			list[i].Role = chat.Assistant
		}
	}
	return list
}

// randomEnds are ends of segments over n messages, in order, without the last.
func randomEnds(random *rand.Rand, n int) []int {
	var list []int
	for end := 1; end < n; end++ {
		if random.IntN(3) == 0 {
			list = append(list, end)
		}
	}
	return list
}

// edited is what a curator might make of segments.
func edited(random *rand.Rand, rows []review.Segment) (review.Action, []piece) {
	pieces := make([]piece, len(rows))
	for i := range rows {
		pieces[i].end = rows[i].End
	}
	i := random.IntN(len(rows))
	r := &rows[i]
	switch random.IntN(5) {
	case 0:
		if r.End > r.Start {
			return review.ActSplit, slices.Insert(pieces, i, piece{end: r.Start + random.IntN(r.End-r.Start)})
		}
	case 1:
		if i+1 < len(rows) {
			return review.ActMerge, slices.Delete(pieces, i, i+1)
		}
	case 2:
		if i+1 < len(rows) && rows[i+1].End > r.Start {
			pieces[i].end = r.Start + random.IntN(rows[i+1].End-r.Start)
			return review.ActMove, pieces
		}
	case 3:
		last := rows[len(rows)-1].End
		return review.ActCut, ends(append(randomEnds(random, last), last)...)
	}
	pieces[i].topic = fmt.Sprint("topic ", random.IntN(100))
	return review.ActTopic, pieces
}

// somebody is a curator who does anything to one session.
type somebody struct {
	name    string
	s       *Store
	random  *rand.Rand
	session talked
}

// act does one thing. It reports false for what was refused or had nothing to
// do.
func (p *somebody) act(t testing.TB) bool {
	t.Helper()
	rows := segmentsOf(t, p.s, p.session)
	var err error
	switch n := p.random.IntN(20); {
	case n < 9:
		action, pieces := edited(p.random, rows)
		w := cutWrite(t, p.s, p.session, review.CutCurator, pieces)
		w.Curator, w.Action = p.name, action
		_, err = p.s.WriteCuts(t.Context(), w)
	case n < 11:
		row := &rows[p.random.IntN(len(rows))]
		j := review.Judgement{Curator: p.name, IDs: []string{row.ID}, MaskOff: []int{1 + p.random.IntN(row.Messages)}}
		if p.random.IntN(3) == 0 {
			j.MaskOn = []int{1 + p.random.IntN(row.Messages)}
		}
		_, err = p.s.Judge(t.Context(), j)
	case n < 14:
		j := review.Judgement{Curator: p.name, Verdict: review.Verdicts[p.random.IntN(4)]}
		if p.random.IntN(4) == 0 {
			j.Note = ptr(fmt.Sprint("note ", p.random.IntN(100)))
		}
		for range 1 + p.random.IntN(3) {
			j.IDs = append(j.IDs, rows[p.random.IntN(len(rows))].ID)
		}
		_, err = p.s.Judge(t.Context(), j)
	case n < 18:
		_, err = p.s.Undo(t.Context(), p.name)
	default:
		_, err = p.s.Redo(t.Context(), p.name)
	}
	if err != nil && !errors.Is(err, review.ErrNothing) && !errors.Is(err, review.ErrConflict) {
		t.Fatal(err)
	}
	return err == nil
}

// all steps through everything that can be undone or redone.
func (p *somebody) all(t testing.TB, step func(string) (review.Entry, error)) {
	t.Helper()
	for {
		_, err := step(p.name)
		if errors.Is(err, review.ErrNothing) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// newSession stores a random session; some of its segments are judged.
func newSession(t testing.TB, s *Store, random *rand.Rand, name int) talked {
	t.Helper()
	list := chatter(random, 4+random.IntN(12))
	cuts := randomEnds(random, len(list))
	longest := len(list)
	if len(cuts) > 0 {
		longest -= cuts[len(cuts)-1]
	}
	c := recorded(t, s, fmt.Sprint("/s/", name), list, random.IntN(min(longest, 3)+1), cuts...)
	for _, r := range segmentsOf(t, s, c) {
		if random.IntN(3) == 0 {
			judge(t, s, "zoe", review.Verdicts[random.IntN(3)], r.ID)
		}
	}
	return c
}

// Whatever a curator does, in whatever order, all of it can be taken back and
// given again: the tables are as they were before, and as they were after.
func TestEverythingIsUndoneAndRedoneByteForByte(t *testing.T) {
	s := openTemp(t)
	for seed := range cutSeeds {
		random := rand.New(rand.NewPCG(uint64(seed), 8))
		c := newSession(t, s, random, seed)
		p := &somebody{fmt.Sprint("ann", seed), s, random, c}
		start := dump(t, s, c.id)
		for range 5 + random.IntN(30) {
			p.act(t)
		}
		p.all(t, redoer(t, s))
		end := dump(t, s, c.id)
		for range 2 {
			p.all(t, undoer(t, s))
			if got := dump(t, s, c.id); got != start {
				t.Fatalf("seed %d: undone\n%s\nwant\n%s", seed, got, start)
			}
			p.all(t, redoer(t, s))
			if got := dump(t, s, c.id); got != end {
				t.Fatalf("seed %d: redone\n%s\nwant\n%s", seed, got, end)
			}
		}
	}
	clean(t, s)
}

func undoer(t testing.TB, s *Store) func(string) (review.Entry, error) {
	return func(name string) (review.Entry, error) { return s.Undo(t.Context(), name) }
}

func redoer(t testing.TB, s *Store) func(string) (review.Entry, error) {
	return func(name string) (review.Entry, error) { return s.Redo(t.Context(), name) }
}

// Two curators, a machine that cuts anew and imports that bring more messages
// get in each other's way: what can't be done any more is refused, and
// everything stays in order.
func TestCuttingBesideOthersKeepsTheRules(t *testing.T) {
	s := openTemp(t)
	done, refused := 0, 0
	for seed := range cutSeeds {
		random := rand.New(rand.NewPCG(uint64(seed), 9))
		c := newSession(t, s, random, seed)
		for range 40 {
			p := &somebody{[]string{"ann", "bob"}[random.IntN(2)], s, random, c}
			switch random.IntN(8) {
			case 0:
				c.list = longerBy(t, s, c, random)
			case 1:
				if last := len(c.list); random.IntN(2) == 0 {
					byMachine(t, s, c, ends(append(randomEnds(random, last), last)...))
				}
			default:
				if p.act(t) {
					done++
				} else {
					refused++
				}
			}
		}
	}
	if done == 0 || refused == 0 {
		t.Errorf("%d done, %d refused", done, refused)
	}
	clean(t, s)
}

// longerBy imports some more messages of a session: they extend the last
// segment if nobody has cut it, or become one after it.
func longerBy(t testing.TB, s *Store, c talked, random *rand.Rand) []chat.Message {
	t.Helper()
	more := chatter(random, 1+random.IntN(2))
	for i := range more {
		more[i].N += len(c.list)
	}
	list := append(slices.Clone(c.list), more...)
	st, err := s.SessionByID(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	rows := slices.Clone(st.Segments)
	if last := &rows[len(rows)-1]; last.CutBy == review.CutProvisional && !last.Verdict.Judged() {
		last.End = len(list)
	} else {
		rows = append(rows, review.SegmentWrite{Segment: review.Segment{Start: len(c.list) + 1, End: len(list), CutBy: review.CutProvisional}})
	}
	held := random.IntN(len(more) + 1)
	numbered(list, held, rows)
	w := write(c.file, list)
	sw := &w.Sessions[0]
	sw.Session, sw.Trail = st.Session, trailOf(list, held)
	sw.Session.Tally, sw.Session.Segmented = review.Tally{}, false
	for i := range list {
		sw.Session.Tally.Add(&list[i])
	}
	sw.KeepTo, sw.Chunks, sw.Segments = len(c.list), pack(more, 3), rows[len(rows)-1:]
	put(t, s, w)
	return list
}
