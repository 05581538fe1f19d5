package tui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/themes"
)

// field is a line of text being typed in place of the footer.
type field struct {
	label  string
	input  textinput.Model
	before string // the text it began with
	keep   func(text string) tea.Cmd
}

// maxNote is longer than anything one types on a line; it keeps a pasted file
// out of a note.
const maxNote = 4000

// openField begins to edit text; keep gets what was typed.
func (a *App) openField(label, text string, keep func(string) tea.Cmd) tea.Cmd {
	f := &field{label: label, input: textinput.New(), before: clean.Line(text), keep: keep}
	f.input.Prompt = ""
	f.input.CharLimit = maxNote
	f.input.SetVirtualCursor(false) // the terminal's own, where input methods look for it
	f.input.SetValue(f.before)
	f.style(a.styles())
	a.field = f
	return f.input.Focus()
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
	}
	var cmd tea.Cmd
	f.input, cmd = f.input.Update(msg)
	return cmd
}

// fieldLine draws the field in w cells and returns the column of the cursor.
func (a *App) fieldLine(w int) (string, int) {
	f := a.field
	label := " " + f.label + " "
	n := ansi.StringWidth(label)
	hint := "  enter keep  esc drop "
	room := w - n - len(hint)
	if room < 20 {
		hint, room = "", w-n-1
	}
	room = max(1, room)
	f.input.SetWidth(room)
	x := n
	if c := f.input.Cursor(); c != nil {
		x += c.X
	}
	text := fit(f.input.View(), room, "")
	return fit(a.ink.key.on(label)+text+a.ink.muted.on(hint), w, ""), min(x, w-1)
}

// keepField ends the editing and uses the text.
func (a *App) keepField() tea.Cmd {
	f := a.field
	a.field = nil
	return f.keep(f.input.Value())
}

// editNote opens the note of the selected segment.
func (a *App) editNote() tea.Cmd {
	s := a.list.selected()
	if s == nil {
		return nil
	}
	row := *s
	return a.openField("note "+row.Short(), row.Note, func(text string) tea.Cmd {
		text = strings.TrimSpace(text)
		if text == clean.Line(row.Note) {
			a.say("note unchanged")
			return nil
		}
		if i := a.list.index(row.ID); i >= 0 {
			row = a.list.rows[i] // others may have changed it while it was typed
		}
		if text == "" {
			a.say("note removed from " + row.Short() + " " + a.g.dot + " u undo")
		} else {
			a.say("note kept on " + row.Short() + " " + a.g.dot + " u undo")
		}
		return a.apply(row, review.Judgement{Curator: a.curator, IDs: []string{row.ID}, Note: &text})
	})
}

// editFind opens the search of the reader.
func (a *App) editFind() tea.Cmd {
	return a.openField("find", a.lastFind, func(text string) tea.Cmd {
		a.lastFind = text
		if text == "" {
			return a.reader.ClearFind()
		}
		return a.reader.Find(text)
	})
}
