// Package line is a line of text that is typed: its text and cursor, the lines that
// were kept before, texts that were put away half-typed, completions, and how all of
// it is drawn. The filter, the command line, tags, notes and topics are such lines;
// they differ in what they are typed for (Use).
//
// It imports tui/draw, tui/keys and core, and knows no screen. Tests of
// what all lines do are beside it, those of each line are with what it is for.
package line

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/keys"
)

// Line is a line of text that is typed in place of the footer.
type Line struct {
	Label string     // what stands before the text
	Hint  string     // which keys end it, for a line that has nothing below it
	In    keys.Place // whose keys work while it is typed
	Depth int        // how many lines stand below it
	// Menu is whether completions always show. Then up goes to the lines of before
	// from an empty line only, and taking a completion keeps the line.
	Menu   bool
	Memory *Memory // of lines that were kept, nil for none
	Use    Use

	Input   textinput.Model
	Popup   Popup
	Err     error // why it was not kept
	Typings int   // how often it was another one, counted

	text string // as Use was told it last
	at   int    // where the cursor was, in characters
	walk walk
	stop context.CancelFunc // gives up the question for completions
}

// Use is what a line is typed for.
type Use interface {
	// Changed is called when the text is another one (typed), or the place of the
	// cursor. It sets the completions, and returns what asks for more.
	Changed(typed bool) tea.Cmd
	// Keep uses the text: the line closes, then what it returns is run. With an
	// error the line stays open, and shows it.
	Keep(text string) (then func() tea.Cmd, err error)
	// PutAway is told the text when the line was closed without a decision on it,
	// Drop that it was not meant.
	PutAway(text string)
	Drop()
	// Below draws what stands below the line: Depth lines of w cells.
	Below(w int) []string
}

// MaxNote is longer than anything one types on a line; it keeps a pasted file
// out of a note.
const MaxNote = 4000

// Open begins to edit an empty text.
func (l *Line) Open() tea.Cmd {
	l.Input = textinput.New()
	l.Input.Prompt = ""
	l.Input.CharLimit = MaxNote
	l.Input.SetVirtualCursor(false) // the terminal's own, where input methods look for it
	l.Popup.Cur, l.at = -1, -1
	return l.Input.Focus()
}

// Text is what is typed.
func (l *Line) Text() string { return l.text }

// Cursor is where the cursor is, in characters.
func (l *Line) Cursor() int { return l.at }

// Update types what is safe to be shown; the rest never gets into the text.
func (l *Line) Update(msg tea.Msg) tea.Cmd {
	before, at := l.Input.Value(), l.Input.Position()
	came := false
	switch m := msg.(type) {
	case tea.PasteMsg:
		m.Content = clean.Line(m.Content[:min(len(m.Content), 4*MaxNote)])
		msg = m
	case tea.KeyPressMsg:
		if strings.TrimSpace(m.Text) != "" && clean.Line(m.Text) != m.Text {
			return nil
		}
		if slices.Contains(l.Input.KeyMap.DeleteWordForward.Keys(), m.String()) {
			return l.Put(string(wordAfter([]rune(before), at)), at)
		}
	default: // the clipboard, when it was asked for
		came = true
	}
	var cmd tea.Cmd
	l.Input, cmd = l.Input.Update(msg)
	if text := []rune(l.Input.Value()); came && string(text) != before {
		end := l.Input.Position()
		safe := clean.Line(string(text[at:end]))
		return tea.Batch(cmd, l.Put(string(text[:at])+safe+string(text[end:]), at+len([]rune(safe))))
	}
	return tea.Batch(cmd, l.changed())
}

// Set exchanges the text; the cursor is at its end.
func (l *Line) Set(text string) tea.Cmd { return l.Put(text, len([]rune(text))) }

// Put exchanges the text and puts the cursor after its first at characters.
func (l *Line) Put(text string, at int) tea.Cmd {
	l.Input.SetValue(text)
	l.Input.SetCursor(at)
	return l.changed()
}

// changed tells what the line is for of another text, or another place of the
// cursor.
func (l *Line) changed() tea.Cmd {
	text, at := l.Input.Value(), l.Input.Position()
	if text == l.text && at == l.at {
		return nil
	}
	typed := text != l.text
	if typed {
		l.Err = nil
	}
	l.text, l.at = text, at
	l.StopAsking()
	l.Typings++
	return l.Use.Changed(typed)
}

// wordAfter returns the text without the word after the cursor, and the spaces
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

// Step goes some completions on, or back, with one of some keys. All but tab walk
// through the lines that were kept before where nothing is shown, or, on a Menu,
// chosen. Where they lead to none they do nothing, unless no tab is among them.
func (l *Line) Step(step int, key string, of []string) tea.Cmd {
	p := &l.Popup
	walks := !p.Show || len(p.Items) == 0
	if l.Menu {
		walks = p.Cur < 0 && len(l.Memory.Kept) > 0 && (l.text == "" && step < 0 || l.walk.back > 0)
	}
	if walks && l.Memory != nil && !isTab(key) {
		if l.Walks(step) || slices.ContainsFunc(of, isTab) {
			return l.walkOn(step)
		}
	}
	p.choose(step)
	return nil
}

func isTab(key string) bool { return key == "tab" || key == "shift+tab" }

// WalkKey is the key of an action that walks through the lines that were kept, "" for
// none.
func WalkKey(t *keys.Table, name string, in keys.Place) string {
	all := t.Named(name, in).Keys
	if i := slices.IndexFunc(all, func(key string) bool { return !isTab(key) }); i >= 0 {
		return all[i]
	}
	return ""
}

// Walks reports whether a step leads to another line that was kept before.
func (l *Line) Walks(step int) bool {
	_, _, ok := l.Memory.walk(l.walk, l.text, step)
	return ok
}

// walkOn shows the lines that were kept before, from the last one on, and then
// again what was typed.
func (l *Line) walkOn(step int) tea.Cmd {
	next, text, ok := l.Memory.walk(l.walk, l.text, step)
	if !ok {
		return nil
	}
	l.walk = next
	cmd := l.Set(text)
	l.Popup.Show = l.Menu
	return cmd
}

// Take returns the text with the completion that is chosen, if one is, and the
// place of the cursor in it, and whether the line is to be kept so.
func (l *Line) Take() (text string, at int, keep bool) {
	p, runes := &l.Popup, []rune(l.text)
	if p.Cur < 0 {
		return l.text, l.at, true
	}
	c, from, to := &p.Items[p.Cur], p.From, min(p.To, len(runes))
	if c.Whole {
		from, to = 0, len(runes)
	}
	put := []rune(c.Text)
	if to == len(runes) && !c.Open {
		put = append(put, ' ') // the next word can be typed at once
	}
	return string(slices.Concat(runes[:from], put, runes[to:])), from + len(put), l.Menu && !c.Open
}

// Ask asks for completions that take time to find.
func (l *Line) Ask(ctx context.Context, find func(context.Context) ([]Completion, error)) tea.Cmd {
	l.StopAsking()
	ctx, stop := context.WithCancel(ctx)
	l.stop = stop
	m := Found{of: l, number: l.Typings}
	return func() tea.Msg {
		defer stop()
		m.items, m.err = find(ctx)
		return m
	}
}

// StopAsking gives up the question for completions, if there is one.
func (l *Line) StopAsking() {
	if l.stop != nil {
		l.stop()
		l.stop = nil
	}
}

// Found brings completions of a line.
type Found struct {
	of     *Line
	number int // what was typed when they were asked for
	items  []Completion
	err    error
}

// Offer shows the completions if they are for what is typed in the open line. What
// could not be found out is not worth a word while one types.
func (m Found) Offer(open *Line) {
	if m.err == nil && m.of == open && m.number == open.Typings {
		open.Popup.offer(m.items)
	}
}
