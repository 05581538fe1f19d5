package secret

// automaton finds all occurrences of a set of words in one pass, in any case
// (Aho and Corasick, 1975). Its words are ASCII.
type automaton struct {
	class   [256]uint8 // of a byte; 0: in no word
	classes int
	// next is the state that follows a state and a class. States from
	// accepting on end a word.
	next      []uint32
	accepting int
	ends      [][]wordEnd // by state, less accepting; the longest word first
}

type wordEnd struct {
	id, length int
}

// each calls f for every occurrence text[start:end] of the word with the id.
func (a *automaton) each(text string, f func(id, start, end int)) {
	state, classes, accepting := 0, a.classes, a.accepting
	for i := range len(text) {
		state = int(a.next[state*classes+int(a.class[text[i]])])
		if state >= accepting {
			for _, w := range a.ends[state-accepting] {
				f(w.id, i+1-w.length, i+1)
			}
		}
	}
}

// has reports whether any of the words occurs in the text.
func (a *automaton) has(text string) bool {
	state := 0
	for i := range len(text) {
		state = int(a.next[state*a.classes+int(a.class[text[i]])])
		if state >= a.accepting {
			return true
		}
	}
	return false
}

// newAutomaton builds the automaton of words, each known by its index. Words
// that differ in case only must not occur.
func newAutomaton(words []string) *automaton {
	a := &automaton{classes: 1}
	for _, w := range words {
		for i := range len(w) {
			c := lower(w[i])
			if a.class[c] != 0 {
				continue
			}
			a.class[c] = uint8(a.classes)
			if 'a' <= c && c <= 'z' {
				a.class[c-'a'+'A'] = uint8(a.classes)
			}
			a.classes++
		}
	}
	t := trie{classes: a.classes}
	t.grow()
	for id, w := range words {
		t.insert(a, w, id)
	}
	order := t.link()
	a.number(&t, order)
	return a
}

// trie is an automaton while it is built.
type trie struct {
	classes int
	next    []int // -1: none
	ends    [][]wordEnd
}

func (t *trie) grow() int {
	for range t.classes {
		t.next = append(t.next, -1)
	}
	t.ends = append(t.ends, nil)
	return len(t.ends) - 1
}

func (t *trie) insert(a *automaton, word string, id int) {
	if word == "" {
		return
	}
	state := 0
	for i := range len(word) {
		at := state*t.classes + int(a.class[word[i]])
		if t.next[at] < 0 {
			to := t.grow()
			t.next[at] = to
		}
		state = t.next[at]
	}
	t.ends[state] = append(t.ends[state], wordEnd{id, len(word)})
}

// link completes the transitions, and gives each state the words of its
// longest suffix. It returns the states by depth.
func (t *trie) link() []int {
	fail := make([]int, len(t.ends))
	order := make([]int, 1, len(t.ends)) // the root is 0
	for i := 0; i < len(order); i++ {
		state := order[i]
		for c := range t.classes {
			at := state*t.classes + c
			back := 0
			if state != 0 {
				back = t.next[fail[state]*t.classes+c]
			}
			to := t.next[at]
			if to < 0 {
				t.next[at] = back
				continue
			}
			fail[to] = back
			t.ends[to] = append(t.ends[to], t.ends[back]...)
			order = append(order, to)
		}
	}
	return order
}

// number gives the states that end a word the highest numbers, so that one
// comparison tells them.
func (a *automaton) number(t *trie, order []int) {
	to := make([]int, len(order))
	n := 0
	for _, accept := range [...]bool{false, true} {
		if accept {
			a.accepting = n
		}
		for _, state := range order {
			if (len(t.ends[state]) > 0) == accept {
				to[state] = n
				n++
			}
		}
	}
	a.next = make([]uint32, len(t.next))
	a.ends = make([][]wordEnd, n-a.accepting)
	for state := range to {
		for c := range t.classes {
			a.next[to[state]*t.classes+c] = uint32(to[t.next[state*t.classes+c]])
		}
		if to[state] >= a.accepting {
			a.ends[to[state]-a.accepting] = t.ends[state]
		}
	}
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
