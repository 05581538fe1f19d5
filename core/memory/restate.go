package memory

import "strings"

const (
	restated  = 0.6 // share of the words of a memory that are in one passage
	passage   = 3   // times as many words as the memory has make a passage
	termsFew  = 3   // of fewer words nothing can be said
	recallMin = 24  // bytes of a known memory that are looked for
)

// restates reports whether the session was told what the memory says: a passage of
// its instructions has most of its words. Long instructions have most words of any
// text somewhere, so a passage is not much longer than the memory. Nor counts
// what was quoted from where a known memory stands: it was recalled.
func restates(m *Memory, e *Evidence, known []Memory) bool {
	own := terms(m.Content + "\n" + m.Resolution)
	distinct := map[string]bool{}
	for _, t := range own {
		distinct[t] = true
	}
	if len(distinct) >= termsFew {
		for _, text := range e.Instructions {
			if denseIn(distinct, passage*len(own), text) {
				return true
			}
		}
	}
	return recalled(m, e, known)
}

// denseIn reports whether so many words of a text in a row hold most of the words.
func denseIn(distinct map[string]bool, window int, text string) bool {
	list := terms(text)
	count := map[string]int{}
	have := 0
	for i, t := range list {
		if distinct[t] {
			if count[t]++; count[t] == 1 {
				have++
			}
		}
		if i >= window {
			if old := list[i-window]; distinct[old] {
				if count[old]--; count[old] == 0 {
					have--
				}
			}
		}
		if float64(have) >= restated*float64(len(distinct)) {
			return true
		}
	}
	return false
}

// recalled reports whether every quote lies in the words of a known memory as they
// stand in that message.
func recalled(m *Memory, e *Evidence, known []Memory) bool {
	for i := range m.Sources {
		for j := range m.Sources[i].Cites {
			if !e.recalls(&m.Sources[i].Cites[j], known) {
				return false
			}
		}
	}
	return true
}

func (e *Evidence) recalls(c *Cite, known []Memory) bool {
	if c.Role == "user" || c.N < 1 || c.N > len(e.Said) {
		return false
	}
	plain := e.Said[c.N-1].plain
	for i := range known {
		content := fold(known[i].Content)
		if len(content) >= recallMin && strings.Contains(content, c.Quote) && strings.Contains(plain, content) {
			return true
		}
	}
	return false
}
