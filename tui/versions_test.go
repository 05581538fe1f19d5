package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/edit"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/core/textdiff"
	"winnow/core/versions"
	"winnow/core/versions/tree"
	"winnow/tui/keys"
	screen "winnow/tui/screens/versions"
)

// fakeVersions are versions of the conversation.
type fakeVersions struct {
	tree     tree.Tree
	fails    error
	compared [][2]screen.Side
	asked    []int64 // entries that were reverted to
	only     [][]int // and for which messages
	changes  []review.EditChange
	redacted int // redactions that come with them
	long     int // lines of a difference, if it is to be long
}

func (f *fakeVersions) Tree(context.Context, string) (tree.Tree, error) { return f.tree, f.fails }

func (f *fakeVersions) Compare(_ context.Context, a, b screen.Side) (screen.Compared, error) {
	f.compared = append(f.compared, [2]screen.Side{a, b})
	lines, left := textdiff.Compare("The answer is 41.\nsame", "The answer is 42.\nsame")
	if f.long > 0 {
		var text strings.Builder
		for i := range f.long {
			fmt.Fprintf(&text, "line %02d.\n", i)
		}
		lines, left = textdiff.Compare("", text.String())
		return screen.Compared{Messages: []screen.Message{{N: 2, What: "assistant  changed", Fields: []screen.Field{{Name: "content", Lines: lines, Left: left}}}}}, nil
	}
	red, _ := textdiff.Compare("", "bad \x1b[2J\u202e text")
	return screen.Compared{Same: 5, Messages: []screen.Message{
		{N: 2, What: "assistant  changed", Fields: []screen.Field{{Name: "content", Lines: lines, Left: left}}},
		{N: 4, What: "tool\x1b[2J  added", Fields: []screen.Field{{Name: "reasoning", Lines: red}}},
	}}, f.fails
}

func (f *fakeVersions) BackTo(_ context.Context, _ string, entry int64, n ...int) (screen.Back, error) {
	f.asked, f.only = append(f.asked, entry), append(f.only, n)
	return screen.Back{Changes: f.changes, Redactions: f.redacted}, f.fails
}

// manyVersions is a tree with everything that can stand in it.
func manyVersions() tree.Tree {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	set := func(n int, why edit.Why) []review.Edited {
		return []review.Edited{{Place: edit.Place{N: n}, After: &edit.Edit{Op: edit.Set, Why: why}}}
	}
	step := func(entry int64, by string, changes []review.Edited) versions.Step {
		return versions.Step{Entry: entry, At: at.Add(time.Duration(entry) * time.Minute), By: by, Action: review.ActEdit, Changes: changes}
	}
	t := tree.Tree{
		Session:  review.Session{ID: "5e551040-0000", Title: "Sums \x1b[2J\u202e", Tally: review.Tally{Messages: 41}},
		Recorded: versions.Effect{Answers: 18, Sampled: 18},
		Versions: []versions.Version{
			{Step: step(12, "ann", set(9, edit.Fix)), Lost: "an import wrote the session anew since"},
			{Step: step(312, "ann", set(9, edit.Fix)), Effect: versions.Effect{Broke: true, Copies: 8, Answers: 18, Sampled: 9}},
			{Step: step(340, "ben\x1b[2J", set(3, edit.Redact)), Effect: versions.Effect{Broke: true, Copies: 12, Answers: 18, Sampled: 2}},
			{Step: versions.Step{Entry: 341, At: at, By: "ben", Action: review.ActUndo, Target: 340}, Effect: versions.Effect{Copies: 8, Answers: 18, Sampled: 9}},
		},
		Beside: []tree.Beside{
			{Kind: session.Branch, ID: "b7000000-1", Messages: 5, At: 12, Verdicts: tree.Verdicts{Rejected: 1, By: "ben"}, AtAnswer: true, Pair: true},
			{Kind: session.Subagent, ID: "3c000000-1", Title: "look \x1b[2J around", Messages: 11, At: 20, Verdicts: tree.Verdicts{Approved: 1, Pending: 2}},
			{Kind: tree.Same, ID: "9f000000-1", Title: "another run", Messages: 30, At: 12, AtAnswer: true},
		},
		Children: 2,
	}
	t.Versions[1].Note, t.Versions[2].Undone = "wrong \x1b[2J sum", true
	return t
}

// startVersions opens the versions of the conversation.
func startVersions(t *testing.T, w, h int, with ...func(*Options)) (*harness, *fakeVersions, *fakeEdits) {
	t.Helper()
	f, e := &fakeVersions{tree: manyVersions()}, &fakeEdits{files: map[string]string{}}
	x := startWith(t, w, h, append([]func(*Options){func(o *Options) { o.Versions, o.Edits, o.Drafts = f, e, e }}, with...)...)
	e.lib = x.lib
	x.press("tab V")
	return x, f, e
}

func withVersions(_ *scene, o *Options) { o.Versions = &fakeVersions{tree: manyVersions()} }

func TestVersions80x24(t *testing.T) {
	x, _, _ := startVersions(t, 80, 24)
	golden.RequireEqual(t, x.screen())
}

func TestVersions200x60(t *testing.T) {
	x, _, _ := startVersions(t, 200, 60)
	x.press("space k k space")
	golden.RequireEqual(t, x.screen())
}

func TestDifference80x24(t *testing.T) {
	x, _, _ := startVersions(t, 80, 24)
	x.press("enter")
	golden.RequireEqual(t, x.screen())
}

func TestDifference200x60(t *testing.T) {
	x, _, _ := startVersions(t, 200, 60)
	x.press("enter")
	golden.RequireEqual(t, x.screen())
}

// TestVersionsAreSafe: nothing that was recorded or typed drives the terminal.
func TestVersionsAreSafe(t *testing.T) {
	for _, keys := range []string{"", "j j", "k k", "enter"} {
		x, _, _ := startVersions(t, 120, 40)
		x.press(keys)
		if text := x.app.View().Content; strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\u202e") {
			t.Errorf("after %q the terminal is driven:\n%q", keys, text)
		}
	}
}

// TestVersionsAreCompared: what D and enter compare.
func TestVersionsAreCompared(t *testing.T) {
	for _, c := range []struct {
		keys, before, after string
	}{
		{"enter", "@340", "@341"},
		{"g enter", "@0 as it was recorded", "as it is now"},
		{"k D", "@340", "as it is now"},
		{"k space k D", "@312", "@340"},
		{"space k k space D", "@312", "@341"},
		{"j D", "as it is now", "b7000000 as it is now"},
	} {
		x, f, _ := startVersions(t, 80, 24)
		x.press(c.keys)
		if len(f.compared) != 1 || f.compared[0][0].Name != c.before || f.compared[0][1].Name != c.after {
			t.Errorf("%s: %+v, want %s to %s", c.keys, f.compared, c.before, c.after)
		}
		x.press("esc esc")
		if x.app.in(keys.InVersions) != nil {
			t.Errorf("%s: still open", c.keys)
		}
	}
	x, f, _ := startVersions(t, 80, 24)
	x.press("g j enter")
	if x.wants("an import wrote the session anew"); len(f.compared) != 0 {
		t.Error("what is lost was compared")
	}
}

// TestRevert: R and r make an entry through the queue, or say why not.
func TestRevert(t *testing.T) {
	x, f, e := startVersions(t, 80, 24)
	f.changes = []review.EditChange{{N: 9}, {N: 3}}
	x.press("k k R")
	if len(f.asked) != 1 || f.asked[0] != 312 || len(f.only[0]) != 0 || len(e.made) != 1 || len(e.made[0].Changes) != 2 || e.made[0].Curator == "" {
		t.Fatalf("%v %v %+v", f.asked, f.only, e.made)
	}
	x.wants("brought back to @312", "undo")
	x.press("g r")
	if len(f.asked) != 2 || f.asked[1] != 0 || len(f.only[1]) != 1 {
		t.Fatalf("%v %v", f.asked, f.only)
	}
	x.wants("brought back to what was recorded")
	f.changes = nil
	x.press("R")
	x.wants("it is like that")
	f.fails = errors.New("message 3 is recorded otherwise")
	x.press("R")
	x.wants("nothing is brought back: message 3")
	f.fails = nil
	x.press("j R")
	x.wants("nothing can be brought back to it: an import")
	x.press("G R")
	x.wants("that is another session")
	if len(f.asked) != 4 {
		t.Errorf("%v", f.asked)
	}
	x, f, _ = startVersions(t, 80, 24, func(o *Options) { o.ReadOnly = true })
	x.press("k R")
	if x.wants("read-only"); len(f.asked) != 0 {
		t.Error("reverted what is read-only")
	}
}

// TestRevertOfRedactions: with all of a session they are kept, which is said where
// there are some; a message loses its own only to the second press.
func TestRevertOfRedactions(t *testing.T) {
	x, f, e := startVersions(t, 120, 24)
	f.changes = []review.EditChange{{N: 9}}
	x.press("k k R")
	if x.wants("brought back to @312"); strings.Contains(x.screen(), "redaction kept") || strings.Contains(x.screen(), "redactions kept") {
		t.Errorf("it keeps redactions where there are none:\n%s", x.screen())
	}
	f.redacted = 2
	x.press("R")
	x.wants("brought back to @312; 2 redactions kept")
	made := len(e.made)
	x.press("r")
	if x.wants("what stands there is redacted: r again takes 2 redactions back"); len(e.made) != made {
		t.Error("redactions were taken back unasked")
	}
	for _, other := range []string{"j k r", "u r", "g r"} { // something else in between
		if x.press(other); len(e.made) != made {
			t.Errorf("%s: redactions were taken back unasked", other)
		}
	}
	if x.press("r"); len(e.made) != made+1 {
		t.Error("the second press does nothing")
	}
	x.wants("brought back to what was recorded")
	f.redacted = 0
	if x.press("r"); len(e.made) != made+2 {
		t.Error("it asks where nothing is redacted")
	}
	f.changes, f.redacted = nil, 1
	x.press("R")
	x.wants("it is like that; 1 redaction kept")
}

// TestVersionsFail: what can't be read is said, and read again by a key.
func TestVersionsFail(t *testing.T) {
	f := &fakeVersions{fails: errors.New("disk full")}
	x := startWith(t, 80, 24, func(o *Options) { o.Versions = f })
	x.press("tab V")
	x.wants("The versions could not be read", "disk full")
	f.fails, f.tree = nil, manyVersions()
	x.press("ctrl+l")
	x.wants("@341")
}
