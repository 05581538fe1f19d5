package digest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/outcome"
)

// token is an entry, or several, as a part of a line.
type token struct {
	entry  *entry
	row    Row
	weight int
	open   bool
	must   bool     // it stays on the line
	files  []uint64 // that it shows
}

// sizes are how many cells an argument may take, tried one after the other.
var sizes = [...]int{80, 44, 28, 16, 9, 5}

// line returns a step as a row of a width.
func (l *layout) line(s *step, width int) Row {
	if len(s.entries) == 1 {
		return l.single(&s.entries[0], width)
	}
	entries := fold(s.entries, openIn(s.entries) > 3*openPerRow(width))
	for _, most := range sizes {
		tokens := make([]token, len(entries))
		for i := range entries {
			tokens[i] = l.token(&entries[i], most)
		}
		if row := l.join(tokens, nil); row.width() <= width {
			l.tell(tokens, nil)
			return row
		}
		if most <= 28 {
			if row, ok := l.fit(tokens, width, most); ok {
				return row
			}
		}
	}
	return nil
}

// fold puts together the entries of a line that are of one tool: what is looked
// at, and what is done to one file or with one command; what fails too, if it is
// too much to tell apart.
func fold(entries []entry, many bool) []entry {
	var out []entry
	at := map[string]int{}
	for _, e := range entries {
		if len(e.calls) == 0 {
			if i, seen := at["mark\x00"+e.mark]; e.mark != "" && (!seen || out[i].mark == "") {
				at["mark\x00"+e.mark] = len(out)
				out = append(out, e)
			}
			continue
		}
		c := e.call()
		key := ""
		switch {
		case len(c.files) > 0 && e.open() == 0:
			key = "files\x00" + c.tool
		case e.open() > 0 && many:
			key = "open\x00" + c.tool + "\x00" + c.evidence
		case e.open() > 0:
			key = "open\x00" + c.tool + "\x00" + c.evidence + "\x00" + c.arg
		case c.kind == looks && c.outcome == outcome.OK:
			key = "looks\x00" + c.tool
		case c.outcome == outcome.OK && len(c.files) == 0 && c.kind != checks && shells[bare(c.tool)]:
			key = c.tool + "\x00" + program(c.arg)
		default:
			key = c.tool + "\x00" + c.arg
		}
		i, seen := at[key]
		if !seen {
			at[key] = len(out)
			e.calls = slices.Clip(e.calls)
			out = append(out, e)
			continue
		}
		out[i].calls = append(out[i].calls, e.calls...)
	}
	if len(out) == 0 && len(entries) > 0 {
		return entries[:1]
	}
	return out
}

// program returns the first words of a command.
func program(command string) string {
	words := strings.Fields(command)
	return strings.Join(words[:min(2, len(words))], " ")
}

// fit keeps the tokens that weigh most and tells how many calls there are besides.
// Those that must stay do, with short names of files and failures cut if they
// must.
func (l *layout) fit(tokens []token, width, most int) (Row, bool) {
	last := most == sizes[len(sizes)-1]
	keep := make([]bool, len(tokens))
	must := 0
	for i := range tokens {
		if keep[i] = tokens[i].must; keep[i] {
			must++
		}
	}
	if must > 0 && l.join(tokens, keep).width() > width {
		ok := l.squeeze(tokens, keep, width, most, last)
		if !ok && !last {
			return nil, false
		}
	}
	order := make([]int, len(tokens))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return tokens[b].weight - tokens[a].weight })
	for _, i := range order {
		if !keep[i] {
			keep[i] = true
			keep[i] = l.join(tokens, keep).width() <= width
		}
	}
	if !slices.Contains(keep, true) {
		if !last {
			return nil, false
		}
		keep[order[0]] = true
	}
	l.tell(tokens, keep)
	return l.join(tokens, keep).cut(width, l.signs.more), true
}

// squeeze makes tokens that stay fit a width: of lists of files, the files that no
// other row tells stay, and what else must is cut if it is the last way. It
// reports whether nothing was lost.
func (l *layout) squeeze(tokens []token, keep []bool, width, most int, cut bool) bool {
	rest, lists, kept := width-len("  999 more"), 0, 0
	for i := range tokens {
		if keep[i] {
			kept++
		}
	}
	each := max(6, rest/max(1, kept)-ansi.StringWidth(l.signs.dot))
	for i := range tokens {
		t := &tokens[i]
		switch {
		case !keep[i]:
		case t.files != nil:
			lists++
		default:
			if cut {
				t.row = t.row.cut(each, l.signs.more)
			}
			rest -= t.row.width() + ansi.StringWidth(l.signs.dot)
		}
	}
	// What a short list leaves is for the longer ones.
	whole := lists > 0
	for _, i := range shortest(tokens) {
		t := &tokens[i]
		if keep[i] && t.files != nil {
			room := max(rest/lists, min(t.row.width(), rest*2/3)) - ansi.StringWidth(l.signs.dot)
			row, shown, all := l.files(t.entry, most, max(room, 16))
			t.row, t.files = row, shown
			rest -= row.width() + ansi.StringWidth(l.signs.dot)
			lists--
			whole = whole && all
		}
	}
	return whole && l.join(tokens, keep).width() <= width
}

// shortest returns the indexes of tokens, the shortest first.
func shortest(tokens []token) []int {
	order := make([]int, len(tokens))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return tokens[a].row.width() - tokens[b].row.width() })
	return order
}

// tell notes which files tokens show.
func (l *layout) tell(tokens []token, keep []bool) {
	for i := range tokens {
		if keep == nil || keep[i] {
			for _, key := range tokens[i].files {
				l.shown[key] = true
			}
		}
	}
}

// join writes tokens one after the other; keep says which, nil is all.
func (l *layout) join(tokens []token, keep []bool) Row {
	var row Row
	left := 0
	for i := range tokens {
		if keep != nil && !keep[i] {
			left += max(1, len(tokens[i].entry.calls))
			continue
		}
		if row != nil {
			row = append(row, Piece{Muted, l.signs.dot})
		}
		row = append(row, tokens[i].row...)
	}
	if left > 0 {
		row = append(row, Piece{Muted, l.signs.dot + strconv.Itoa(left) + " more"})
	}
	return row
}
