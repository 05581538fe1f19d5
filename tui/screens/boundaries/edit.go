package boundaries

import (
	"slices"
	"strings"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/draw"
	"winnow/tui/screen"
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
func (b *Screen) edit(e edit) bool {
	if err := e.apply(b.draft); err != nil {
		b.Say(err.Error())
		return false
	}
	b.edits = append(b.edits, e)
	b.drafted()
	return true
}

// drafted shows the draft as it is now.
func (b *Screen) drafted() {
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
func (b *Screen) splitHere() { b.edit(edit{kind: review.ActSplit, at: b.cur}) }

// mergeAbove makes one of the segment under the cursor and the one above it.
func (b *Screen) mergeAbove() { b.edit(edit{kind: review.ActMerge, at: b.cur}) }

// moveNearest moves the boundary that is nearest to the cursor by a message.
// The cursor goes with it: so the next key moves the same one.
func (b *Screen) moveNearest(by int) {
	at := b.nearest()
	if at == 0 {
		b.Say("there is no boundary yet: " + b.Key("split") + " makes one above the cursor")
		return
	}
	if b.edit(edit{kind: review.ActMove, at: at, to: at + by}) {
		b.cur = at + by
		b.scroll()
	}
}

// nearest returns the message that the boundary nearest to the cursor stands
// above, of two that are equally near the upper one; 0 if there is none.
func (b *Screen) nearest() int {
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
func (b *Screen) editTopic() {
	s := &b.bands[b.bandAt(b.cur)].Segment
	at, old := b.cur, s.Topic
	from, typed := b.putAway(s)
	keep := func(text string) {
		switch text = strings.TrimSpace(text); {
		case b.keeping:
		case text == clean.Line(old):
			b.Say("topic unchanged")
		case b.noEdit() != "":
			b.Say(b.noEdit())
		default:
			b.edit(edit{kind: review.ActTopic, at: at, topic: text})
		}
	}
	away := func(text string) {
		delete(b.topics, from)
		if text != "" && text != clean.Line(old) {
			b.topics[from] = text
			b.Say("topic put away: " + b.Key("topic") + " brings it back")
		}
	}
	text := old
	if typed {
		text = b.topics[from]
	}
	b.Type(screen.Line{Label: "topic of " + messagesText(s), Text: text, Away: away}, keep)
}

// putAway finds the topic of a segment that was put away half-typed, by the message
// it was typed at: of several, as segments may have been merged since, the first.
// For none it is that under the cursor.
func (b *Screen) putAway(s *review.Segment) (at int, found bool) {
	for n := range b.topics {
		if s.Start <= n && n <= s.End && (!found || n < at) {
			at, found = n, true
		}
	}
	if !found {
		at = b.cur
	}
	return at, found
}

// messagesText names the messages of a segment: 12–40.
func messagesText(s *review.Segment) string {
	if s.Start == s.End {
		return draw.Grouped(s.Start)
	}
	return draw.Grouped(s.Start) + "-" + draw.Grouped(s.End)
}

// undoEdit takes the last change of the draft back.
func (b *Screen) undoEdit() {
	if !b.draft.Undo() {
		b.Say("nothing is changed yet")
		return
	}
	last := b.edits[len(b.edits)-1]
	b.edits = b.edits[:len(b.edits)-1]
	b.drafted()
	b.cur = min(last.at, b.messages())
	b.scroll()
	b.Say("undone: " + editWords[last.kind])
}

var editWords = map[review.Action]string{
	review.ActSplit: "the split", review.ActMerge: "the merge", review.ActMove: "the move of the boundary", review.ActTopic: "the topic",
}

// keepDraft has the draft written.
func (b *Screen) keepDraft() {
	if !b.draft.Changed() {
		b.Leave()
		b.Say("no boundary was changed")
		return
	}
	var effects string
	if !b.harmless {
		effects = b.effects
	}
	if warning := b.torn(); warning != "" {
		effects = strings.Trim(warning+"; "+effects, "; ")
	}
	b.keeping = true
	b.program.Keep(Cut{b.session, b.rows, slices.Clone(b.draft.Pieces()), b.draft.Action(), b.cur}, effects)
}
