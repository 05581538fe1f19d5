package review

import tea "charm.land/bubbletea/v2"

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
		if row := r.List.Top + y; row < len(r.List.Rows) {
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
		return r.visit(l)
	}
	return cmd
}
