package tui

import (
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
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

// openField begins to edit text.
func (a *App) openField(f field, text string) tea.Cmd {
	f.input = textinput.New()
	f.input.Prompt = ""
	f.input.CharLimit = maxNote
	f.input.SetVirtualCursor(false) // the terminal's own, where input methods look for it
	f.style(a.styles())
	for _, name := range []string{"keep", "drop"} {
		if key := a.keyIn(name, keys.InField); key != "" {
			f.hint += "  " + key + " " + name
		}
	}
	f.hint += " "
	a.field = &f
	room, _ := f.room(a.w)
	f.input.SetWidth(room) // before the text: it scrolls to its end
	f.input.SetValue(clean.Line(text))
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

// fieldLine draws the field in w cells and returns the column of the cursor.
func (a *App) fieldLine(w int) (string, int) {
	f := a.field
	room, hint := f.room(w)
	label := f.heading()
	n := ansi.StringWidth(label)
	f.input.SetWidth(room)
	x := n
	if c := f.input.Cursor(); c != nil {
		x += c.X
	}
	text := draw.Fit(f.input.View(), room, "")
	return draw.Fit(a.Ink.Key.On(label)+text+a.Ink.Muted.On(hint), w, ""), min(x, w-1)
}

// keepField ends the editing and uses the text.
func (a *App) keepField() tea.Cmd {
	f := a.field
	a.field = nil
	f.away("")
	return f.keep(f.input.Value())
}

// dropField ends the editing; the text was not meant.
func (a *App) dropField() tea.Cmd {
	a.field.away("")
	a.field = nil
	return nil
}

// putAway closes the field; what was typed is there again the next time.
func (a *App) putAway() tea.Cmd {
	f := a.field
	a.field = nil
	f.away(f.input.Value())
	return nil
}

// editNote opens the note of the selected segment.
func (a *App) editNote() tea.Cmd {
	s := a.list.Selected()
	if s == nil {
		return nil
	}
	row, name := *s, a.nameOf(s)
	away := func(text string) {
		id := a.heirOf(row.ID)
		delete(a.drafts, id)
		if text != "" && text != clean.Line(row.Note) {
			a.drafts[id] = text
			a.say("note put away: " + a.keyIn("note", keys.InList) + " goes on with it")
		}
	}
	text, drafted := a.drafts[row.ID]
	if !drafted {
		text = row.Note
	}
	return a.openField(field{label: "note " + name, away: away, keep: func(text string) tea.Cmd { return a.keepNote(row, name, text) }}, text)
}

// keepNote writes a note that differs from the one it was.
func (a *App) keepNote(row review.Segment, name, text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == clean.Line(row.Note) {
		a.say("note unchanged")
		return nil
	}
	if i := a.list.index(a.heirOf(row.ID)); i >= 0 {
		row = a.list.Rows[i] // others may have changed it while it was typed
	}
	if text == "" {
		a.sayUndo("note removed from "+name, a.keyIn("undo", keys.InList)+" undo")
	} else {
		a.sayUndo("note kept on "+name, a.keyIn("undo", keys.InList)+" undo")
	}
	return a.apply(row, review.Judgement{Curator: a.curator, IDs: []string{row.ID}, Note: &text})
}

// editFind opens the search of the reader. What was looked for last stands
// there until something is typed.
func (a *App) editFind() tea.Cmd {
	find := func(text string) tea.Cmd {
		if text == "" {
			text = a.lastFind
		}
		a.lastFind = text
		return a.searched().Find(text)
	}
	away := func(text string) {
		if text != "" {
			a.lastFind = text
		}
	}
	cmd := a.openField(field{label: "find", keep: find, away: away}, "")
	a.field.input.Placeholder = clean.Line(draw.Head(a.lastFind))
	return cmd
}
