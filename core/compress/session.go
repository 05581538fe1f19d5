package compress

import (
	"slices"

	"winnow/core/chat"
)

// Prefix begins each summary. Other programs know summaries by it.
const Prefix = "[CONTEXT SUMMARY]:"

// session is a conversation with what is known of it.
type session struct {
	o        *Options
	messages []chat.Message
	cost     []int // of each message
	total    int
	atoms    []atom
	tail     int // the first message of the tail
	head     int // the message after the last one of the head
	calls    []place
	tight    int               // how often lists were halved
	lines    []line            // what lists say of messages
	names    *mentions         // nil until asked for
	drafts   map[[2]int]string // summaries by a model, of the messages from one to another
}

// atom is messages that never part: calls with their results, and what stands
// between those.
type atom struct {
	from, to int
	cost     int
	kept     bool
}

// place says which call a result answers: the call'th of a message, -1 for none.
type place struct{ message, call int }

func newSession(messages []chat.Message, o *Options) *session {
	s := &session{o: o, messages: messages, cost: make([]int, len(messages)), total: o.Price.Rest(), drafts: map[[2]int]string{}, lines: make([]line, len(messages))}
	for i := range messages {
		s.cost[i] = o.Price.Message(&messages[i])
		s.total += s.cost[i]
	}
	s.arrange()
	return s
}

// upTo is the session of the first n messages.
func (s *session) upTo(n int) *session {
	part := &session{o: s.o, messages: s.messages[:n], cost: s.cost[:n], total: s.o.Price.Rest(), names: s.names, drafts: s.drafts, lines: s.lines}
	for _, c := range part.cost {
		part.total += c
	}
	part.arrange()
	return part
}

// arrange finds what never parts and what stays.
func (s *session) arrange() {
	s.calls = answered(s.messages)
	kept := s.protect()
	ends := make([]int, len(s.messages)) // how far what begins here reaches
	for i := range s.messages {
		ends[i] = max(ends[i], i+1)
		if from := s.calls[i].message; from >= 0 {
			ends[from] = max(ends[from], i+1)
		}
	}
	for i := 0; i < len(s.messages); {
		a := atom{from: i, to: ends[i]}
		for ; i < a.to; i++ {
			a.to = max(a.to, ends[i])
			a.cost += s.cost[i]
			a.kept = a.kept || kept[i]
		}
		s.atoms = append(s.atoms, a)
	}
}

// answered finds for each result the call it answers: by its id, and where an id
// is missing by order.
func answered(messages []chat.Message) []place {
	places := make([]place, len(messages))
	byID := map[string]place{}
	last := -1 // what an id-less result may answer
	next := 0
	for i := range messages {
		m := &messages[i]
		places[i] = place{-1, -1}
		switch m.Role {
		case chat.Tool:
			at, ok := byID[m.ToolCallID]
			switch {
			case m.ToolCallID != "" && ok:
				places[i] = at
			case last < 0:
			case m.ToolCallID != "" && hasIDs(&messages[last]): // of no call that there is
			case len(messages[last].ToolCalls) == 0 || next < len(messages[last].ToolCalls):
				places[i] = place{last, next}
				next++
			}
		case chat.Assistant:
			last, next = i, 0
			for k := range m.ToolCalls {
				if id := m.ToolCalls[k].ID; id != "" {
					byID[id] = place{i, k}
				}
			}
		default:
			last = -1
		}
	}
	return places
}

// hasIDs reports whether all calls of a message have ids, and there are some.
func hasIDs(m *chat.Message) bool {
	for k := range m.ToolCalls {
		if m.ToolCalls[k].ID == "" {
			return false
		}
	}
	return len(m.ToolCalls) > 0
}

// protect tells which messages stay: those of users and of the system, summaries
// of earlier compactions, head and tail, calls without results and results
// without calls.
func (s *session) protect() []bool {
	kept := make([]bool, len(s.messages))
	s.tail = min(len(s.messages), max(0, len(s.messages)-s.o.Tail))
	got := make([]int, len(s.messages)) // results
	firsts := slices.Clone(s.o.Head)
	for i := range s.messages {
		m := &s.messages[i]
		if at := slices.Index(firsts, m.Role); at >= 0 {
			firsts[at] = ""
			if kept[i] = true; i < s.tail {
				s.head = i + 1
			}
		}
		if i >= s.tail || m.Role == chat.User || m.Role == chat.System || m.Summary() {
			kept[i] = true
		}
		if m.Role == chat.Tool {
			if from := s.calls[i].message; from >= 0 {
				got[from]++
			} else {
				kept[i] = true
			}
		}
	}
	for i := range s.messages {
		if got[i] < len(s.messages[i].ToolCalls) {
			kept[i] = true
		}
	}
	return kept
}

// removable reports whether anything may go.
func (s *session) removable() bool {
	return slices.ContainsFunc(s.atoms, func(a atom) bool { return !a.kept })
}

// after is what the session costs with texts in the place of regions.
func (s *session) after(regions []Region) int {
	n := s.total
	for i := range regions {
		n += regions[i].Cost - regions[i].Tokens
	}
	if at := s.noticed(regions); at >= 0 {
		n += s.o.Price.Message(s.withNotice(at)) - s.cost[at]
	}
	return n
}

// noticed is the message of the system that the notice goes to, -1 for none.
func (s *session) noticed(regions []Region) int {
	if s.o.Notice == "" || len(regions) == 0 {
		return -1
	}
	for i := range s.messages[:regions[0].From] {
		if s.messages[i].Role == chat.System {
			return i
		}
	}
	return -1
}

func (s *session) withNotice(at int) *chat.Message {
	m := s.messages[at]
	m.Content += s.o.Notice
	return &m
}
