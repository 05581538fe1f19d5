package versions

import "winnow/core/review"

// Back is what it takes to bring a version back.
type Back struct {
	Changes []review.EditChange
	// Redactions are those that the changes take back; where all of a session is
	// brought back, those that stay instead.
	Redactions int
}

func (s *Screen) undo() {
	s.asked = ""
	s.program.Undo()
}

func (s *Screen) redo() {
	s.asked = ""
	s.program.Redo()
}

func (s *Screen) revert() {
	s.asked = ""
	s.program.Revert(s.of.Session, s.rows.Selected().entry(), true)
}

// revertMessage brings the message back. The second time one is sure.
func (s *Screen) revertMessage() {
	r := s.rows.Selected()
	sure := s.asked == r.key()
	s.asked = r.key()
	s.program.Revert(s.of.Session, r.entry(), sure, s.of.N)
}
