package boundaries

import (
	"cmp"
	"context"
	"slices"

	"winnow/core/segment"
	"winnow/tui/draw"
	"winnow/tui/screen"
)

// machineCut is where a machine would cut the session.
type machineCut struct {
	shown bool
	asked screen.Question[[]segment.Cut]
	// more and fewer count its boundaries that the draft has not, and those
	// of the draft that it has not.
	more, fewer int
}

// toggleMachine shows the machine's cut beside the draft, or hides it.
func (b *Screen) toggleMachine() {
	m := &b.machine
	m.shown = !m.shown
	if m.shown && !m.asked.Open && (len(m.asked.Got) == 0 || m.asked.Got[len(m.asked.Got)-1].End != b.messages()) {
		b.askMachine()
	}
}

// askMachine has the session cut, in the background.
func (b *Screen) askMachine() {
	lib, session, m := b.lib, b.session, &b.machine
	m.asked.Ask(&b.Seat, func(ctx context.Context) ([]segment.Cut, error) { return lib.Propose(ctx, session) }, func(_ []segment.Cut, err error) {
		if err != nil {
			m.shown = false
			b.Fail("the machine could not cut", err)
			return
		}
		m.compare(b.bands)
	})
}

// at returns the machine's segment that message n is in.
func (m *machineCut) at(n int) (c segment.Cut, ok bool) {
	i, begins := slices.BinarySearchFunc(m.asked.Got, n, func(c segment.Cut, n int) int { return cmp.Compare(c.Start, n) })
	if !begins {
		i--
	}
	if i < 0 || n > m.asked.Got[i].End {
		return c, false
	}
	return m.asked.Got[i], true
}

// startFrom returns the machine's next boundary below or above message n while
// it is shown, 0 for none.
func (m *machineCut) startFrom(n, by int) int {
	if !m.shown {
		return 0
	}
	i, begins := slices.BinarySearchFunc(m.asked.Got, n, func(c segment.Cut, n int) int { return cmp.Compare(c.Start, n) })
	if by < 0 {
		i--
	} else if begins {
		i++
	}
	if i < 0 || i >= len(m.asked.Got) {
		return 0
	}
	return m.asked.Got[i].Start
}

// compare counts where the draft differs.
func (m *machineCut) compare(bands []segment.Row) {
	m.more, m.fewer = 0, 0
	i, j := 0, 0
	for i < len(m.asked.Got) || j < len(bands) {
		switch {
		case j == len(bands) || i < len(m.asked.Got) && m.asked.Got[i].Start < bands[j].Start:
			m.more++
			i++
		case i == len(m.asked.Got) || bands[j].Start < m.asked.Got[i].Start:
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
	case m.asked.Open:
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
