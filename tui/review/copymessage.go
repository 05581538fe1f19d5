package review

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// CopyMessage copies the current message of the reader: it is read again, as
// the reader has only what can be shown.
func (r *Room) CopyMessage() tea.Cmd {
	if r.Reader.Status().Number == 0 {
		r.Say("nothing to copy here")
		return nil
	}
	of := r.Reader.Current()
	return r.askNow(func(ctx context.Context, _ rows.Library) work.Show {
		found, err := of.Read(ctx)
		text, part := recordedText(&found)
		return func() tea.Cmd {
			if err != nil {
				r.Fail("copying "+of.Name, err)
				return nil
			}
			return r.app.Copy(text, of.Name+part+of.Of)
		}
	})
}

// recordedText is what a message says, else what it calls, else what was
// thought, and which of them.
func recordedText(m *chat.Message) (text, of string) {
	if m.Content != "" {
		return m.Content, ""
	}
	calls := make([]string, len(m.ToolCalls))
	for i := range m.ToolCalls {
		calls[i] = strings.TrimSpace(m.ToolCalls[i].Name + " " + m.ToolCalls[i].Arguments)
	}
	if len(calls) > 0 {
		return strings.Join(calls, "\n"), ", its calls"
	}
	return m.Reasoning, ", its thinking"
}
