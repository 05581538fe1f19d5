package review

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// CopyMessage copies the current message of the reader: it is read again, as
// the reader has only what can be shown.
func (r *Room) CopyMessage() tea.Cmd {
	n, body := r.Reader.Status().Number, r.Opened.Body
	if n == 0 {
		r.Say("nothing to copy here")
		return nil
	}
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		found, err := lib.Messages(ctx, body, n, n)
		var text, of string
		if len(found) > 0 {
			text, of = recordedText(&found[0])
		}
		return func() tea.Cmd {
			if err != nil {
				r.Fail(fmt.Sprintf("copying message %d", n), err)
				return nil
			}
			return r.app.Copy(text, fmt.Sprintf("message %d%s", n, of))
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
