package compress

import (
	"cmp"
	"slices"

	"winnow/core/chat"
)

// Region is messages that a text stands for: those from From on and before To,
// counted from 0.
type Region struct {
	From   int `json:"from"`
	To     int `json:"to"`
	Tokens int `json:"tokens"` // what the messages cost
	// Text stands for them in a message of Role. Cleared says that it is the
	// result of a tool without its content; else it is a summary.
	Text    string    `json:"text"`
	Role    chat.Role `json:"role"`
	Cleared bool      `json:"cleared,omitzero"`
	Cost    int       `json:"cost"` // of the text as a message
	// Written says that a person wrote the text: it is not written anew.
	Written bool `json:"written,omitzero"`
	// Moved says that the text is not about these messages, but about those
	// between other ends.
	Moved bool `json:"moved,omitzero"`
}

// stand is the message that stands for a region.
func (s *session) stand(g *Region) *chat.Message {
	if g.Cleared {
		m := s.messages[g.From]
		m.Content = g.Text
		return &m
	}
	return &chat.Message{Role: g.Role, Content: g.Text}
}

// run is atoms in a row that may go.
type run struct{ from, to int } // atoms

// runs lists what may go, in the order in which it does: what is after the head
// from the oldest on, and then, unless there is to be one region only, what stands
// between the messages of the head.
func (s *session) runs() (list []run) {
	for i := 0; i < len(s.atoms); i++ {
		if s.atoms[i].kept {
			continue
		}
		from := i
		for i < len(s.atoms) && !s.atoms[i].kept {
			i++
		}
		if r := (run{from, i}); s.o.Regions != 1 || s.early(r) == 0 {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b run) int { return cmp.Compare(s.early(a), s.early(b)) })
	return list
}

// early is 1 for a run in front of the end of the head.
func (s *session) early(r run) int {
	if s.atoms[r.from].from < s.head {
		return 1
	}
	return 0
}

// summarize chooses regions for summaries: the smallest cut, from the oldest on,
// that saves so many tokens.
func (s *session) summarize(excess int) (regions []Region) {
	saved := 0
	for _, r := range s.runs() {
		if s.o.Regions > 0 && len(regions) == s.o.Regions {
			break
		}
		if g := s.within(r, excess-saved, regions); g.To > 0 {
			regions = append(regions, g)
			saved += s.saves(&g)
		}
		if saved >= excess {
			break
		}
	}
	return inOrder(regions)
}

// saves is what the summary of a region is assumed to save.
func (s *session) saves(g *Region) int { return g.Tokens - s.o.By.assume(s.o, g.Tokens) }

// within chooses the region of a run: the shortest that saves enough, else the
// one that saves most; an empty one if none saves anything. It begins with the
// run and ends where enough is saved, unless a summary finds no role there that
// goes with the messages around it.
func (s *session) within(r run, excess int, others []Region) (best Region) {
	most, enough := 0, false
	for from := r.from; from < min(r.to, r.from+2); from++ {
		g, first := Region{From: s.atoms[from].from}, true
		for k := from; k < r.to; k++ {
			g.To = s.atoms[k].to
			g.Tokens += s.atoms[k].cost
			saved := s.saves(&g)
			good := saved >= excess
			more := saved > most || saved == most && most > 0 && from == r.from // the longest of what saves as much
			if !good && (enough || !more || k < r.to-2) {
				continue
			}
			role, ok := s.roleOf(g.From, g.To, others)
			if ok && (!good || !enough || g.Tokens < best.Tokens) {
				best, most, enough = g, saved, good
				best.Role = role
			}
			if good && ok {
				if first && from == r.from {
					return best
				}
				break
			}
			first = first && !good
		}
	}
	return best
}

// roleOf says whose role a summary wears between two messages: the user's where
// no user speaks beside it, else the assistant's where that one does not. Other
// regions have their summaries already.
func (s *session) roleOf(from, to int, others []Region) (role chat.Role, ok bool) {
	before, after := s.beside(from-1, -1, others), s.beside(to, 1, others)
	switch {
	case before != chat.User && after != chat.User:
		return chat.User, true
	case !s.o.NoMask && before != chat.Assistant && after != chat.Assistant:
		return chat.Assistant, true
	}
	return "", false
}

// beside is the role of the message at i, or of the next in that direction: most
// templates move what the system says to the front.
func (s *session) beside(i, step int, others []Region) chat.Role {
	for first := i; i >= 0 && i < len(s.messages); i += step {
		for k := range others {
			if i == first {
				break // regions never touch: something that stays is between them
			}
			if i >= others[k].From && i < others[k].To {
				return others[k].Role
			}
		}
		if role := s.messages[i].Role; role != chat.System {
			return role
		}
	}
	return ""
}

// fitting leaves out the regions whose summary is of the same role as a message
// beside it, since a region there was given up.
func (s *session) fitting(regions []Region) (fit []Region) {
	for k := range regions {
		g := &regions[k]
		before, after := s.beside(g.From-1, -1, regions), s.beside(g.To, 1, regions)
		if g.Cleared || before != g.Role && after != g.Role {
			fit = append(fit, *g)
		}
	}
	return fit
}
