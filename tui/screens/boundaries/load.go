package boundaries

import (
	"errors"
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/screen"
)

type (
	segmentsCame struct {
		seq   int
		rows  []review.Segment
		same  bool // as those that are shown
		title string
		err   error
	}
	headsCame struct {
		seq   int
		page  int
		heads []review.Head
		err   error
	}
	textsCame struct {
		seq   int
		texts map[int]lineText
	}
	machineCame struct {
		seq  int
		cuts []segment.Cut
		err  error
	}
)

func (b *Screen) nextSeq() int {
	b.seq++
	return b.seq
}

// askSegments reads the segments of the session.
func (b *Screen) askSegments() tea.Cmd {
	b.asked = b.nextSeq()
	m := segmentsCame{seq: b.asked}
	ctx, lib, session, known := b.Ctx, b.lib, b.session, b.rows
	return func() tea.Msg {
		if m.rows, m.err = lib.SegmentsOf(ctx, session); m.err != nil {
			return m
		}
		m.same = len(known) > 0 && slices.EqualFunc(m.rows, known, func(x, y review.Segment) bool { return reflect.DeepEqual(x, y) })
		m.title, _ = lib.Title(ctx, session) // else it is named by its file
		return m
	}
}

// Changed reads again what is shown: somebody changed the database.
func (b *Screen) Changed(int64) tea.Cmd {
	if b.keeping {
		return nil
	}
	return b.askSegments()
}

// Update takes an answer. The one to a question nobody asks any more is dropped.
// If somebody else was faster than a draft that was to be kept, it stays.
func (b *Screen) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case segmentsCame:
		if m.seq == b.asked {
			b.asked = 0
			return b.takeSegments(m)
		}
	case headsCame:
		b.Fail("the messages could not be listed", b.texts.tookHeads(m))
	case textsCame:
		b.texts.took(m)
		b.texts.forget(b.cur)
	case Refused:
		if b.keeping = false; m.Changed {
			b.refused = true
			return b.askSegments()
		}
	case machineCame:
		return b.takeMachine(m)
	}
	return nil
}

// takeSegments shows the segments as they are now. A draft with changes is
// made anew of them: as long as its changes fit, nobody has to look.
func (b *Screen) takeSegments(m segmentsCame) tea.Cmd {
	if m.err != nil {
		if len(b.rows) == 0 {
			b.failed = m.err // told in their place
			return nil
		}
		b.Fail("the segments could not be read", m.err)
		return nil
	}
	b.failed = nil
	if m.title != "" {
		b.title = m.title
	}
	switch {
	case len(m.rows) == 0:
		b.Leave()
		b.Say("the session no longer exists")
		return nil
	case b.keeping:
		return nil
	case m.same:
		b.lost, b.refused = false, false
		return nil
	}
	return b.adopt(m.rows)
}

// adopt takes the segments as they are stored now below the draft.
func (b *Screen) adopt(rows []review.Segment) tea.Cmd {
	draft := segment.NewDraft(rows)
	for _, e := range b.edits {
		if b.rows[0].Body != rows[0].Body || e.apply(draft) != nil {
			b.lost, b.refused = true, false
			b.Fail("", errors.New("your changes no longer fit the session"))
			return nil
		}
	}
	grown := len(b.rows) > 0
	if grown {
		b.texts.changed(b.rows, rows)
	}
	switch {
	case b.refused:
		b.Fail("", errors.New("not kept: the session changed, look at it again"))
	case len(b.edits) > 0:
		b.Say("the session changed; your changes still fit")
	}
	b.refused = false
	b.rows, b.draft, b.lost = rows, draft, false
	line := b.lineOf(b.cur) - b.top
	b.drafted()
	b.top = b.lineOf(b.cur) - line // whatever came or went above it
	b.scroll()
	if grown && b.machine.shown {
		return b.askMachine()
	}
	return nil
}

// Reload shows a session that changed as it is now, without the changes of the
// draft that did not fit it.
func (b *Screen) Reload() tea.Cmd {
	if b.lost {
		b.edits, b.rows, b.bands, b.draft, b.lost = nil, nil, nil, nil, false
		b.texts.drop()
		b.texts = lineTexts{}
	}
	b.texts.retry()
	return nil
}

// Follow sizes the screen for the next frame and asks for what it lacks.
func (b *Screen) Follow(f screen.Frame) tea.Cmd {
	b.width, b.body = f.Width, f.Height
	if b.seq == 0 {
		return b.askSegments()
	}
	if len(b.bands) == 0 {
		return nil
	}
	b.resize(b.bandRows())
	return b.askLines()
}
