package memories

import (
	"context"
	"errors"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// choice is the best of the memories that are alike, and those that go.
type choice struct {
	best   memory.Memory
	others []memory.Memory
}

// best finds the memories of the list that are like the one under the cursor, and asks
// whether the best of them is kept: which are alike the list does not show. The cursor
// goes to the best, so that one reads what one approves.
func (s *Screen) best() {
	m, list := *s.rows.Selected(), s.rows.Rows
	s.choosing.Ask(&s.Seat, func(context.Context) (c choice, err error) {
		why := ""
		if c.best, c.others, why = memory.BestAlike(&m, list); why != "" {
			err = errors.New(why)
		}
		return c, err
	}, func(c choice, err error) {
		if err != nil {
			s.Say(err.Error())
			return
		}
		s.asks = asking{to: memory.Rejected, all: c.others, best: &c.best, from: m.ID}
		s.pick(c.best.ID)
	})
}

// pick brings the cursor to a memory, if it is in the list.
func (s *Screen) pick(id string) {
	if i := slices.IndexFunc(s.rows.Rows, func(m memory.Memory) bool { return m.ID == id }); i >= 0 {
		s.rows.Pick(i)
	}
}

// choose keeps the best of those alike.
func (s *Screen) choose(a asking) {
	s.pick(a.from)
	list := append([]memory.Memory{*a.best}, a.all...)
	j := memory.Judgement{Status: a.to, Best: a.best.ID, Seen: seen(list...)}
	for i := range list {
		j.IDs = append(j.IDs, list[i].ID)
	}
	s.writing = true
	s.program.Judge(j, "", s.ended(true, j.IDs...))
}

// bestText asks whether the best is kept and the others go.
func (s *Screen) bestText(a *asking) string {
	const most = 3
	names, approved := make([]string, 0, most), 0
	for i := range a.all {
		if len(names) < most {
			names = append(names, s.name(&a.all[i]))
		}
		if a.all[i].Fresh() {
			approved++
		}
	}
	if n := len(a.all) - len(names); n > 0 {
		names = append(names, draw.Grouped(n)+" more")
	}
	text := "Approve "
	if a.best.Fresh() {
		text = "Keep "
	}
	text += s.name(a.best) + ", and reject " + draw.Grouped(len(a.all)) + " alike: " + strings.Join(names, ", ") + "?"
	if approved > 0 {
		text += " " + draw.OneOrMany(approved, "of them is approved", "of them are approved") + "."
	}
	return text
}

// noBest says why there is nothing to choose among.
func (s *Screen) noBest() string {
	if reason := s.noWrite(); reason != "" {
		return reason
	}
	return keys.Reason(!s.rows.Selected().Open(), "the best is chosen of memories that are proposed or approved")
}
