package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/list"
)

// move moves in whatever has the keys.
func (a *App) move(m keys.Motion) tea.Cmd {
	if l := a.top(); l != nil {
		return l.move(a, m)
	}
	if a.focus == onReader {
		return a.moveReader(m)
	}
	return a.moveList(m)
}

func (a *App) moveReader(m keys.Motion) tea.Cmd {
	r := a.reader
	switch m {
	case keys.LineDown:
		return r.Scroll(1)
	case keys.LineUp:
		return r.Scroll(-1)
	case keys.HalfDown:
		return r.HalfDown()
	case keys.HalfUp:
		return r.HalfUp()
	case keys.PageDown:
		return r.PageDown()
	case keys.PageUp:
		return r.PageUp()
	case keys.ToStart:
		return r.Top()
	}
	return r.Bottom()
}

func (a *App) moveList(m keys.Motion) tea.Cmd {
	want, ok := a.list.Move(m)
	switch {
	case ok:
		return nil
	case want == list.Start:
		return a.ask(pageRequest{want: wantStart})
	}
	return a.ask(pageRequest{want: wantEnd})
}

func (a *App) toggleStay() tea.Cmd {
	a.stay = !a.stay
	if a.stay {
		a.say("verdicts stay on their segment")
	} else {
		a.say("verdicts go on to the next pending segment")
	}
	return nil
}

// openFull gives the reader the whole screen.
func (a *App) openFull() tea.Cmd {
	a.leaveVisits()
	a.focus, a.full = onReader, true
	return nil
}

// enterReader goes where the current message leads, else it gives the reader
// the whole screen, or folds where it has it.
func (a *App) enterReader() tea.Cmd {
	if _, ok := a.reader.Link(); ok {
		return a.followLink()
	}
	if a.wide() {
		a.full = true
		return nil
	}
	if reason := a.noFold(); reason != "" {
		a.say(reason)
		return nil
	}
	return a.reader.ToggleFold()
}

func (a *App) otherPane() tea.Cmd {
	if a.focus == onReader {
		a.focus, a.full = onList, false
	} else {
		a.focus = onReader
	}
	return nil
}

func (a *App) widen(cells int) tea.Cmd {
	before := a.listWidth()
	a.wider += cells
	if a.listWidth() == before {
		a.wider -= cells
		a.say("no further")
	}
	return nil
}

// back closes the innermost thing that is open.
func (a *App) back() tea.Cmd {
	if l := a.top(); l != nil {
		return l.back(a)
	}
	switch {
	case a.nothingPasses():
		return a.formerSieve()
	case a.reader.Status().FindQuery != "":
		return a.reader.ClearFind()
	case a.visiting() && a.focus == onReader:
		return a.comeBack()
	case a.focus == onReader:
		a.focus, a.full = onList, false
	case len(a.marks.ids) > 0:
		return a.unmark()
	}
	return nil
}

// redraw reads everything again, for a screen that something else wrote on.
func (a *App) redraw() tea.Cmd {
	a.version, a.stalled, a.kept = -1, false, nil
	clear(a.titles)
	var again []tea.Cmd
	again = append(again, a.reloadSeated())
	return tea.Batch(append(again, tea.ClearScreen, poll(a.ctx, a.lib), a.visitAgain())...)
}

// closeOrQuit is q where nothing is left to close but a find.
func (a *App) closeOrQuit() tea.Cmd {
	if a.nothingToClose() == "" {
		return a.back()
	}
	if cmd, ok := a.endRecheck(); ok {
		return cmd
	}
	return a.quit()
}
