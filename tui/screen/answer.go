package screen

import tea "charm.land/bubbletea/v2"

// Answer is what a command of a layer brought, with the layer that it is for.
type Answer struct {
	To  Layer
	Msg tea.Msg
}

// Address marks what a command brings as the answer to a layer, also that of the
// commands that it stands for (tea.Batch).
func Address(to Layer, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch m := cmd().(type) {
		case nil:
			return nil
		case tea.BatchMsg:
			for i := range m {
				m[i] = Address(to, m[i])
			}
			return m
		case Answer:
			return m
		default:
			return Answer{to, m}
		}
	}
}
