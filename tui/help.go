package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// help is the screen of keys: its scroll position, how many lines are below
// the screen, and the words that are looked for in it.
type help struct {
	top, below int
	query      string
}

// twoColumns is the width from which the keys stand in two columns: each has
// room for names.
const twoColumns = 2*helpNamed + 2

func (a *App) toggleHelp() tea.Cmd {
	if a.help != nil {
		a.help = nil
		return nil
	}
	a.help = &help{}
	if s := a.in(keys.InThemes); s != nil {
		return s.asked(s.Back()) // it stands over everything
	}
	return nil
}

// searchHelp looks for words while they are typed.
func (a *App) searchHelp() tea.Cmd {
	keep := func(text string) tea.Cmd {
		a.help.query = strings.TrimSpace(text)
		return nil
	}
	// A line that is dropped was not meant; keep has the last word.
	return a.openField(line.Field{Label: "keys with", Keep: keep, Away: func(text string) { a.help.look(text) }}, a.help.query)
}

// look shows the keys with some words, from the top.
func (h *help) look(words string) { h.query, h.top = strings.TrimSpace(words), 0 }

// backFromHelp gives the search up, else closes the screen.
func (a *App) backFromHelp() {
	if a.help.query != "" {
		a.help.look("")
		return
	}
	a.help = nil
}

// move scrolls; the position is put right when the screen is drawn.
func (h *help) move(m keys.Motion, height int) {
	const end = 1 << 20 // further than any table of keys
	h.top += map[keys.Motion]int{
		keys.LineDown: 1, keys.LineUp: -1, keys.HalfDown: height / 2, keys.HalfUp: -height / 2, keys.PageDown: height - 1, keys.PageUp: 1 - height,
		keys.ToStart: -end, keys.ToEnd: end,
	}[m]
}

func (a *App) moveHelp(m keys.Motion) tea.Cmd {
	a.help.move(m, a.bodyHeight())
	return nil
}

// helpTold says what is looked for in the screen of keys, and how much is below
// it.
func (a *App) helpTold() []string {
	told := a.Below(a.help.below)
	if q := a.help.query; q != "" {
		told = append([]string{"keys with " + a.G.Quote + draw.CutWords(clean.Line(draw.Head(q)), termWidth, a.G.More) + a.G.Unquote}, told...)
	}
	return told
}

// helpLines draws the screen of keys.
func (a *App) helpLines(w, height int) []string {
	var lines []string
	if w < twoColumns {
		lines = slices.Concat(a.helpText(w)...)
	} else {
		lines = draw.Beside(a.helpText(w/2-1), w/2)
	}
	a.help.top = max(0, min(a.help.top, len(lines)-height))
	a.help.below = max(0, len(lines)-height-a.help.top)
	lines = lines[a.help.top:min(a.help.top+height, len(lines))]
	out := make([]string, height)
	for i := range out {
		text := ""
		if i < len(lines) {
			text = lines[i]
		}
		out[i] = draw.Fit(text, w, a.G.More)
	}
	return out
}
