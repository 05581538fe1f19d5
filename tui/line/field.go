package line

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

// Field is a line of text being typed in place of the footer.
type Field struct {
	Label string
	Hint  string // which keys end it
	Input textinput.Model
	Keep  func(text string) tea.Cmd // uses the text
	// Away is told the text when the field is closed without a decision on
	// it, and "" when there was one.
	Away func(text string)
	// Typed is told the text after each key, nil for nobody.
	Typed func(text string)
}

// MaxNote is longer than anything one types on a line; it keeps a pasted file
// out of a note.
const MaxNote = 4000

// Open begins to edit a text in a line of w cells.
func (f *Field) Open(text string, w int, s themes.Styles) tea.Cmd {
	f.Input = textinput.New()
	f.Input.Prompt = ""
	f.Input.CharLimit = MaxNote
	f.Input.SetVirtualCursor(false) // the terminal's own, where input methods look for it
	f.Style(s)
	room, _ := f.room(w)
	f.Input.SetWidth(room) // before the text: it scrolls to its end
	f.Input.SetValue(clean.Line(text))
	return f.Input.Focus()
}

// Draw draws the field in w cells and returns the column of the cursor.
func (f *Field) Draw(pen *draw.Pen, w int) (string, int) {
	room, hint := f.room(w)
	label := f.heading()
	n := ansi.StringWidth(label)
	f.Input.SetWidth(room)
	x := n
	if c := f.Input.Cursor(); c != nil {
		x += c.X
	}
	text := draw.Fit(f.Input.View(), room, "")
	return draw.Fit(pen.Ink.Key.On(label)+text+pen.Ink.Muted.On(hint), w, ""), min(x, w-1)
}

// Style draws it in the colours of a theme.
func (f *Field) Style(s themes.Styles) {
	styles := f.Input.Styles()
	styles.Focused.Text, styles.Focused.Placeholder = s.Text, s.Muted
	f.Input.SetStyles(styles)
}

// Update types what is safe to be shown; the rest never gets into the text.
func (f *Field) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.PasteMsg:
		m.Content = clean.Line(m.Content[:min(len(m.Content), 4*MaxNote)])
		msg = m
	case tea.KeyPressMsg:
		if strings.TrimSpace(m.Text) != "" && clean.Line(m.Text) != m.Text {
			return nil
		}
		if slices.Contains(f.Input.KeyMap.DeleteWordForward.Keys(), m.String()) {
			at := f.Input.Position()
			f.Put(string(wordAfter([]rune(f.Input.Value()), at)), at)
			return nil
		}
	default: // the clipboard, when it was asked for
		before, at := f.Input.Value(), f.Input.Position()
		var cmd tea.Cmd
		f.Input, cmd = f.Input.Update(msg)
		if text := []rune(f.Input.Value()); string(text) != before {
			end := f.Input.Position()
			came := clean.Line(string(text[at:end]))
			f.Put(string(text[:at])+came+string(text[end:]), at+len([]rune(came)))
		}
		return cmd
	}
	var cmd tea.Cmd
	f.Input, cmd = f.Input.Update(msg)
	return cmd
}

// Put exchanges the text and puts the cursor behind its first at characters.
func (f *Field) Put(text string, at int) {
	f.Input.SetValue(text)
	f.Input.SetCursor(at)
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

func (f *Field) heading() string { return " " + f.Label + " " }

// room is how many of w cells the text has, and what stands behind it.
func (f *Field) room(w int) (int, string) {
	hint := f.Hint
	n := ansi.StringWidth(f.heading())
	if w-n-len(hint) < 20 {
		return max(1, w-n-1), ""
	}
	return w - n - len(hint), hint
}
