package tui

import (
	"context"
	"errors"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
)

// Sources leads from a message back to what it was read from. It may take long
// and is called from commands only.
type Sources interface {
	// Recorded returns a message as its source has it, or as it is stored if
	// the source does not have it any more.
	Recorded(ctx context.Context, of MessagePlace) (Recorded, error)
	// Edit returns what opens the source of a message at its line in the
	// curator's editor. Its error says what is missing, and what to do.
	Edit(ctx context.Context, of MessagePlace) (*exec.Cmd, error)
}

// MessagePlace names a stored message.
type MessagePlace struct {
	Session string // its id
	Body    int64
	N       int // number in the session, from 1
}

// Recorded is what is recorded of a message.
type Recorded struct {
	// Text is JSON, or what stands in its place in the source.
	Text []byte
	// Place is where it stands: a path and a line; Part is which part of that
	// is shown, as in "messages[3]", "" for all.
	Place, Part string
	// Stored says why Text is the message as it is stored, "" if it is what
	// the source holds.
	Stored string
}

// rawScreen shows a message as it was recorded.
type rawScreen struct {
	pane *textPane
	of   MessagePlace
	stop context.CancelFunc

	came bool
	err  error
	rec  Recorded
	text *reader.Text
}

// rawCame answers with what is recorded of a message.
type rawCame struct {
	screen *rawScreen
	of     MessagePlace
	rec    Recorded
	text   *reader.Text
	err    error
}

// editorReady answers with what opens a source, editorClosed says that it
// ended.
type (
	editorReady struct {
		of  MessagePlace
		cmd *exec.Cmd
		err error
	}
	editorClosed struct {
		name string
		err  error
	}
)

// messageRead is the message that is current in the reader, its N 0 for none.
func (a *App) messageRead() MessagePlace {
	st := a.reader.Status()
	if a.visiting() {
		v := &a.visits[len(a.visits)-1].seg
		return MessagePlace{v.SessionID, v.Body, st.Number}
	}
	if st.Of == 0 {
		return MessagePlace{}
	}
	return MessagePlace{a.opened.SessionID, a.opened.Body, st.Number}
}

// openRaw shows the current message as it was recorded.
func (a *App) openRaw() tea.Cmd {
	a.raw = &rawScreen{pane: a.newTextPane(), stop: func() {}}
	return a.askRaw(a.messageRead())
}

func (a *App) askRaw(of MessagePlace) tea.Cmd {
	r := a.raw
	r.stop()
	r.of, r.came, r.err, r.text = of, false, nil, nil
	var ctx context.Context
	ctx, r.stop = context.WithCancel(a.ctx)
	lib, ascii, m := a.sources, a.ASCII, rawCame{screen: r, of: of}
	return func() tea.Msg {
		if m.rec, m.err = lib.Recorded(ctx, of); m.err == nil && ctx.Err() == nil {
			m.text = reader.TextOf(m.rec.Text, ascii)
		}
		return m
	}
}

func (a *App) tookRaw(m rawCame) tea.Cmd {
	r := a.raw
	if r != m.screen || m.of != r.of || errors.Is(m.err, context.Canceled) {
		return nil
	}
	r.came, r.err, r.rec, r.text = true, m.err, m.rec, m.text
	if r.text == nil {
		return nil
	}
	return r.pane.run(r.pane.OpenText(r.text, false))
}

// copiedRaw is what y copies: the message as it is shown.
func (a *App) copiedRaw() (text, what string) {
	if r := a.raw; r.came && r.err == nil && len(r.rec.Text) <= clipMost {
		return string(r.rec.Text), "message " + draw.Grouped(r.of.N)
	}
	return "", ""
}

// followRaw tells the text its size.
func (a *App) followRaw() tea.Cmd {
	if a.raw == nil || a.tooSmall() {
		return nil
	}
	h := a.bodyHeight()
	return a.raw.pane.run(a.raw.pane.Resize(a.asideWidth(a.w), max(1, h-len(a.rawHead(a.asideWidth(a.w))))))
}

func (a *App) closeRaw() tea.Cmd {
	a.raw.stop()
	a.raw = nil
	return nil
}

// backFromRaw ends the find, or closes the message.
func (a *App) backFromRaw() tea.Cmd {
	if a.raw.pane.Status().FindQuery != "" {
		return a.raw.pane.ClearFind()
	}
	return a.closeRaw()
}

func (a *App) nextMessage() tea.Cmd { return a.reader.NextMessage() }

// previousMessage goes to the message before, from wherever the current one is
// read.
func (a *App) previousMessage() tea.Cmd {
	return tea.Batch(a.reader.Show(a.messageRead().N), a.reader.PrevMessage())
}

// stepRaw shows another message as it was recorded; the reader goes there, too.
func (a *App) stepRaw(step func(*App) tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		cmd := step(a)
		of := a.messageRead()
		if of == a.raw.of {
			a.say(a.reader.Status().Notice)
			return cmd
		}
		return tea.Batch(cmd, a.askRaw(of))
	}
}

func (a *App) foldRaw() tea.Cmd { return a.raw.pane.run(a.raw.pane.FoldText()) }

// openEditor opens the source of the current message in the editor.
func (a *App) openEditor() tea.Cmd {
	of, ctx, lib := a.messageRead(), a.ctx, a.sources
	if a.raw != nil {
		of = a.raw.of
	}
	return func() tea.Msg {
		cmd, err := lib.Edit(ctx, of)
		return editorReady{of, cmd, err}
	}
}

// runEditor gives the terminal to the editor.
func (a *App) runEditor(m editorReady) tea.Cmd {
	if m.err != nil {
		a.fail("the source was not opened", m.err)
		return nil
	}
	name := m.cmd.Args[0]
	return tea.ExecProcess(m.cmd, func(err error) tea.Msg { return editorClosed{name, err} })
}

func (a *App) tookEditor(m editorClosed) tea.Cmd {
	if m.err != nil {
		a.fail(m.name, m.err)
	} else {
		a.say("what was changed in the file comes with its next import")
	}
	a.reload = true
	return tea.Batch(tea.ClearScreen, poll(a.ctx, a.lib))
}

// rawLines draws the message in place of the reader.
func (a *App) rawLines(w, height int) []string { return a.asideLines(w, height, a.drawRaw) }

func (a *App) drawRaw(w, height int) []string {
	r := a.raw
	lines := a.rawHead(w)
	room := height - len(lines)
	switch {
	case r.err != nil:
		return append(lines, a.Centred(w, room, a.failedText(w, "The message could not be read.", r.err))...)
	case !r.came:
		return append(lines, a.Centred(w, room, []string{a.Ink.Muted.On("reading the source")})...)
	}
	return append(lines, r.pane.textLines(w, room)...)
}

// rawHead says which message it is and where it stands.
func (a *App) rawHead(w int) []string {
	r := a.raw
	title := "message " + draw.Grouped(r.of.N)
	lines := []string{draw.Fit(a.Ink.Key.On(a.G.Mark)+" "+a.Ink.Name.On(title)+a.Ink.Muted.On(" as recorded"), w, a.G.More)}
	if r.came && r.err == nil {
		if r.rec.Stored != "" {
			lines[0] = draw.Fit(a.Ink.Key.On(a.G.Mark)+" "+a.Ink.Name.On(title)+a.Ink.Muted.On(" as stored"), w, a.G.More)
			for l := range strings.SplitSeq(ansi.Wrap(clean.Line(draw.Head(r.rec.Stored)), max(8, w-3), ""), "\n") {
				lines = append(lines, "  "+a.Ink.Warn.On(l))
			}
		}
		part := ""
		if r.rec.Part != "" {
			part = "  " + clean.Line(draw.Head(r.rec.Part))
		}
		left := ""
		if n := int64(r.text.Left); n > 0 {
			left = "  " + draw.LongBytes(n) + " not shown"
		}
		room := w - 2 - ansi.StringWidth(part) - ansi.StringWidth(left)
		lines = append(lines, draw.Fit("  "+a.Ink.Text.On(draw.Tail(clean.Line(a.shortened(r.rec.Place)), max(8, room), a.G.More))+a.Ink.Muted.On(part)+a.Ink.Warn.On(left), w, a.G.More))
	}
	return append(lines, a.Rule(w))
}

func (a *App) shortened(path string) string {
	if a.shortPath == nil {
		return path
	}
	return a.shortPath(path)
}

func rawKeys() []keyRow {
	return []keyRow{
		keys.Key("w", "raw", "the message as it was recorded: its JSON", "", keys.InReader, (*App).openRaw, (*App).noRaw),
		keys.Key("O", "source", "open the source at the message's line in $VISUAL or $EDITOR", "", keys.InReader|keys.InRaw, (*App).openEditor, (*App).noRaw),
		keys.Key("J", "next-message", "the next message", "next", keys.InRaw, with((*App).stepRaw, (*App).nextMessage), nil),
		keys.Key("K", "previous-message", "the message before", "", keys.InRaw, with((*App).stepRaw, (*App).previousMessage), nil),
		keys.Key("z", "fold-texts", "a row for each text, or all of it", "fold", keys.InRaw, (*App).foldRaw, nil),
		keys.Key("w", "list", "back to the reader", "", keys.InRaw, (*App).closeRaw, nil),
		keys.Key("q esc", keys.Back, "end the find, else back to the reader", "back", keys.InRaw, (*App).back, nil),
	}
}

// noRaw says why the current message leads to no source.
func (a *App) noRaw() string {
	switch {
	case a.sources == nil:
		return "there are no sources here"
	case a.raw == nil && a.messageRead().N == 0:
		return "there is no message"
	}
	return ""
}
