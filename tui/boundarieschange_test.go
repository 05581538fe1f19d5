package tui

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/keys"
)

// grow appends messages to the session below, as an import does.
func grow(l *fakeLibrary, n int) {
	last := &l.segments[slices.IndexFunc(l.segments, func(s review.Segment) bool { return s.SessionID == "mixed" && s.End == len(l.messages) })]
	for range n {
		l.messages = append(l.messages, chat.Message{N: len(l.messages) + 1, Role: chat.User, Content: fmt.Sprint("message ", len(l.messages)+1)})
	}
	last.End, last.Messages = len(l.messages), last.Messages+n
}

// What an import adds meanwhile is there at once; the draft, the cursor and
// the place on the screen stay.
func TestBoundariesOfASessionThatGrows(t *testing.T) {
	x, e := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.lib.change(func(l *fakeLibrary) { grow(l, 3) })
	x.tick()
	x.wants("21 messages", "nothing is changed", "message 21")
	x.press("M j")
	line := slices.IndexFunc(x.lines(), func(l string) bool { return strings.HasPrefix(l, "▌") })
	x.lib.change(func(l *fakeLibrary) {
		grow(l, 2)
		l.messages[17].Content = "written anew"
	})
	x.tick()
	x.wants("23 messages", "1 approved segment becomes stale", "the session changed; your changes still fit", "written anew")
	if got := x.starts(); got != "1 11 13" || x.message() != 10 {
		t.Errorf("segments begin at %s, the cursor is at %d", got, x.message())
	}
	if now := slices.IndexFunc(x.lines(), func(l string) bool { return strings.HasPrefix(l, "▌") }); now != line {
		t.Errorf("the cursor jumped from line %d to %d", line, now)
	}
	x.lib.change(func(l *fakeLibrary) {
		rows := l.of("mixed")
		upper, lower := rows[0], rows[0]
		upper.End, lower.Start, lower.ID = 4, 5, "0000abcd-0000-4000-8000-000000000000"
		l.replace("mixed", append([]review.Segment{upper, lower}, rows[1:]...))
	})
	x.tick()
	if now := slices.IndexFunc(x.lines(), func(l string) bool { return strings.HasPrefix(l, "▌") }); x.starts() != "5 11 13" || now != line {
		t.Errorf("segments begin at %s, and the cursor jumped from line %d to %d", x.starts(), line, now)
	}
	x.press("u enter")
	x.wants("no boundary was changed")
	x.press("b M enter")
	if len(e.recuts) != 1 || e.recuts[0].Pieces[len(e.recuts[0].Pieces)-1].End != 23 {
		t.Errorf("kept %+v", e.recuts)
	}
}

// A verdict that somebody gives meanwhile changes what the cut does, and the
// screen says so.
func TestBoundariesOfASessionThatIsJudgedMeanwhile(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 5, 120, 30)
	x.press("esc k b G s")
	x.wants("nothing that was decided changes")
	x.lib.change(func(l *fakeLibrary) { l.segments[4].Verdict, l.segments[4].Reviewer = review.Unsure, "bob" })
	x.tick()
	x.wants("1 unsure segment becomes stale")
}

// Changes that do not fit what somebody else did stay on the screen until the
// curator gives them up.
func TestBoundariesCutOtherwiseMeanwhile(t *testing.T) {
	x, e := startBoundaries(t, mixedSession(), 3, 120, 30)
	before := x.lib.of("mixed")
	x.press("M")
	x.lib.change(func(l *fakeLibrary) {
		rows := l.of("mixed")
		rows[1].End, rows[1].Messages = 12, 4
		l.replace("mixed", slices.Delete(rows, 2, 3)) // the merge, and the one after it
		rows = l.of("mixed")
		rows[0].End, rows[0].Messages = 12, 12
		l.replace("mixed", slices.Delete(rows, 1, 2))
	})
	x.tick()
	x.wants("cut differently meanwhile: ctrl+l shows it, without your changes")
	if got := x.starts(); got != "1 9 13" {
		t.Errorf("the draft became %s", got)
	}
	for _, key := range []string{"s", "M", "J", "t", "enter"} {
		x.press(key)
		x.wants("the session was cut differently meanwhile")
	}
	if x.app.field != nil || len(e.recuts) > 0 {
		t.Fatal("changed what nobody can keep")
	}
	x.tick()
	x.wants("cut differently meanwhile")
	otherwise := x.lib.of("mixed")
	x.lib.change(func(l *fakeLibrary) { l.replace("mixed", before) }) // somebody undid it
	x.tick()
	x.wants("1 rejected segment becomes stale")
	x.lib.change(func(l *fakeLibrary) { l.replace("mixed", otherwise) })
	x.tick()
	x.wants("cut differently meanwhile")
	x.press("ctrl+l")
	if got := x.starts(); got != "1 13" {
		t.Errorf("ctrl+l shows %s\n%s", got, x.screen())
	}
	x.wants("nothing is changed")
	x.press("s enter")
	if len(e.recuts) != 1 {
		t.Errorf("not kept:\n%s", x.screen())
	}
}

// Somebody is faster by less than the time between two looks: nothing is
// written, and what there is to decide is shown.
func TestBoundariesConflictWhenKept(t *testing.T) {
	x, e := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.press("M")
	x.lib.change(func(l *fakeLibrary) { l.segments[2].Verdict, l.segments[2].Reviewer = review.Rejected, "bob" })
	x.press("enter")
	if len(e.recuts) > 0 || x.app.in(keys.InBoundaries) == nil {
		t.Fatal("kept over somebody's verdict")
	}
	x.wants("not kept: the session changed, look at it again", "1 approved segment becomes stale; 1 rejected verdict stays in the journal only")
	x.press("enter")
	if len(e.recuts) != 1 || x.app.in(keys.InBoundaries) != nil {
		t.Errorf("not kept the second time:\n%s", x.screen())
	}
}

func TestBoundariesOfARewrittenSession(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.lib.change(func(l *fakeLibrary) {
		for i := 1; i <= 4; i++ {
			l.segments[i].Body = 99
		}
		l.messages[8].Content = "other words"
	})
	x.tick()
	x.wants("other words", "nothing is changed")
	x.press("M")
	x.lib.change(func(l *fakeLibrary) {
		for i := 1; i <= 4; i++ {
			l.segments[i].Body = 100
		}
		l.messages[8].Content = "still other words"
	})
	x.tick()
	x.wants("cut differently meanwhile")
	x.press("ctrl+l")
	x.wants("still other words", "nothing is changed")
}

func TestBoundariesMachineBeside(t *testing.T) {
	x, e := startBoundaries(t, mixedSession(), 1, 140, 40)
	x.press("c")
	x.wants("the machine cuts at 2 other places, and not at 1 of these", "machine: One", "no machine cut here")
	var at []int
	for range 7 {
		at = append(at, x.message())
		x.press("}")
	}
	if want := []int{1, 9, 11, 13, 16, 17, 17}; !slices.Equal(at, want) {
		t.Errorf("} goes to %v, want %v", at, want)
	}
	x.wants("no boundary further down")
	for range 6 {
		x.press("{")
	}
	x.wants("the session begins here")
	x.press("} } M } } s } s")
	x.wants("the machine cuts in the same places")
	x.press("c")
	if strings.Contains(x.screen(), "machine cuts") {
		t.Error("c does not hide it")
	}
	x.press("c c c")
	if e.proposed != 1 {
		t.Errorf("%d times asked", e.proposed)
	}
	x.lib.change(func(l *fakeLibrary) { grow(l, 1) })
	x.tick()
	if e.proposed != 2 {
		t.Errorf("%d times asked when the session grew", e.proposed)
	}
}

func TestBoundariesQuitWhileTheyAreKept(t *testing.T) {
	x, e := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.hold = true
	x.press("M enter")
	if err := x.app.flush(); err != nil || len(e.recuts) != 1 {
		t.Errorf("%d recuts after the end, %v", len(e.recuts), err)
	}
	x, e = startBoundaries(t, mixedSession(), 2, 120, 30)
	x.hold = true
	x.press("M enter")
	e.fail = errors.New("disk full")
	if err := x.app.flush(); err == nil || !strings.Contains(err.Error(), "cut was not saved: disk full") {
		t.Errorf("what was lost is told as %v", err)
	}
	e.fail = nil
	x, e = startBoundaries(t, mixedSession(), 2, 120, 30)
	x.hold = true
	x.press("M enter")
	x.lib.change(func(l *fakeLibrary) { l.segments[2].Note = "hm" })
	if err := x.app.flush(); !errors.Is(err, review.ErrConflict) || len(e.recuts) > 0 {
		t.Errorf("a conflict nobody sees any more is told as %v", err)
	}
}

// TestBoundariesNeverOverflowAndAreHarmless: any keys, at any size, while the
// session changes below.
func TestBoundariesNeverOverflowAndAreHarmless(t *testing.T) {
	lib := mixedSession()
	lib.segments[4].Topic = "\x1b]0;x\x07\u202e\r\ntopic"
	x, e := startBoundaries(t, lib, 2, 80, 24)
	random := rand.New(rand.NewPCG(5, 6))
	pressed := strings.Fields("s s M M J K t u c { } j j k g G pgdown pgup ctrl+d ctrl+u ? T esc enter s enter b ctrl+l tab a")
	for i := range 1500 / slower {
		w, h := 1+random.IntN(220), 1+random.IntN(70)
		if random.IntN(3) == 0 {
			w, h = 38+random.IntN(50), 8+random.IntN(14)
		}
		if i%3 == 0 {
			x.send(tea.WindowSizeMsg{Width: w, Height: h})
			checkSize(t, x, w, h)
		}
		w, h = x.app.W, x.app.H
		switch random.IntN(40) {
		case 0:
			x.lib.change(func(l *fakeLibrary) { grow(l, 1+random.IntN(3)) })
			x.tick()
		case 1:
			e.cuts = []segment.Cut{{Start: 1, End: 3}, {Start: 4, End: 4, Topic: "\x1b]0;x\x07\u202e"}, {Start: 5, End: 30}}
			x.tick()
		}
		x.press(pressed[random.IntN(len(pressed))])
		checkSize(t, x, w, h)
		if strings.Contains(x.app.View().Content, "\x1b]") {
			t.Fatalf("an escape sequence reached the terminal:\n%q", x.app.View().Content)
		}
		for _, r := range x.screen() {
			if r != '\n' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e {
				t.Fatalf("%U reached the screen:\n%q", r, x.screen())
			}
		}
		if x.cuts() != nil && !x.app.TooSmall() && x.app.in(keys.InHelp) == nil && !strings.Contains(x.screen(), "loading") {
			x.wants(x.app.G.Mark)
		}
	}
	if len(e.recuts) < 2 {
		t.Errorf("only %d drafts were kept", len(e.recuts))
	}
}

// TestBoundariesKeepEveryTopicThatWasPutAway: one for each segment, from wherever in
// the segment the topic is opened again.
func TestBoundariesKeepEveryTopicThatWasPutAway(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 120, 40)
	put := func(text string) {
		x.press("t ctrl+u")
		x.write(text)
		x.press("ctrl+c")
	}
	x.press("g")
	put("the first half")
	x.press("}")
	put("the second half")
	x.press("j t")
	x.wants("the second half")
	x.press("ctrl+c g j t")
	x.wants("the first half")
	x.press("enter g t")
	if got := x.footer(); !strings.Contains(got, "the first half") {
		t.Errorf("the topic was not kept: %s", got)
	}
	x.press("esc } j t")
	x.wants("the second half")
	x.press("esc t")
	if strings.Contains(x.footer(), "the second half") {
		t.Errorf("a topic that was dropped is still there: %s", x.footer())
	}
}
