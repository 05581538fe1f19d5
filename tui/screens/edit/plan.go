package edit

import (
	"context"
	"strings"

	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/core/textdiff"
	"winnow/tui/draw"
	"winnow/tui/screen"
)

// Plan is what a change comes to.
type Plan struct {
	Changes []review.EditChange
	Torn    []string // which calls it parts from their results
	// Now and Recorded are the messages that it is about, as they stand and as they were
	// recorded, MostPlanned at most.
	Now, Recorded []chat.Message
}

// MostPlanned is how many messages of a change are shown.
const MostPlanned = 200

// compared is a change laid out.
type compared struct {
	plan  Plan
	pairs []textdiff.Line
	left  int // lines that are not shown
}

// rows are what the change asks for.
func (s *Screen) rows() (list []amend.Row) {
	c := &s.doing
	for _, p := range c.places {
		r := amend.Row{ID: s.at.Session, Place: p, Do: c.do, Field: c.field, Text: s.text, Why: s.why, Version: amend.Recorded}
		if c.do == amend.Insert {
			r.Message = chat.Message{Role: c.role, Content: s.text}
			r.Untrained = s.untrained && c.role == chat.Assistant
		}
		list = append(list, r)
	}
	return list
}

// compare shows what a change does.
func (s *Screen) compare(c choice, text string) {
	s.comparing, s.doing, s.text, s.problem = true, c, text, c.problem(text)
	s.view = view{}
	s.compared = screen.Question[compared]{}
	if s.problem != "" {
		s.Say(s.problem + ": " + s.Key("again") + " changes it again")
	}
	s.lay()
}

// lay finds out what the change comes to.
func (s *Screen) lay() {
	lib, session, rows, c, text, st, fails := s.lib, s.at.Session, s.rows(), s.doing, s.text, s.standing.Got, s.problem != ""
	s.compared.Ask(&s.Seat, func(ctx context.Context) (found compared, err error) {
		if !fails {
			if found.plan, err = lib.Plan(ctx, session, rows); err != nil {
				return found, err
			}
		}
		before, after := c.sides(text, &st, &found.plan)
		found.pairs, found.left = textdiff.Compare(before, after)
		return found, nil
	}, func(_ compared, err error) {
		if err != nil {
			s.problem = "it can't be made: " + err.Error()
		}
	})
}

// sides are the texts before and after.
func (c *choice) sides(text string, st *Standing, p *Plan) (before, after string) {
	switch c.do {
	case amend.Text:
		return c.text, text
	case amend.Insert:
		return "", text
	case amend.Drop:
		return wholes(p.Now), ""
	case amend.Keep:
		if st.Edit.Op == edit.Drop {
			return wholes(p.Now), ""
		}
		return whole(&st.Message), whole(&st.Edit.Message)
	case amend.Theirs:
		if st.Edit.Op == edit.Drop {
			return "", wholes(p.Now)
		}
		return whole(&st.Edit.Message), whole(&st.Message)
	}
	return wholes(p.Now), wholes(p.Recorded)
}

// wholes is all text of messages.
func wholes(list []chat.Message) string {
	var texts []string
	for i := range list {
		text := whole(&list[i])
		if len(list) > 1 {
			text = edit.Name(list[i].N, list[i].Part) + " " + string(list[i].Role) + "\n" + text
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}

// whole is all text of a message.
func whole(m *chat.Message) string {
	text := m.Content
	if m.Reasoning != "" {
		text = m.Reasoning + "\n" + text
	}
	for i := range m.ToolCalls {
		text += "\n" + m.ToolCalls[i].Name + " " + m.ToolCalls[i].Arguments
	}
	return text
}

// keep has the change written.
func (s *Screen) keep() {
	c, plan := &s.doing, &s.compared.Got.plan
	if c.do == amend.Text { // what one began with must still stand there
		sum := chat.SumOf(&s.standing.Got.Message)
		for i := range plan.Changes {
			plan.Changes[i].Seen = &sum
		}
	}
	k := Change{Changes: plan.Changes, Note: s.note, N: s.at.N, Body: s.at.Body, Done: s.done(), Draft: s.draft, Drafts: s.drafts}
	if c.writes() {
		k.Name, k.Text = c.file, s.text
	}
	s.program.Keep(k)
}

// done says what was done.
func (s *Screen) done() string {
	c, name := &s.doing, "message "+draw.Grouped(s.at.N)
	if s.at.Part > 0 {
		name = "message " + edit.Name(s.at.N, s.at.Part)
	}
	n := len(s.compared.Got.plan.Changes)
	switch {
	case c.do == amend.Insert:
		return "a message is added after message " + draw.Grouped(c.places[0].N)
	case c.do == amend.Drop && n > 1:
		return draw.Plural(n, "message") + " are dropped"
	case c.do == amend.Drop:
		return name + " is dropped"
	case c.do == amend.Revert && n > 1:
		return draw.Plural(n, "message") + " are as recorded"
	case c.do == amend.Revert || c.do == amend.Theirs:
		return name + " is as recorded"
	case c.do == amend.Keep:
		return "the edit of " + name + " is in force"
	}
	return name + " is changed"
}

// Family returns the call that a message makes or answers, with its results: the
// message that calls, and those that answer, in their order; nil if it has none.
// results are the messages that answer its calls, one by one, "" without one. near are
// messages around it.
func Family(near []chat.Message, n, part int) (list []amend.Place, results []string) {
	var from int
	var group []int
	for i := range near {
		m := &near[i]
		if m.Role != chat.Tool {
			if has(near, group, n, part) {
				break
			}
			if group = nil; len(m.ToolCalls) > 0 {
				from, group = i, []int{i}
			}
			continue
		}
		if group != nil {
			group = append(group, i)
		}
	}
	if !has(near, group, n, part) {
		return nil, nil
	}
	calls := near[from].ToolCalls
	results = make([]string, len(calls))
	for k, i := range group {
		m := &near[i]
		list = append(list, amend.Place{N: m.N, Part: m.Part})
		for c := range calls {
			if i != from && results[c] == "" && (calls[c].ID == m.ToolCallID && m.ToolCallID != "" || m.ToolCallID == "" && c == k-1) {
				results[c] = edit.Name(m.N, m.Part)
			}
		}
	}
	return list, results
}

func has(near []chat.Message, group []int, n, part int) bool {
	for _, i := range group {
		if near[i].N == n && near[i].Part == part {
			return true
		}
	}
	return false
}
