package tui

import (
	"strings"
	"testing"

	"winnow/core/memory"
)

// startAlike shows memories of which the first, fourth and fifth are alike; the fourth is
// the best. The third has flags, the last is of another thing.
func startAlike(t *testing.T, change func(f *fakeMemories)) (*harness, *fakeMemories) {
	t.Helper()
	lib := wholeLibrary()
	f := learnedFrom(lib, func(s string) string { return s })
	add := func(title, content string, grade float64) {
		m := f.list[0]
		m.ID, m.Kind, m.Title, m.Content, m.Grade = strings.Repeat(string(rune('a'+len(f.list))), 8), memory.Fact, title, content, grade
		f.list = append(f.list, m)
	}
	f.list = f.list[:3]
	add("Loader tests", "Tests of the loader go into config_test.go and never into loader_test.go.", 0.9)
	add("Where tests go", "Put tests of the loader into config_test.go, not into loader_test.go.", 0.6)
	add("Deploys", "Deploy with `make deploy` only.", 0.5)
	if change != nil {
		change(f)
	}
	x := start(t, lib, 120, 40, func(o *Options) { o.Memories = f })
	x.press("M")
	return x, f
}

func (f *fakeMemories) statuses() (all string) {
	for i := range f.list {
		all += f.list[i].Short()[:1] + string(f.list[i].Status[0]) + " "
	}
	return all
}

// TestTheBestOfAlikeMemories: B asks, names what goes and shows what is kept; then one is
// approved and the others are rejected, as one entry, and it goes on from where it was.
func TestTheBestOfAlikeMemories(t *testing.T) {
	x, f := startAlike(t, nil)
	x.press("j") // the first of those of 0.7
	x.wants("always put the tests in config_test.go")
	x.press("B")
	x.wants("Approve “Loader tests”, and reject 2 alike: “Tests go into config_test.go”, “Where tests go”?", "Tests of the loader go into config_test.go and never")
	if len(f.judged) > 0 {
		t.Fatalf("%+v", f.judged)
	}
	x.press("n")
	x.wants("nothing was changed")
	x.press("x")
	if j := f.judged[0]; j.IDs[0] != f.list[0].ID {
		t.Errorf("the cursor is on %s", j.IDs[0])
	}
	x.press("B y")
	x.wants("approved 1 of 3 alike, rejected 2", "undo", "undefined: Clock")
	if len(f.judged) != 2 || len(f.judged[1].Seen) != 3 {
		t.Errorf("%+v", f.judged)
	}
	if got := f.statuses(); got != "1r 1p 1p da er fp " {
		t.Error(got)
	}
}

// TestAfterTheBestOfMemories: it goes on from the memory that B was pressed on to the next
// one that is proposed, none of those that were judged.
func TestAfterTheBestOfMemories(t *testing.T) {
	x, f := startAlike(t, nil)
	x.press("B y a")
	if got := f.statuses(); got != "1r 1a 1p da er fp " {
		t.Error(got)
	}
	x, f = startAlike(t, nil)
	x.press("j j j j B y a")
	if got := f.statuses(); got != "1r 1p 1p da er fa " {
		t.Error(got)
	}
}

// TestApprovedOnesAmongThoseAlike: one that is approved stays if it is the best, and is
// named among those that go if it is not.
func TestApprovedOnesAmongThoseAlike(t *testing.T) {
	x, f := startAlike(t, func(f *fakeMemories) { f.list[3].Status, f.list[3].Flags = memory.Approved, []memory.Flag{memory.Link} })
	x.press("B")
	x.wants("Keep “Loader tests”, and reject 2 alike")
	x.press("y")
	x.wants("rejected 2 of 3 alike: the best was approved before")
	if got := f.statuses(); got != "1r 1p 1p da er fp " {
		t.Error(got)
	}
	x, f = startAlike(t, func(f *fakeMemories) { f.list[0].Status = memory.Approved })
	x.press("B")
	x.wants("Approve “Loader tests”", "1 of them is approved.")
	x.press("y")
	x.wants("approved 1 of 3 alike, rejected 2")
	if got := f.statuses(); got != "1r 1p 1p da er fp " {
		t.Error(got)
	}
}

// TestNoBestOfMemories: what is alone, and what has flags, is left with a reason.
func TestNoBestOfMemories(t *testing.T) {
	x, f := startAlike(t, func(f *fakeMemories) {
		for _, i := range []int{0, 3, 4} {
			f.list[i].Flags = []memory.Flag{memory.Directive}
		}
	})
	x.press("B")
	x.wants("those that are alike have flags")
	x.press("j j B") // the pitfall
	x.wants("no other memory here is like this one")
	if _, _, err := f.JudgeMemories(t.Context(), memory.Judgement{Curator: "ben", IDs: []string{f.list[3].ID}, Status: memory.Rejected}); err != nil {
		t.Fatal(err)
	}
	x.tick()
	x.press("g G B")
	x.wants("the best is chosen of memories that are proposed or approved")
	if len(f.judged) > 1 {
		t.Errorf("%+v", f.judged)
	}
}

// TestOnlyThoseListedAreJudged: what a filter hides is left alone.
func TestOnlyThoseListedAreJudged(t *testing.T) {
	x, f := startAlike(t, func(f *fakeMemories) { f.list[3].Status = memory.Approved })
	x.press("/")
	x.write("status:proposed")
	x.press("enter B")
	x.wants("Approve “Tests go into config_test.go”, and reject 1 alike: “Where tests go”?")
	x.press("y")
	if got := f.statuses(); got != "1a 1p 1p da er fp " {
		t.Error(got)
	}
}
