package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	room "winnow/tui/review"
)

// TestSecondLongWriteKeepsItsLine: the answer of the first one may come after
// the second one was asked for.
func TestSecondLongWriteKeepsItsLine(t *testing.T) {
	x := start(t, small(room.ProgressFrom+1), 100, 24)
	x.press("o A") // stay on the segment
	x.hold = true
	x.press("y R")
	answers := runAll(x.held)
	x.held = nil
	first, second := answers[0], answers[1]
	x.send(second)
	x.press("y")
	x.send(first)
	x.wants("rejecting 1,001 segments · keys still work")
	x.release()
}

// runAll runs commands and returns what they bring.
func runAll(cmds []tea.Cmd) []tea.Msg {
	var all []tea.Msg
	for _, c := range cmds {
		switch m := c().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range m {
				if c != nil {
					all = append(all, runAll([]tea.Cmd{c})...)
				}
			}
		default:
			all = append(all, m)
		}
	}
	return all
}
