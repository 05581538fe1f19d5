package tui

import (
	"fmt"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
	"winnow/tui/keys"
	room "winnow/tui/review"
	"winnow/tui/screen"
)

// A copy goes to the terminal as one escape sequence of base64 letters. Many
// terminals drop one that is longer than 100,000 bytes, which is clipSure of
// text; tmux takes a megabyte, which is screen.MostCopied.
const clipSure = 74_994

func copyKeys() []keyRow {
	return []keyRow{keys.Key("y", "copy", "copy the id of the segment, in the reader the message as recorded, elsewhere what is under the cursor", "", keys.InCopy, (*App).copyHere, nil)}
}

// copyHere copies what the place that has the keys is about.
func (a *App) copyHere() tea.Cmd {
	if s := a.top(); s != nil {
		if c, ok := s.Layer.(screen.Copier); ok {
			return a.Copy(c.Copied())
		}
		return a.Copy("", "")
	}
	if a.Focus == room.OnReader {
		return a.CopyMessage()
	}
	s := a.List.Selected()
	if s == nil {
		return a.Copy("", "")
	}
	return a.Copy(s.ID, "the id of "+a.NameOf(s))
}

// Copy hands a text to the terminal's clipboard and says so.
func (a *App) Copy(text, what string) tea.Cmd {
	said := "copied " + what + ", " + draw.Plural(utf8.RuneCountInString(text), "character")
	switch {
	case text == "":
		a.Say("nothing to copy here")
		return nil
	case len(text) > screen.MostCopied:
		a.Message = screen.Message{Text: fmt.Sprintf("%s has %s bytes, more than a terminal can copy: winnow show prints it", what, draw.Grouped(len(text))), Failed: true}
		return nil
	case len(text) > clipSure:
		said += ": many terminals drop that much"
	}
	a.Say(said)
	return tea.SetClipboard(text)
}
