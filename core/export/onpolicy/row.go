package onpolicy

import (
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
)

// Row is what a model saw and wrote between two compactions of a session.
type Row struct {
	// From is the number of the first own message that came after the compaction, or
	// 1.
	From     int
	Messages []Message
	// Unknown says that nobody knows what the compaction kept.
	Unknown bool
	// Lost are the segments with answers that would be trained, were nothing sealed
	// in front of them.
	Lost []int

	least int // messages up to the last one that trains
}

// Message is one of a row.
type Message struct {
	*chat.Message
	Node graph.NodeID
	Own  bool // of the session itself
	// Sampled says that a model wrote it to exactly what stands before it.
	Sampled bool
	// Train says that it is sampled and that a verdict wants it trained.
	Train   bool
	Segment int // that it is in, −1 for none
	// Edit is what made it, nil: it is as it was recorded. Recorded is what was, if
	// it stands in the place of that.
	Edit     *edit.Edit
	Recorded *chat.Message
	// Given says that a model wrote Recorded to exactly what stands before it.
	Given bool
}

// Judge tells of an own message by its number in which segment it is, −1 for none,
// and whether an answer there is to be trained.
type Judge func(n int) (segment int, trains bool)

// Rows returns the rows of a path that hold own messages, in their order. Each ends
// before its first message that is sealed, and after its last one that trains, or with
// whole after its last answer in a segment. One that trains nothing is left out, but
// for an empty one that tells what is Lost.
func (p *Path) Rows(judge Judge, sealed func(*chat.Message) bool, whole bool) []Row {
	var rows []Row
	sampled := map[graph.NodeID]bool{}
	for i, s := range p.starts {
		end := len(p.steps)
		if i+1 < len(p.starts) {
			end = p.starts[i+1].at
		}
		if end == s.at || !p.steps[end-1].own {
			continue
		}
		r := p.row(s, end, judge, sealed, sampled)
		if r.trims(); whole && r.least > 0 {
			r.least = r.answers()
		}
		r.Messages = r.Messages[:r.least]
		if len(r.Messages) > 0 || len(r.Lost) > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// row makes the row of a context that begins at s and ends before the step end.
// sampled are the nodes that a model wrote in those before it.
func (p *Path) row(s start, end int, judge Judge, sealed func(*chat.Message) bool, sampled map[graph.NodeID]bool) Row {
	r := Row{Unknown: !s.known, From: p.first(s.at, end)}
	var id graph.NodeID
	edited, cut := false, false
	add := func(at int, fresh bool) {
		st, before := &p.steps[at], edited
		edited = edited || st.edit != nil
		if st.message == nil {
			return
		}
		cut = cut || sealed(st.message)
		id = id.Next(st.message)
		m := Message{Message: st.message, Node: id, Own: st.own, Segment: -1, Edit: st.edit, Recorded: st.recorded}
		given := fresh && !edited && byModel(st.message)
		m.Sampled = given || sampled[id]
		m.Given = fresh && !before && m.Recorded != nil && byModel(m.Recorded)
		trains := false
		if st.own {
			m.Segment, trains = judge(max(st.n, 1))
		}
		m.Train = trains && given
		if cut {
			if m.Train {
				r.lose(m.Segment)
			}
			return
		}
		if m.Sampled {
			sampled[id] = true
		}
		r.Messages = append(r.Messages, m)
	}
	if s.at > 0 {
		system := p.prompts()
		for _, at := range system {
			add(at, false)
		}
		for _, at := range s.keeps {
			if !slices.Contains(system, at) {
				add(at, false)
			}
		}
	}
	for at := s.at; at < end; at++ {
		add(at, true)
	}
	return r
}

// first returns the number of the first own message among steps.
func (p *Path) first(from, end int) int {
	for _, s := range p.steps[from:end] {
		if s.own {
			return max(s.n, 1)
		}
	}
	return 1
}

// prompts returns the steps of the system messages at the beginning: recorded ones,
// whatever became of them, and those put among them.
func (p *Path) prompts() (steps []int) {
	for at := range p.steps {
		s := &p.steps[at]
		m := s.origin()
		switch {
		case m.Role == chat.System && !m.Marks.Has(chat.MarkCompaction):
			steps = append(steps, at)
		case s.edit == nil || s.edit.Op != edit.Add:
			return steps
		}
	}
	return steps
}

// byModel reports whether a message is an answer just as a model gave it.
func byModel(m *chat.Message) bool {
	return m.Role == chat.Assistant && m.Model != chat.NoModel && m.Marks&(chat.MarkMalformedCall|chat.MarkRepaired) == 0 && !m.Summary()
}

func (r *Row) lose(segment int) {
	if n := len(r.Lost); n == 0 || r.Lost[n-1] != segment {
		r.Lost = append(r.Lost, segment)
	}
}

// Shorten cuts off what comes after the last message that trains, and reports whether
// there was anything.
func (r *Row) Shorten() bool {
	was := len(r.Messages)
	r.trims()
	r.Messages = r.Messages[:r.least]
	return len(r.Messages) < was
}

// trims notes how many messages there are up to the last one that trains.
func (r *Row) trims() {
	r.least = len(r.Messages)
	for r.least > 0 && !r.Messages[r.least-1].Train {
		r.least--
	}
}

// answers returns how many messages there are up to the last answer in a segment.
func (r *Row) answers() int {
	n := len(r.Messages)
	for n > 0 && (r.Messages[n-1].Segment < 0 || r.Messages[n-1].Role != chat.Assistant) {
		n--
	}
	return max(n, r.least)
}

// Trained are the nodes that are trained in an export.
type Trained map[graph.NodeID]struct{}

// Claim switches off what another row trains already, and claims the rest for this
// one. A row that ended with what it trains is cut after the last that stays. It
// reports whether anything was switched off.
func (t Trained) Claim(r *Row) (changed bool) {
	cut := r.least == len(r.Messages)
	for i := range r.Messages {
		m := &r.Messages[i]
		if !m.Train {
			continue
		}
		if _, met := t[m.Node]; met {
			m.Train, changed = false, true
		} else {
			t[m.Node] = struct{}{}
		}
	}
	if r.trims(); cut || r.least == 0 {
		r.Messages = r.Messages[:r.least]
	}
	return changed
}
