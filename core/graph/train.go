package graph

import (
	"iter"
	"slices"

	"winnow/core/chat"
)

// Sample is a list of messages that can be trained on as it is: each message
// whose Train is true was written by a model to exactly what stands before it.
type Sample struct {
	Messages []chat.Message
	Train    []bool // one for each message
}

// Samples yields what can be trained, in the order of conversations and
// versions. Each sampled node trains in the first sample that has it, and in
// none if something sealed stands before it. Which samples are worth training
// on is for verdicts to say.
func (g *Graph) Samples() iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		cuts := g.cuts()
		inner := map[NodeID]bool{} // nodes that another cut goes on from
		for _, cut := range cuts {
			for _, e := range cut[:len(cut)-1] {
				inner[e.node] = true
			}
		}
		trained := map[NodeID]bool{}
		for _, cut := range cuts {
			if inner[leafOf(cut)] {
				continue
			}
			inner[leafOf(cut)] = true // an equal one later is none
			s := Sample{Messages: messages(cut), Train: make([]bool, len(cut))}
			for i, e := range cut {
				s.Train[i] = g.sampled[e.node] && !trained[e.node]
				trained[e.node] = trained[e.node] || s.Train[i]
			}
			if !yield(s) {
				return
			}
		}
	}
}

// cuts returns all versions, each cut in front of its first sealed message and
// then after its last sampled node, without those that are empty then.
func (g *Graph) cuts() [][]entry {
	var cuts [][]entry
	for _, c := range g.conversations {
		for _, v := range c.versions {
			cut := v.entries
			if at := slices.IndexFunc(cut, func(e entry) bool { return g.Sealed(e.message) }); at >= 0 {
				cut = cut[:at]
			}
			for len(cut) > 0 && !g.sampled[leafOf(cut)] {
				cut = cut[:len(cut)-1]
			}
			if len(cut) > 0 {
				cuts = append(cuts, cut)
			}
		}
	}
	return cuts
}

// Origin says where a pair comes from.
type Origin string

// The origins of pairs: a message that was edited, or an approved and a
// rejected version that fork at an answer.
const (
	ByEdit    Origin = "edit"
	ByVerdict Origin = "verdict"
)

// Pair is a prompt with two answers of an assistant, of which one is preferred.
type Pair struct {
	Prompt           []chat.Message
	Chosen, Rejected chat.Message
	Why              Origin
}

// Pairs yields the preference pairs of the graph: first those of edits, then
// those of verdicts. A prompt has a message of a user, nothing in a pair is
// sealed, and the same three messages make one pair.
func (g *Graph) Pairs() iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		p := pairing{graph: g, seen: map[[3]NodeID]bool{}, yield: yield}
		_ = p.edits() && p.verdicts()
	}
}

// pairing is one walk over the pairs. Its methods report whether it goes on.
type pairing struct {
	graph *Graph
	seen  map[[3]NodeID]bool
	yield func(Pair) bool
}

// edits finds an assistant's messages that differ from what the model wrote at
// their place. Texts in between make no pair.
func (p *pairing) edits() bool {
	for _, c := range p.graph.conversations {
		for _, b := range c.branches {
			if b.on.verdict == Rejected {
				continue
			}
			for i, e := range b.on.entries {
				if e.place.model && !equal(e.message, e.place.original) &&
					!p.pair(b.on.entries[:i], e.message, e.place.original, ByEdit) {
					return false
				}
			}
		}
	}
	return true
}

// verdicts finds approved and rejected versions that begin alike and go on with
// different answers, the rejected one a model's.
func (p *pairing) verdicts() bool {
	approved := map[NodeID][]entry{} // what approved versions go on with after a node
	for e, before := range p.answers(Approved) {
		next := approved[leafOf(before)]
		if !slices.ContainsFunc(next, func(o entry) bool { return o.node == e.node }) {
			approved[leafOf(before)] = append(next, e)
		}
	}
	for e, before := range p.answers(Rejected) {
		if !e.place.model || !equal(e.message, e.place.original) {
			continue
		}
		for _, chosen := range approved[leafOf(before)] {
			if chosen.node != e.node && !p.pair(before, chosen.message, e.message, ByVerdict) {
				return false
			}
		}
	}
	return true
}

// answers yields the assistant's messages of all versions of a verdict, each
// with what stands before it.
func (p *pairing) answers(v Verdict) iter.Seq2[entry, []entry] {
	return func(yield func(entry, []entry) bool) {
		for _, c := range p.graph.conversations {
			for _, version := range c.versions {
				for i, e := range version.entries {
					if version.verdict == v && e.message.Role == chat.Assistant && !yield(e, version.entries[:i]) {
						return
					}
				}
			}
		}
	}
}

func (p *pairing) pair(prompt []entry, chosen, rejected *chat.Message, why Origin) bool {
	if chosen.Role != chat.Assistant || rejected.Role != chat.Assistant ||
		p.graph.Sealed(chosen) || p.graph.Sealed(rejected) {
		return true
	}
	asked := false
	for _, e := range prompt {
		if p.graph.Sealed(e.message) {
			return true
		}
		asked = asked || e.message.Role == chat.User
	}
	id := leafOf(prompt)
	key := [3]NodeID{id, id.Next(chosen), id.Next(rejected)}
	if !asked || p.seen[key] {
		return true
	}
	p.seen[key] = true
	return p.yield(Pair{Prompt: messages(prompt), Chosen: clone(*chosen), Rejected: clone(*rejected), Why: why})
}
