package tui

import (
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/core/segment"
)

// boundaryMsg is an answer to a question of the boundary screen.
type boundaryMsg interface{ of() *boundaryScreen }

// asker is the screen whose question it was.
type asker struct{ screen *boundaryScreen }

func (q asker) of() *boundaryScreen { return q.screen }

type (
	boundariesCame struct {
		asker
		seq   int
		rows  []review.Segment
		same  bool // as those that are shown
		title string
		err   error
	}
	headsCame struct {
		asker
		seq   int
		page  int
		heads []review.Head
		err   error
	}
	textsCame struct {
		asker
		seq   int
		texts map[int]lineText
	}
	machineCame struct {
		asker
		seq  int
		cuts []segment.Cut
		err  error
	}
)

func (b *boundaryScreen) nextSeq() int {
	b.seq++
	return b.seq
}

// askBoundaries reads the segments of the session.
func (a *App) askBoundaries() tea.Cmd {
	b := a.boundaries
	b.asked = b.nextSeq()
	m := boundariesCame{asker: asker{b}, seq: b.asked}
	ctx, editor, lib, g, session, known := b.ctx, a.editor, a.lib, a.G, b.session, b.rows
	return func() tea.Msg {
		if m.rows, m.err = editor.SegmentsOf(ctx, session); m.err != nil {
			return m
		}
		m.same = len(known) > 0 && slices.EqualFunc(m.rows, known, func(x, y review.Segment) bool { return reflect.DeepEqual(x, y) })
		if s, err := lib.Session(ctx, session); err == nil {
			m.title = titleOf(g, &s)
		}
		return m
	}
}

// refreshBoundaries reads again what is shown: somebody changed the database.
func (a *App) refreshBoundaries() tea.Cmd {
	if a.boundaries == nil || a.boundaries.keeping {
		return nil
	}
	return a.askBoundaries()
}

// tookBoundaryMsg takes an answer. The one to a question nobody asks any more
// is dropped.
func (a *App) tookBoundaryMsg(msg boundaryMsg) tea.Cmd {
	b := a.boundaries
	if b == nil || msg.of() != b {
		return nil
	}
	switch m := msg.(type) {
	case boundariesCame:
		if m.seq == b.asked {
			b.asked = 0
			return a.tookBoundaries(m)
		}
	case headsCame:
		a.failBoundaries("the messages could not be listed", b.texts.tookHeads(m))
	case textsCame:
		b.texts.took(m)
		b.texts.forget(b.cur)
	case machineCame:
		return a.tookMachine(m)
	}
	return nil
}

// tookBoundaries shows the segments as they are now. A draft with changes is
// made anew of them: as long as its changes fit, nobody has to look.
func (a *App) tookBoundaries(m boundariesCame) tea.Cmd {
	b := a.boundaries
	if m.err != nil {
		if len(b.rows) == 0 {
			b.failed = m.err // told in their place
			return nil
		}
		a.failBoundaries("the segments could not be read", m.err)
		return nil
	}
	b.failed = nil
	if m.title != "" {
		b.title = m.title
	}
	switch {
	case len(m.rows) == 0:
		a.closeBoundaries()
		a.say("the session is not there any more")
		return nil
	case b.keeping:
		return nil
	case m.same:
		b.lost, b.refused = false, false
		return nil
	}
	return a.adopt(m.rows)
}

// adopt takes the segments as they are stored now below the draft.
func (a *App) adopt(rows []review.Segment) tea.Cmd {
	b := a.boundaries
	draft := segment.NewDraft(rows)
	for _, e := range b.edits {
		if b.rows[0].Body != rows[0].Body || e.apply(draft) != nil {
			b.lost, b.refused = true, false
			a.message = message{text: "your changes do not fit the session any more", failed: true}
			return nil
		}
	}
	grown := len(b.rows) > 0
	if grown {
		b.texts.changed(b.rows, rows)
	}
	switch {
	case b.refused:
		a.message = message{text: "not kept: the session changed; look again", failed: true}
	case len(b.edits) > 0:
		a.say("the session changed; your changes still fit")
	}
	b.refused = false
	b.rows, b.draft, b.lost = rows, draft, false
	line := b.lineOf(b.cur) - b.top
	b.drafted()
	b.top = b.lineOf(b.cur) - line // whatever came or went above it
	b.scroll()
	if grown && b.machine.shown {
		return a.askMachine()
	}
	return nil
}

// retake shows a session that changed as it is now, without the changes of the
// draft that did not fit it.
func (b *boundaryScreen) retake() {
	if b.lost {
		b.edits, b.rows, b.bands, b.draft, b.lost = nil, nil, nil, nil, false
		b.texts.drop()
		b.texts = lineTexts{}
	}
	b.texts.retry()
}

// followBoundaries sizes the screen for the next frame and asks for what it
// lacks.
func (a *App) followBoundaries() tea.Cmd {
	b := a.boundaries
	if b == nil || a.tooSmall() || len(b.bands) == 0 {
		return nil
	}
	b.width = a.w
	b.resize(a.bandRows())
	return a.askLines()
}
