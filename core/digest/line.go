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
	row    Row
	weight int
	open   bool
}

// line returns a step as a row of a width.
func (l *layout) line(s *step, width int) Row {
	if len(s.entries) == 1 {
		return l.single(&s.entries[0], width)
	}
	entries := fold(s.entries, openIn(s.entries) > 3*openPerRow(width))
	for _, most := range [...]int{80, 44, 28, 16, 9, 5} {
		tokens := make([]token, len(entries))
		for i := range entries {
			tokens[i] = l.token(&entries[i], most)
		}
		if row := l.join(tokens, nil); row.width() <= width {
			return row
		}
		if most <= 28 {
			if row, ok := l.fit(tokens, width, most == 5); ok {
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

// fit keeps the tokens that weigh most and tells how many others there are. All
// failures left open stay if they are forced to: cut, if they must.
func (l *layout) fit(tokens []token, width int, force bool) (Row, bool) {
	order := make([]int, len(tokens))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return tokens[b].weight - tokens[a].weight })
	keep := make([]bool, len(tokens))
	open := 0
	for _, i := range order {
		if tokens[i].open {
			keep[i], open = true, open+1
		}
	}
	if open > 0 && l.join(tokens, keep).width() > width {
		if !force {
			return nil, false
		}
		each := max(6, (width-5)/open-3)
		for i := range tokens {
			if tokens[i].open {
				tokens[i].row = tokens[i].row.cut(each, l.signs.more)
			}
		}
		return l.join(tokens, keep).cut(width, l.signs.more), true
	}
	for _, i := range order {
		if keep[i] {
			continue
		}
		keep[i] = true
		if l.join(tokens, keep).width() > width {
			keep[i] = false
		}
	}
	if !slices.Contains(keep, true) {
		if !force {
			return nil, false
		}
		return tokens[order[0]].row.cut(width, l.signs.more), true
	}
	return l.join(tokens, keep), true
}

// join writes tokens one after the other; keep says which, nil is all.
func (l *layout) join(tokens []token, keep []bool) Row {
	var row Row
	left := 0
	for i := range tokens {
		if keep != nil && !keep[i] {
			left++
			continue
		}
		if row != nil {
			row = append(row, Piece{Muted, l.signs.dot})
		}
		row = append(row, tokens[i].row...)
	}
	if left > 0 {
		row = append(row, Piece{Muted, "  +" + strconv.Itoa(left)})
	}
	return row
}

// token writes an entry, its argument at most so many cells wide.
func (l *layout) token(e *entry, most int) token {
	t := token{weight: e.weight(), open: e.open() > 0}
	switch {
	case e.mark != "":
		t.row = Row{{System, e.mark}}
	case len(e.calls) == 0:
		t.row = Row{{wordsKind(e), l.short(e.words, most)}}
	default:
		t.row = l.name(e, most)
		if e.call().kind == checks && e.call().outcome == outcome.OK {
			t.row = append(t.row, Piece{Passed, " ok"})
		}
	}
	return t
}

func wordsKind(e *entry) Kind {
	if e.thought {
		return Thought
	}
	return Plain
}

func (l *layout) short(text string, most int) string { return ansi.Truncate(text, most, l.signs.more) }

// name writes what was called, how often and what became of it.
func (l *layout) name(e *entry, most int) Row {
	c := e.call()
	kind, arg := Tool, c.arg
	if e.open() > 0 && c.outcome == outcome.Error {
		kind = Failed
	}
	var row Row
	if e.open() > 0 {
		row = Row{{[...]Kind{outcome.OK: Plain, outcome.Exit: Exit, outcome.Error: Failed}[c.outcome], l.signs.cross + " "}}
	}
	if c.kind == thinks {
		return append(row, Piece{Thought, "thought: " + l.short(arg, most)})
	}
	row = append(row, Piece{kind, l.short(c.tool, max(24, most))})
	n := len(e.calls)
	if n > 1 {
		row = append(row, Piece{Muted, " " + l.signs.times + strconv.Itoa(n)})
	}
	if arg != "" {
		if n > 1 && c.kind == looks {
			arg = alike(e.calls)
		}
		row = append(row, Piece{Code, " " + l.short(arg, most)})
	}
	return append(row, l.result(e)...)
}

// alike lists the arguments of calls, each once.
func alike(calls []*call) string {
	text := ""
	seen := map[string]bool{}
	for _, c := range calls {
		if c.arg == "" || seen[c.arg] {
			continue
		}
		seen[c.arg] = true
		if text != "" {
			text += ", "
		}
		text += c.arg
		if len(text) > wordsKept {
			break
		}
	}
	return text
}

// result writes lines changed, and how calls ended: of several the failures, and
// the last.
func (l *layout) result(e *entry) Row {
	var row Row
	add, del, failures := 0, 0, 0
	for _, c := range e.calls {
		if c.outcome != outcome.OK {
			failures++
			continue
		}
		for i := range c.files {
			add, del = add+c.files[i].add, del+c.files[i].del
		}
	}
	if add > 0 {
		row = append(row, Piece{Added, " +" + strconv.Itoa(add)})
	}
	if del > 0 {
		row = append(row, Piece{Removed, " " + l.signs.minus + strconv.Itoa(del)})
	}
	c := e.call()
	switch {
	case failures == 0:
	case failures == len(e.calls):
		row = append(row, Piece{[...]Kind{outcome.Exit: Exit, outcome.Error: Failed}[c.outcome], " " + c.evidence})
	case c.outcome == outcome.OK:
		row = append(row, Piece{Exit, " " + plural(failures, "failure")}, Piece{Passed, ", last ok"})
	default:
		row = append(row, Piece{Exit, " " + plural(failures, "failure") + ", last " + c.evidence})
	}
	return row
}

// single writes an entry that has a row of its own: with what it gave.
func (l *layout) single(e *entry, width int) Row {
	if len(e.calls) == 0 {
		return l.token(e, width).row.cut(width, l.signs.more)
	}
	c := e.call()
	share := 6 // tenths of the width for what was called
	if c.outcome != outcome.OK || len(c.files) == 0 && c.kind == changes {
		share = 4
	}
	row := l.name(e, max(16, width*share/10-ansi.StringWidth(c.tool)))
	if c.kind == thinks {
		return l.name(e, max(1, width-9)).cut(width, l.signs.more)
	}
	gave, kind := c.gave, Muted
	switch {
	case !c.answered:
		gave = "no result"
	case c.outcome == outcome.Error:
		kind = Failed
	case c.outcome == outcome.Exit:
		kind = Exit
	case c.kind == checks:
		kind = Passed
	}
	if room := width - row.width() - ansi.StringWidth(l.signs.arrow); gave != "" && room > 6 {
		row = append(row, Piece{Muted, l.signs.arrow}, Piece{kind, l.short(gave, room)})
	}
	return row.cut(width, l.signs.more)
}
