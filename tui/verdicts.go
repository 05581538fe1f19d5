package tui

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
	"winnow/tui/work"
)

// judged answers a verdict or note.
type judged struct {
	before review.Segment
	after  review.Segment
	err    error
}

// judge gives the selected segment a verdict and goes on.
func (a *App) judge(v review.Verdict) func() tea.Cmd {
	return func() tea.Cmd {
		a.showUnseen()
		s := a.list.Selected()
		if s == nil {
			return nil
		}
		if s.Verdict == v && !s.Stale {
			a.say(fmt.Sprintf("%s is %s already", a.nameOf(s), v))
			return a.advance()
		}
		return a.give(v, said(v)+" ")
	}
}

// give gives the selected segment a verdict, which is told as words and the
// segment's name, and goes on.
func (a *App) give(v review.Verdict, words string) tea.Cmd {
	s := a.list.Selected()
	a.sayUndo(words+a.nameOf(s)+a.overruled(s), a.keyIn("undo", keys.InList)+" undo")
	if h := &a.wait; h.refused.text != "" && a.now().Sub(h.refusedAt) < typedAhead {
		a.message, h.refusedAt = h.refused, a.now()
	}
	return tea.Batch(a.apply(*s, review.Judgement{
		Curator: a.curator, IDs: []string{s.ID}, Verdict: v, Seen: map[string]chat.Digest{s.ID: s.Digest}, Shown: a.shownAs(s),
	}), a.advance())
}

// shownAs is a pending segment as it is shown, for a verdict on it; nil for one
// that somebody decided on already.
func (a *App) shownAs(s *review.Segment) *review.Segment {
	if s.Verdict != review.Pending || s.Stale {
		return nil
	}
	shown := *s
	return &shown
}

// overruled says whose verdict another one takes the place of, "" if it is
// nobody else's.
func (a *App) overruled(s *review.Segment) string {
	if !s.Verdict.Judged() || s.Reviewer == "" || s.Reviewer == a.curator || a.recheck != nil {
		return ""
	}
	return " " + a.G.Dot + " was " + string(s.Verdict) + " by " + clean.Line(draw.Head(s.Reviewer))
}

// said renders a verdict as something done.
func said(v review.Verdict) string {
	if v == review.Pending {
		return "back to pending:"
	}
	return string(v)
}

// apply shows a judgement at once and has it written.
func (a *App) apply(before review.Segment, j review.Judgement) tea.Cmd {
	after := judgedAs(before, &j, a.now())
	a.keepRow(before.ID)
	a.show(after)
	return a.enqueue(before.ID, func(ctx context.Context, lib Library) (work.Show, error) {
		_, err := lib.Judge(ctx, j)
		return showing(func() { a.handleJudged(judged{before: before, after: after, err: err}) }), err
	})
}

// show puts a changed segment in its row and in the counts.
func (a *App) show(s review.Segment) {
	i := a.list.index(s.ID)
	if i < 0 {
		return
	}
	row := &a.list.Rows[i]
	a.recount(&s, row.Verdict, s.Verdict)
	*row = s
}

// handleJudged takes a judgement back from the screen that was not written.
func (a *App) handleJudged(m judged) {
	if m.err == nil {
		return
	}
	a.version = -1 // read everything again
	if errors.Is(m.err, review.ErrNotFound) {
		m.err = errors.New("it was cut anew meanwhile, look again")
	}
	a.fail(a.nameOf(&m.before)+" was not saved", m.err)
	a.wait.refused, a.wait.refusedAt = a.message, a.now()
	if m.after.Note != m.before.Note {
		a.notes[a.heirOf(m.before.ID)] = m.after.Note // n goes on with it
	}
	if !slices.Equal(m.after.Tags, m.before.Tags) {
		a.tagDrafts[a.heirOf(m.before.ID)] = strings.Join(m.after.Tags, " ")
	}
	if !a.writes.Changes(m.before.ID) { // else a later one changed it again
		a.show(m.before)
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

// step undoes or redoes the curator's last action.
func (a *App) step(redo bool) func() tea.Cmd {
	return func() tea.Cmd {
		curator := a.curator
		a.wait.finding = true // the keys that follow are meant for the segment it goes to
		return a.enqueue("", func(ctx context.Context, lib Library) (work.Show, error) {
			act := lib.Undo
			if redo {
				act = lib.Redo
			}
			entry, err := act(ctx, curator)
			m := stepped{redo: redo, entry: entry, err: err}
			for _, id := range steppedOver(&entry) {
				if s, err := lib.Segment(ctx, id); err == nil {
					m.segments = append(m.segments, s)
				}
			}
			return func() tea.Cmd { return tea.Batch(a.handleStepped(m), a.changedSeated()) }, unlessNothing(err)
		})
	}
}

// steppedOver names the segments that an entry changed, at most maxStepped; of
// boundaries those on either side that the other side has not.
func steppedOver(e *review.Entry) []string {
	var ids []string
	if r := e.Recut; r != nil {
		ids = append(without(r.After, r.Before), without(r.Before, r.After)...)
	} else {
		for _, c := range e.Changes {
			ids = append(ids, c.Segment)
		}
	}
	return ids[:min(len(ids), maxStepped)]
}

// without names the segments that others has not, at least not like this.
func without(segments, others []review.Segment) []string {
	type shape struct {
		id, topic  string
		start, end int
	}
	of := func(s *review.Segment) shape { return shape{s.ID, s.Topic, s.Start, s.End} }
	known := make(map[shape]bool, len(others))
	for i := range others {
		known[of(&others[i])] = true
	}
	var ids []string
	for i := range segments {
		if !known[of(&segments[i])] {
			ids = append(ids, segments[i].ID)
		}
	}
	return ids
}

// recutText says what an entry changed of a session's segments.
func recutText(r *review.Recut) string {
	same := slices.EqualFunc(r.Before, r.After, func(x, y review.Segment) bool { return x.Start == y.Start && x.End == y.End })
	if same {
		return "topic of"
	}
	return "boundaries of"
}

// handleStepped shows what an undo or redo did and goes there.
func (a *App) handleStepped(m stepped) tea.Cmd {
	word, done, inverse := "undo", "undone", a.keyIn("redo", keys.InList)+" redo"
	if m.redo {
		word, done, inverse = "redo", "redone", a.keyIn("undo", keys.InList)+" undo"
	}
	switch {
	case errors.Is(m.err, review.ErrNothing):
		a.say("nothing to " + word)
		return a.arrived()
	case m.err != nil:
		a.fail(word, m.err)
		a.reload = true
		return a.nowhere()
	}
	a.reload = true
	if m.entry.Action == review.ActUndo { // it has what the undo did: what was undone is the opposite
		m.entry.Changes = slices.Clone(m.entry.Changes)
		for i := range m.entry.Changes {
			c := &m.entry.Changes[i]
			c.Before, c.After = c.After, c.Before
		}
	}
	if len(m.segments) == 0 {
		a.sayUndo(word+" done", inverse)
		return a.goToHeir(&m.entry)
	}
	for _, s := range m.segments {
		a.keepRow(s.ID)
		a.show(s)
	}
	s := &m.segments[0]
	what := ""
	if r := m.entry.Recut; r != nil {
		what = recutText(r) + " " + a.G.Quote + a.firstWords(s) + a.G.Unquote
	} else if n := len(m.entry.Changes); n > 1 {
		a.sayUndo(word+": "+draw.Plural(n, "segment"), inverse)
		return a.goToNearest(&m)
	} else if c := m.entry.Changes[0]; c.Before.Verdict == c.After.Verdict && c.Before.Note != c.After.Note {
		what = "note of " + a.nameOf(s)
	} else if c.Before.Verdict == c.After.Verdict && c.Before.Tags != c.After.Tags {
		what = "tags of " + a.nameOf(s)
	} else if c.Before.Verdict == c.After.Verdict && c.Before.Masked != c.After.Masked {
		what = "training mark in " + a.nameOf(s)
	} else {
		a.sayUndo(actNames[c.After.Verdict]+" "+done+": "+a.isAgain(s, m.redo), inverse)
		return a.goTo(s, "")
	}
	a.sayUndo(word+": "+what, inverse)
	return a.goTo(s, "")
}

// actNames are what the verdicts are called as something that was done.
var actNames = map[review.Verdict]string{
	review.Approved: "approval", review.Rejected: "rejection", review.Unsure: "unsure mark", review.Pending: "return to pending",
}

// isAgain says what a segment is after an undo or redo.
func (a *App) isAgain(s *review.Segment, redo bool) string {
	state := string(s.Verdict)
	switch {
	case s.Stale:
		state = "stale again"
	case !redo:
		state += " again"
	}
	return state + " " + a.nameOf(s)
}

// goToNearest stays on the selected segment if an entry changed it, among others;
// else it goes to the nearest one that it did. What gave several verdicts began
// at the first one.
func (a *App) goToNearest(m *stepped) tea.Cmd {
	changed, verdicts := make(map[string]bool, len(m.entry.Changes)), map[review.Verdict]bool{}
	for _, c := range m.entry.Changes {
		changed[c.Segment] = true
		if c.Before.Verdict != c.After.Verdict {
			verdicts[c.After.Verdict] = true
		}
	}
	w := &a.list
	for away := range len(w.Rows) {
		if len(verdicts) > 1 {
			break
		}
		for _, i := range []int{w.Cur + away, w.Cur - away} {
			if i >= 0 && i < len(w.Rows) && changed[w.Rows[i].ID] {
				w.Pick(i)
				return a.arrived()
			}
		}
	}
	return a.goTo(&m.segments[0], "")
}
