package help

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
)

const (
	keyCells  = 16 // with a space after them
	nameCells = 20 // of the action's name, where there is room for it
	// named is the width from which there is: the text beside it stays longer than
	// a line of a narrow screen.
	named = 96
	// twoColumns is the width from which the keys are in two columns: each has room
	// for names.
	twoColumns = 2*named + 2
)

// firstKeys are what a newcomer looks for, with the place it works in.
var firstKeys = []struct {
	name string
	in   keys.Place
}{
	{"approve", keys.InList}, {"reject", keys.InList}, {"undo", keys.InList}, {"open", keys.InList}, {"other-pane", keys.InList}, {"next-failure", keys.InReader},
	{"filter", keys.InList}, {"boundaries", keys.InList}, {"export", keys.InList}, {keys.Command, keys.InList}, {"quit", keys.InList},
}

// distance tells how near the keys of a section are to the place the screen of
// keys was opened from: the nearest are looked for first.
func distance(s keys.Section, place keys.Place) int {
	segment := place&keys.InSegment != 0
	switch {
	case place == keys.InReader && s.In == place:
		return -1
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

// text is all lines, in w cells.
func (s *Screen) text(w int) []string {
	if w < twoColumns {
		return slices.Concat(s.blocks(w)...)
	}
	return draw.Beside(s.blocks(w/2-1), w/2)
}

// blocks lists all keys, one block of lines for each place they work in, the
// nearest first; while words are looked for, the rows that have all of them.
func (s *Screen) blocks(w int) [][]string {
	table, place := s.program.Keys(), s.program.Behind()
	words := strings.Fields(strings.ToLower(s.query))
	ordered := slices.Clone(table.Sections)
	slices.SortStableFunc(ordered, func(a, b keys.Section) int { return cmp.Compare(distance(a, place), distance(b, place)) })
	var blocks [][]string
	newcomer := len(words) == 0 && place&keys.InSegment != 0
	if newcomer && place != keys.InReader {
		blocks = append(blocks, s.first(table, w))
	}
	for _, section := range ordered {
		var lines []string
		for i := range table.Rows {
			if b := &table.Rows[i]; b.In == section.In && hasWords(b, words) {
				lines = append(lines, s.binding(b, b.Help, words, w)...)
			}
		}
		if len(lines) > 0 {
			if section.In == keys.InReader && len(words) == 0 {
				lines = append(lines, s.mapText(w)...)
			}
			blocks = append(blocks, append(append([]string{" " + s.Ink.Name.On(section.Title)}, lines...), ""))
			if newcomer && place == keys.InReader && section.In == place {
				blocks = append(blocks, s.first(table, w))
			}
		}
	}
	if len(blocks) == 0 {
		blocks = [][]string{{" " + s.Ink.Muted.On("no key matches"), "", " " + s.Ink.Text.On(s.Key(keys.Back)+" shows all keys again")}}
	}
	return blocks
}

// mapText says what the signs at the right edge of the reader mean.
func (s *Screen) mapText(w int) []string {
	var lines []string
	for part := range strings.SplitSeq(ansi.Wordwrap("The right edge is a map of the segment: "+reader.MapLegend(s.ASCII), max(10, w-4), ""), "\n") {
		lines = append(lines, "  "+s.Ink.Muted.On(part))
	}
	return lines
}

// first lists what a newcomer looks for.
func (s *Screen) first(table *keys.Table, w int) []string {
	search := "   " + s.Key("search-keys") + " searches the keys"
	lines := []string{" " + s.Ink.Name.On("To begin with") + s.Ink.Muted.On(search)}
	for _, f := range firstKeys {
		if b := table.Named(f.name, f.in); b != nil {
			help := b.Help
			if f.in == keys.InReader {
				help = "in the reader: " + help
			}
			lines = append(lines, s.binding(b, help, nil, w)...)
		}
	}
	return append(lines, "")
}

// binding draws a binding in lines of at most w cells.
func (s *Screen) binding(b *keys.Binding, help string, words []string, w int) []string {
	keys := cmp.Or(strings.Join(b.Keys, " "), ":"+b.Name)
	indent := keyCells
	if w >= named {
		indent += nameCells
	}
	var lines []string
	for part := range strings.SplitSeq(ansi.Wordwrap(help, max(10, w-indent-3), ""), "\n") {
		line := "  "
		if len(lines) > 0 {
			line += strings.Repeat(" ", indent)
		} else {
			line += s.Ink.Key.On(draw.Fit(keys, keyCells-1, s.G.More) + " ")
			if w >= named {
				line += s.found(draw.Fit(b.Name, nameCells, s.G.More), words, s.Ink.Muted)
			}
		}
		lines = append(lines, line+s.found(clean.Line(part), words, s.Ink.Text))
	}
	return lines
}

// found draws text with the words that are looked for marked in it.
func (s *Screen) found(text string, words []string, k draw.Ink) string {
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
		b.WriteString(k.On(text[:at]) + s.Ink.Match.On(text[at:at+n]))
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
