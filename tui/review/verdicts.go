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

// judged answers a verdict or note.
type judged struct {
	before review.Segment
	after  review.Segment
	err    error
}

// judge gives the selected segment a verdict and goes on.
func (r *Room) judge(v review.Verdict) func() tea.Cmd {
	return func() tea.Cmd {
		r.showUnseen()
		s := r.List.Selected()
		if s == nil {
			return nil
		}
		if s.Verdict == v && !s.Stale {
			r.Say(fmt.Sprintf("%s is already %s", r.NameOf(s), v))
			return r.advance()
		}
		return r.give(v, said(v)+" ")
	}
}

// give gives the selected segment a verdict, which is told as words and the
// segment's name, and goes on.
func (r *Room) give(v review.Verdict, words string) tea.Cmd {
	s := r.List.Selected()
	r.SayUndo(words+r.NameOf(s)+r.overruled(s), r.keys.Key("undo", keys.InList)+" undo")
	if h := &r.Wait; h.Refused.Text != "" && r.now().Sub(h.refusedAt) < typedAhead {
		r.Message, h.refusedAt = h.Refused, r.now()
	}
	return tea.Batch(r.apply(*s, review.Judgement{
		Curator: r.Curator, IDs: []string{s.ID}, Verdict: v, Seen: map[string]chat.Digest{s.ID: s.Digest}, Shown: r.shownAs(s),
	}), r.advance())
}

// shownAs is a pending segment as it is shown, for a verdict on it; nil for one
// that somebody decided on already.
func (r *Room) shownAs(s *review.Segment) *review.Segment {
	if s.Verdict != review.Pending || s.Stale {
		return nil
	}
	shown := *s
	return &shown
}

// overruled says whose verdict another one takes the place of, "" if it is
// nobody else's.
func (r *Room) overruled(s *review.Segment) string {
	if !s.Verdict.Judged() || s.Reviewer == "" || s.Reviewer == r.Curator || r.Rechecks {
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
		return Showing(func() { r.handleJudged(judged{before: before, after: after, err: err}) }), err
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

// handleJudged takes a judgement back from the screen that was not written.
func (r *Room) handleJudged(m judged) {
	if m.err == nil {
		return
	}
	r.app.Reread() // read everything again
	if errors.Is(m.err, review.ErrNotFound) {
		m.err = errors.New("it was cut again meanwhile: look at it again")
	}
	r.Fail(r.NameOf(&m.before)+" was not saved", m.err)
	r.Wait.Refused, r.Wait.refusedAt = r.Message, r.now()
	if m.after.Note != m.before.Note {
		r.notes[r.heirOf(m.before.ID)] = m.after.Note // n goes on with it
	}
	if !slices.Equal(m.after.Tags, m.before.Tags) {
		r.tagDrafts[r.heirOf(m.before.ID)] = strings.Join(m.after.Tags, " ")
	}
	if !r.writes.Changes(m.before.ID) { // else a later one changed it again
		r.show(m.before)
	}
}

// stepped answers an undo or redo with the segments as they are now.
type stepped struct {
	redo     bool
	entry    review.Entry
	segments []review.Segment
	err      error
}

// maxStepped bounds how many segments are read again after an undo; the
// reload of the list shows the others.
const maxStepped = 50

// Step undoes or redoes the curator's last action.
func (r *Room) Step(redo bool) func() tea.Cmd {
	return func() tea.Cmd {
		curator := r.Curator
		r.Wait.Finding = true // the keys that follow are meant for the segment it goes to
		return r.Enqueue("", func(ctx context.Context, lib rows.Library) (work.Show, error) {
			act := lib.Undo
			if redo {
				act = lib.Redo
			}
			entry, err := act(ctx, curator)
			m := stepped{redo: redo, entry: entry, err: err}
			for _, id := range entry.Touched(maxStepped) {
				if s, err := lib.Segment(ctx, id); err == nil {
					m.segments = append(m.segments, s)
				}
			}
			return func() tea.Cmd { return tea.Batch(r.handleStepped(m), r.app.Changed()) }, UnlessNothing(err)
		})
	}
}

// handleStepped shows what an undo or redo did and goes there.
func (r *Room) handleStepped(m stepped) tea.Cmd {
	word, done, inverse := "undo", "undone", r.keys.Key("redo", keys.InList)+" redo"
	if m.redo {
		word, done, inverse = "redo", "redone", r.keys.Key("undo", keys.InList)+" undo"
	}
	switch {
	case errors.Is(m.err, review.ErrNothing):
		r.Say("nothing to " + word)
		return r.Arrived()
	case m.err != nil:
		r.Fail(word, m.err)
		r.Reload = true
		return r.Nowhere()
	}
	r.Reload = true
	if m.entry.Action == review.ActUndo { // it has what the undo did: what was undone is the opposite
		m.entry.Changes = slices.Clone(m.entry.Changes)
		for i := range m.entry.Changes {
			c := &m.entry.Changes[i]
			c.Before, c.After = c.After, c.Before
		}
	}
	if len(m.segments) == 0 {
		r.SayUndo(word+" done", inverse)
		return r.goToHeir(&m.entry)
	}
	for _, s := range m.segments {
		r.keepRow(s.ID)
		r.show(s)
	}
	s := &m.segments[0]
	what := ""
	if cut := m.entry.Recut; cut != nil {
		what = "boundaries of "
		if cut.SameBounds() {
			what = "topic of "
		}
		what += r.G.Quote + r.firstWords(s) + r.G.Unquote
	} else if n := len(m.entry.Changes); n > 1 {
		r.SayUndo(word+": "+draw.Plural(n, "segment"), inverse)
		return r.goToNearest(&m)
	} else if c := m.entry.Changes[0]; c.Before.Verdict == c.After.Verdict && c.Before.Note != c.After.Note {
		what = "note of " + r.NameOf(s)
	} else if c.Before.Verdict == c.After.Verdict && c.Before.Tags != c.After.Tags {
		what = "tags of " + r.NameOf(s)
	} else if c.Before.Verdict == c.After.Verdict && c.Before.Masked != c.After.Masked {
		what = "training mark in " + r.NameOf(s)
	} else {
		r.SayUndo(actNames[c.After.Verdict]+" "+done+": "+r.isAgain(s, m.redo), inverse)
		return r.GoTo(s, "")
	}
	r.SayUndo(word+": "+what, inverse)
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
func (r *Room) goToNearest(m *stepped) tea.Cmd {
	changed, verdicts := make(map[string]bool, len(m.entry.Changes)), map[review.Verdict]bool{}
	for _, c := range m.entry.Changes {
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
	return r.GoTo(&m.segments[0], "")
}
