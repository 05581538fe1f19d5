package tui

import (
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/themes"
	"winnow/tui/draw"
)

// field is a line of text being typed in place of the footer.
type field struct {
	label string
	hint  string // which keys end it
	input textinput.Model
	keep  func(text string) tea.Cmd
	// away is told the text when the field is closed without a decision on
	// it, and "" when there was one.
	away func(text string)
}

// maxNote is longer than anything one types on a line; it keeps a pasted file
// out of a note.
const maxNote = 4000

// open begins to edit a text in a line of w cells.
func (f *field) open(text string, w int, s themes.Styles) tea.Cmd {
	f.input = textinput.New()
	f.input.Prompt = ""
	f.input.CharLimit = maxNote
	f.input.SetVirtualCursor(false) // the terminal's own, where input methods look for it
	f.style(s)
	room, _ := f.room(w)
	f.input.SetWidth(room) // before the text: it scrolls to its end
	f.input.SetValue(clean.Line(text))
	return f.input.Focus()
}

// draw draws the field in w cells and returns the column of the cursor.
func (f *field) draw(pen *draw.Pen, w int) (string, int) {
	room, hint := f.room(w)
	label := f.heading()
	n := ansi.StringWidth(label)
	f.input.SetWidth(room)
	x := n
	if c := f.input.Cursor(); c != nil {
		x += c.X
	}
	text := draw.Fit(f.input.View(), room, "")
	return draw.Fit(pen.Ink.Key.On(label)+text+pen.Ink.Muted.On(hint), w, ""), min(x, w-1)
}

func (f *field) style(s themes.Styles) {
	styles := f.input.Styles()
	styles.Focused.Text, styles.Focused.Placeholder = s.Text, s.Muted
	f.input.SetStyles(styles)
}

// update types what is safe to be shown; the rest never gets into the text.
func (f *field) update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.PasteMsg:
		m.Content = clean.Line(m.Content[:min(len(m.Content), 4*maxNote)])
		msg = m
	case tea.KeyPressMsg:
		if strings.TrimSpace(m.Text) != "" && clean.Line(m.Text) != m.Text {
			return nil
		}
		if slices.Contains(f.input.KeyMap.DeleteWordForward.Keys(), m.String()) {
			at := f.input.Position()
			f.put(string(wordAfter([]rune(f.input.Value()), at)), at)
			return nil
		}
	default: // the clipboard, when it was asked for
		before, at := f.input.Value(), f.input.Position()
		var cmd tea.Cmd
		f.input, cmd = f.input.Update(msg)
		if text := []rune(f.input.Value()); string(text) != before {
			end := f.input.Position()
			came := clean.Line(string(text[at:end]))
			f.put(string(text[:at])+came+string(text[end:]), at+len([]rune(came)))
		}
		return cmd
	}
	var cmd tea.Cmd
	f.input, cmd = f.input.Update(msg)
	return cmd
}

// put exchanges the text and puts the cursor behind its first at characters.
func (f *field) put(text string, at int) {
	f.input.SetValue(text)
	f.input.SetCursor(at)
}

// wordAfter returns the text without the word behind the cursor, and the spaces
// before it. The input's own way to do it does not end at the last character.
func wordAfter(text []rune, at int) []rune {
	end := at
	for end < len(text) && unicode.IsSpace(text[end]) {
		end++
	}
	for end < len(text) && !unicode.IsSpace(text[end]) {
		end++
	}
	return slices.Delete(text, at, end)
}

func (f *field) heading() string { return " " + f.label + " " }

// room is how many of w cells the text has, and what stands behind it.
func (f *field) room(w int) (int, string) {
	hint := f.hint
	n := ansi.StringWidth(f.heading())
	if w-n-len(hint) < 20 {
		return max(1, w-n-1), ""
	}
	return w - n - len(hint), hint
}
