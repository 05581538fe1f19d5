package tui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

const (
	helpKeys  = 16 // cells of the keys, with a space behind them
	helpNames = 20 // those of the action's name, where there is room for it
	// helpNamed is the width from which there is: the text beside it stays
	// longer than a line of a narrow screen.
	helpNamed = 96
)

// firstKeys are what a newcomer looks for, with the place it works in.
var firstKeys = []struct {
	name string
	in   keys.Place
}{
	{"approve", keys.InList}, {"reject", keys.InList}, {"undo", keys.InList}, {"open", keys.InList}, {"other-pane", keys.InList}, {"next-failure", keys.InReader},
	{"filter", keys.InList}, {"boundaries", keys.InList}, {"export", keys.InList}, {keys.Command, keys.InList}, {"quit", keys.InList},
}

// behindHelp returns the place that the screen of keys was opened from.
func (a *App) behindHelp() keys.Place {
	if l := a.topmost(func(l *layer) bool { return l.in != keys.InHelp }); l != nil && l.box != nil {
		return l.in
	}
	return a.page()
}

// distance tells how near the keys of a section are to the place the screen of
// keys was opened from: the nearest are looked for first.
func distance(s keys.Section, place keys.Place) int {
	segment := place&keys.InSegment != 0
	switch {
	case segment && s.In&keys.InSegment == keys.InSegment && s.In&keys.InPages != keys.InPages:
		return 0
	case s.In == place:
		return 1
	case segment && s.In&keys.InSegment != 0 && s.In&keys.InPages != keys.InPages:
		return 2
	case s.In&place != 0:
		return 3
	}
	return 4
}

// helpText lists all keys, one block of lines for each place they work in, the
// nearest first; while words are looked for, the rows that have all of them.
func (a *App) helpText(w int) [][]string {
	place := a.behindHelp()
	words := strings.Fields(strings.ToLower(a.help.query))
	ordered := slices.Clone(a.keys.Sections)
	slices.SortStableFunc(ordered, func(s, t keys.Section) int { return cmp.Compare(distance(s, place), distance(t, place)) })
	var blocks [][]string
	if len(words) == 0 && place&keys.InSegment != 0 {
		blocks = append(blocks, a.firstHelp(w))
	}
	for _, s := range ordered {
		var lines []string
		for i := range a.keys.Rows {
			if b := &a.keys.Rows[i]; b.In == s.In && hasWords(b, words) {
				lines = append(lines, a.helpRow(b, b.Help, words, w)...)
			}
		}
		if len(lines) > 0 {
			blocks = append(blocks, append(append([]string{" " + a.Ink.Name.On(s.Title)}, lines...), ""))
		}
	}
	if len(blocks) == 0 {
		blocks = [][]string{{" " + a.Ink.Muted.On("no key has this"), "", " " + a.Ink.Text.On(a.keyIn(keys.Back, keys.InHelp)+" shows all keys again")}}
	}
	return blocks
}

// firstHelp lists what a newcomer looks for.
func (a *App) firstHelp(w int) []string {
	search := ""
	if key := a.keyIn("search-keys", keys.InHelp); key != "" {
		search = "   " + key + " looks for a word below"
	}
	lines := []string{" " + a.Ink.Name.On("To begin with") + a.Ink.Muted.On(search)}
	for _, f := range firstKeys {
		for i := range a.keys.Rows {
			b := &a.keys.Rows[i]
			if b.Name != f.name || b.In&f.in == 0 {
				continue
			}
			help := b.Help
			if f.in == keys.InReader {
				help = "in the reader: " + help
			}
			lines = append(lines, a.helpRow(b, help, nil, w)...)
			break
		}
	}
	return append(lines, "")
}

// helpRow draws a binding in lines of at most w cells.
func (a *App) helpRow(b *keys.Binding, help string, words []string, w int) []string {
	keys := strings.Join(b.Keys, " ")
	if keys == "" {
		keys = ":" + b.Name
	}
	indent, named := helpKeys, w >= helpNamed
	if named {
		indent += helpNames
	}
	var lines []string
	for part := range strings.SplitSeq(ansi.Wordwrap(help, max(10, w-indent-3), ""), "\n") {
		line := "  "
		if len(lines) > 0 {
			line += strings.Repeat(" ", indent)
		} else {
			line += a.Ink.Key.On(draw.Fit(keys, helpKeys-1, a.G.More) + " ")
			if named {
				line += a.found(draw.Fit(b.Name, helpNames, a.G.More), words, a.Ink.Muted)
			}
		}
		lines = append(lines, line+a.found(clean.Line(part), words, a.Ink.Text))
	}
	return lines
}

// found draws text with the words that are looked for marked in it.
func (a *App) found(text string, words []string, k draw.Ink) string {
	var b strings.Builder
	for text != "" {
		at, n := len(text), 0
		lower := strings.ToLower(text)
		if len(lower) != len(text) {
			lower = text // letters of other alphabets may change their length
		}
		for _, word := range words {
			if i := strings.Index(lower, word); i >= 0 && len(word) > 1 && (i < at || i == at && len(word) > n) {
				at, n = i, len(word)
			}
		}
		b.WriteString(k.On(text[:at]) + a.Ink.Match.On(text[at:at+n]))
		text = text[at+n:]
	}
	return b.String()
}

// hasWords reports whether a binding has all words in its keys, its name or
// what it does. A single character is a key.
func hasWords(b *keys.Binding, words []string) bool {
	for _, word := range words {
		text := strings.ToLower(b.Name + " " + b.Help)
		key := slices.ContainsFunc(b.Keys, func(k string) bool { return strings.EqualFold(k, word) })
		if !key && (len(word) < 2 || !strings.Contains(text, word)) {
			return false
		}
	}
	return true
}
