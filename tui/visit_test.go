package tui

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/tui/reader"
	room "winnow/tui/review"
	"winnow/tui/screens/ledger/ledgertest"
	"winnow/tui/screens/record/recordtest"
)

// TestFollowLinks: enter goes to the session that a message leads to, from
// there further, and esc comes back by the same way; nothing can be judged
// meanwhile but what is selected in the list.
func TestFollowLinks(t *testing.T) {
	lib := small(3)
	for i := range lib.segments {
		lib.segments[i].SessionID = lib.segments[i].ID
	}
	first := lib.segments[0].SessionID
	lib.sessions = map[string]review.Session{
		"child":  {ID: "child", File: "/logs/agent.jsonl", Body: 70, Tally: review.Tally{Messages: 14}},
		"deeper": {ID: "deeper", File: "/logs/b.jsonl", Body: 71, Tally: review.Tally{Messages: 2}},
		"empty":  {ID: "empty"},
	}
	x := start(t, lib, 140, 30)
	x.pane.links = map[string]reader.Link{first: {Session: "child", Title: "Look"}, "child": {Session: "deeper", Title: "Deeper", At: 2}}
	x.press("tab enter")
	if x.pane.seg.SessionID != "child" || x.pane.seg.End != 14 || !strings.Contains(x.screen(), "Look · 14 messages") {
		t.Fatalf("enter shows %+v\n%s", x.pane.seg, x.screen())
	}
	x.press("a")
	if got := lib.segments[0].Verdict; got != review.Pending {
		t.Errorf("a on a visited session gives %q to the selected segment", got)
	}
	x.press("enter")
	if x.pane.seg.SessionID != "deeper" || x.pane.calls[len(x.pane.calls)-1] != "show 2" {
		t.Fatalf("the second enter shows %+v after %q", x.pane.seg, x.pane.calls)
	}
	x.press("esc")
	if x.pane.seg.SessionID != "child" {
		t.Fatalf("esc shows %+v", x.pane.seg)
	}
	x.press("q")
	if x.pane.seg.ID != lib.segments[0].ID || x.app.Focus != room.OnReader {
		t.Fatalf("coming back shows %+v", x.pane.seg)
	}
	x.press("enter tab j")
	if x.pane.seg.ID != lib.segments[1].ID || x.app.Visiting() {
		t.Errorf("another row shows %+v", x.pane.seg)
	}
	x.pane.links = map[string]reader.Link{lib.segments[1].SessionID: {Session: "empty", Title: "Nothing"}}
	x.press("tab enter")
	if x.app.Visiting() || !strings.Contains(x.screen(), "Nothing has no messages") {
		t.Errorf("a session without messages was opened\n%s", x.screen())
	}
}

// startVisit starts a screen of three segments and follows the link of the
// first one to the session "child", which leads back to where it comes from.
func startVisit(t *testing.T, w int) *harness {
	t.Helper()
	lib := small(3)
	for i := range lib.segments {
		lib.segments[i].SessionID = lib.segments[i].ID
	}
	first := lib.segments[0].SessionID
	lib.sessions = map[string]review.Session{
		"child": {ID: "child", File: "/logs/agent.jsonl", Body: 70, Tally: review.Tally{Messages: 14}},
		first:   {ID: first, File: "/logs/main.jsonl", Body: 1, Tally: review.Tally{Messages: 4}},
	}
	x := start(t, lib, w, 30)
	x.pane.links = map[string]reader.Link{first: {Session: "child", Title: "Look"}, "child": {Session: first, Title: "Main", At: 2}}
	x.press("tab")
	x.wants("enter: Look")
	x.press("enter")
	x.wants("Look · 14 messages")
	return x
}

// TestLinksToAndFro: a link back to a session that one came through is the way
// back, not a visit in a visit.
func TestLinksToAndFro(t *testing.T) {
	x := startVisit(t, 140)
	for range 3 {
		x.press("enter")
		if x.app.Visiting() || x.pane.seg.ID != x.lib.segments[0].ID || x.pane.calls[len(x.pane.calls)-1] != "show 2" {
			t.Fatalf("the way back shows %+v after %q", x.pane.seg, x.pane.calls)
		}
		x.press("enter")
	}
	if !x.app.Visiting() || strings.Contains(x.screen(), "deep)") {
		t.Errorf("not one visit:\n%s", x.screen())
	}
	first := x.lib.segments[0].SessionID
	x.pane.links["child"] = reader.Link{Session: first, Title: "Main", At: 40} // in another segment
	x.press("enter")
	x.wants("Main · 4 messages", "(2 deep)")
	x.press("enter")
	if strings.Contains(x.screen(), "deep)") || x.pane.seg.SessionID != "child" {
		t.Errorf("%+v in\n%s", x.pane.seg, x.screen())
	}
}

// TestVisitsFollowTheDatabase: a visited session grows like any other, and one
// that was removed is left.
func TestVisitsFollowTheDatabase(t *testing.T) {
	x := startVisit(t, 140)
	child := x.lib.sessions["child"]
	x.lib.change(func(l *fakeLibrary) {
		child.Messages = 20
		l.sessions["child"] = child
	})
	x.tick()
	x.wants("Look · 20 messages")
	if x.pane.seg.End != 20 {
		t.Errorf("the reader shows %+v", x.pane.seg)
	}
	x.press("ctrl+l")
	x.wants("Look · 20 messages") // what one reads stays
	x.lib.change(func(l *fakeLibrary) { delete(l.sessions, "child") })
	x.tick()
	x.wants("the session no longer exists")
	if x.app.Visiting() || x.pane.seg.ID != x.lib.segments[0].ID {
		t.Errorf("the reader shows %+v", x.pane.seg)
	}
}

// TestVisitsEndWithTheSelection: what is read is the selected segment, or what
// one came to from there.
func TestVisitsEndWithTheSelection(t *testing.T) {
	for _, w := range []int{80, 140} {
		for _, keys := range []string{"tab j k enter", "tab enter"} {
			x := startVisit(t, w)
			x.press(keys)
			if x.app.Visiting() || x.pane.seg.ID != x.lib.segments[0].ID {
				t.Errorf("%d cells: %s shows %+v", w, keys, x.pane.seg)
			}
		}
		x := startVisit(t, w)
		x.press("tab tab")
		if !x.app.Visiting() || x.pane.seg.SessionID != "child" {
			t.Errorf("%d cells: from pane to pane shows %+v", w, x.pane.seg)
		}
		x.lib.change(func(l *fakeLibrary) { l.segments = nil })
		x.tick()
		if x.app.Visiting() {
			t.Errorf("%d cells: visiting from nowhere", w)
		}
	}
}

// TestKeysOfOtherPlacesSayWhereTheyWork: a key that does nothing here says so.
func TestKeysOfOtherPlacesSayWhereTheyWork(t *testing.T) {
	x := startLedger(t, ledgertest.Sample(), 100, 24)
	x.press("a")
	x.wants("a works in: list, reader and training record")
	x.press("s")
	x.wants("s works in: list")
	x.press("L h")
	x.wants("h works in: reader")
	x.press("j")
	if strings.Contains(x.screen(), "works in") {
		t.Error("said for longer than until the next key")
	}
}

// TestVisitedMessagesAsRecorded: what w and O are about is the message of the
// session that is visited.
func TestVisitedMessagesAsRecorded(t *testing.T) {
	lib := small(1)
	lib.sessions = map[string]review.Session{"child": {ID: "child", Body: 70, Tally: review.Tally{Messages: 14}}}
	sources := recordtest.SampleSources()
	x := start(t, lib, 140, 30, func(o *Options) { o.Sources = sources })
	x.pane.links = map[string]reader.Link{lib.segments[0].SessionID: {Session: "child", Title: "Look"}}
	x.press("tab enter")
	x.pane.number = 3
	x.press("w O esc O")
	want := ledger.Message{Session: "child", Body: 70, N: 3}
	if got := slices.Concat(sources.Asked, sources.Edited); !slices.Equal(got, []ledger.Message{want, want, want}) {
		t.Errorf("asked for %+v", got)
	}
}
