package tui

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/work"
)

// edit is one change of a draft. It is kept, so that it can be done again on a
// session that changed below it.
type edit struct {
	kind  review.Action // ActSplit, ActMerge, ActMove or ActTopic
	at    int           // message; of a move, the one the boundary stands above
	to    int           // where it is moved to
	topic string
}

func (e edit) apply(d *segment.Draft) error {
	switch e.kind {
	case review.ActSplit:
		return d.Split(e.at)
	case review.ActMerge:
		return d.Merge(e.at)
	case review.ActMove:
		return d.Move(e.at, e.to)
	}
	return d.Rename(e.at, e.topic)
}

// edit changes the draft, or says why it can't be.
func (a *App) edit(e edit) bool {
	b := a.boundaries
	if err := e.apply(b.draft); err != nil {
		a.say(err.Error())
		return false
	}
	b.edits = append(b.edits, e)
	b.drafted()
	return true
}

// drafted shows the draft as it is now.
func (b *boundaryScreen) drafted() {
	out := b.draft.Outcome()
	b.bands = out.Rows
	b.effects = ""
	if b.draft.Changed() {
		effects := out.Effects()
		b.effects = effects.String()
		b.harmless = effects.Stale == segment.Counts{} && effects.Lost == segment.Counts{}
	}
	b.cur = max(1, min(b.cur, b.messages()))
	b.machine.compare(b.bands)
	b.scroll()
}

// splitHere begins a segment at the cursor.
func (a *App) splitHere() tea.Cmd {
	a.edit(edit{kind: review.ActSplit, at: a.boundaries.cur})
	return nil
}

// mergeAbove makes one of the segment under the cursor and the one above it.
func (a *App) mergeAbove() tea.Cmd {
	a.edit(edit{kind: review.ActMerge, at: a.boundaries.cur})
	return nil
}

// moveNearest moves the boundary that is nearest to the cursor by a message.
// The cursor goes with it: so the next key moves the same one.
func (a *App) moveNearest(by int) func() tea.Cmd {
	return func() tea.Cmd {
		b := a.boundaries
		at := b.nearest()
		if at == 0 {
			a.say("there is no boundary: s makes one above the cursor")
			return nil
		}
		if a.edit(edit{kind: review.ActMove, at: at, to: at + by}) {
			b.cur = at + by
			b.scroll()
		}
		return nil
	}
}

// nearest returns the message that the boundary nearest to the cursor stands
// above, of two that are equally near the upper one; 0 if there is none.
func (b *boundaryScreen) nearest() int {
	i := b.bandAt(b.cur)
	above, below := 0, 0
	if i > 0 {
		above = b.bands[i].Start
	}
	if i+1 < len(b.bands) {
		below = b.bands[i+1].Start
	}
	if above == 0 || below > 0 && below-b.cur < b.cur-above {
		return below
	}
	return above
}

// editTopic opens the topic of the segment under the cursor.
func (a *App) editTopic() tea.Cmd {
	b := a.boundaries
	s := &b.bands[b.bandAt(b.cur)].Segment
	at, old := b.cur, s.Topic
	keep := func(text string) tea.Cmd {
		if b := a.boundaries; b == nil || b.keeping {
			return nil
		}
		if text = strings.TrimSpace(text); text == clean.Line(old) {
			a.say("topic unchanged")
			return nil
		}
		if reason := a.noEdit(); reason != "" {
			a.say(reason)
			return nil
		}
		a.edit(edit{kind: review.ActTopic, at: at, topic: text})
		return nil
	}
	away := func(text string) {
		delete(b.topics, at)
		if text != "" && text != clean.Line(old) {
			b.topics = map[int]string{at: text}
			a.say("topic put away: " + a.keyIn("topic", keys.InBoundaries) + " goes on with it")
		}
	}
	text, typed := b.topics[at]
	if !typed {
		text = old
	}
	return a.openField(field{label: "topic of " + messagesText(s), keep: keep, away: away}, text)
}

// messagesText names the messages of a segment: 12–40.
func messagesText(s *review.Segment) string {
	if s.Start == s.End {
		return draw.Grouped(s.Start)
	}
	return draw.Grouped(s.Start) + "-" + draw.Grouped(s.End)
}

// undoEdit takes the last change of the draft back.
func (a *App) undoEdit() tea.Cmd {
	b := a.boundaries
	if !b.draft.Undo() {
		a.say("nothing is changed yet")
		return nil
	}
	last := b.edits[len(b.edits)-1]
	b.edits = b.edits[:len(b.edits)-1]
	b.drafted()
	b.cur = min(last.at, b.messages())
	b.scroll()
	a.say("took back: " + editWords[last.kind])
	return nil
}

var editWords = map[review.Action]string{
	review.ActSplit: "the split", review.ActMerge: "the merge", review.ActMove: "the move of the boundary", review.ActTopic: "the topic",
}

// recut answers a draft that was to be kept.
type recut struct {
	screen  *boundaryScreen
	action  review.Action
	effects string
	at      int            // message under the cursor
	segment review.Segment // the one that holds it now
	err     error
}

// keepDraft has the draft written. The keys that follow are meant for the
// segment that holds the message under the cursor.
func (a *App) keepDraft() tea.Cmd {
	b := a.boundaries
	if !b.draft.Changed() {
		a.closeBoundaries()
		a.say("no boundary was changed")
		return nil
	}
	editor := a.editor
	r := Recut{Session: b.session, Known: b.rows, Pieces: slices.Clone(b.draft.Pieces()), Curator: a.curator, Action: b.draft.Action()}
	m := recut{screen: b, action: r.Action, at: b.cur}
	if !b.harmless {
		m.effects = b.effects
	}
	if warning := b.torn(); warning != "" {
		m.effects = strings.Trim(warning+"; "+m.effects, "; ")
	}
	b.keeping, a.wait.finding = true, true
	return a.enqueue("", func(ctx context.Context, _ Library) (work.Show, error) {
		if _, m.err = editor.Recut(ctx, r); m.err == nil {
			m.segment = segmentWith(ctx, editor, r.Session, m.at)
		}
		return func() tea.Cmd { return a.handleRecut(m) }, unlessNothing(m.err)
	})
}

// segmentWith returns the segment that holds a message, zero if it is not
// there: what was kept stays kept whether it can be shown or not.
func segmentWith(ctx context.Context, editor Editor, session string, at int) review.Segment {
	rows, err := editor.SegmentsOf(ctx, session)
	i := slices.IndexFunc(rows, func(s review.Segment) bool { return s.Start <= at && at <= s.End })
	if err != nil || i < 0 {
		return review.Segment{}
	}
	return rows[i]
}

// recutWords say what was done.
var recutWords = map[review.Action]string{
	review.ActSplit: "split", review.ActMerge: "merge", review.ActMove: "boundary moved",
	review.ActTopic: "topic", review.ActCut: "cut",
}

// handleRecut goes back to the list, to the segment that holds the message that
// was under the cursor, and has the new segments scored: a filter by scores
// leaves out what has none. If somebody else was faster, the draft stays.
func (a *App) handleRecut(m recut) tea.Cmd {
	b := a.boundaries
	if b == nil || b != m.screen {
		return a.arrived()
	}
	b.keeping = false
	switch {
	case errors.Is(m.err, review.ErrConflict):
		b.refused = true
		a.message = message{text: "not kept: the session changed", failed: true}
		return tea.Batch(a.nowhere(), a.askBoundaries())
	case errors.Is(m.err, review.ErrNothing):
		a.closeBoundaries()
		a.say("no boundary was changed")
		return a.arrived()
	case m.err != nil:
		a.fail("not kept", m.err)
		return a.nowhere()
	}
	a.closeBoundaries()
	a.reload = true
	text := recutWords[m.action] + " kept"
	if m.effects != "" {
		text += ": " + m.effects
	}
	a.sayUndo(text, a.keyIn("undo", keys.InList)+" undo")
	if m.segment.ID == "" {
		return tea.Batch(a.nowhere(), a.lookForScores())
	}
	a.landing = landing{m.segment.ID, m.at}
	return tea.Batch(a.goTo(&m.segment, ""), a.lookForScores())
}

// landing is the message to be read in a segment when it is opened next.
type landing struct {
	segment string
	at      int
}
