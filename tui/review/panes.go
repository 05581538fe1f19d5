package review

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/list"
	"winnow/tui/rows"
)

// MoveHere moves in the pane that has the keys.
func (r *Room) MoveHere(m keys.Motion) tea.Cmd {
	if r.Focus == OnReader {
		return r.Reader.Move(m)
	}
	return r.moveList(m)
}

func (r *Room) moveList(m keys.Motion) tea.Cmd {
	want, ok := r.List.Move(m)
	switch {
	case ok:
		return nil
	case want == list.Start:
		return r.Ask(rows.Request{Want: rows.WantStart})
	}
	return r.Ask(rows.Request{Want: rows.WantEnd})
}

func (r *Room) toggleStay() {
	r.stay = !r.stay
	if r.stay {
		r.Say("verdicts stay on their segment")
	} else {
		r.Say("verdicts go on to the next pending segment")
	}
}

// openFull gives the reader the whole screen.
func (r *Room) openFull() {
	r.leaveVisits()
	r.Focus, r.full = OnReader, true
}

// enterReader goes where the current message leads, else it gives the reader
// the whole screen, or folds where it has it.
func (r *Room) enterReader() tea.Cmd {
	if _, ok := r.Reader.Link(); ok {
		return r.followLink()
	}
	if r.Wide() {
		r.full = true
		return nil
	}
	if reason := r.noFold(); reason != "" {
		r.Say(reason)
		return nil
	}
	return r.Reader.ToggleFold()
}

func (r *Room) otherPane() {
	if r.Focus == OnReader {
		r.ToList()
	} else {
		r.Focus = OnReader
	}
}

func (r *Room) widen(cells int) {
	before := r.ListWidth()
	r.wider += cells
	if r.ListWidth() == before {
		r.wider -= cells
		r.Say("no further")
	}
}

// CloseInnermost closes the innermost thing that is open in list and reader.
func (r *Room) CloseInnermost() tea.Cmd {
	switch {
	case r.nothingPasses():
		return r.formerFilter()
	case r.Reader.Status().FindQuery != "":
		return r.Reader.ClearFind()
	case r.Visiting() && r.Focus == OnReader:
		return r.comeBack()
	case r.Focus == OnReader:
		r.ToList()
	case len(r.marks.ids) > 0:
		r.unmark()
	}
	return nil
}
