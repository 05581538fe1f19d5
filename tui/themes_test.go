package tui

import (
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// allThemes gives a screen all built-in themes, and one of the curator's.
func allThemes(t *testing.T) func(*Options) {
	t.Helper()
	return func(o *Options) {
		o.Themes = nil
		for _, name := range themes.Names(nil) {
			s, _, err := themes.Load(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Own = name == "nord"
			o.Themes = append(o.Themes, s)
		}
	}
}

func TestThemesBox80x24(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, allThemes(t))
	x.press("T j j")
	golden.RequireEqual(t, x.screen())
}

func TestThemesBox160x45(t *testing.T) {
	x := startWith(t, 160, 45, allThemes(t))
	x.press("T")
	golden.RequireEqual(t, x.screen())
}

func TestThemesBoxASCII(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, allThemes(t), func(o *Options) { o.ASCII = true })
	x.press("T G")
	golden.RequireEqual(t, x.screen())
}

func TestThemesBoxOnTheSmallestScreen(t *testing.T) {
	x := start(t, sampleLibrary(), 40, 10, allThemes(t))
	x.press("T G")
	golden.RequireEqual(t, x.screen())
}

// TestThemeIsTriedOnWhileOneLooks: the whole screen wears the theme under the
// cursor; enter keeps it, esc goes back.
func TestThemeIsTriedOnWhileOneLooks(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 30, allThemes(t))
	before := x.app.View().Content
	x.press("T G")
	if x.app.Styles().Name != "nord" || x.pane.styles.Name != "nord" {
		t.Fatalf("list %s, reader %s", x.app.Styles().Name, x.pane.styles.Name)
	}
	nord, _, _ := themes.Load("nord", nil)
	if ink := draw.InksOf(nord).Approved; x.app.Ink.Approved != ink {
		t.Error("the list does not wear it")
	}
	x.press("esc")
	if got := x.app.View().Content; got != before {
		t.Error("esc does not bring the screen back")
	}
	x.press("T T enter")
	if x.app.Context() == keys.InThemes || x.app.Styles().Name != "gruvbox" {
		t.Errorf("kept %s", x.app.Styles().Name)
	}
	x.wants("theme gruvbox")
}

func TestThemeAutoFollowsTheTerminal(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, allThemes(t))
	x.send(tea.BackgroundColorMsg{Color: color.White})
	if x.app.Styles().Name != "dark" {
		t.Errorf("%s instead of the theme that was asked for", x.app.Styles().Name)
	}
	x.press("T g enter")
	if x.app.Styles().Name != "light" || x.app.chosen {
		t.Errorf("by the terminal: %s", x.app.Styles().Name)
	}
	x.wants("theme from the terminal: light")
	if x.app.useTheme("nord"); x.app.Styles().Name != "nord" || !x.app.chosen {
		t.Error("by name")
	}
}

// TestTerminalWithoutColoursGetsTheThemeWithoutThem, and one with sixteen those.
func TestTerminalWithoutColoursGetsTheThemeWithoutThem(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, allThemes(t), func(o *Options) { o.Theme = "" })
	x.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	if x.app.Styles().Name != themes.Colourless {
		t.Errorf("wears %s", x.app.Styles().Name)
	}
	x.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	if s := x.app.Styles(); s.Name != "dark" || !s.Selection.GetReverse() {
		t.Errorf("wears %s, selection reversed: %v", s.Name, s.Selection.GetReverse())
	}
	for line := range strings.SplitSeq(x.app.View().Content, "\n") {
		if strings.Contains(line, "[38;") || strings.Contains(line, "[48;") {
			t.Fatalf("not one of sixteen colours: %q", line)
		}
	}
}

// TestBackgroundIsPaintedOnlyWhereItDoesNotSuit: a theme for light terminals
// can't be read on a dark one.
func TestBackgroundIsPaintedOnlyWhereItDoesNotSuit(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, allThemes(t))
	painted := func() bool { return x.app.View().BackgroundColor != nil }
	x.app.useTheme("light")
	if painted() {
		t.Error("painted before the terminal told its own")
	}
	x.send(tea.BackgroundColorMsg{Color: color.Black})
	if !painted() {
		t.Error("light on black is not painted")
	}
	for _, name := range []string{"nord", "mono", "auto"} {
		if x.app.useTheme(name); painted() {
			t.Errorf("%s is painted", name)
		}
	}
	x.app.useTheme("light")
	x.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	if painted() {
		t.Error("painted where no colours are wanted")
	}
}

func TestHelpClosesTheThemes(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, allThemes(t))
	x.press("T j ?")
	if x.app.Context() != keys.InHelp || x.app.Styles().Name != "dark" {
		t.Errorf("theme %s:\n%s", x.app.Styles().Name, x.screen())
	}
	x.press("T")
	if x.app.Context() != keys.InThemes {
		t.Error("the themes do not open over the keys")
	}
	x.press("esc esc")
	lacks(t, x, "To begin with")
}
