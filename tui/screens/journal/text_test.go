package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/edit"
	"winnow/core/memory"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/train"
	"winnow/tui/draw"
	"winnow/tui/screen"
)

// TestDone: what an entry is said to have done, in words that are safe to show.
func TestDone(t *testing.T) {
	j := &Screen{Seat: screen.Seat{Pen: draw.NewPen(true)}}
	pending, approved := review.Mark{Verdict: review.Pending}, review.Mark{Verdict: review.Approved, Reviewer: "ann"}
	with := func(m review.Mark, do func(*review.Mark)) review.Mark {
		do(&m)
		return m
	}
	change := func(before, after review.Mark) []review.Change {
		return []review.Change{{Before: before, After: after}}
	}
	noted := with(approved, func(m *review.Mark) { m.Note = "x\x1b[2J" })
	tagged := with(approved, func(m *review.Mark) { m.Tags = `["good","long"]` })
	other := with(approved, func(m *review.Mark) { m.Tags = `["long","odd"]` })
	for _, c := range []struct {
		name    string
		act     review.Action
		changes []review.Change
		count   int
		want    string
	}{
		{"nothing", review.ActJudge, nil, 0, "nothing"},
		{"a verdict", review.ActJudge, change(pending, approved), 1, "approved"},
		{"by another", review.ActJudge, change(approved, with(approved, func(m *review.Mark) { m.Reviewer = "ben" })), 1, "approved"},
		{"once more", review.ActJudge, change(approved, with(approved, func(m *review.Mark) { m.ReviewedAt = time.Unix(1, 0) })), 1, "approved"},
		{"taken back", review.ActJudge, change(approved, pending), 1, "back to pending"},
		{"undone", review.ActUndo, change(approved, pending), 1, "undo of 7: back to pending"},
		{"redone", review.ActRedo, change(pending, approved), 1, "redo of 7: approved"},
		{"refused", review.ActAside, change(pending, approved), 1, "entry 7 could not be undone or redone"},
		{"stale", review.ActUndo, change(approved, with(approved, func(m *review.Mark) { m.Stale = true })), 1, "undo of 7: stale again"},
		{"renewed", review.ActJudge, change(with(approved, func(m *review.Mark) { m.Stale = true }), approved), 1, "approved"},
		{"left", review.ActRetire, change(approved, review.Mark{}), 1, "left, was approved"},
		{"came back", review.ActUndo, change(review.Mark{}, approved), 1, "undo of 7: came back, approved"},
		{"a note", review.ActNote, change(approved, noted), 1, `note "x␛[2J"`},
		{"no note", review.ActNote, change(noted, approved), 1, "note removed"},
		{"tags", review.ActTag, change(tagged, other), 1, "tags +odd -good"},
		{"marks", review.ActMask, change(approved, with(approved, func(m *review.Mark) { m.Masked = "[1]" })), 1, "training marks"},
		{"two things", review.ActJudge, change(pending, noted), 1, `approved, note "x␛[2J"`},
		{"of many", review.ActJudge, append(change(pending, approved), change(pending, approved)...), 1234, "approved x 1,234 segments"},
		{"various", review.ActJudge, append(change(pending, approved), change(approved, pending)...), 2, "changed x 2 segments"},
	} {
		e := review.Logged{Entry: review.Entry{Action: c.act, Target: 7, Changes: c.changes}, Count: c.count}
		if got := j.done(&e); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestRecutDone: what became of boundaries and topics.
func TestRecutDone(t *testing.T) {
	j := &Screen{Seat: screen.Seat{Pen: draw.NewPen(true)}}
	cut := func(starts ...int) (list []review.Segment) {
		for i, start := range starts {
			list = append(list, review.Segment{Start: start, End: append(starts, 10)[i+1]})
		}
		return list
	}
	topic := cut(1)
	topic[0].Topic = "mend the\x1b[31m parser of everything there is"
	for _, c := range []struct {
		before, after []review.Segment
		want          string
	}{
		{nil, cut(1), "nothing"},
		{cut(1), nil, "nothing"},
		{cut(1), cut(1, 4), "split into 2"},
		{cut(1, 4, 6), cut(1), "merged 3"},
		{cut(1, 4), cut(1, 5), "moved a boundary"},
		{cut(1, 4), cut(1, 5, 6), "cut 2 segments into 3"},
		{cut(1, 4), cut(1, 4), "topics"},
		{cut(1), topic, `topic "mend the␛[31m parser~"`},
	} {
		if got := j.recutDone(&review.Recut{Before: c.before, After: c.after}); got != c.want {
			t.Errorf("%d into %d: %q, want %q", len(c.before), len(c.after), got, c.want)
		}
	}
}

// TestAbout: segments are named by what they are called now, one that is gone by
// its id, and those that do not stand here are counted.
func TestAbout(t *testing.T) {
	row := func(count int, ids ...string) *logRow {
		r := &logRow{Logged: review.Logged{Count: count}, names: map[string]string{"aaaaaaaa-1": "one\x1b[2J", "bbbbbbbb-1": "two"}}
		for _, id := range ids {
			r.Changes = append(r.Changes, review.Change{Segment: id})
		}
		return r
	}
	split := row(1)
	split.Recut = &review.Recut{After: []review.Segment{{ID: "bbbbbbbb-1"}, {ID: "cccccccc-1"}}}
	for want, r := range map[string]*logRow{
		"":                              row(0),
		"one␛[2J":                       row(1, "aaaaaaaa-1"),
		"one␛[2J, two, cccccccc (gone)": row(3, "aaaaaaaa-1", "bbbbbbbb-1", "cccccccc-1"),
		"two, 1,234 more":               row(1235, "bbbbbbbb-1"),
		"two":                           split,
	} {
		if got := r.about(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestColumns: they never take more than the line has.
func TestColumns(t *testing.T) {
	for w := 40; w <= 200; w++ {
		c := logColumnsFor(w)
		if n := 2 + c.number + logDay + c.who + c.done + logState + c.about; n > w || c.done < 0 || (c.number > 0) != (w >= wideLog) {
			t.Errorf("%d cells: %+v are %d", w, c, n)
		}
	}
	if strings.Contains(fmt.Sprint(logColumnsFor(0)), "about:-") {
		t.Error("a width below zero")
	}
}

// TestEditsAreNamed: an entry that changed messages says so, not what became of the
// verdict.
func TestEditsAreNamed(t *testing.T) {
	e := &review.Logged{Entry: review.Entry{Action: review.ActEdit, Edits: []review.Edited{{Place: edit.Place{N: 1200}}}, Changes: make([]review.Change, 1)}, Count: 1}
	j := &Screen{Seat: screen.Seat{Pen: draw.NewPen(true)}}
	if got := j.done(e); got != "message 1,200 changed" {
		t.Error(got)
	}
	e.Note = "wrong\x1b[2J"
	if got := j.done(e); got != `message 1,200 changed, "wrong␛[2J"` {
		t.Error(got)
	}
	e.Note = ""
	e.Action, e.Target, e.Edits = review.ActUndo, 7, append(e.Edits, e.Edits[0])
	if got := j.done(e); got != "undo of 7: 2 messages changed" {
		t.Error(got)
	}
}

// TestCompressionsAreNamed: an entry says what became of the compressions that it is
// about, and of how many segments.
func TestCompressionsAreNamed(t *testing.T) {
	became := func(before, after proposal.Status) review.ProposalChange {
		return review.ProposalChange{Before: &proposal.Proposal{Status: before}, After: &proposal.Proposal{Status: after}}
	}
	j := &Screen{Seat: screen.Seat{Pen: draw.NewPen(true)}}
	e := &review.Logged{Entry: review.Entry{Action: review.ActCompress, Proposals: []review.ProposalChange{became("proposed", "accepted"), became("rejected", "accepted")}}, Count: 1200}
	if got := j.done(e); got != "compression of 1,200 segments accepted" {
		t.Error(got)
	}
	e.Proposals = append(e.Proposals, became("accepted", "proposed"))
	if got := j.done(e); got != "compression of 1,200 segments changed" {
		t.Error(got)
	}
	e.Action, e.Target, e.Proposals, e.Count = review.ActUndo, 7, e.Proposals[2:], 1
	if got := j.done(e); got != "undo of 7: compression of 1 segment left open" {
		t.Error(got)
	}
}

// TestMemoriesInTheJournal: an entry says what became of memories, and names them.
func TestMemoriesInTheJournal(t *testing.T) {
	m := func(status memory.Status) *memory.Memory {
		return &memory.Memory{ID: "1a2b3c4d-0000", Title: "Mocks first", Status: status}
	}
	list := []memory.Change{{ID: "1a2b3c4d-0000", Before: m(memory.Proposed), After: m(memory.Approved)}, {ID: "1a2b3c4e-0000", Before: m(memory.Rejected), After: m(memory.Approved)}}
	r := &logRow{Logged: review.Logged{Entry: review.Entry{Action: review.ActMemory, Memories: list}, Count: 5}}
	j := &Screen{Seat: screen.Seat{Pen: draw.NewPen(true)}}
	if got, about := j.doneText(&r.Logged), r.about(); got != "5 memories approved" || about != "Mocks first, Mocks first, 3 more" {
		t.Errorf("%q of %q", got, about)
	}
	c := &review.NumberedChange{Memory: &memory.Change{ID: "1a2b3c4d-0000", After: m(memory.Approved)}}
	if got := j.numbered(c); got != "memory 1a2b3c4d added" || idOf(c) != "1a2b3c4d-0000" {
		t.Errorf("%q", got)
	}
}

// TestPromotionsInTheJournal: an entry says which run was promoted in place of which.
func TestPromotionsInTheJournal(t *testing.T) {
	at := train.Standing{At: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), By: "ann"}
	list := []train.Promotion{{Run: 12, After: at}, {Run: 7, Before: at}}
	r := &logRow{Logged: review.Logged{Entry: review.Entry{Action: review.ActPromote, Promotions: list}, Count: 2}}
	j := &Screen{Seat: screen.Seat{Pen: draw.NewPen(true)}}
	if got, about := j.doneText(&r.Logged), r.about(); got != "run 12 promoted, run 7 not promoted any more" || about != "run 12, run 7" {
		t.Errorf("%q of %q", got, about)
	}
	c := &review.NumberedChange{Promotion: &list[1]}
	if got := j.numbered(c); got != "run 7 not promoted any more" || idOf(c) != "7" {
		t.Errorf("%q", got)
	}
}
