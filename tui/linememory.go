package tui

import (
	"slices"
	"strings"
)

// memory are the lines of a kind that were kept, and one that was put away.
type memory struct {
	kept  []string // the last one at the end
	draft string   // half-typed
}

// keptLines bounds the lines that up brings back.
const keptLines = 50

// keep puts a line at the end of those that were kept.
func (m *memory) keep(text string) {
	m.restore(append(slices.DeleteFunc(m.kept, func(t string) bool { return t == text }), text))
}

// restore takes lines that were kept.
func (m *memory) restore(lines []string) { m.kept = lines[max(0, len(lines)-keptLines):] }

// walk is where one is among the lines that were kept.
type walk struct {
	back int    // how many lines, 0 for what is typed
	own  string // what was typed before the walk began
}

// to returns where a step leads, past lines that stand there already, and whether
// there is anything.
func (m *memory) to(w walk, text string, step int) (back int, ok bool) {
	text = strings.TrimSpace(text)
	for back = w.back - step; back > 0 && back <= len(m.kept) && m.kept[len(m.kept)-back] == text; {
		back -= step
	}
	return back, back >= 0 && back <= len(m.kept)
}

// walk goes a step from a text, -1 to the line before, and returns what stands
// there: at the end what was typed.
func (m *memory) walk(w walk, text string, step int) (next walk, line string) {
	if w.back == 0 {
		w.own = text
	}
	w.back, _ = m.to(w, text, step)
	if w.back == 0 {
		return w, w.own
	}
	return w, m.kept[len(m.kept)-w.back]
}

// drafts are texts that were put away half-typed, by what they are of.
type drafts map[string]string

// put puts a text away, unless it is what was there before, and reports whether.
func (d drafts) put(of, text, before string) bool {
	delete(d, of)
	if text == before {
		return false
	}
	d[of] = text
	return true
}

// inherit hands a text on to what took the place of its own, unless that has one.
func (d drafts) inherit(from, to string) {
	text, ok := d[from]
	if !ok {
		return
	}
	delete(d, from)
	if _, has := d[to]; !has {
		d[to] = text
	}
}
