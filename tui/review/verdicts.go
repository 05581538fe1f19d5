package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// Judge gives the selected segment a verdict and goes on.
func (r *Room) Judge(v review.Verdict) tea.Cmd {
	r.showUnseen()
	s := r.List.Selected()
	if s == nil {
		return nil
	}
	if s.Verdict == v && !s.Stale {
		r.Say(fmt.Sprintf("%s is already %s", r.NameOf(s), v))
		return r.advance()
	}
	if r.app.AsksFirst(s, v) {
		return nil
	}
	return r.give(v, said(v)+" ")
}

// give gives the selected segment a verdict, which is told as words and the
// segment's name, and goes on.
func (r *Room) give(v review.Verdict, words string) tea.Cmd {
	s := r.List.Selected()
	r.SayUndo(words+r.NameOf(s)+r.overruled(s)+r.Sights.Unread(s, v, r.G.Dot), r.keys.Key("undo", keys.InList)+" undo")
	if h := &r.wait; h.refused.Text != "" && r.now().Sub(h.refusedAt) < typedAhead {
		r.Message, h.refusedAt = h.refused, r.now()
	}
	j, shown := review.Judgement{Curator: r.curator, IDs: []string{s.ID}, Verdict: v, Seen: map[string]chat.Digest{s.ID: s.Digest}}, *s
	if s.Verdict == review.Pending && !s.Stale { // nobody decided on it before
		j.Shown = &shown
	}
	judged := judgedAs(shown, &j, r.now())
	r.last = lastVerdict{one: &judged}
	return tea.Batch(r.apply(shown, j), r.advance())
}

// overruled says whose verdict another one takes the place of, "" if it is
// nobody else's.
func (r *Room) overruled(s *review.Segment) string {
	if !s.Verdict.Judged() || s.Reviewer == "" || s.Reviewer == r.curator || r.rechecks {
		return ""
	}
	return " " + r.G.Dot + " was " + string(s.Verdict) + " by " + clean.Line(draw.Head(s.Reviewer))
}

// said renders a verdict as something done.
func said(v review.Verdict) string {
	if v == review.Pending {
		return "back to pending:"
	}
	return string(v)
}

// apply shows a judgement at once and has it written.
func (r *Room) apply(before review.Segment, j review.Judgement) tea.Cmd {
	after := judgedAs(before, &j, r.now())
	r.keepRow(before.ID)
	r.show(after)
	return r.Enqueue(before.ID, func(ctx context.Context, lib rows.Library) (work.Show, error) {
		_, err := lib.Judge(ctx, j)
		return Showing(func() {
			if err != nil {
				r.refused(&before, &after, err)
			}
		}), err
	})
}

// show puts a changed segment in its row and in the counts.
func (r *Room) show(s review.Segment) {
	i := r.List.Index(s.ID)
	if i < 0 {
		return
	}
	row := &r.List.Rows[i]
	r.recountRow(row, s.Verdict)
	*row = s
}

// refused takes a judgement back from the screen that was not written.
func (r *Room) refused(before, after *review.Segment, err error) {
	r.app.Reread() // read everything again
	if errors.Is(err, review.ErrNotFound) {
		err = errors.New("it was cut again meanwhile: look at it again")
	}
	r.Fail(r.NameOf(before)+" was not saved", err)
	r.wait.refused, r.wait.refusedAt = r.Message, r.now()
	if after.Note != before.Note {
		r.notes[r.heirOf(before.ID)] = after.Note // n goes on with it
	}
	if !slices.Equal(after.Tags, before.Tags) {
		r.tagDrafts[r.heirOf(before.ID)] = strings.Join(after.Tags, " ")
	}
	if !r.writes.Changes(before.ID) { // else a later one changed it again
		r.show(*before)
	}
}
