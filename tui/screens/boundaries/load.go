package boundaries

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"

	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/screen"
)

// askSegments reads the segments of the session.
func (b *Screen) askSegments() {
	lib, session, known, before := b.lib, b.session, b.rows, b.now.Got
	b.now.Ask(&b.Seat, func(ctx context.Context) (stored, error) {
		rows, err := lib.SegmentsOf(ctx, session)
		if err != nil {
			return stored{}, err
		}
		same := len(known) > 0 && slices.EqualFunc(rows, known, func(x, y review.Segment) bool { return reflect.DeepEqual(x, y) })
		title, folder, _ := lib.Name(ctx, session) // else it is named as before, or by its file
		return stored{cmp.Or(title, before.title), cmp.Or(folder, before.folder), rows, same}, nil
	}, b.takeSegments)
}

// Changed reads again what is shown: somebody changed the database.
func (b *Screen) Changed(int64) {
	if !b.keeping {
		b.askSegments()
	}
}

// Refused says that a cut was not kept: the draft stays. changed says that the
// session had changed.
func (b *Screen) Refused(changed bool) {
	if b.keeping = false; changed {
		b.refused = true
		b.askSegments()
	}
}

// takeSegments shows the segments as they are now. A draft with changes is
// made anew of them: as long as its changes fit, nobody has to look.
func (b *Screen) takeSegments(now stored, err error) {
	switch {
	case err != nil:
		if len(b.rows) > 0 { // else it is told in their place
			b.Fail("the segments could not be read", err)
		}
	case len(now.rows) == 0:
		b.Leave()
		b.Say("the session no longer exists")
	case b.keeping:
	case now.same:
		b.lost, b.refused = false, false
	default:
		b.adopt(now.rows)
	}
}

// adopt takes the segments as they are stored now below the draft.
func (b *Screen) adopt(rows []review.Segment) {
	draft := segment.NewDraft(rows)
	for _, e := range b.edits {
		if b.rows[0].Body != rows[0].Body || e.apply(draft) != nil {
			b.lost, b.refused = true, false
			b.Fail("", errors.New("your changes no longer fit the session"))
			return
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
		b.askMachine()
	}
}

// Reload shows a session that changed as it is now, without the changes of the
// draft that did not fit it.
func (b *Screen) Reload() {
	if b.lost {
		b.edits, b.rows, b.bands, b.draft, b.lost = nil, nil, nil, nil, false
		b.texts.drop()
	}
	b.texts.retry()
}

// Awaits has keys wait for the segments, and for where a jump leads.
func (b *Screen) Awaits() bool { return b.now.Awaited() || b.prompt.Open }

// Follow sizes the screen for the next frame and asks for what it lacks.
func (b *Screen) Follow(f screen.Frame) {
	b.width, b.body = f.Width, f.Height
	switch {
	case !b.now.Asked():
		b.askSegments()
	case len(b.bands) > 0:
		b.strip = b.stripLines(f.Width)
		b.resize(b.bandRows())
		b.askLines()
	}
}
