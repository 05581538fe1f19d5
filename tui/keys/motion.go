package keys

// Motion is a way to move in any pane.
type Motion string

const (
	LineDown Motion = "down"
	LineUp   Motion = "up"
	HalfDown Motion = "half-down"
	HalfUp   Motion = "half-up"
	PageDown Motion = "page-down"
	PageUp   Motion = "page-up"
	ToStart  Motion = "start"
	ToEnd    Motion = "end"
)

// Moves reports whether an action is a motion.
func Moves(action string) bool { return Motion(action).Step(1) != 0 }

// Among is the row that a motion leads to from another one of a short list: a
// line is a row, all that goes further leads to an end.
func (m Motion) Among(from, rows int) int { return max(0, min(from+m.Step(2*rows+2), rows-1)) }

// Step is how far a motion goes in a list of which height rows show: a line of
// the last page stays in sight. The ends are further away than any list is long.
func (m Motion) Step(height int) int {
	const end = 1 << 30
	switch m {
	case LineDown:
		return 1
	case LineUp:
		return -1
	case HalfDown:
		return max(1, height/2)
	case HalfUp:
		return -max(1, height/2)
	case PageDown:
		return max(1, height-1)
	case PageUp:
		return -max(1, height-1)
	case ToStart:
		return -end
	case ToEnd:
		return end
	}
	return 0
}
