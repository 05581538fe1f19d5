package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// fieldKeys are all keys that edit a line of text, and some that type in it.
func fieldKeys() []tea.Msg {
	msgs := []tea.Msg{
		tea.KeyPressMsg{Code: tea.KeyBackspace, Mod: tea.ModAlt}, tea.KeyPressMsg{Code: tea.KeyDelete, Mod: tea.ModAlt}, tea.KeyPressMsg{Code: tea.KeyDelete},
		tea.PasteMsg{Content: "pasted \x1b[2J words\n数据"}, tea.PasteMsg{Content: strings.Repeat("long 数据库 ", 40)}, tea.PasteMsg{},
	}
	for _, k := range []rune{tea.KeyBackspace, tea.KeyLeft, tea.KeyRight, tea.KeyHome, tea.KeyEnd} {
		msgs = append(msgs, tea.KeyPressMsg{Code: k})
	}
	for _, k := range "dfb" {
		msgs = append(msgs, tea.KeyPressMsg{Code: k, Mod: tea.ModAlt}, tea.KeyPressMsg{Code: k, Mod: tea.ModAlt})
	}
	for _, k := range []rune{tea.KeyLeft, tea.KeyRight} {
		msgs = append(msgs, tea.KeyPressMsg{Code: k, Mod: tea.ModAlt}, tea.KeyPressMsg{Code: k, Mod: tea.ModCtrl})
	}
	for _, k := range "fbwkuhdae" {
		msgs = append(msgs, tea.KeyPressMsg{Code: k, Mod: tea.ModCtrl})
	}
	for _, text := range []string{"a", "b", " ", " ", "数", "é", "👩‍🚀", "\u0301"} {
		msgs = append(msgs, tea.KeyPressMsg{Code: []rune(text)[0], Text: text})
	}
	return msgs
}

func TestNoKeyBreaksAField(t *testing.T) {
	msgs := fieldKeys()
	for _, open := range []string{"n", "t", "/", ":", "tab ctrl+g", "? /"} {
		t.Run(open, func(t *testing.T) {
			x := start(t, small(3), 60, 12)
			random := rand.New(rand.NewPCG(7, 7))
			for i := range 1500 {
				if x.app.field == nil {
					x.press(open)
				}
				if x.app.field == nil {
					t.Fatalf("%s opens no field", open)
				}
				if i%50 == 0 {
					x.send(tea.WindowSizeMsg{Width: 40 + random.IntN(80), Height: 12})
				}
				x.app.handle(msgs[random.IntN(len(msgs))])
				x.app.View()
			}
		})
	}
}

// TestAWordIsDeletedForward: also the last character, after it, and in nothing.
func TestAWordIsDeletedForward(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"", 0, ""}, {"a", 0, ""}, {"a", 1, "a"}, {"ab", 1, "a"}, {"one two", 6, "one tw"}, {"one two", 7, "one two"},
		{"one two six", 3, "one six"}, {"one two six", 4, "one  six"}, {"one ", 3, "one"}, {"数 据", 2, "数 "},
	} {
		for _, k := range []tea.KeyPressMsg{{Code: 'd', Mod: tea.ModAlt}, {Code: tea.KeyDelete, Mod: tea.ModAlt}} {
			t.Run(fmt.Sprintf("%s/%q/%d", k, c.text, c.at), func(t *testing.T) {
				x := start(t, small(3), 60, 12)
				x.press("n")
				f := x.app.field
				f.Put(c.text, c.at)
				x.send(k)
				if got := f.Input.Value(); got != c.want || f.Input.Position() != c.at {
					t.Errorf("%q at %d, want %q at %d", got, f.Input.Position(), c.want, c.at)
				}
			})
		}
	}
}

// TestAllKeysOfTheInputAreTried: none of those that change the text is left out.
func TestAllKeysOfTheInputAreTried(t *testing.T) {
	x := start(t, small(3), 60, 12)
	x.press("n")
	var tried []string
	for _, m := range fieldKeys() {
		if k, ok := m.(tea.KeyPressMsg); ok {
			tried = append(tried, k.String())
		}
	}
	m := x.app.field.Input.KeyMap
	for _, k := range slices.Concat(m.DeleteWordBackward.Keys(), m.DeleteWordForward.Keys(), m.DeleteAfterCursor.Keys(), m.DeleteBeforeCursor.Keys(), m.DeleteCharacterBackward.Keys(),
		m.DeleteCharacterForward.Keys(), m.WordForward.Keys(), m.WordBackward.Keys(), m.CharacterForward.Keys(), m.CharacterBackward.Keys(), m.LineStart.Keys(), m.LineEnd.Keys()) {
		if !slices.Contains(tried, k) {
			t.Errorf("%s is not tried", k)
		}
	}
}

// TestTheCursorOfANoteStandsAfterItsText: wide characters take two cells.
func TestTheCursorOfANoteStandsAfterItsText(t *testing.T) {
	x := start(t, small(3), 80, 12)
	x.press("n")
	x.write("数据库")
	before := x.lines()[11]
	if c := x.app.View().Cursor; c == nil || c.X != ansi.StringWidth(before[:strings.Index(before, "库")+len("库")]) {
		t.Errorf("%+v in %q", c, before)
	}
}
