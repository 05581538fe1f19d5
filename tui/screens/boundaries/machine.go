package boundaries

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/segment"
	"winnow/tui/draw"
)

// machineCut is where a machine would cut the session.
type machineCut struct {
	shown bool
	asked int // number of the question under way, 0 for none
	cuts  []segment.Cut
	// more and fewer count its boundaries that the draft has not, and those
	// of the draft that it has not.
	more, fewer int
}

// toggleMachine shows the machine's cut beside the draft, or hides it.
func (b *Screen) toggleMachine() tea.Cmd {
	m := &b.machine
	m.shown = !m.shown
	if !m.shown || m.asked != 0 || len(m.cuts) > 0 && m.cuts[len(m.cuts)-1].End == b.messages() {
		return nil
	}
	return b.askMachine()
}

// askMachine has the session cut, in the background.
func (b *Screen) askMachine() tea.Cmd {
	b.machine.asked = b.nextSeq()
	m := machineCame{seq: b.machine.asked}
	ctx, lib, session := b.Ctx, b.lib, b.session
	return func() tea.Msg {
		m.cuts, m.err = lib.Propose(ctx, session)
		return m
	}
}

func (b *Screen) takeMachine(m machineCame) tea.Cmd {
	if m.seq != b.machine.asked {
		return nil
	}
	b.machine.asked = 0
	if m.err != nil {
		b.machine.shown = false
		b.Fail("the machine could not cut", m.err)
		return nil
	}
	b.machine.cuts = m.cuts
	b.machine.compare(b.bands)
	return nil
}

// at returns the machine's segment that message n is in.
func (m *machineCut) at(n int) (c segment.Cut, ok bool) {
	i, begins := slices.BinarySearchFunc(m.cuts, n, func(c segment.Cut, n int) int { return cmp.Compare(c.Start, n) })
	if !begins {
		i--
	}
	if i < 0 || n > m.cuts[i].End {
		return c, false
	}
	return m.cuts[i], true
}

// startFrom returns the machine's next boundary below or above message n while
// it is shown, 0 for none.
func (m *machineCut) startFrom(n, by int) int {
	if !m.shown {
		return 0
	}
	i, begins := slices.BinarySearchFunc(m.cuts, n, func(c segment.Cut, n int) int { return cmp.Compare(c.Start, n) })
	if by < 0 {
		i--
	} else if begins {
		i++
	}
	if i < 0 || i >= len(m.cuts) {
		return 0
	}
	return m.cuts[i].Start
}

// compare counts where the draft differs.
func (m *machineCut) compare(bands []segment.Row) {
	m.more, m.fewer = 0, 0
	i, j := 0, 0
	for i < len(m.cuts) || j < len(bands) {
		switch {
		case j == len(bands) || i < len(m.cuts) && m.cuts[i].Start < bands[j].Start:
			m.more++
			i++
		case i == len(m.cuts) || bands[j].Start < m.cuts[i].Start:
			m.fewer++
			j++
		default:
			i++
			j++
		}
	}
}

// text says how the machine's cut differs.
func (m *machineCut) text() string {
	switch {
	case m.asked != 0:
		return "the machine is cutting"
	case m.more+m.fewer == 0:
		return "the machine cuts in the same places"
	case m.fewer == 0:
		return "the machine also cuts at " + draw.Plural(m.more, "other place")
	case m.more == 0:
		return "the machine does not cut at " + draw.Plural(m.fewer, "place") + " of these"
	}
	return "the machine cuts at " + draw.Plural(m.more, "other place") + ", and not at " + draw.Grouped(m.fewer) + " of these"
}

// beginsAt reports whether the machine, while its cut is shown, begins a
// segment with message n.
func (m *machineCut) beginsAt(n int) bool {
	cut, ok := m.at(n)
	return m.shown && ok && cut.Start == n
}

// differsAt reports whether the machine, while its cut is shown, goes on where
// the draft begins a segment with message n.
func (m *machineCut) differsAt(n int) bool {
	cut, ok := m.at(n)
	return m.shown && ok && cut.Start != n
}
