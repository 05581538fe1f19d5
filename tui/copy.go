package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// A copy goes to the terminal as one escape sequence of base64 letters. Many
// terminals drop one that is longer than 100,000 bytes, which is clipSure of
// text; tmux takes a megabyte, which is screen.MostCopied.
const clipSure = 74_994

func copyKeys() []keyRow {
	return []keyRow{keys.Key("y", "copy", "copy: the segment's id, in the reader the message as it was recorded, else what is under the cursor", "", keys.InCopy, (*App).copyHere, nil)}
}

// copyHere copies what the place that has the keys is about.
func (a *App) copyHere() tea.Cmd {
	if s := a.top(); s != nil {
		if c, ok := s.Layer.(screen.Copier); ok {
			return a.Copy(c.Copied())
		}
		return a.Copy("", "")
	}
	if a.focus == onReader {
		return a.copyMessage()
	}
	s := a.list.Selected()
	if s == nil {
		return a.Copy("", "")
	}
	return a.Copy(s.ID, "the id of "+a.nameOf(s))
}

// Copy hands a text to the terminal's clipboard and says so.
func (a *App) Copy(text, what string) tea.Cmd {
	n := utf8.RuneCountInString(text)
	switch {
	case text == "":
		a.Say("nothing to copy here")
		return nil
	case len(text) > screen.MostCopied:
		a.Message = screen.Message{Text: fmt.Sprintf("%s has %s bytes, more than a terminal copies: winnow show prints it", what, draw.Grouped(len(text))), Failed: true}
		return nil
	case len(text) > clipSure:
		a.Say(fmt.Sprintf("copied %s, %s: many terminals take less", what, draw.Plural(n, "character")))
	default:
		a.Say(fmt.Sprintf("copied %s, %s", what, draw.Plural(n, "character")))
	}
	return tea.SetClipboard(text)
}

// copyMessage copies the current message of the reader: it is read again, as
// the reader has only what can be shown.
func (r *Room) copyMessage() tea.Cmd {
	n, body := r.reader.Status().Number, r.opened.Body
	if n == 0 {
		r.Say("nothing to copy here")
		return nil
	}
	ctx, lib := r.ctx, r.lib
	return func() tea.Msg {
		found, err := lib.Messages(ctx, body, n, n)
		var text, of string
		if len(found) > 0 {
			text, of = recordedText(&found[0])
		}
		return work.Then(func() tea.Cmd {
			if err != nil {
				r.Fail(fmt.Sprintf("copying message %d", n), err)
				return nil
			}
			return r.app.Copy(text, fmt.Sprintf("message %d%s", n, of))
		})
	}
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
