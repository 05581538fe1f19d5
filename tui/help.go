package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// help is the screen of keys: its scroll position, and how many lines are
// below the screen.
type help struct{ top, below int }

// twoColumns is the width from which the keys stand in two columns.
const twoColumns = 120

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

func (a *App) moveHelp(m motion) tea.Cmd {
	a.help.move(m, a.bodyHeight())
	return nil
}

// helpTold says how much is below the screen of keys.
func (a *App) helpTold() []string { return a.linesBelow(a.help.below) }

// linesBelow says how many lines are below a screen, nothing for none.
func (a *App) linesBelow(n int) []string {
	if n <= 0 {
		return nil
	}
	return []string{a.g.down + " " + plural(n, "more line")}
}

// helpLines draws the screen of keys.
func (a *App) helpLines(w, height int) []string {
	var lines []string
	if w < twoColumns {
		lines = slices.Concat(a.helpText(w)...)
	} else {
		lines = beside(a.helpText(w/2), w/2)
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
		out[i] = fit(text, w, a.g.more)
	}
	return out
}

// beside puts the blocks into two columns of width w, about equally long.
func beside(blocks [][]string, w int) []string {
	total := 0
	for _, b := range blocks {
		total += len(b)
	}
	var left, right []string
	for _, b := range blocks {
		if len(right) == 0 && len(left)+len(b)/2 < total/2 {
			left = append(left, b...)
		} else {
			right = append(right, b...)
		}
	}
	lines := make([]string, max(len(left), len(right)))
	for i := range lines {
		text := ""
		if i < len(left) {
			text = left[i]
		}
		lines[i] = fit(text, w, "")
		if i < len(right) {
			lines[i] += right[i]
		}
	}
	return lines
}

// distance is 0 for the keys of a page that stands in place of list and
// reader: they are looked for first.
func (a *App) distance(s section) int {
	if page := a.page(); page&inSegment == 0 && s.in == page {
		return 0
	}
	return 1
}

// helpText lists all keys, one block of lines for each place they work in.
func (a *App) helpText(w int) [][]string {
	const keyWidth = 16
	var blocks [][]string
	ordered := slices.Clone(sections)
	slices.SortStableFunc(ordered, func(s, t section) int { return cmp.Compare(a.distance(s), a.distance(t)) })
	for _, s := range ordered {
		lines := []string{" " + a.ink.name.on(s.title)}
		for _, k := range a.keys {
			if k.In != s.in {
				continue
			}
			keys := strings.Join(k.Keys, " ")
			for part := range strings.SplitSeq(ansi.Wordwrap(k.Help, max(10, w-keyWidth-3), ""), "\n") {
				lines = append(lines, "  "+a.ink.key.on(fit(keys, keyWidth, ""))+a.ink.text.on(part))
				keys = ""
			}
		}
		blocks = append(blocks, append(lines, ""))
	}
	return blocks
}
