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
	r.sayWhether(r.stay, "verdicts stay on their segment", "verdicts go on to the next pending segment")
}

// sayWhether says one of two things.
func (r *Room) sayWhether(is bool, so, otherwise string) {
	if is {
		otherwise = so
	}
	r.Say(otherwise)
}

// openFull gives the reader the whole screen.
func (r *Room) openFull() {
	r.leaveVisits()
	r.Focus, r.full = OnReader, true
}

// enterReader goes where the current message leads, else it opens the step of a
// digest, else it gives the reader
// the whole screen, or folds where it has it.
func (r *Room) enterReader() tea.Cmd {
	if _, ok := r.Reader.Link(); ok {
		return r.followLink()
	}
	if cmd, ok := r.Reader.ToggleStep(); ok {
		return cmd
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
	case len(r.marks.IDs) > 0:
		r.unmark()
	}
	return nil
}

// Wheeled scrolls by lines the pane that is at a cell of the body.
func (r *Room) Wheeled(x, y, by int) tea.Cmd {
	switch {
	case r.onWall(x, y), len(r.List.Rows) == 0:
		return nil
	case r.overReader(x):
		return r.Reader.Scroll(by)
	}
	r.List.MoveBy(by)
	return nil
}

// Dragged moves the wall between the panes, if it is held, to a column.
func (r *Room) Dragged(x int) {
	if r.resizes {
		r.wider += x - r.ListWidth()
		r.wider = r.ListWidth() - r.standardWidth() // no further than there is room
	}
}

// Released lets go of the wall.
func (r *Room) Released() { r.resizes = false }

// overReader reports whether the reader is in a column.
func (r *Room) overReader(x int) bool {
	if r.Wide() {
		return x > r.ListWidth()
	}
	return r.Focus == OnReader
}

// onWall reports whether the wall between the panes is at a cell of the body.
func (r *Room) onWall(x, y int) bool {
	return r.Wide() && x == r.ListWidth() && y >= 0 && y < r.body
}

// Clicked selects, folds or follows what is at a cell of the body, or takes hold
// of the wall between the panes.
func (r *Room) Clicked(x, y int) tea.Cmd {
	switch {
	case len(r.List.Rows) == 0:
	case r.onWall(x, y):
		r.resizes = true
	case r.overReader(x):
		return r.clickedReader(y)
	default:
		r.Focus = OnList
		if row := r.List.Top + y - 1; y > 0 && row < len(r.List.Rows) { // below the headings
			r.List.Pick(row)
		}
	}
	return nil
}

// clickedReader gives the reader the keys; below its title it does what the row
// is for.
func (r *Room) clickedReader(row int) tea.Cmd {
	r.Focus = OnReader
	if row == 0 {
		return nil
	}
	l, link, cmd := r.Reader.Press(row - 1)
	if link {
		return r.Visit(l)
	}
	return cmd
}
