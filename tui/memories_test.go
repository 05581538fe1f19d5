package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/tui/keys"
)

func startMemories(t *testing.T, w, h int) (*harness, *fakeMemories) {
	t.Helper()
	lib := wholeLibrary()
	f := learnedFrom(lib, func(s string) string { return s })
	x := start(t, lib, w, h, func(o *Options) { o.Memories = f })
	x.press("M")
	return x, f
}

// TestMemoriesAreJudged: the keys that one knows judge the memory under the cursor as it
// was looked at, and go on to the next one that is proposed.
func TestMemoriesAreJudged(t *testing.T) {
	x, f := startMemories(t, 120, 40)
	x.wants("Tests go into config_test.go", "proposed", "rule", "No, always put the tests in config_test.go")
	x.press("a")
	if f.list[0].Status != memory.Approved || len(f.judged) != 1 || len(f.judged[0].Seen) != 1 {
		t.Errorf("%+v", f.judged)
	}
	x.wants("memory approved", "undo", "undefined: Clock")
	x.press("r")
	x.wants("memory rejected", "all its quotes are from results of tools", "that the user did not type")
	x.press("g j =")
	if f.list[3].Status != memory.Approved || f.list[3].Stale {
		t.Errorf("%+v", f.list[3])
	}
	x.press("g j x")
	if f.list[0].Status != memory.Proposed {
		t.Errorf("%+v", f.list[0])
	}
	x.press("=")
	x.wants("it is not stale")
	f.refuses = errors.New("the disk is full")
	x.press("a")
	x.wants("not changed: the disk is full")
}

// TestMemoriesOfTwoScreens: what another one does shows at the next look at the database,
// and the cursor stays on its memory.
func TestMemoriesOfTwoScreens(t *testing.T) {
	x, f := startMemories(t, 120, 40)
	x.press("j")
	if _, _, err := f.JudgeMemories(t.Context(), memory.Judgement{Curator: "ben", IDs: []string{f.list[0].ID}, Status: memory.Approved}); err != nil {
		t.Fatal(err)
	}
	x.tick()
	x.wants("2 proposed · 1 stale · 1 approved")
	x.press("r")
	if f.list[0].Status != memory.Approved || f.list[1].Status != memory.Rejected {
		t.Errorf("%v %v", f.list[0].Status, f.list[1].Status)
	}
}

// TestMemoriesInBulk: many are judged after a question, those with flags are left.
func TestMemoriesInBulk(t *testing.T) {
	x, f := startMemories(t, 80, 24)
	x.press("A")
	x.wants("Approve 2 memories that are proposed here?", "Left: 1 memory with flags")
	x.press("n")
	if len(f.judged) > 0 {
		t.Errorf("%+v", f.judged)
	}
	x.press("A y")
	if len(f.judged) != 1 || !f.judged[0].Bulk || len(f.judged[0].IDs) != 2 || f.list[2].Status != memory.Proposed {
		t.Errorf("%+v", f.judged)
	}
	x.press("A")
	x.wants("nothing is proposed here but 1 memory with flags")
	x.press("R y")
	if f.list[2].Status != memory.Rejected {
		t.Errorf("%+v", f.list[2])
	}
}

// TestMemoriesInBulkAreCounted: what is said is what was judged, not what was asked for.
func TestMemoriesInBulkAreCounted(t *testing.T) {
	x, f := startMemories(t, 120, 40)
	x.press("A")
	f.list = f.list[1:] // another one took it away
	x.press("y")
	x.wants("1 memory approved")
}

// TestMemoriesLead: enter goes to the message of the chosen quote, in the reader.
func TestMemoriesLead(t *testing.T) {
	x, f := startMemories(t, 120, 40)
	x.press("j tab enter")
	if x.app.in(keys.InMemories) != nil || x.selected() != f.lib.segments[0].Short() || !slices.Contains(x.pane.calls, "show 3") {
		t.Errorf("%s, %q", x.selected(), x.pane.calls)
	}
	x.press("esc G enter")
	x.wants("no segment that it is from is here any more")
	x.press("esc")
	if x.app.in(keys.InMemories) != nil {
		t.Error("it is still open")
	}
}

// TestTheWayBackFromAQuote: esc comes back to the memories as they were, as long as one
// reads what the quote is from.
func TestTheWayBackFromAQuote(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		x, f := startMemories(t, size[0], size[1])
		x.press("/")
		x.write("status:proposed")
		x.press("enter o j tab enter")
		x.press("esc")
		x.wants("status:proposed", "run `make mocks` first")
		if s := x.app.in(keys.InMemories); s == nil {
			t.Fatal("the memories are closed")
		}
		x.press("n")
		x.write("seen")
		x.press("enter")
		if j := f.judged[len(f.judged)-1]; j.IDs[0] != f.list[1].ID {
			t.Errorf("the cursor is on %s", j.IDs[0])
		}
		x.press("enter esc")
		x.wants("note: seen")
		f.list[1].Created = f.list[1].Created.AddDate(1, 0, 0)
		x.press("enter tab tab esc")
		if x.app.in(keys.InMemories) != nil {
			t.Error("the way back is kept by the list")
		}
		x.press("M")
		x.wants("4 memories")
	}
}

// TestMemoriesThatWaitComeFirst: the best of those that are proposed stands on top, and
// the next verdict is on the next one, not on the first.
func TestMemoriesThatWaitComeFirst(t *testing.T) {
	lib := wholeLibrary()
	f := learnedFrom(lib, func(s string) string { return s })
	f.list[0].Status = memory.Approved
	f.list[2].Grade = 0.9
	x := start(t, lib, 80, 24, func(o *Options) { o.Memories = f })
	x.press("M")
	x.wants("2 proposed · 1 stale · 1 approved")
	at := func(i int, want string) {
		t.Helper()
		if l := x.lines()[2+i]; !strings.Contains(l, want) {
			t.Errorf("line %d is %q, not of %q", i, l, want)
		}
	}
	at(0, "staging")
	at(1, "go vet fails")
	at(2, "Release")
	at(3, "Tests go into")
	f.list[0].Status = memory.Proposed
	x.press("o o")
	at(1, "Tests go into")
	x.press("g j a")
	x.wants("memory approved", "go vet fails")
	x.press("r")
	if f.list[0].Status != memory.Approved || f.list[1].Status != memory.Rejected || f.list[2].Status != memory.Proposed {
		t.Errorf("%v %v %v", f.list[0].Status, f.list[1].Status, f.list[2].Status)
	}
}

// TestMemoriesUseTheRoom: of a dozen memories as many show as the half of a small screen
// takes, and no line is left between them.
func TestMemoriesUseTheRoom(t *testing.T) {
	lib := wholeLibrary()
	f := learnedFrom(lib, func(s string) string { return s })
	for len(f.list) < 12 {
		f.list = append(f.list, f.list[len(f.list)%3])
		f.list[len(f.list)-1].ID = strings.Repeat(string(rune('a'+len(f.list))), 8)
	}
	x := start(t, lib, 80, 24, func(o *Options) { o.Memories = f })
	x.press("M")
	if n := strings.Count(strings.Join(x.lines(), "\n"), " proposed  "); n != 10 {
		t.Errorf("%d of 12 memories show", n)
	}
}

// TestMemoriesInASCII: signs for what does not show are ASCII where signs are.
func TestMemoriesInASCII(t *testing.T) {
	lib := wholeLibrary()
	f := learnedFrom(lib, func(s string) string { return s + "\x1b[2J" })
	x := start(t, lib, 120, 40, func(o *Options) { o.Memories, o.ASCII = f, true })
	x.press("M")
	x.wants("config_test.go^[[2J")
	if all := strings.Join(x.lines(), "\n"); strings.Contains(all, "␛") {
		t.Errorf("%s", all)
	}
}

// TestQuotesLeave: the chosen quote is one that is there, whatever others do meanwhile.
func TestQuotesLeave(t *testing.T) {
	x, f := startMemories(t, 120, 40)
	x.press("j tab")
	f.list[1].Sources[0].Cites = f.list[1].Sources[0].Cites[:1]
	x.press("n")
	x.write("seen")
	x.press("enter enter") // the note has the memories read again
	if x.app.in(keys.InMemories) != nil || !slices.Contains(x.pane.calls, "show 2") {
		t.Errorf("%q", x.pane.calls)
	}
}

// TestMemoriesAreReadWhole: a long memory shows from its top; J and K lead through all of
// it, and a quote that is chosen comes into sight, all of it.
func TestMemoriesAreReadWhole(t *testing.T) {
	lib := wholeLibrary()
	f := learnedFrom(lib, func(s string) string { return s })
	m := &f.list[0]
	m.Flags = []memory.Flag{memory.Directive}
	m.Content = "first of it\n" + strings.Repeat("so it goes on\n", 20) + "last of it"
	long := m.Sources[0].Cites[0]
	long.Quote = "it begins " + strings.Repeat("and goes on ", 12) + "and ends"
	m.Sources[0].Cites = append(m.Sources[0].Cites, long)
	f.list[1].Sources[0].Cites[0].Quote = strings.Repeat("very ", 1000)
	for _, size := range [][2]int{{80, 24}, {120, 30}, {60, 16}} {
		x := start(t, lib, size[0], size[1], func(o *Options) { o.Memories = f })
		x.press("M")
		x.wants("it speaks to the agent", "more lines: J")
		x.press("tab")
		x.wants("it begins", "ends”")
		x.press("K K K K K K K K")
		x.wants("it speaks to the agent")
		seen := ""
		for range 12 {
			seen += strings.Join(x.lines(), "\n")
			x.press("J")
		}
		x.wants("ends”")
		for _, want := range []string{"first of it", "last of it", "always put the tests"} {
			if !strings.Contains(seen, want) {
				t.Errorf("%v: %q does not show", size, want)
			}
		}
		x.press("j")
		x.wants("go vet fails on generated mocks")
		x.press("J J J J J J J J J J J J J J J J J J J J")
		x.wants("memories show)")
	}
}

// TestMemoriesAreTyped: notes, tags, filters and the file of an export are typed.
func TestMemoriesAreTyped(t *testing.T) {
	x, f := startMemories(t, 120, 40)
	x.press("n")
	x.write("as Ann says")
	x.press("enter")
	x.wants("note: as Ann says")
	x.press("t")
	x.write(" house")
	x.press("enter")
	if j := f.judged[len(f.judged)-1]; strings.Join(j.TagsOn, " ") != "go house" {
		t.Errorf("%+v", j)
	}
	x.press("/")
	x.write("colour:red")
	x.press("enter")
	x.wants("colour:red", `no field "colour": fields are`, "quotes make it a text")
	x.press("ctrl+u")
	x.write("status:proposed")
	x.press("enter")
	if strings.Contains(strings.Join(x.lines(), "\n"), "Release") {
		t.Error("the filter lets all through")
	}
	x.press("e enter")
	if len(f.wrote) != 1 || f.wrote[0] != "/home/ann/web/AGENTS.md" {
		t.Errorf("%q", f.wrote)
	}
	x.wants("1 memory in AGENTS.md")
	x.press("s")
	x.wants("of segment " + f.lib.segments[0].Short())
}

// TestMemoryOfAMessage: :memory makes one of the message under the cursor.
func TestMemoryOfAMessage(t *testing.T) {
	x, f := startMemories(t, 120, 40)
	x.pane.number = 2
	x.press("esc enter :")
	x.write("memory pitfall mocks come first")
	x.press("enter")
	if len(f.added) != 1 || !strings.HasSuffix(f.added[0], " 2 pitfall mocks come first\n") {
		t.Errorf("%q", f.added)
	}
	x.wants("a memory of message 2: approved")
	x.press(":")
	x.write("memory")
	x.press("enter")
	if x.wants("rule what message 2 says"); len(f.added) != 1 {
		t.Errorf("made unasked: %q", f.added)
	}
	x.press("ctrl+u")
	x.write("pitfall ")
	x.press("enter")
	x.wants("it says nothing")
	x.write("mocks first")
	x.press("enter")
	if len(f.added) != 2 || !strings.HasSuffix(f.added[1], " 2 pitfall mocks first\n") {
		t.Errorf("%q", f.added)
	}
	x.press(":")
	x.write("memory pitfall")
	x.press("enter")
	x.wants("pitfall what message 2 says")
	x.press("esc")
	x.press("*")
	if x.wants("rule what message 2 says"); len(f.added) != 2 {
		t.Errorf("made unasked: %q", f.added)
	}
	x.press("enter")
	if len(f.added) != 3 || !strings.HasSuffix(f.added[2], " 2 rule what message 2 says\n") {
		t.Errorf("%q", f.added)
	}
	f.added = f.added[:2]
	f.fails = errors.New("message 2 says nothing that could be quoted")
	x.press(":")
	x.write("memory")
	x.press("enter")
	if x.wants("no memory: message 2 says nothing"); len(f.added) != 2 {
		t.Errorf("%q", f.added)
	}
}
