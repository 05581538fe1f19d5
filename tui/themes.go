package tui

import (
	"image/color"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"winnow/core/clean"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	picker "winnow/tui/screens/themes"
)

func themeKeys() []keyRow {
	return []keyRow{
		keys.Key("T", "theme", "choose the theme; the screen shows the one under the cursor", "", keys.InPages, keys.Do((*App).openThemes), (*App).oneTheme),
	}
}

func (a *App) oneTheme() string { return keys.Reason(len(a.themes) < 2, "there is no other theme") }

// dress is what the screen wears: a theme by its index, and whether somebody asked
// for it; else it follows the terminal.
type dress struct {
	themes     []themes.Styles
	theme      int
	chosen     bool
	remembered string               // the theme that the curator chose on the screen, "" for none
	profile    colorprofile.Profile // the colours there are
	terminal   terminal
}

// openThemes shows the list; asked again, it goes on to the next theme.
func (a *App) openThemes() {
	if s := a.in(keys.InThemes); s != nil {
		s.Layer.(*picker.Screen).Next()
	} else {
		a.Enter(keys.InThemes)
	}
}

// themeNamed is the index of the theme of that name, -1 for none.
func (a *App) themeNamed(name string) int {
	return slices.IndexFunc(a.themes, func(s themes.Styles) bool { return s.Name == name })
}

// wear puts a theme on by its index, or with -1 the terminal's.
func (a *App) wear(i int) {
	if a.chosen = i >= 0; a.chosen {
		a.setTheme(i)
	} else {
		a.followTerminal()
	}
}

// keepTheme remembers the theme: one that was given for a run is not.
func (a *App) keepTheme() {
	if a.remembered = ""; a.chosen {
		a.remembered = a.Styles().Name
	}
}

// forThemes is the program as the list of themes needs it.
type forThemes struct{ *App }

func (p forThemes) Themes() []themes.Styles { return p.themes }

func (p forThemes) Worn() int {
	if p.chosen {
		return p.theme
	}
	return -1
}

func (p forThemes) Wear(i int) { p.wear(i) }

func (p forThemes) Keep(again bool) {
	if p.keepTheme(); !again {
		p.sayTheme()
	}
}

func (a *App) sayTheme() {
	name := clean.Line(draw.Head(a.Styles().Name))
	if a.chosen {
		a.Say("theme " + name)
	} else {
		a.Say("theme from the terminal: " + name)
	}
}

// useTheme puts the theme of that name on, or the terminal's for "auto".
func (a *App) useTheme(name string) {
	if s := a.in(keys.InThemes); s != nil {
		s.Leave() // whatever was tried on
	}
	a.wear(a.themeNamed(name))
	a.keepTheme()
	a.sayTheme()
}

// Styles returns the theme in use.
func (a *App) Styles() themes.Styles {
	if a.theme < len(a.themes) {
		return a.themes[a.theme].On(a.profile)
	}
	return themes.Styles{}
}

// setTheme uses a theme by its index.
func (a *App) setTheme(i int) {
	a.theme = i
	s := a.Styles()
	a.Wear(s)
	a.Reader.SetStyles(s)
	each(a, func(l screen.Searcher) { l.Searched().SetStyles(s) })
}

// terminal is what the terminal told of itself.
type terminal int

const (
	untold terminal = iota
	darkTerminal
	lightTerminal
)

// handleBackground takes the terminal's background.
func (a *App) handleBackground(m tea.BackgroundColorMsg) {
	a.terminal = lightTerminal
	if m.IsDark() {
		a.terminal = darkTerminal
	}
	a.followTerminal()
}

// colourless reports whether no colours may be shown.
func (a *App) colourless() bool {
	return a.profile != colorprofile.Unknown && a.profile <= colorprofile.ASCII
}

// followTerminal picks the theme made for the terminal, unless one was asked
// for: until it tells, and many never do, for a dark one.
func (a *App) followTerminal() {
	if a.chosen {
		return
	}
	name := themes.ForBackground(a.terminal != lightTerminal)
	if a.colourless() {
		name = themes.Colourless
	}
	if i := a.themeNamed(name); i >= 0 {
		a.setTheme(i)
	}
}

// paint returns the background that the terminal has to get for the theme, nil
// for its own: a theme made for a light one can't be read on a dark one.
func (a *App) paint() color.Color {
	s := a.Styles()
	if a.terminal == untold || a.colourless() || s.For() == "any" || s.Dark == (a.terminal == darkTerminal) {
		return nil
	}
	return s.Background
}
