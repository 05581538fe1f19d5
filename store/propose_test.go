package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/edit"
	"winnow/core/metric"
	"winnow/core/proposal"
	"winnow/core/review"
)

// proposalOf is a proposal for a segment as it is now.
func proposalOf(t testing.TB, s *Store, id, text string) proposal.Proposal {
	t.Helper()
	seg, err := s.Segment(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return proposal.Proposal{
		Segment: seg.ID, Content: seg.Digest, Sum: "5f00aa", Status: proposal.Proposed, Outcome: compress.Compressed, Target: 4000, Summary: 300,
		Layers: [][]compress.Region{{{From: 2, To: 5, Tokens: 900, Text: text, Role: chat.Assistant, Cost: 20}}},
		Before: 9000, After: 3800, Samples: 2, Findings: []compress.Finding{{Check: "lost", N: 7, Detail: "/tmp/x"}},
		Made: compress.Made{Strategy: "extract", Form: "split", Counter: "plain"}, By: "ann", At: time.Date(2026, 11, 3, 4, 5, 6, 0, time.UTC),
	}
}

func propose(t testing.TB, s *Store, list ...proposal.Proposal) review.Proposing {
	t.Helper()
	n, err := s.Propose(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// compressions tells what lists know of segments: their compressions, or none.
func compressions(t testing.TB, s *Store, ids []string) string {
	t.Helper()
	var words []string
	for _, id := range ids {
		seg, err := s.Segment(t.Context(), id)
		word := string(seg.Compression)
		if errors.Is(err, review.ErrNotFound) {
			word = "gone"
		} else if err != nil {
			t.Fatal(err)
		}
		if word == "" {
			word = "-"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func judgeProposals(s *Store, ctx context.Context, curator string, to proposal.Status, ids ...string) (review.Entry, error) {
	return s.JudgeProposals(ctx, review.Compressing{Curator: curator, IDs: ids, To: to})
}

// TestProposalsAreKept: what is proposed is read as it was given, with the verdict on
// it, from the database and from a second one that opens it.
func TestProposalsAreKept(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	p := proposalOf(t, s, ids[1], "what was done:\n\xff\x00…")
	failed := proposalOf(t, s, ids[2], "")
	failed.Status, failed.Outcome, failed.Reason, failed.Layers = proposal.Failed, compress.Nothing, "nothing may go", nil
	if n := propose(t, s, p, failed); n != (review.Proposing{Written: 2}) {
		t.Errorf("%+v", n)
	}
	if got := compressions(t, s, ids); got != "- proposed failed -" {
		t.Error(got)
	}
	e, err := judgeProposals(s, t.Context(), "bob", proposal.Accepted, ids[1])
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Proposals(t.Context(), []string{ids[2], ids[3], ids[1]})
	if err != nil || len(list) != 2 || list[0].Segment != ids[2] || list[1].Segment != ids[1] {
		t.Fatalf("%+v, %v", list, err)
	}
	p.Status, p.Judge, p.Judged = proposal.Accepted, "bob", e.At
	p.Layers[0][0].Text = "what was done:\n�\x00…"
	if got, want := fmt.Sprintf("%+v", list[1]), fmt.Sprintf("%+v", p); got != want {
		t.Errorf("%s\n%s", got, want)
	}
	if got, want := fmt.Sprintf("%+v", list[0]), fmt.Sprintf("%+v", failed); got != want {
		t.Errorf("%s\n%s", got, want)
	}
	clean(t, s)
}

// TestJudgedProposalsStay: no run makes one anew that was judged, or takes it away, also
// where the segment holds something else; nothing is proposed for what changed meanwhile.
func TestJudgedProposalsStay(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	first, second, third := proposalOf(t, s, ids[0], "a"), proposalOf(t, s, ids[1], "b"), proposalOf(t, s, ids[2], "c")
	propose(t, s, first, second, third)
	if _, err := judgeProposals(s, t.Context(), "bob", proposal.Accepted, ids[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := judgeProposals(s, t.Context(), "bob", proposal.Rejected, ids[1]); err != nil {
		t.Fatal(err)
	}
	gone := third
	gone.Segment = "00000000-0000-4000-8000-000000000000"
	if n := propose(t, s, first, second, third, gone); n != (review.Proposing{Written: 1, Kept: 2, Passed: 1}) {
		t.Errorf("%+v", n)
	}
	second.Sum = "other"
	if n := propose(t, s, first, second); n != (review.Proposing{Kept: 2}) {
		t.Errorf("of other messages in front: %+v", n)
	}
	amend(t, s, "ann", says(t, s, sessionOf(t, s, ids[0]), 2, "mended", edit.Fix))
	if n := propose(t, s, first); n != (review.Proposing{Passed: 1}) {
		t.Errorf("of what it held before: %+v", n)
	}
	if n := propose(t, s, proposalOf(t, s, ids[0], "of the mended")); n != (review.Proposing{Kept: 1}) {
		t.Errorf("in the place of a stale one that was accepted: %+v", n)
	}
	under := func(id string) proposal.Proposal {
		p := proposalOf(t, s, id, "")
		p.Status, p.Outcome, p.Layers = proposal.Failed, compress.UnderTarget, nil
		return p
	}
	if n := propose(t, s, under(ids[0]), under(ids[2]), under(ids[3])); n != (review.Proposing{Kept: 1, Removed: 1}) {
		t.Errorf("under the target by now: %+v", n)
	}
	if got := compressions(t, s, ids); got != "stale rejected - -" {
		t.Error(got)
	}
	clean(t, s)
}

// TestVerdictsOnProposals: they are undone and given again, one after the other or
// any, and refused on what is stale, failed, seen otherwise or not there.
func TestVerdictsOnProposals(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	p := proposalOf(t, s, ids[0], "a")
	failed := proposalOf(t, s, ids[3], "")
	failed.Status, failed.Layers = proposal.Failed, nil
	propose(t, s, p, proposalOf(t, s, ids[1], "b"), failed)
	accepted, err := judgeProposals(s, t.Context(), "ann", proposal.Accepted, ids[0], ids[1], ids[0])
	if err != nil || accepted.ID == 0 || len(accepted.Proposals) != 2 || accepted.Proposals[1].After.Judge != "ann" {
		t.Fatalf("%+v, %v", accepted, err)
	}
	if e, err := judgeProposals(s, t.Context(), "bob", proposal.Accepted, ids[0]); err != nil || e.ID != 0 {
		t.Errorf("the same again: %+v, %v", e, err)
	}
	if _, err := judgeProposals(s, t.Context(), "bob", proposal.Rejected, ids[0]); err != nil {
		t.Fatal(err)
	}
	refused := func(want string, err error) {
		t.Helper()
		if !errors.Is(err, review.ErrConflict) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err = s.UndoEntry(t.Context(), "ann", accepted.ID)
	refused(fmt.Sprintf("the compression of segment %s was rejected by bob since: entry %d by bob changed it since", review.Short(ids[0]), accepted.ID+1), err)
	_, err = s.Undo(t.Context(), "ann")
	refused(fmt.Sprintf("the compression of segment %s was rejected by bob since", review.Short(ids[0])), err)
	if _, err := s.Undo(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	if got := compressions(t, s, ids); got != "accepted accepted - failed" {
		t.Error(got)
	}
	if _, err := s.UndoEntry(t.Context(), "ann", accepted.ID); err != nil {
		t.Fatal(err)
	}
	if got := compressions(t, s, ids); got != "proposed proposed - failed" {
		t.Error(got)
	}
	if _, err := s.Redo(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	if got := compressions(t, s, ids); got != "accepted accepted - failed" {
		t.Error(got)
	}
	_, err = judgeProposals(s, t.Context(), "bob", proposal.Accepted, ids[2])
	if !errors.Is(err, review.ErrNotFound) {
		t.Error(err)
	}
	_, err = judgeProposals(s, t.Context(), "bob", proposal.Rejected, ids[3])
	refused("the compression can't be judged: it failed, and there is nothing to accept", err)
	if _, err := judgeProposals(s, t.Context(), "bob", proposal.Proposed, ids[0]); err != nil {
		t.Fatal(err)
	}
	other := p
	other.Layers = [][]compress.Region{{{From: 2, To: 4}}}
	_, err = s.JudgeProposals(t.Context(), review.Compressing{Curator: "bob", IDs: ids[:1], To: proposal.Accepted, Seen: map[string]proposal.Proposal{ids[0]: other}})
	refused("the compression of segment "+review.Short(ids[0])+" changed while you were reading it: look again", err)
	amend(t, s, "ann", says(t, s, sessionOf(t, s, ids[0]), 2, "mended", edit.Fix))
	_, err = judgeProposals(s, t.Context(), "bob", proposal.Accepted, ids[0], ids[1])
	refused("1 of 2 compressions can't be accepted: the messages are others by now; have it made again", err)
	clean(t, s)
}

// TestRescueKeepsProposals: what was proposed, decided and answered comes along, and can
// be undone in the copy.
func TestRescueKeepsProposals(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	p := proposalOf(t, s, ids[0], "a")
	propose(t, s, p, proposalOf(t, s, ids[1], "b"))
	if _, err := judgeProposals(s, t.Context(), "ann", proposal.Accepted, ids[:2]...); err != nil {
		t.Fatal(err)
	}
	if err := s.PutDraft(t.Context(), "k", "some-model", "an answer"); err != nil {
		t.Fatal(err)
	}
	want, err := s.Proposals(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	into := filepath.Join(t.TempDir(), "saved.db")
	out, err := Rescue(t.Context(), s.Path(), into, false, Options{}, nil)
	if err != nil || len(out.Left) > 0 || out.Repaired > 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	s = openAt(t, into)
	got, err := s.Proposals(t.Context(), ids)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if text, ok, err := s.Draft(t.Context(), "k"); text != "an answer" || !ok || err != nil {
		t.Error(text, ok, err)
	}
	if _, err := s.Undo(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	if got := compressions(t, s, ids); got != "proposed proposed - -" {
		t.Error(got)
	}
	clean(t, s)
}

// TestChangedProposals: a text of a curator's own takes the place of the one that was
// read, is to be judged anew, and goes with an undo; what stands in its way is said.
func TestChangedProposals(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	p := proposalOf(t, s, ids[0], "a")
	propose(t, s, p)
	if _, err := judgeProposals(s, t.Context(), "ann", proposal.Accepted, ids[0]); err != nil {
		t.Fatal(err)
	}
	read := func() *proposal.Proposal {
		t.Helper()
		list, err := s.Proposals(t.Context(), ids)
		if err != nil || len(list) != 1 {
			t.Fatalf("%+v, %v", list, err)
		}
		return &list[0]
	}
	was := read()
	to := p
	to.Layers, to.Changed, to.After = [][]compress.Region{{{From: 2, To: 5, Text: "in my words", Role: chat.Assistant}}}, true, 3700
	e, err := s.ChangeProposal(t.Context(), "bob", was, &to)
	if err != nil || len(e.Proposals) != 1 || e.Proposals[0].Before.Layers[0][0].Text != "a" || e.Proposals[0].After.After != 3700 || e.Proposals[0].Before.Judge != "ann" {
		t.Fatalf("%+v, %v", e, err)
	}
	if got := read(); got.Status != proposal.Proposed || got.Judge != "" || got.Layers[0][0].Text != "in my words" || !got.Changed {
		t.Errorf("%+v", got)
	}
	if _, err := s.ChangeProposal(t.Context(), "ann", was, &to); !errors.Is(err, review.ErrConflict) {
		t.Errorf("over a newer one: %v", err)
	}
	log, err := s.Journal(t.Context(), 0, 9)
	if err != nil || len(log) != 2 || !reflect.DeepEqual(log[0].Proposals, e.Proposals) {
		t.Errorf("%+v, %v", log, err)
	}
	page, err := s.JournalPage(t.Context(), review.JournalQuery{Segment: ids[0], Limit: 9})
	if err != nil || len(page.Entries) != 2 || page.Entries[1].Count != 1 || page.Topics[ids[0]] == "" {
		t.Errorf("%+v, %v", page, err)
	}
	if _, err := s.Undo(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	if got := read(); !reflect.DeepEqual(got, was) {
		t.Errorf("undone: %+v", got)
	}
	amend(t, s, "ann", says(t, s, sessionOf(t, s, ids[0]), 2, "mended", edit.Fix))
	if _, err := s.ChangeProposal(t.Context(), "bob", was, &to); !errors.Is(err, review.ErrConflict) {
		t.Errorf("of other messages: %v", err)
	}
	anew := proposalOf(t, s, ids[0], "of the mended")
	if _, err := s.ChangeProposal(t.Context(), "cy", was, &anew); err != nil {
		t.Fatal(err)
	}
	if got := compressions(t, s, ids); got != "proposed - - -" {
		t.Error(got)
	}
	if _, err := s.Undo(t.Context(), "cy"); err != nil {
		t.Fatal(err)
	}
	if got := compressions(t, s, ids); got != "stale - - -" {
		t.Error(got)
	}
	if _, err := s.Undo(t.Context(), "ann"); err != nil { // the edit
		t.Fatal(err)
	}
	if got := compressions(t, s, ids); got != "accepted - - -" {
		t.Error(got)
	}
	if _, err := s.Redo(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	if got := read().Layers[0][0].Text; got != "in my words" {
		t.Error(got)
	}
	clean(t, s)
}

// TestSegmentsAreListedByTheirCompressions: compression: finds them in SQL and in memory,
// as they are proposed, judged, outdated and what they were again.
func TestSegmentsAreListedByTheirCompressions(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	listed := func(when string, want map[string]string) {
		t.Helper()
		for _, warm := range []bool{false, true} {
			for _, text := range []string{"compression:proposed", "compression:accepted", "compression:rejected", "compression:failed", "compression:stale", "has:compression"} {
				page, err := s.Segments(t.Context(), review.Query{Filter: parsed(t, text), Limit: 9})
				if got := strings.Join(idsOf(page.Segments), " "); err != nil || got != want[text] {
					t.Errorf("%s, warm %v: %s lists %q, want %q, %v", when, warm, text, got, want[text], err)
				}
			}
			if err := s.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	listed("at first", nil)
	propose(t, s, proposalOf(t, s, ids[0], "a"), proposalOf(t, s, ids[2], "c"))
	both := ids[0] + " " + ids[2]
	listed("proposed", map[string]string{"compression:proposed": both, "has:compression": both})
	if _, err := judgeProposals(s, t.Context(), "ann", proposal.Accepted, ids[0]); err != nil {
		t.Fatal(err)
	}
	listed("accepted", map[string]string{"compression:proposed": ids[2], "compression:accepted": ids[0], "has:compression": both})
	amend(t, s, "ann", says(t, s, sessionOf(t, s, ids[0]), 2, "mended", edit.Fix))
	listed("edited", map[string]string{"compression:proposed": ids[2], "compression:stale": ids[0], "has:compression": both})
	st, err := s.Statistics(t.Context(), nil, metric.Thresholds{}, time.UTC)
	if err != nil || len(st.Compressions) != 2 || st.Compressions[review.CompressionOutdated] != 1 || st.Compressions[review.CompressionProposed] != 1 {
		t.Errorf("%+v, %v", st.Compressions, err)
	}
	undo(t, s, "ann")
	listed("undone", map[string]string{"compression:proposed": ids[2], "compression:accepted": ids[0], "has:compression": both})
}

// TestProposalsOfAnEntryArePaged: what a bulk verdict did is read page by page, in both
// directions, and of a page of the journal the first ones.
func TestProposalsOfAnEntryArePaged(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	for _, id := range ids {
		propose(t, s, proposalOf(t, s, id, "of "+id))
	}
	e, err := judgeProposals(s, t.Context(), "ann", proposal.Rejected, ids...)
	if err != nil {
		t.Fatal(err)
	}
	log, err := s.JournalPage(t.Context(), review.JournalQuery{Limit: 9})
	if err != nil || len(log.Entries) != 1 || log.Entries[0].Count != 4 || len(log.Entries[0].Proposals) != review.LoggedChanges {
		t.Errorf("%+v, %v", log, err)
	}
	for _, c := range []struct {
		q    review.ChangeQuery
		want string
		more bool
	}{
		{review.ChangeQuery{Entry: e.ID, Limit: 3}, "1 2 3", true},
		{review.ChangeQuery{Entry: e.ID, After: 3, Limit: 3}, "4", false},
		{review.ChangeQuery{Entry: e.ID, After: 3, Back: true, Limit: 1}, "2", true},
		{review.ChangeQuery{Entry: e.ID, Back: true, Limit: 9}, "1 2 3 4", false},
	} {
		p, err := s.Changes(t.Context(), c.q)
		var got []string
		for _, n := range p.Changes {
			got = append(got, fmt.Sprint(n.N))
			if n.Segment != ids[n.N-1] || n.Proposal == nil || n.Proposal.After.Status != proposal.Rejected || n.Topic == "" {
				t.Errorf("%+v", n)
			}
		}
		if err != nil || strings.Join(got, " ") != c.want || p.More != c.more {
			t.Errorf("%+v: %v, %v, %v", c.q, got, p.More, err)
		}
	}
}
