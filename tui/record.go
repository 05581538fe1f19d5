package tui

import (
	"cmp"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/reader"
	"winnow/tui/screen"
	"winnow/tui/screens/record"
	"winnow/tui/work"
)

// recordKeys lead to the screens of records, and to the editor.
func recordKeys() []keyRow {
	return []keyRow{
		keys.Key("p", "preview", "show the training record of the segment, its tokens and what the checks find", "record", keys.InSegment, enter(keys.InPreview), (*App).noPreview),
		keys.Key("D", "difference", "show messages as they were recorded, then before and after edits by words, then as they are now", "", keys.InReader, func(a *App) tea.Cmd { return a.Reader.ToggleView() }, nil),
		keys.Key("w", "raw", "show the message as recorded: its JSON", "", keys.InReader, enter(keys.InRaw), (*App).noRaw),
		keys.Key("O", "source", "open the source at the message's line in $VISUAL or $EDITOR", "", keys.InReader|keys.InRaw, (*App).openEditor, (*App).noRaw),
	}
}

func (a *App) noPreview() string {
	return cmp.Or(keys.Reason(a.opt.Previewing == nil, "no exports here"), a.NoVerdict())
}

// noRaw says why the current message leads to no source.
func (a *App) noRaw() string {
	switch {
	case a.opt.Sources == nil:
		return "no sources here"
	case a.messageRead().N == 0:
		return "there is no message"
	case a.in(keys.InRaw) == nil && a.Reader.Status().Place[1] > 0:
		return "a curator added it: nothing was recorded here"
	}
	return ""
}

// messageRead is the message that is shown as it was recorded, else the one that
// is current in the reader, its N 0 for none.
func (a *App) messageRead() ledger.Message {
	if s := a.in(keys.InRaw); s != nil {
		return s.Layer.(*record.Raw).Of()
	}
	return forRecord{a}.Message()
}

// forRecord is the program as the screens of records need it.
type forRecord struct{ *App }

func (p forRecord) Segment() *review.Segment { return p.List.Selected() }

func (p forRecord) Title(w int) string { return p.TitleLine(w) }

func (p forRecord) Read(n int) {
	p.also = append(p.also, p.ReadAt(p.List.Selected().ID, n))
}

func (p forRecord) Message() ledger.Message {
	s := &p.Opened
	return ledger.Message{Session: s.SessionID, Body: s.Body, N: p.Reader.Status().Number}
}

// Step goes on from the current message, from wherever in it one reads.
func (p forRecord) Step(by int) (notice string) {
	a := p.App
	if by > 0 {
		a.also = append(a.also, a.Reader.NextMessage())
	} else {
		a.also = append(a.also, a.Reader.Show(p.Message().N), a.Reader.PrevMessage())
	}
	return a.Reader.Status().Notice
}

// openEditor opens the source of the current message in the curator's editor.
func (a *App) openEditor() tea.Cmd {
	of, ctx, lib := a.messageRead(), a.Ctx, a.opt.Sources
	return func() tea.Msg {
		cmd, err := lib.Edit(ctx, of)
		return work.Then(func() tea.Cmd { return a.runEditor(cmd, err) })
	}
}

// runEditor gives the terminal to the editor.
func (a *App) runEditor(cmd *exec.Cmd, err error) tea.Cmd {
	if err != nil {
		a.Fail("the source was not opened", err)
		return nil
	}
	return tea.ExecProcess(cmd, func(err error) tea.Msg {
		return work.Then(func() tea.Cmd { return a.editorClosed(cmd.Args[0], err) })
	})
}

// editorClosed reads again what the editor may have changed.
func (a *App) editorClosed(name string, err error) tea.Cmd {
	if err != nil {
		a.Fail(name, err)
	} else {
		a.Say("changes to the file show after its next import")
	}
	a.ReadAgain()
	return tea.Batch(tea.ClearScreen, a.poll())
}

// searched is a text in which one finds.
type searched interface {
	Status() reader.Status
	Find(query string) tea.Cmd
	NextHit() tea.Cmd
	PrevHit() tea.Cmd
}

// find finds in the text of an open screen, else in the reader.
func (a *App) find(do func(searched) tea.Cmd) tea.Cmd {
	for _, s := range a.seated {
		if l, ok := s.Layer.(screen.Searcher); ok {
			l.Read(do(l.Searched()))
			return nil
		}
	}
	return do(a.Reader)
}

// findStatus tells how far the find is.
func (a *App) findStatus() (st reader.Status) {
	a.find(func(s searched) tea.Cmd { st = s.Status(); return nil })
	return st
}
