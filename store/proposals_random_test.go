package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/edit"
	"winnow/core/proposal"
	"winnow/core/review"
)

// kept is the naive idea of a proposal: what it says, of what, and what became of it.
type kept struct {
	text, judge string
	of          chat.Digest
	status      proposal.Status
	changed     bool // by a person
}

// compressLife is a session that curators cut, edit and compress while it grows.
type compressLife struct {
	t *testing.T
	s *Store
	*rand.Rand
	c    talked
	kept map[string]kept // by segment
	done map[int64]*compressed
	said int
	was  map[string]review.Compression // of each segment, when it was looked at last
	// how often what happened
	refused, undone, stale, back, spared int
}

// compressed is what one entry did.
type compressed struct {
	curator       string
	before, after map[string]kept
	undone        bool
}

func (l *compressLife) rows() []review.Segment { return segmentsOf(l.t, l.s, l.c) }

// saying is a proposal for a segment, which says something new.
func (l *compressLife) saying(g *review.Segment) (proposal.Proposal, kept) {
	l.said++
	k := kept{text: fmt.Sprint("text ", l.said), of: g.Digest, status: proposal.Proposed}
	p := proposalOf(l.t, l.s, g.ID, k.text)
	if l.IntN(6) == 0 {
		k.status, p.Status = proposal.Failed, proposal.Failed
	}
	return p, k
}

// propose proposes for one segment, now and then for what it held before.
func (l *compressLife) propose() {
	rows := l.rows()
	g := &rows[l.IntN(len(rows))]
	if i := slices.IndexFunc(rows, func(g review.Segment) bool { return g.Compression == review.CompressionOutdated }); i >= 0 && l.IntN(2) == 0 {
		g = &rows[i]
	}
	p, k := l.saying(g)
	was, there := l.kept[g.ID]
	want := review.Proposing{Written: 1}
	under := l.IntN(6) == 0
	if under {
		p.Status, p.Outcome = proposal.Failed, compress.UnderTarget
	}
	switch {
	case l.IntN(8) == 0:
		p.Content.Edited += "x"
		want = review.Proposing{Passed: 1}
	case there && (was.status == proposal.Accepted || was.status == proposal.Rejected || was.changed):
		want = review.Proposing{Kept: 1}
		if was.of != g.Digest {
			l.spared++
		}
	case under && there:
		want = review.Proposing{Removed: 1}
		delete(l.kept, g.ID)
	case under:
		want = review.Proposing{}
	default:
		l.kept[g.ID] = k
	}
	if got := propose(l.t, l.s, p); got != want {
		l.t.Fatalf("proposed: %+v, want %+v", got, want)
	}
}

// judge accepts or rejects some, or takes that back.
func (l *compressLife) judge(curator string) {
	rows := l.rows()
	to := []proposal.Status{proposal.Accepted, proposal.Accepted, proposal.Rejected, proposal.Proposed}[l.IntN(4)]
	made := &compressed{curator: curator, before: map[string]kept{}, after: map[string]kept{}}
	var ids []string
	var want error
	for range 1 + l.IntN(3) {
		g := &rows[l.IntN(len(rows))]
		k, there := l.kept[g.ID]
		if !there && l.IntN(4) > 0 {
			continue
		}
		ids = append(ids, g.ID)
		switch {
		case !there:
			want = review.ErrNotFound
		case want == nil && (k.status == proposal.Failed || to == proposal.Accepted && k.of != g.Digest):
			want = review.ErrConflict
		}
		if there && k.status != to {
			made.before[g.ID] = k
			if k.status, k.judge = to, curator; to == proposal.Proposed {
				k.judge = ""
			}
			made.after[g.ID] = k
		}
	}
	e, err := judgeProposals(l.s, l.t.Context(), curator, to, ids...)
	if !errors.Is(err, want) || want == nil && len(e.Proposals) != len(made.after) {
		l.t.Fatalf("judged %+v, %v, want %v and %d", e, err, want, len(made.after))
	}
	if err == nil && e.ID != 0 {
		l.apply(e.ID, made)
	}
}

func (l *compressLife) apply(entry int64, made *compressed) {
	l.done[entry] = made
	maps.Copy(l.kept, made.after)
}

// change writes another text.
func (l *compressLife) change(curator string) {
	rows := l.rows()
	g := &rows[l.IntN(len(rows))]
	list, err := l.s.Proposals(l.t.Context(), []string{g.ID})
	if err != nil || len(list) == 0 {
		return
	}
	to, after := l.saying(g)
	to.Status, after.status = proposal.Proposed, proposal.Proposed
	to.Changed = l.IntN(2) == 0
	after.changed = to.Changed
	e, err := l.s.ChangeProposal(l.t.Context(), curator, &list[0], &to)
	if err != nil {
		l.t.Fatal(err)
	}
	l.apply(e.ID, &compressed{curator: curator, before: map[string]kept{g.ID: l.kept[g.ID]}, after: map[string]kept{g.ID: after}})
}

// stepped brings the naive idea to what an undo or redo did.
func (l *compressLife) stepped(e *review.Entry) {
	made := l.done[e.Target]
	if made == nil {
		return
	}
	if made.undone = e.Action == review.ActUndo; made.undone {
		l.undone++
		maps.Copy(l.kept, made.before)
	} else {
		maps.Copy(l.kept, made.after)
	}
}

// undoAny takes back any of the entries, and knows whether it may.
func (l *compressLife) undoAny() {
	ids := slices.Sorted(maps.Keys(l.done))
	if len(ids) == 0 {
		return
	}
	id := ids[max(0, len(ids)-1-l.IntN(6))]
	made := l.done[id]
	may := !made.undone
	rows := l.rows()
	for segment, k := range made.after {
		there := slices.ContainsFunc(rows, func(g review.Segment) bool { return g.ID == segment })
		may = may && there && l.kept[segment] == k
		for other, newer := range l.done {
			_, same := newer.after[segment]
			may = may && (other <= id || newer.undone || !same)
		}
	}
	e, err := l.s.UndoEntry(l.t.Context(), made.curator, id)
	if may != (err == nil) || err != nil && !errors.Is(err, review.ErrConflict) {
		l.t.Fatalf("undo of %d: %v, allowed: %v", id, err, may)
	}
	if err == nil {
		l.stepped(&e)
	}
}

// edit changes a message, and mostly takes that back.
func (l *compressLife) edit(curator string) {
	for range 2 {
		l.propose()
		l.judge(curator)
	}
	w := review.Editing{Curator: curator, Changes: []review.EditChange{says(l.t, l.s, l.c.id, 1+l.IntN(len(l.c.list)), fmt.Sprint("mended ", l.IntN(3)), edit.Fix)}}
	e, err := l.s.Edit(l.t.Context(), w)
	if err == nil && e.ID != 0 && l.IntN(4) > 0 {
		if l.check("edit"); l.IntN(3) == 0 {
			l.propose()
		}
		_, err = l.s.UndoEntry(l.t.Context(), curator, e.ID)
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

// act does one thing by chance, and tells what.
func (l *compressLife) act() string {
	p := &somebody{[]string{"ann", "bob"}[l.IntN(2)], l.s, l.Rand, l.c}
	switch n := l.IntN(20); {
	case n < 4:
		l.propose()
		return "propose"
	case n < 8:
		l.judge(p.name)
		return "judge"
	case n < 9:
		l.change(p.name)
		return "change"
	case n < 11:
		l.undoAny()
		return "undo one"
	case n < 14:
		step := l.s.Undo
		if l.IntN(3) == 0 {
			step = l.s.Redo
		}
		e, err := step(l.t.Context(), p.name)
		if err == nil {
			l.stepped(&e)
		} else if l.refused++; !errors.Is(err, review.ErrNothing) && !errors.Is(err, review.ErrConflict) {
			l.t.Fatal(err)
		}
		return "step"
	case n < 16:
		l.edit(p.name)
		return "edit"
	case n < 17:
		l.c.list = longerBy(l.t, l.s, l.c, l.Rand)
		return "import"
	}
	rows := l.rows()
	action, pieces := edited(l.Rand, rows)
	w := cutWrite(l.t, l.s, l.c, review.CutCurator, pieces)
	w.Curator, w.Action = p.name, action
	if _, err := l.s.WriteCuts(l.t.Context(), w); err != nil && !errors.Is(err, review.ErrConflict) {
		l.t.Fatal(err)
	}
	return "cut"
}

// check compares what the database says with the naive idea.
func (l *compressLife) check(what string) {
	l.t.Helper()
	now := map[string]review.Compression{}
	for _, g := range l.rows() {
		k, there := l.kept[g.ID]
		want := review.Compression(k.status)
		if there && k.of != g.Digest {
			want = review.CompressionOutdated
		}
		if g.Compression != want {
			l.t.Fatalf("%s: segment %s is %q, want %q", what, g.Short(), g.Compression, want)
		}
		if now[g.ID] = want; want == review.CompressionOutdated && l.was[g.ID] != want {
			l.stale++
		} else if l.was[g.ID] == review.CompressionOutdated && (want == review.CompressionAccepted || want == review.CompressionRejected) {
			l.back++
		}
	}
	l.was = now
	ids := slices.Sorted(maps.Keys(l.kept))
	list, err := l.s.Proposals(l.t.Context(), ids)
	if err != nil || len(list) != len(ids) {
		l.t.Fatal(len(list), err)
	}
	for i := range list {
		p := &list[i]
		if got := (kept{p.Layers[0][0].Text, p.Judge, p.Content, p.Status, p.Changed}); got != l.kept[p.Segment] {
			l.t.Fatalf("%s: %s is %+v, want %+v", what, review.Short(p.Segment), got, l.kept[p.Segment])
		}
	}
}

// TestCompressionsInAnyOrder proposes, judges, changes, edits, cuts, imports, undoes and
// redoes at random, and compares each step with the naive idea of it.
func TestCompressionsInAnyOrder(t *testing.T) {
	s := openTemp(t)
	var refused, undone, stale, back, spared int
	for seed := range uint64(40 / slower) {
		random := rand.New(rand.NewPCG(seed, 13))
		l := &compressLife{t: t, s: s, Rand: random, kept: map[string]kept{}, done: map[int64]*compressed{}}
		l.c = newSession(t, s, random, int(seed))
		for i := range 80 {
			what := l.act()
			l.check(fmt.Sprintf("seed %d, step %d, %s", seed, i, what))
		}
		refused, undone, stale, back, spared = refused+l.refused, undone+l.undone, stale+l.stale, back+l.back, spared+l.spared
	}
	if min(refused, undone, stale, back, spared) == 0 {
		t.Errorf("%d refused, %d undone, %d became stale, %d are what they were again, %d stale ones were not replaced", refused, undone, stale, back, spared)
	}
	clean(t, s)
}
