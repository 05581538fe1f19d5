package memory

import (
	"cmp"
	"slices"
	"strings"
)

// alikeFrom is how alike memories are of which one is enough. What is Near a known one is
// never proposed: these are told in other words, and docs/memories.md says how many of
// them are found.
const alikeFrom = 0.45

// BestAlike chooses among the memories of a list that are like m, m itself too: the best
// is to be approved, and the others, which are like it as well, are not needed then. why
// says why there is none. Those that are proposed or approved count, of the same agent and
// folder, whatever their kind.
//
// The best has the highest grade; of several the one that is approved, then m. It has no
// flags, unless it was approved with them, and none of the others corrects it.
func BestAlike(m *Memory, list []Memory) (best Memory, others []Memory, why string) {
	group := m.alikeIn(list)
	if len(group) < 2 {
		return best, nil, "no other memory here is like this one"
	}
	var fit []Memory
	for i := range group {
		k := &group[i]
		flagged := len(k.Flags) > 0 && !k.Fresh()
		if !flagged && !slices.ContainsFunc(group, func(o Memory) bool { return o.Supersedes == k.ID }) {
			fit = append(fit, *k)
		}
	}
	if len(fit) == 0 {
		return best, nil, "those that are alike have flags, or are corrected by one that has: look at each of them"
	}
	best = slices.MinFunc(fit, func(a, b Memory) int {
		return cmp.Or(cmp.Compare(b.Grade, a.Grade), first(a.Fresh(), b.Fresh()), first(a.ID == m.ID, b.ID == m.ID))
	})
	others = slices.DeleteFunc(best.alikeIn(group), func(o Memory) bool { return o.ID == best.ID })
	return best, others, ""
}

// first puts what is so before what is not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Open reports whether a memory is one of those of which the best are chosen.
func (m *Memory) Open() bool { return m.Status == Proposed || m.Fresh() }

// alikeIn returns those of a list that are like m, in its order; m itself is.
func (m *Memory) alikeIn(list []Memory) (group []Memory) {
	own := gistOf(m)
	for i := range list {
		k := &list[i]
		if k.Open() && k.Agent == m.Agent && k.Dir == m.Dir && (k.ID == m.ID || likeness(own, gistOf(k)) >= alikeFrom) {
			group = append(group, *k)
		}
	}
	return group
}

// gist is what a memory says, to be compared.
type gist struct {
	text  string
	plain string // its words
	terms map[string]bool
}

func gistOf(m *Memory) gist {
	text := m.Content + "\n" + m.Resolution
	g := gist{text, plainWords(text), map[string]bool{}}
	for _, t := range terms(text) {
		g.terms[t] = true
	}
	return g
}

// likeness tells how much memories say the same, 0 to 1: the share of words that both
// have, times the share of what is particular in one of them that the other names too.
// Rules of one form on different things have most words in common, but not the things.
func likeness(a, b gist) float64 {
	if a.plain == b.plain {
		return 1
	}
	both := 0
	for t := range a.terms {
		if b.terms[t] {
			both++
		}
	}
	share := float64(both) / float64(max(1, len(a.terms)+len(b.terms)-both))
	if share < alikeFrom {
		return share // no product of it is more
	}
	have, all := a.namedIn(b)
	more, rest := b.namedIn(a)
	if all+rest == 0 {
		return share
	}
	return share * float64(have+more) / float64(all+rest)
}

// namedIn counts what is particular in a text, and how much of that another one has.
func (g gist) namedIn(other gist) (have, all int) {
	text := strings.ToLower(other.text)
	for part := range parts(g.text) {
		if all++; ContainsWords(text, part) {
			have++
		}
	}
	return have, all
}

// parts are the words of what is particular in a text, in lower case.
func parts(text string) map[string]bool {
	list := map[string]bool{}
	for _, found := range particular.FindAllString(text, -1) {
		for word := range strings.FieldsSeq(strings.ToLower(found)) {
			if word = strings.Trim(word, "`\"“”‘’「」『』«».,:;"); word != "" {
				list[word] = true
			}
		}
	}
	text = strings.ToLower(text)
	for _, word := range commands {
		if ContainsWords(text, word) {
			list[word] = true
		}
	}
	return list
}
