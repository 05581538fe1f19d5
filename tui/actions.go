package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/list"
)

// move moves in whatever has the keys.
func (a *App) move(m keys.Motion) tea.Cmd {
	if s := a.top(); s != nil {
		return s.asked(s.Move(m))
	}
	return a.moveHere(m)
}

// moveHere moves in the pane that has the keys.
func (r *Room) moveHere(m keys.Motion) tea.Cmd {
	if r.focus == onReader {
		return r.reader.Move(m)
	}
	return r.moveList(m)
}

func (r *Room) moveList(m keys.Motion) tea.Cmd {
	want, ok := r.list.Move(m)
	switch {
	case ok:
		return nil
	case want == list.Start:
		return r.ask(pageRequest{want: wantStart})
	}
	return r.ask(pageRequest{want: wantEnd})
}

func (r *Room) toggleStay() tea.Cmd {
	r.stay = !r.stay
	if r.stay {
		r.Say("verdicts stay on their segment")
	} else {
		r.Say("verdicts go on to the next pending segment")
	}
	return nil
}

// openFull gives the reader the whole screen.
func (r *Room) openFull() tea.Cmd {
	r.leaveVisits()
	r.focus, r.full = onReader, true
	return nil
}

// enterReader goes where the current message leads, else it gives the reader
// the whole screen, or folds where it has it.
func (r *Room) enterReader() tea.Cmd {
	if _, ok := r.reader.Link(); ok {
		return r.followLink()
	}
	if r.wide() {
		r.full = true
		return nil
	}
	if reason := r.noFold(); reason != "" {
		r.Say(reason)
		return nil
	}
	return r.reader.ToggleFold()
}

func (r *Room) otherPane() tea.Cmd {
	if r.focus == onReader {
		r.focus, r.full = onList, false
	} else {
		r.focus = onReader
	}
	return nil
}

func (r *Room) widen(cells int) tea.Cmd {
	before := r.listWidth()
	r.wider += cells
	if r.listWidth() == before {
		r.wider -= cells
		r.Say("no further")
	}
	return nil
}

// back closes the innermost thing that is open.
func (a *App) back() tea.Cmd {
	if s := a.top(); s != nil {
		return s.asked(s.Back())
	}
	return a.closeInnermost()
}

// closeInnermost closes the innermost thing that is open in list and reader.
func (r *Room) closeInnermost() tea.Cmd {
	switch {
	case r.nothingPasses():
		return r.formerSieve()
	case r.reader.Status().FindQuery != "":
		return r.reader.ClearFind()
	case r.visiting() && r.focus == onReader:
		return r.comeBack()
	case r.focus == onReader:
		r.focus, r.full = onList, false
	case len(r.marks.ids) > 0:
		return r.unmark()
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
