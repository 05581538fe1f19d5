package graph

import (
	"testing"

	"winnow/core/chat"
)

// TestChanges holds what each kind of change does to [system, user, answer,
// user]: whether it breaks the prefix, and how many versions there are then.
func TestChanges(t *testing.T) {
	asked := chat.Message{Role: chat.User, Content: "other"}
	for name, c := range map[string]struct {
		change   func(c *Conversation) error
		broke    bool
		versions int
		refused  bool
	}{
		"a prompt before an answer":  {change: func(c *Conversation) error { return c.Set(1, asked, Fix) }, broke: true, versions: 2},
		"a prompt after all answers": {change: func(c *Conversation) error { return c.Set(3, asked, Fix) }, versions: 1},
		"the answer": {change: func(c *Conversation) error {
			return c.Edit(2, func(m *chat.Message) { m.Content = "other" })
		}, broke: true, versions: 2},
		"the answer's arguments alone": {change: func(c *Conversation) error {
			return c.Edit(2, func(m *chat.Message) { m.ToolCalls[0].Arguments = `{"x": 1}` })
		}, broke: true, versions: 2},
		"the answer's reasoning alone": {change: func(c *Conversation) error {
			return c.Edit(2, func(m *chat.Message) { m.Reasoning = "so" })
		}, broke: true, versions: 2},
		"nothing of the answer": {change: func(c *Conversation) error { return c.Set(2, c.At(2), Fix) }, versions: 1},
		"nothing of a prompt":   {change: func(c *Conversation) error { return c.Set(1, c.At(1), Redact) }, versions: 1},
		"another role for a user": {change: func(c *Conversation) error {
			return c.Edit(3, func(m *chat.Message) { m.Role = chat.Assistant })
		}, versions: 1},
		"a copy that is changed": {change: func(c *Conversation) error {
			m := c.At(2)
			m.Content = "other"
			return nil
		}, versions: 1},
		"typed back": {change: func(c *Conversation) error {
			m := c.At(2)
			if err := c.Set(2, asked, Fix); err != nil {
				return err
			}
			return c.Set(2, m, Fix)
		}, versions: 1},
		"changed twice": {change: func(c *Conversation) error {
			for _, text := range []string{"one", "two"} {
				if err := c.Edit(2, func(m *chat.Message) { m.Content = text }); err != nil {
					return err
				}
			}
			return nil
		}, broke: true, versions: 3},
		"an index below 0":     {change: func(c *Conversation) error { return c.Set(-1, asked, Fix) }, refused: true, versions: 1},
		"an index past them":   {change: func(c *Conversation) error { return c.Set(4, asked, Fix) }, refused: true, versions: 1},
		"no role":              {change: func(c *Conversation) error { return c.Set(1, chat.Message{}, Fix) }, refused: true, versions: 1},
		"inserted at the end":  {change: func(c *Conversation) error { return c.Insert(4, asked) }, versions: 1},
		"inserted in front":    {change: func(c *Conversation) error { return c.Insert(0, asked) }, broke: true, versions: 2},
		"the last one deleted": {change: func(c *Conversation) error { return c.Delete(3, 1) }, versions: 1},
		"all squashed":         {change: func(c *Conversation) error { return c.Squash(0, 4, asked) }, broke: true, versions: 2},
		"forked and edited": {change: func(c *Conversation) error {
			if err := c.Fork(4, "b"); err != nil {
				return err
			}
			return c.Set(3, asked, Fix)
		}, versions: 2},
	} {
		t.Run(name, func(t *testing.T) {
			_, h := newGraph(t)
			for _, m := range []chat.Message{
				{Role: chat.System, Content: "s"}, {Role: chat.User, Content: "u"},
				{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{Name: "f", Arguments: `{"x":1}`}}}, {Role: chat.User, Content: "v"},
			} {
				if err := h.Append(m, m.Role == chat.Assistant); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.change(h); (err != nil) != c.refused {
				t.Fatal(err)
			}
			n, _ := h.Versions()
			if h.Broke() != c.broke || n != c.versions {
				t.Errorf("broke %v with %d versions, want %v with %d", h.Broke(), n, c.broke, c.versions)
			}
		})
	}
}
