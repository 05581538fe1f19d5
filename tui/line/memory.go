package line

import (
	"maps"
	"slices"
	"strings"

	"winnow/core/clean"
)

// Memory are the lines of a kind that were kept, and one that was put away.
type Memory struct {
	Kept  []string // the last one at the end
	Draft string   // half-typed
	// Hides reports whether a line does not come back, nil: all do.
	Hides func(string) bool
}

// keptLines bounds the lines that up brings back.
const keptLines = 50

// Keep puts a line at the end of those that were kept.
func (m *Memory) Keep(text string) {
	m.Restore(append(slices.DeleteFunc(m.Kept, func(t string) bool { return t == text }), text))
}

// Restore takes lines that were kept.
func (m *Memory) Restore(lines []string) { m.Kept = lines[max(0, len(lines)-keptLines):] }

// walk is where one is among the lines that were kept.
type walk struct {
	back int    // how many lines, 0 for what is typed
	own  string // what was typed before the walk began
}

// walk goes a step from a text, -1 to the line before, past lines that stand there
// already, and returns what it comes to: at the end what was typed. It is not ok
// where there is nothing more.
func (m *Memory) walk(w walk, text string, step int) (next walk, line string, ok bool) {
	if w.back == 0 {
		w.own = text
	}
	for {
		w.back -= step
		switch at := len(m.Kept) - w.back; {
		case w.back == 0:
			return w, w.own, true
		case w.back < 0 || at < 0:
			return w, "", false
		case m.Kept[at] != strings.TrimSpace(text) && (m.Hides == nil || !m.Hides(m.Kept[at])):
			return w, m.Kept[at], true
		}
	}
}

// Drafts are texts that were put away half-typed, by what they are of.
type Drafts map[string]string

// Put puts a text away, unless it is what was there before, and reports whether.
func (d Drafts) Put(of, text, before string) bool {
	delete(d, of)
	if text == before {
		return false
	}
	d[of] = text
	return true
}

// Kept returns a copy for another start of the program; nil for no texts.
func (d Drafts) Kept() Drafts {
	if len(d) == 0 {
		return nil
	}
	return maps.Clone(d)
}

// Restore takes texts that were kept.
func (d Drafts) Restore(kept Drafts) {
	for of, text := range kept {
		d[of] = clean.Line(text)
	}
}

// Inherit hands a text on to what took the place of its own, unless that has one.
func (d Drafts) Inherit(from, to string) {
	text, ok := d[from]
	if !ok {
		return
	}
	delete(d, from)
	if _, has := d[to]; !has {
		d[to] = text
	}
}
