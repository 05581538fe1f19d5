package line

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
)

// use counts what it is told.
type use struct {
	Line
	changes int
}

func (u *use) Changed(bool) tea.Cmd                { u.changes++; return nil }
func (u *use) Keep(string) (func() tea.Cmd, error) { return nil, errors.New("not so") }
func (u *use) PutAway(string)                      {}
func (u *use) Drop()                               {}
func (u *use) Below(int) []string                  { return nil }
func (u *use) found(items ...string) []Completion {
	var all []Completion
	for _, text := range items {
		all = append(all, Completion{Text: text, Label: text})
	}
	return all
}

func open(label string) *use {
	u := &use{}
	u.Line = Line{Label: label, Use: u}
	u.Open()
	return u
}

// TestCompletionsForAnOlderTextAreDropped, and those for another line.
func TestCompletionsForAnOlderTextAreDropped(t *testing.T) {
	u := open("tag")
	ask := func(ctx context.Context) ([]Completion, error) { return u.found("older"), nil }
	u.Set("k")
	older := u.Ask(t.Context(), ask)().(Found)
	u.Set("ke")
	if older.Offer(&u.Line); len(u.Popup.Items) > 0 {
		t.Error("completions for another text")
	}
	newer := u.Ask(t.Context(), ask)().(Found)
	other := open("tag")
	other.Typings = u.Typings
	if newer.Offer(&other.Line); len(other.Popup.Items) > 0 {
		t.Error("completions of another line")
	}
	newer.Offer(nil)
	if newer.Offer(&u.Line); len(u.Popup.Items) != 1 {
		t.Error("its own are not offered")
	}
	failed := u.Ask(t.Context(), func(context.Context) ([]Completion, error) { return nil, errors.New("locked") })().(Found)
	if failed.Offer(&u.Line); len(u.Popup.Items) != 1 {
		t.Error("a failure took them away")
	}
}

// TestAQuestionIsGivenUp when typing goes on, when another one is asked, and when
// the line closes.
func TestAQuestionIsGivenUp(t *testing.T) {
	for name, then := range map[string]func(u *use){
		"typing": func(u *use) { u.Update(tea.KeyPressMsg{Code: 'x', Text: "x"}) },
		"asking": func(u *use) { u.Ask(t.Context(), nil) },
		"closed": func(u *use) { u.StopAsking() },
	} {
		u := open("tag")
		var given error
		find := u.Ask(t.Context(), func(ctx context.Context) ([]Completion, error) { given = ctx.Err(); return nil, nil })
		then(u)
		if find(); given == nil {
			t.Errorf("%s: it is still asked for", name)
		}
	}
}

// TestTheCursorIsWhereItsCharacterIs: wide characters take two cells, and a long
// text has its beginning out of view.
func TestTheCursorIsWhereItsCharacterIs(t *testing.T) {
	pen := draw.NewPen(false)
	for _, c := range []struct {
		text         string
		at           int
		want, hinted int
	}{
		{"", 0, 6, 6}, {"ab", 2, 8, 8}, {"数据", 2, 10, 10}, {"数据", 1, 8, 8}, {strings.Repeat("x", 90), 90, 38, 31}, {strings.Repeat("x", 90), 0, 6, 6},
	} {
		for hint, want := range map[string]int{"": c.want, "  a keep ": c.hinted} {
			u := open(" note ")
			u.Hint = hint
			u.Put(c.text, c.at)
			lines, x := u.Lines(pen, 40)
			if ansi.StringWidth(lines[0]) != 40 || x != want {
				t.Errorf("%.10q at %d of %d: column %d, want %d: %q", c.text, c.at, len(c.text), x, want, ansi.Strip(lines[0]))
			}
		}
	}
}

// TestDrawingChangesNothing: the choice is brought into view when it changes or
// the size does.
func TestDrawingChangesNothing(t *testing.T) {
	pen := draw.NewPen(false)
	u := open("tag")
	u.Popup.Items, u.Popup.Show = u.found("a", "b", "c", "d", "e", "f", "g", "h", "i", "k"), true
	for range 9 {
		u.Step(+1, "tab", nil)
	}
	box, _ := u.Box(pen, 40, 30)
	if u.Popup.top != 0 || !strings.Contains(strings.Join(box, ""), "i ") {
		t.Errorf("the first one shown is %d: %q", u.Popup.top, box)
	}
	u.Follow(30)
	u.Step(-1, "tab", nil)
	if u.Follow(30); u.Popup.top == 0 {
		t.Error("what shows moves with every step")
	}
}
