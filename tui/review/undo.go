package review

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/core/review"
	"winnow/core/train"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// maxStepped bounds how many segments are read again after an undo; the
// reload of the list shows the others.
const maxStepped = 50

// Act has something of the journal undone or redone, and shows the segments as they are
// then; done tells what became of it.
func (r *Room) Act(run func(context.Context, rows.Library) (review.Entry, error), done func(review.Entry, []review.Segment, error) tea.Cmd) tea.Cmd {
	return r.Enqueue("", func(ctx context.Context, lib rows.Library) (work.Show, error) {
		entry, err := run(ctx, lib)
		var now []review.Segment
		for _, id := range entry.Touched(maxStepped) {
			if s, err := lib.Segment(ctx, id); err == nil {
				now = append(now, s)
			}
		}
		return func() tea.Cmd {
			r.reload = true
			for _, s := range now {
				r.keepRow(s.ID)
				r.last.stepped(s)
				r.show(s)
			}
			r.app.Changed()
			if len(entry.Edits) > 0 {
				return tea.Batch(done(entry, now, err), r.app.Edited())
			}
			return done(entry, now, err)
		}, UnlessNothing(err)
	})
}

// Step undoes or redoes the curator's last action.
func (r *Room) Step(redo bool) tea.Cmd {
	r.wait.finding = true // the keys that follow are meant for the segment it goes to
	return r.Act(func(ctx context.Context, lib rows.Library) (review.Entry, error) {
		if redo {
			return lib.Redo(ctx, r.curator)
		}
		return lib.Undo(ctx, r.curator)
	}, func(e review.Entry, now []review.Segment, err error) tea.Cmd { return r.stepped(redo, e, now, err) })
}

// UndoNumbered takes the entry of a number back.
func (r *Room) UndoNumbered(id int64) tea.Cmd {
	return r.Act(func(ctx context.Context, _ rows.Library) (review.Entry, error) {
		return r.journal.UndoEntry(ctx, r.curator, id)
	}, func(_ review.Entry, _ []review.Segment, err error) tea.Cmd {
		switch {
		case errors.Is(err, review.ErrConflict):
			r.Fail("not undone", err)
		case err != nil:
			r.Fail("undo", err)
		default:
			r.SayUndo(fmt.Sprintf("entry %d undone", id), r.keyFor("redo")+" redo")
		}
		return nil
	})
}

// stepped tells what an undo or redo did, and goes to the first of the segments that it
// changed.
func (r *Room) stepped(redo bool, e review.Entry, now []review.Segment, err error) tea.Cmd {
	word, done, inverse := "undo", "undone", r.keys.Key("redo", keys.InList)+" redo"
	if redo {
		word, done, inverse = "redo", "redone", r.keys.Key("undo", keys.InList)+" undo"
	}
	switch {
	case errors.Is(err, review.ErrNothing):
		r.Say("nothing to " + word)
		return r.Arrived()
	case err != nil:
		r.Fail(word, err)
		return r.Nowhere()
	case len(e.Memories) > 0:
		text := word + ": " + memory.ChangesText(e.Memories, len(e.Memories))
		r.SayUndo(text, inverse)
		return r.Arrived()
	case len(e.Promotions) > 0:
		r.SayUndo(word+": "+train.PromotionsText(e.Promotions), inverse)
		return r.Arrived()
	case len(now) == 0:
		r.SayUndo(word+" done", inverse)
		return r.goToHeir(&e)
	}
	if e.Action == review.ActUndo { // it has what the undo did: what was undone is the opposite
		e.Changes = slices.Clone(e.Changes)
		for i := range e.Changes {
			c := &e.Changes[i]
			c.Before, c.After = c.After, c.Before
		}
	}
	var c review.Change
	if len(e.Changes) > 0 {
		c = e.Changes[0]
	}
	s, text, same := &now[0], word+": ", c.Before.Verdict == c.After.Verdict
	switch {
	case e.Recut != nil && e.Recut.SameBounds():
		text += "topic of " + r.G.Quote + r.firstWords(s) + r.G.Unquote
	case e.Recut != nil:
		text += "boundaries of " + r.G.Quote + r.firstWords(s) + r.G.Unquote
	case len(e.Edits) > 0:
		r.SayUndo(text+draw.Plural(len(e.Edits), "changed message"), inverse)
		r.LandAt(s.ID, e.Edits[0].N)
		return r.GoTo(s, "")
	case len(e.Proposals) > 0:
		text += draw.Plural(len(e.Proposals), "compression")
	case len(e.Changes) > 1:
		r.SayUndo(text+draw.Plural(len(e.Changes), "segment"), inverse)
		return r.goToNearest(e.Changes, s)
	case same && c.Before.Note != c.After.Note:
		text += "note of " + r.NameOf(s)
	case same && c.Before.Tags != c.After.Tags:
		text += "tags of " + r.NameOf(s)
	case same && c.Before.Masked != c.After.Masked:
		text += "training mark in " + r.NameOf(s)
	default:
		text = actNames[c.After.Verdict] + " " + done + ": " + r.isAgain(s, redo)
	}
	r.SayUndo(text, inverse)
	return r.GoTo(s, "")
}

// actNames are what the verdicts are called as something that was done.
var actNames = map[review.Verdict]string{
	review.Approved: "approval", review.Rejected: "rejection", review.Unsure: "unsure mark", review.Pending: "return to pending",
}

// isAgain says what a segment is after an undo or redo.
func (r *Room) isAgain(s *review.Segment, redo bool) string {
	state := string(s.Verdict)
	switch {
	case s.Stale:
		state = "stale again"
	case !redo:
		state += " again"
	}
	return state + " " + r.NameOf(s)
}

// goToNearest stays on the selected segment if an entry changed it, among others;
// else it goes to the nearest one that it did. What gave several verdicts began
// at the first one.
func (r *Room) goToNearest(changes []review.Change, first *review.Segment) tea.Cmd {
	changed, verdicts := make(map[string]bool, len(changes)), map[review.Verdict]bool{}
	for _, c := range changes {
		changed[c.Segment] = true
		if c.Before.Verdict != c.After.Verdict {
			verdicts[c.After.Verdict] = true
		}
	}
	w := &r.List
	for away := range len(w.Rows) {
		if len(verdicts) > 1 {
			break
		}
		for _, i := range []int{w.Cur + away, w.Cur - away} {
			if i >= 0 && i < len(w.Rows) && changed[w.Rows[i].ID] {
				w.Pick(i)
				return r.Arrived()
			}
		}
	}
	return r.GoTo(first, "")
}
