package help

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
)

// program is one with a few keys, after which is a place.
type program struct {
	table  *keys.Table
	behind keys.Place
}

func (p program) Keys() *keys.Table  { return p.table }
func (p program) Behind() keys.Place { return p.behind }

func open(t *testing.T, behind keys.Place, w, h int) *screentest.Run {
	t.Helper()
	row := func(key, name, help string, in keys.Place) keys.Row[*Screen] {
		return keys.Key(key, name, help, "", in, func(*Screen) tea.Cmd { return nil }, nil)
	}
	table := keys.NewTable(keys.Bind(0, []keys.Row[*Screen]{
		row("a", "approve", "approve the segment", keys.InJudged), row("U", "redo", "redo what was undone", keys.InJudged),
		row("!", "next-failure", "next failed tool result", keys.InReader), row("s", "sort", "choose what the list is sorted by", keys.InList),
		row("enter", "choose", "the order under the cursor", keys.InSort), row("", "mask", "mask what is secret", keys.InList),
	}))
	rows := append(Rows(), screen.Key("esc", keys.Back, "", "", (*Screen).Back, nil))
	return screentest.Start(t, w, h, rows, func(s screen.Seat) *Screen { return New(s, program{table, behind}) })
}

func TestKeysOfThePlaceBehindComeFirst(t *testing.T) {
	for behind, want := range map[keys.Place]string{keys.InList: "To begin with", keys.InReader: "Reader", keys.InSort: "Sorting"} {
		x := open(t, behind, 80, 24)
		if got := x.Lines()[1]; !strings.HasPrefix(got, " "+want) {
			t.Errorf("%d: begins with %q", behind, got)
		}
		x.Wants("a               approve the segment", "next failed tool result", ":mask           mask what is secret")
	}
}

// TestWordsAreLookedForWhileTheyAreTyped: a line that is put away or kept leaves
// what it found, one that is dropped all keys; so does the way back, once.
func TestWordsAreLookedForWhileTheyAreTyped(t *testing.T) {
	x := open(t, keys.InList, 80, 24)
	only := func(want, not string) {
		t.Helper()
		if x.Wants(want); strings.Contains(x.Screen(), not) {
			t.Errorf("%q is shown:\n%s", not, x.Screen())
		}
	}
	x.Press("/")
	x.Type("FAILED tool ")
	only("next failed tool result", "approve")
	x.Type("U")
	only("redo what was undone", "approve")
	x.Type("xyzzy")
	only("no key matches", "approve")
	x.Wants("esc shows all keys again")
	x.PutAway("")
	only("approve the segment", "no key matches")
	x.Press("/")
	x.Type("sorted")
	x.PutAway("sorted")
	only("the list is sorted by", "approve")
	x.Keep("redo")
	only("redo what was undone", "approve")
	if got := x.Layer.(*Screen).Footer(); !slices.Equal(got, []string{"keys with “redo”"}) {
		t.Errorf("the footer says %q", got)
	}
	if x.Press("esc"); x.Left {
		t.Fatal("closed")
	}
	x.Wants("approve the segment")
	if x.Press("esc"); !x.Left {
		t.Error("not closed")
	}
}

func TestFoundWordsAreMarked(t *testing.T) {
	x := open(t, keys.InList, 120, 24)
	x.Press("/")
	x.Type("fail")
	s := x.Layer.(*Screen)
	if drawn := strings.Join(s.Lines(120, 24), "\n"); strings.Count(drawn, s.Ink.Match.On("fail")) != 2 { // its name, too
		t.Errorf("not marked:\n%q", drawn)
	}
}

// TestScrolls: as far as there are lines, and drawing changes nothing.
func TestScrolls(t *testing.T) {
	for _, w := range []int{80, 200} {
		x := open(t, keys.InList, w, 5)
		s, first := x.Layer.(*Screen), x.Lines()[1:]
		all := len(s.lines)
		for key, want := range map[string]int{"j": 1, "k": 0, "pgdown": 4, "ctrl+d": 2, "G": all - 5, "g": 0} {
			x.Press("g " + key)
			below := max(0, all-5-want)
			if got := s.Footer(); !slices.Equal(got, s.Below(below)) {
				t.Errorf("%d: after %s the footer says %q, want %d", w, key, got, below)
			}
			lines := s.Lines(w, 5)
			if again := s.Lines(w, 5); len(lines) != 5 || !slices.Equal(lines, again) {
				t.Errorf("%d: after %s %d lines, drawn again %q", w, key, len(lines), again)
			}
		}
		x.Press("G G j k j g")
		if got := x.Lines()[1:]; !slices.Equal(got, first) {
			t.Errorf("%d: the top is %q", w, got)
		}
	}
}
