package tui

import (
	"image/color"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// themePicker is the list of themes. The screen wears the one under the cursor.
type themePicker struct {
	cur, top int
	// line is where its rows begin in the box, shown how many of them are there.
	line, shown int
	before      look // the one to go back to
}

// look is how the screen's theme was chosen: a theme by its index, and whether
// somebody asked for it; else it follows the terminal.
type look struct {
	theme  int
	chosen bool
}

// worn returns the theme, not what is tried on.
func (a *App) worn() look {
	if a.picker != nil {
		return a.picker.before
	}
	return look{a.theme, a.chosen}
}

// autoTheme is the first row of the list: no theme, but the terminal's.
const autoTheme = "auto"

func themeKeys() []keyRow {
	return []keyRow{
		keys.Key("T", "theme", "choose the theme; the screen wears the one under the cursor", "", keys.InPages, (*App).openThemes, (*App).oneTheme),
		keys.Key("enter", "wear", "keep the theme under the cursor", "keep", keys.InThemes, (*App).keepTheme, nil),
		keys.Key("q esc", keys.Back, "the theme as it was", "back", keys.InThemes, (*App).back, nil),
	}
}

func (a *App) oneTheme() string {
	if len(a.themes) < 2 {
		return "there is no other theme"
	}
	return ""
}

// openThemes shows the list; asked again, it goes on to the next theme.
func (a *App) openThemes() tea.Cmd {
	if a.picker != nil {
		return a.tryTheme((a.picker.cur + 1) % (len(a.themes) + 1))
	}
	p := &themePicker{before: look{a.theme, a.chosen}}
	if a.chosen {
		p.cur = a.theme + 1
	}
	a.picker = p
	return nil
}

// moveThemes goes to another theme and puts it on.
func (a *App) moveThemes(m keys.Motion) tea.Cmd {
	p := a.picker
	last := len(a.themes) // the first row is "auto"
	switch m {
	case keys.LineDown:
		p.cur++
	case keys.LineUp:
		p.cur--
	case keys.ToStart, keys.HalfUp, keys.PageUp:
		p.cur = 0
	case keys.ToEnd, keys.HalfDown, keys.PageDown:
		p.cur = last
	}
	return a.tryTheme(p.cur)
}

// tryTheme puts the theme of a row on.
func (a *App) tryTheme(row int) tea.Cmd {
	p := a.picker
	p.cur = max(0, min(row, len(a.themes)))
	a.chosen = p.cur > 0
	if a.chosen {
		a.setTheme(p.cur - 1)
	} else {
		a.followTerminal()
	}
	return nil
}

func (a *App) closeThemes() tea.Cmd {
	before := a.picker.before
	a.picker, a.chosen = nil, before.chosen
	a.setTheme(before.theme)
	return nil
}

func (a *App) keepTheme() tea.Cmd {
	before := a.picker.before
	a.picker = nil
	if before == (look{a.theme, a.chosen}) {
		return nil
	}
	return a.sayTheme()
}

func (a *App) sayTheme() tea.Cmd {
	name := clean.Line(draw.Head(a.styles().Name))
	if a.chosen {
		a.say("theme " + name)
	} else {
		a.say("theme by the terminal: " + name)
	}
	return nil
}

// useTheme puts the theme of that name on, or the terminal's for "auto".
func (a *App) useTheme(name string) tea.Cmd {
	i := slices.IndexFunc(a.themes, func(s themes.Styles) bool { return s.Name == name })
	a.picker = nil // whatever was tried on
	a.chosen = i >= 0
	if a.chosen {
		a.setTheme(i)
	} else {
		a.followTerminal()
	}
	return a.sayTheme()
}

// styles returns the theme in use.
func (a *App) styles() themes.Styles {
	if a.theme < len(a.themes) {
		return a.themes[a.theme].On(a.profile)
	}
	return themes.Styles{}
}

// setTheme uses a theme by its index.
func (a *App) setTheme(i int) {
	a.theme = i
	s := a.styles()
	a.Wear(s)
	a.reader.SetStyles(s)
	if p := a.textPane(); p != nil {
		p.SetStyles(s)
	}
	if a.field != nil {
		a.field.Style(s)
	}
}

// terminal is what the terminal told of itself.
type terminal int

const (
	untold terminal = iota
	darkTerminal
	lightTerminal
)

// tookBackground takes the terminal's background.
func (a *App) tookBackground(m tea.BackgroundColorMsg) {
	a.terminal = lightTerminal
	if m.IsDark() {
		a.terminal = darkTerminal
	}
	a.followTerminal()
}

// tookProfile takes what colours the terminal has, or may be shown.
func (a *App) tookProfile(p colorprofile.Profile) {
	a.profile = p
	a.setTheme(a.theme)
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
	for i := range a.themes {
		if a.themes[i].Name == name {
			a.setTheme(i)
		}
	}
}

// paint returns the background that the terminal has to get for the theme, nil
// for its own: a theme made for a light one can't be read on a dark one.
func (a *App) paint() color.Color {
	s := a.styles()
	if a.terminal == untold || a.colourless() || s.For() == "any" || s.Dark == (a.terminal == darkTerminal) {
		return nil
	}
	return s.Background
}

// themesWidth is the width of the box, in cells.
const themesWidth = 46

// themesAt stands the box at the right end: list and verdicts are at the left.
func (a *App) themesAt() int { return max(0, a.w-themesWidth) }

// themeLines draws the box.
func (a *App) themeLines(height int) []string {
	p, inner := a.picker, min(themesWidth, a.w)-2
	sample := a.themeSample(inner)
	rows := len(a.themes) + 1
	framed := height >= rows+1+2
	if framed {
		height -= 2
	}
	if height < rows+1+len(sample) {
		sample = nil
	}
	shown := max(1, min(rows, height-1-len(sample)))
	p.top = max(0, min(p.top, p.cur, rows-shown))
	p.top = max(p.top, p.cur-shown+1)
	p.line, p.shown = 1, shown
	if framed {
		p.line++
	}
	lines := []string{a.Ink.Name.On(draw.Fit(" theme", inner, ""))}
	for row := p.top; row < p.top+shown; row++ {
		lines = append(lines, a.themeRow(row, inner))
	}
	return a.Box(append(lines, sample...), inner, framed)
}

// themeRow draws a row of the list: a mark beside the one that is worn without
// the list, its name, what it is made for, and whose it is.
func (a *App) themeRow(row, inner int) string {
	p, k, mark := a.picker, &a.Ink, " "
	if row == p.cur {
		k, mark = &a.Sel, a.Sel.Key.On(a.G.Mark)
	}
	worn := " "
	if row == 0 && !p.before.chosen || p.before.chosen && row == p.before.theme+1 {
		worn = a.G.Verdict[review.Approved]
	}
	name, made, whose := autoTheme, "by the terminal", ""
	if row > 0 {
		s := &a.themes[row-1]
		name, made, whose = clean.Line(draw.Head(s.Name)), s.For(), "built-in"
		if s.Own {
			whose = "own"
		}
	}
	const nameCells, madeCells = 20, 7
	if row == 0 {
		return mark + k.Approved.On(worn+" ") + k.Text.On(draw.Fit(name, nameCells, a.G.More)) + k.Muted.On(draw.Fit(made, inner-nameCells-3, a.G.More))
	}
	return mark + k.Approved.On(worn+" ") + k.Text.On(draw.Fit(name, nameCells, a.G.More)) + k.Muted.On(draw.Fit(made, madeCells, "")+draw.Fit(whose, inner-nameCells-madeCells-3, a.G.More))
}

// themeSample shows roles that the screen behind may lack.
func (a *App) themeSample(inner int) []string {
	k, g, s := &a.Ink, a.G, a.styles()
	thinking, code, match := draw.InkOf(s.Thinking), draw.InkOf(s.Code), draw.InkOf(s.Match)
	verdicts := " " + k.Approved.On(g.Verdict[review.Approved]+" approved") + " " + k.Rejected.On(g.Verdict[review.Rejected]+" rejected") +
		" " + k.Unsure.On(g.Verdict[review.Unsure]+" unsure") + " " + k.Stale.On(g.Stale+" stale")
	return []string{
		a.Ink.Border.On(draw.Fit("", inner, "")),
		draw.Fit(" "+k.Key.On("user")+" "+k.Assistant.On("assistant")+" "+k.System.On("system")+" "+k.Tool.On("tool")+" "+thinking.On("thinking"), inner, g.More),
		draw.Fit(verdicts, inner, g.More),
		draw.Fit(" "+k.ScoreHigh.On("0.93")+" "+k.ScoreMid.On("0.75")+" "+k.ScoreLow.On("0.41")+" "+k.Fail.On("error")+" "+k.Warn.On("warning")+" "+code.On("code")+" "+match.On("match"), inner, g.More),
	}
}
