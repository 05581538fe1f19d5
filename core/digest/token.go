package digest

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/outcome"
)

// token writes an entry, its argument at most so many cells wide.
func (l *layout) token(e *entry, most int) token {
	t := token{entry: e, weight: e.weight(), open: e.open() > 0, must: l.must(e)}
	switch {
	case e.changed():
		t.row, t.files, _ = l.files(e, most, 0)
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
	if c.plain && c.tool == "" {
		row = append(row, Piece{Plain, l.short(arg, most)})
		return append(row, l.result(e)...)
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

// result writes how calls ended: of several the failures, and the last.
func (l *layout) result(e *entry) Row {
	var row Row
	failures := 0
	for _, c := range e.calls {
		if c.outcome != outcome.OK {
			failures++
		}
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
	if e.changed() {
		row, shown, _ := l.files(e, max(16, width*6/10), width)
		l.tell([]token{{files: shown}}, nil)
		return row.cut(width, l.signs.more)
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
