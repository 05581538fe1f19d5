package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// help is the screen of keys: its scroll position.
type help struct{ top int }

func (a *App) toggleHelp() tea.Cmd {
	if a.help != nil {
		a.help = nil
	} else {
		a.help = &help{}
	}
	return nil
}

// move scrolls; the position is put right when the screen is drawn.
func (h *help) move(m motion, height int) {
	const end = 1 << 20 // further than any table of keys
	h.top += map[motion]int{
		lineDown: 1, lineUp: -1, halfDown: height / 2, halfUp: -height / 2, pageDown: height - 1, pageUp: 1 - height,
		toStart: -end, toEnd: end,
	}[m]
}

// helpLines draws the screen of keys.
func (a *App) helpLines(w, height int) []string {
	lines := a.helpText(w)
	a.help.top = max(0, min(a.help.top, len(lines)-height))
	lines = lines[a.help.top:min(a.help.top+height, len(lines))]
	out := make([]string, height)
	for i := range out {
		text := ""
		if i < len(lines) {
			text = lines[i]
		}
		out[i] = fit(text, w, a.g.more)
	}
	return out
}

// helpText lists all keys by where they work.
func (a *App) helpText(w int) []string {
	const keyWidth = 16
	var lines []string
	for _, s := range sections {
		lines = append(lines, "", " "+a.ink.name.on(s.title))
		for _, k := range a.keys {
			if k.In != s.in {
				continue
			}
			keys := strings.Join(k.Keys, " ")
			wrapped := strings.Split(ansi.Wordwrap(k.Help, max(10, w-keyWidth-3), ""), "\n")
			for i, part := range wrapped {
				if i > 0 {
					keys = ""
				}
				lines = append(lines, "  "+a.ink.key.on(fit(keys, keyWidth, ""))+a.ink.text.on(part))
			}
		}
	}
	return append(lines[1:], "")
}
