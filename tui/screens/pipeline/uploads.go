package pipeline

import (
	"winnow/core/filter"
	"winnow/core/inbox"
	"winnow/tui/draw"
	"winnow/tui/table"
)

// agents are who sends, with what came of it.
func (s *Screen) agents() table.Section {
	sec := table.Section{
		Title: "agents", Columns: []table.Column{
			table.Col("agent", 24, 0, false, 9), table.Col("uploads", 9, 0, true, 7), table.Col("refused", 9, 0, true, 5), table.Col("bytes", 9, 0, true, 4), table.Col("messages", 11, 0, true, 8), table.Col("last", 14, 0, false, 6),
		},
	}
	for i := range s.state.Got.Agents {
		a := &s.state.Got.Agents[i]
		refused := ""
		if a.Refused > 0 {
			refused = draw.Grouped(a.Refused)
		}
		name := a.Name
		sec.Rows = append(sec.Rows, table.Row{
			Key: "agent:" + name, Copied: name, What: "the name of the agent",
			Cells: []table.Cell{{Text: text(name)}, {Text: draw.Grouped(a.Uploads)}, table.Warned(refused), table.Muted(draw.Bytes(a.Bytes)), {Text: "+" + draw.Grouped(a.Messages)}, table.Muted(s.Day(a.Last))},
			Look:  func() { s.narrow(ofAgent(name)) },
		})
	}
	return sec
}

func ofAgent(name string) filter.Node {
	return filter.Term{Field: filter.Agent, Op: filter.Is, Value: name}
}

// uploads are what was sent, the newest first.
func (s *Screen) uploads() table.Section {
	sec := table.Section{
		Title: "uploads", Empty: "nothing came in yet: winnow serve takes sessions",
		Columns: []table.Column{
			table.Col("time", 14, 0, false, 7), table.Col("agent", 12, 1, false, 8), table.Col("session", 14, 2, false, 9), table.Col("bytes", 9, 0, true, 3), table.Col("outcome", 11, 0, false, 10),
			table.Col("lines", 9, 0, true, 2), table.Col("bad", 6, 0, true, 4), table.Col("messages", 10, 0, true, 6), table.Col("error", 16, 3, false, 5),
		},
	}
	for i := range s.state.Got.Uploads {
		sec.Rows = append(sec.Rows, s.upload(&s.state.Got.Uploads[i]))
	}
	return sec
}

func (s *Screen) upload(a *inbox.Arrival) table.Row {
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
	outcome := table.Cell{Text: string(a.Outcome)}
	switch {
	case !a.Success:
		outcome.Ink = func(k *draw.Inks) draw.Ink { return k.Warn }
	case a.Outcome == inbox.Stored:
		outcome.Ink = func(k *draw.Inks) draw.Ink { return k.Key }
	case a.Outcome == inbox.Unchanged:
		outcome.Ink = draw.MutedInk
	}
	r := table.Row{
		Key: "upload:" + a.ID, Copied: a.ID, What: "the id of the upload",
		Cells: []table.Cell{table.Muted(s.Day(a.At)), {Text: text(a.Agent)}, {Text: text(a.Session)}, table.Muted(draw.Bytes(a.Bytes)), outcome, table.Muted(lines), table.Warned(bad), {Text: messages}, table.Warned(text(a.Said()))},
	}
	agent, session := a.Agent, a.Session
	if a.Success && a.Figures != nil {
		r.Look = func() {
			s.narrow(filter.And{ofAgent(agent), filter.Term{Field: filter.File, Op: filter.Is, Value: inbox.Name(agent, session)}})
		}
	}
	return r
}
