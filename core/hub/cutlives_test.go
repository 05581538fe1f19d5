package hub

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/segment"
)

// anywhere cuts where the dice say.
type anywhere struct {
	b  *book
	by review.CutBy
}

func (c *anywhere) By() review.CutBy { return c.by }

func (c *anywhere) Cut(ctx context.Context, t segment.Text) ([]segment.Cut, error) {
	if c.b.rng.IntN(8) == 0 {
		return nil, errSilly
	}
	rate := 1 + c.b.rng.IntN(6)
	cuts := []segment.Cut{{Start: t.From}}
	from := 1 + c.b.rng.IntN(t.From) // context
	err := t.Each(ctx, from, t.To, func(m *chat.Message) error {
		if m.N > t.From && c.b.rng.IntN(rate) == 0 {
			cuts[len(cuts)-1].End = m.N - 1
			cuts = append(cuts, segment.Cut{Start: m.N})
		}
		return nil
	})
	cuts[len(cuts)-1].End = t.To
	if c.b.rng.IntN(2) == 0 {
		cuts[0].Topic = "a topic"
	}
	return cuts, err
}

// content is what a segment holds, beyond its number among equal ones.
func content(m *memSession, r *review.Segment) chat.Digest {
	return chat.DigestOf(m.messages[r.Start-1 : r.End])
}

// stillStand compares sessions before and after they were cut: what was not to
// be touched is as it was, and what a curator said stays with its content.
func (b *book) stillStand(before map[string]memSession, again, hand bool) {
	b.t.Helper()
	for key, was := range before {
		m := b.store.sessions[key]
		now := map[string]*review.Segment{}
		at := map[segment.Span]*review.Segment{}
		for i := range m.Segments {
			r := &m.Segments[i].Segment
			now[r.ID], at[segment.Span{From: r.Start, To: r.End}] = r, r
		}
		for i := range was.Segments {
			old := &was.Segments[i].Segment
			r := now[old.ID]
			if r == nil {
				b.left(m, old, at, again, hand)
				continue
			}
			if content(m, r) != content(&was, old) || !reflect.DeepEqual(marksOf(r), marksOf(old)) {
				b.t.Fatalf("%s: segment %s (%d–%d) is %+v, was %+v", m.File, r.ID, r.Start, r.End, r, old)
			}
			if old.Named && r.Topic != old.Topic && !hand {
				b.t.Fatalf("%s: a machine changed the topic %q of %s", m.File, old.Topic, r.ID)
			}
		}
	}
}

// left checks that a row was allowed to leave, and where its verdict went.
func (b *book) left(m *memSession, old *review.Segment, at map[segment.Span]*review.Segment, again, hand bool) {
	b.t.Helper()
	if at[segment.Span{From: old.Start, To: old.End}] != nil {
		b.t.Fatalf("%s: segment %s (%d–%d) left, another one has its place", m.File, old.ID, old.Start, old.End)
	}
	if !hand && (old.CutBy == review.CutCurator || !again && old.Verdict.Judged() && !goesOn(m, old.End)) {
		b.t.Fatalf("%s: a machine took segment %s (%d–%d, cut by %s, %s)", m.File, old.ID, old.Start, old.End, old.CutBy, old.Verdict)
	}
	if !old.Verdict.Judged() {
		return
	}
	if !slices.Contains(b.store.retiredJudged, old.ID) {
		b.t.Fatalf("%s: the verdict on %s is not in the journal", m.File, old.ID)
	}
	for i := range m.Segments {
		if r := &m.Segments[i]; r.Start <= old.End && r.End >= old.Start && r.Stale && !r.Verdict.Judged() {
			return
		}
	}
	b.t.Logf("%s: nothing reminds of the verdict on %s (%d–%d)", m.File, old.ID, old.Start, old.End)
}

// goesOn reports whether a segment goes over the end of another one.
func goesOn(m *memSession, end int) bool {
	return slices.ContainsFunc(m.Segments, func(r review.SegmentWrite) bool { return r.Start <= end && r.End > end })
}

// copies are the sessions as they are now.
func (b *book) copies() map[string]memSession {
	all := map[string]memSession{}
	for key, m := range b.store.sessions {
		c := *m
		c.Segments, c.messages = slices.Clone(m.Segments), slices.Clone(m.messages)
		all[key] = c
	}
	return all
}

// cut cuts everything that is to be cut.
func (b *book) cut() {
	b.t.Helper()
	g := &runs.Segmenter{Store: b.store, Jobs: 1, Again: b.rng.IntN(3) == 0, Cutter: &anywhere{b, review.CutOffline}}
	if b.rng.IntN(2) == 0 {
		g.Cutter = &anywhere{b, review.CutModel}
	}
	before := b.copies()
	r, err := g.Run(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	failed := map[string]bool{}
	for _, f := range r.Failed {
		failed[f.Session] = true
		if !errors.Is(f.Err, errSilly) {
			b.t.Fatal(f.Err)
		}
	}
	b.stillStand(before, g.Again, false)
	for key, m := range b.store.sessions {
		was := before[key]
		switch {
		case failed[m.ID]:
			if m.Segmented != was.Segmented || !reflect.DeepEqual(m.Segments, was.Segments) {
				b.t.Fatalf("%s: what failed was written", m.File)
			}
		case !m.Segmented:
			b.t.Fatalf("%s is still to be cut", m.File)
		default:
			b.store.verifyNumbers(m)
			for _, r := range m.Segments {
				if r.CutBy == review.CutProvisional && !r.Verdict.Judged() {
					b.t.Fatalf("%s: nobody cut %d–%d", m.File, r.Start, r.End)
				}
			}
		}
	}
}

// recut changes the boundaries of a session by hand.
func (b *book) recut() {
	b.t.Helper()
	for _, key := range slices.Sorted(mapKeys(b.store.sessions)) {
		m := b.store.sessions[key]
		e := runs.Edit{Session: m.ID, Known: m.Rows(), Curator: "ann", Action: review.ActCut}
		d := segment.NewDraft(e.Known)
		for range 1 + b.rng.IntN(3) {
			n := 1 + b.rng.IntN(len(m.messages))
			switch b.rng.IntN(4) { // what can't be done is refused
			case 0:
				_ = d.Split(n)
			case 1:
				_ = d.Merge(n)
			case 2:
				_ = d.Move(n, max(1, n-2+b.rng.IntN(5)))
			case 3:
				_ = d.Rename(n, fmt.Sprint("named ", n))
			}
		}
		e.Pieces = d.Pieces()
		out := d.Outcome()
		before := b.copies()
		_, err := runs.Recut(b.t.Context(), b.store, e)
		if errors.Is(err, review.ErrNothing) && !d.Changed() {
			continue
		}
		if err != nil {
			b.t.Fatal(err)
		}
		b.stillStand(before, true, true)
		b.store.verifyNumbers(m)
		for i := range out.Rows { // what was announced
			r, now := &out.Rows[i], &m.Segments[i]
			if r.ID != "" && r.ID != now.ID || r.Start != now.Start || r.End != now.End || r.Verdict != now.Verdict || r.Stale != now.Stale || r.Was != now.Was || r.Note != now.Note {
				b.t.Fatalf("%s: announced was %+v, it is %+v", m.File, r, now)
			}
		}
	}
}

// say gives verdicts, notes and scores.
func (b *book) say() {
	verdicts := [...]review.Verdict{review.Approved, review.Rejected, review.Unsure, review.Pending}
	for _, key := range slices.Sorted(mapKeys(b.store.sessions)) {
		m := b.store.sessions[key]
		for i := range m.Segments {
			s := &m.Segments[i].Segment
			switch b.rng.IntN(8) {
			case 0, 1:
				s.Verdict, s.Reviewer, s.ReviewedAt = verdicts[b.rng.IntN(4)], "ann", time.Unix(int64(b.rng.IntN(1e6)), 0)
				if s.CutBy == review.CutProvisional && !s.Verdict.Judged() {
					m.Segmented = false
				}
				s.Stale, s.Was, s.WasBy, s.WasAt, s.WasBody, s.WasStart, s.WasEnd = false, "", "", time.Time{}, 0, 0, 0
			case 2:
				s.Note = fmt.Sprint("note ", b.rng.IntN(100))
			case 3:
				score := b.rng.Float64()
				s.Labeled, s.Score, s.Analysis = true, &score, "{}"
			}
		}
	}
}

// TestImportAndCuttingTakeTurns lets sessions grow, changes their last messages,
// cuts them by machines and by hand, and judges them, in any order. After each
// step segments cover the messages, hold what their fingerprints say, are
// numbered in their order, keep what curators said of what they hold, and an
// import can go on.
func TestImportAndCuttingTakeTurns(t *testing.T) {
	for seed := range uint64(seeds) {
		b := newBook(t, seed)
		b.small = true
		for range 60 {
			key := [...]string{"x", "y"}[b.rng.IntN(2)]
			switch op := b.rng.IntN(14); {
			case op < 5 || len(b.lists[key]) == 0:
				for range 1 + b.rng.IntN(4) {
					b.add(key)
				}
			case op < 8:
				b.amend(key)
			case op < 10:
				b.save(nil)
				b.say()
			default:
				b.save(nil)
				if op < 13 {
					b.cut()
				} else {
					b.recut()
				}
			}
			if op := b.rng.IntN(3); op == 0 && b.stored {
				b.save(nil)
			}
			if b.clean() {
				b.store.verifyCuts()
				b.trackers = map[string]*tracker{} // another import finds the store
			}
		}
	}
}

// clean reports whether everything is stored.
func (b *book) clean() bool {
	for _, t := range b.trackers {
		if t.dirty {
			return false
		}
	}
	return true
}
