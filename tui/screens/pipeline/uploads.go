package pipeline

import (
	"winnow/core/filter"
	"winnow/core/inbox"
	"winnow/tui/draw"
)

// agents are who sends, with what came of it.
func (s *Screen) agents() section {
	sec := section{
		title: "agents", columns: []column{
			{"agent", 24, 0, false, 9}, {"uploads", 9, 0, true, 7}, {"refused", 9, 0, true, 5}, {"bytes", 9, 0, true, 4}, {"messages", 11, 0, true, 8}, {"last", 14, 0, false, 6},
		},
	}
	for i := range s.state.Got.Agents {
		a := &s.state.Got.Agents[i]
		refused := ""
		if a.Refused > 0 {
			refused = draw.Grouped(a.Refused)
		}
		name := a.Name
		sec.rows = append(sec.rows, row{
			key: "agent:" + name, copied: name, what: "the name of the agent",
			cells: []cell{{text: text(name)}, {text: draw.Grouped(a.Uploads)}, warned(refused), muted(draw.Bytes(a.Bytes)), {text: "+" + draw.Grouped(a.Messages)}, muted(s.Day(a.Last))},
			look:  func() { s.narrow(ofAgent(name)) },
		})
	}
	return sec
}

func ofAgent(name string) filter.Node {
	return filter.Term{Field: filter.Agent, Op: filter.Is, Value: name}
}

// uploads are what was sent, the newest first.
func (s *Screen) uploads() section {
	sec := section{
		title: "uploads", empty: "nothing came in yet: winnow serve takes sessions",
		columns: []column{
			{"time", 14, 0, false, 7}, {"agent", 12, 1, false, 8}, {"session", 14, 2, false, 9}, {"bytes", 9, 0, true, 3}, {"outcome", 11, 0, false, 10},
			{"lines", 9, 0, true, 2}, {"bad", 6, 0, true, 4}, {"messages", 10, 0, true, 6}, {"error", 16, 3, false, 5},
		},
	}
	for i := range s.state.Got.Uploads {
		sec.rows = append(sec.rows, s.upload(&s.state.Got.Uploads[i]))
	}
	return sec
}

func (s *Screen) upload(a *inbox.Arrival) row {
	lines, bad, messages := "", "", ""
	if f := a.Figures; f != nil {
		lines = draw.Grouped(int(f.Lines.Lines()))
		if f.Lines.Bad > 0 {
			bad = draw.Grouped(int(f.Lines.Bad))
		}
		if f.Messages.New > 0 {
			messages = "+" + draw.Grouped(f.Messages.New)
		}
	}
	outcome := cell{text: string(a.Outcome)}
	switch {
	case !a.Success:
		outcome.ink = func(k *draw.Inks) draw.Ink { return k.Warn }
	case a.Outcome == inbox.Stored:
		outcome.ink = func(k *draw.Inks) draw.Ink { return k.Key }
	case a.Outcome == inbox.Unchanged:
		outcome.ink = draw.MutedInk
	}
	r := row{
		key: "upload:" + a.ID, copied: a.ID, what: "the id of the upload",
		cells: []cell{muted(s.Day(a.At)), {text: text(a.Agent)}, {text: text(a.Session)}, muted(draw.Bytes(a.Bytes)), outcome, muted(lines), warned(bad), {text: messages}, warned(text(a.Said()))},
	}
	agent, session := a.Agent, a.Session
	if a.Success && a.Figures != nil {
		r.look = func() {
			s.narrow(filter.And{ofAgent(agent), filter.Term{Field: filter.File, Op: filter.Is, Value: inbox.Name(agent, session)}})
		}
	}
	return r
}
