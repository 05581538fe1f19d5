package amend

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/edit"
)

// Results stand near their calls: so far from what is dropped the other half of a
// call is looked for.
const near = 512

// Torn says which calls lose their results by the changes, or results their calls.
func (a *Asked) Torn(ctx context.Context) (list []string, err error) {
	for session, of := range a.spans {
		t := torn{dropped: map[Place]bool{}, halves: map[Place][]Place{}}
		first, last := of.Messages, 0
		for i := range a.Changes {
			c := &a.Changes[i]
			if c.Session == session && (c.Op == edit.Drop || c.Op == "" && c.Part > 0) {
				t.dropped[Place{N: c.N, Part: c.Part}] = true
				first, last = min(first, c.N), max(last, c.N)
			}
		}
		if len(t.dropped) == 0 {
			continue
		}
		err := a.Store.EachMessage(ctx, of.Body, max(1, first-near), min(of.Messages, last+near), func(m *chat.Message) error {
			t.take(m)
			return nil
		})
		if err != nil {
			return nil, err
		}
		list = append(list, t.texts()...)
	}
	slices.Sort(list)
	return list, nil
}

// torn pairs calls with their results.
type torn struct {
	dropped map[Place]bool
	open    []call
	halves  map[Place][]Place // results by the message with their calls, where only one of both is dropped
}

type call struct {
	id string
	at Place
}

func (t *torn) take(m *chat.Message) {
	at := Place{N: m.N, Part: m.Part}
	switch m.Role {
	case chat.Assistant:
		t.open = slices.DeleteFunc(t.open, func(c call) bool { return c.id == "" }) // no result of theirs will come
		for i := range m.ToolCalls {
			t.open = append(t.open, call{m.ToolCalls[i].ID, at})
		}
	case chat.Tool:
		i := slices.IndexFunc(t.open, func(c call) bool { return c.id == m.ToolCallID })
		if i < 0 {
			return
		}
		if by := t.open[i].at; t.dropped[by] != t.dropped[at] {
			t.halves[by] = append(t.halves[by], at)
		}
		t.open = slices.Delete(t.open, i, i+1)
	}
}

func (t *torn) texts() (list []string) {
	for by, results := range t.halves {
		var names []string
		for _, r := range results {
			names = append(names, r.String())
		}
		many := len(names) > 1
		text := strings.Join(names, ", ")
		switch {
		case t.dropped[by] && many:
			text = fmt.Sprintf("messages %s answer calls of message %s, which is dropped: drop them, too", text, by)
		case t.dropped[by]:
			text = fmt.Sprintf("message %s answers a call of message %s, which is dropped: drop it, too", text, by)
		case many:
			text = fmt.Sprintf("messages %s are dropped, and the calls of message %s that they answer are not: drop it, too, or put results in", text, by)
		default:
			text = fmt.Sprintf("message %s is dropped, and the call of message %s that it answers is not: drop it, too, or put a result in", text, by)
		}
		list = append(list, text)
	}
	return list
}
