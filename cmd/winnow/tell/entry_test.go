package tell

import (
	"testing"

	"winnow/core/review"
)

// TestActText: what the journal says of boundaries and topics, also of those
// that were taken back.
func TestActText(t *testing.T) {
	seg := func(id string, from, to int) review.Segment { return review.Segment{ID: id, Start: from, End: to} }
	a, b, c, d := seg("aaaaaaaa-1", 1, 6), seg("bbbbbbbb-1", 1, 3), seg("cccccccc-1", 4, 6), seg("dddddddd-1", 5, 6)
	named, e := a, seg("eeeeeeee-1", 1, 4)
	named.Topic, named.Named = "x\x1b[1m", true
	type list = []review.Segment
	for _, x := range []struct {
		before, after list
		done          string
	}{
		{list{a}, list{b, c}, "split aaaaaaaa at message 4 → bbbbbbbb, cccccccc"},
		{list{b, c}, list{a}, "merged bbbbbbbb, cccccccc → aaaaaaaa"},
		{list{b, c}, list{e, d}, "moved the beginning of cccccccc from message 4 to 5 → eeeeeeee, dddddddd"},
		{list{a}, list{named}, `topic of aaaaaaaa: "x\x1b[1m"`},
		{list{named}, list{a}, "aaaaaaaa has the topic made from its text again"},
		{list{b, c}, list{b, c}, "topics in messages 1 to 6"},
		{list{a}, list{b, seg("f", 4, 4), d}, "cut messages 1 to 6 anew: 1 segment → 3"},
		{nil, nil, "nothing"},
	} {
		entry := review.Entry{Action: review.ActCut, Recut: &review.Recut{Before: x.before, After: x.after}}
		if got := ActText(&entry); got != x.done {
			t.Errorf("%s, want %s", got, x.done)
		}
		back := review.Entry{Action: review.ActUndo, Recut: &review.Recut{Before: x.after, After: x.before}}
		if got := ActText(&back); got != x.done {
			t.Errorf("undone: %s, want %s", got, x.done)
		}
	}
	lost := review.Entry{Action: review.ActMerge, Recut: &review.Recut{Before: list{b, c}, After: list{a}},
		Changes: []review.Change{{Segment: b.ID, Before: review.Mark{Verdict: review.Rejected}}, {Segment: c.ID, Before: review.Mark{Verdict: review.Pending}}}}
	if got := ActText(&lost); got != "merged bbbbbbbb, cccccccc → aaaaaaaa; bbbbbbbb was rejected" {
		t.Error(got)
	}
}
