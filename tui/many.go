package tui

import (
	"context"
	"maps"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/work"
)

// progressFrom is the number of segments from which a write takes so long that
// a line tells of it.
const progressFrom = 1000

// many is a judgement on several segments.
type many struct {
	judgement review.Judgement
	before    []review.Segment // the rows in memory
	marks     map[string]bool  // that it was for
	doing     string           // "approving 12 segments"
	done      string
	err       error
}

// judgedAs returns a segment as a judgement leaves it.
func judgedAs(s review.Segment, j *review.Judgement, now time.Time) review.Segment {
	if j.Verdict != "" {
		s.Verdict, s.Stale, s.Was, s.WasBy = j.Verdict, false, "", ""
		s.WasAt, s.WasBody, s.WasStart, s.WasEnd = time.Time{}, 0, 0, 0
		s.Reviewer, s.ReviewedAt = j.Curator, now
	}
	if j.Note != nil {
		s.Note = *j.Note
	}
	if j.Retags() {
		s.Tags = review.TagsWith(s.Tags, j.TagsOn, j.TagsOff)
	}
	s.Masked = s.MaskedWith(j.MaskOff, j.MaskOn)
	return s
}

// applyMany shows a judgement on several segments at once and has it written,
// as one action. of are the segments; marked says that marks have served.
func (a *App) applyMany(j review.Judgement, of *standings, marked bool, doing, done string) tea.Cmd {
	n := draw.Plural(len(j.IDs), "segment")
	m := many{judgement: j, doing: doing + " " + n, done: done + " " + n}
	from := map[review.Verdict]int{} // of those that are not in memory
	maps.Copy(from, of.from)
	for i := range a.list.Rows {
		row := &a.list.Rows[i]
		if !of.in[row.ID] {
			continue
		}
		m.before = append(m.before, *row)
		if len(j.IDs) <= keptMost {
			a.keepRow(row.ID)
		}
		after := judgedAs(*row, &j, a.now())
		a.recount(&after, row.Verdict, after.Verdict)
		from[row.Verdict]--
		*row = after
	}
	if j.Judges() {
		a.recountRest(from, j.Verdict)
	}
	if marked {
		m.marks = a.marks.ids
		a.marks = marks{asked: a.marks.asked}
	}
	lib := a.lib
	write := work.Write{Run: func(ctx context.Context) (work.Show, error) {
		_, m.err = lib.Judge(ctx, m.judgement)
		return showing(func() { a.handleMany(m) }), m.err
	}}
	if len(j.IDs) >= progressFrom {
		write.Doing = m.doing
		a.say(m.doing)
	} else {
		a.sayUndo(m.done, a.keyFor("undo")+" undo")
	}
	return a.writes.Put(a.ctx, write)
}

// recountRest moves segments that are not in memory in the counts.
func (a *App) recountRest(from map[review.Verdict]int, to review.Verdict) {
	a.totals.ByVerdict = maps.Clone(a.totals.ByVerdict)
	t := &a.tally
	counted := a.sieve.node != nil && t.key == a.sieve.key
	is, _ := passes(a.sieve.node, to)
	for v, n := range from {
		if n <= 0 || v == to {
			continue
		}
		if a.totals.ByVerdict != nil {
			a.totals.ByVerdict[v] -= n
			a.totals.ByVerdict[to] += n
		}
		if !counted {
			continue
		}
		move(&t.base, v, -n)
		move(&t.base, to, +n)
		if was, _ := passes(a.sieve.node, v); was {
			move(&t.passing, v, -n)
			t.passing.Segments -= n
		}
		if is {
			move(&t.passing, to, +n)
			t.passing.Segments += n
		}
		t.passing.Segments = max(0, t.passing.Segments)
	}
}

// handleMany says that it is written, or takes it back from the screen.
func (a *App) handleMany(m many) {
	a.tally.want = true
	if m.err == nil {
		if a.message.text == m.doing {
			a.sayUndo(m.done, a.keyFor("undo")+" undo")
		}
		return
	}
	a.version, a.reload = -1, true // read everything again
	a.fail(m.doing+": not saved", m.err)
	for _, s := range m.before {
		if !a.writes.Changes(s.ID) {
			a.show(s)
		}
	}
	for id := range m.marks {
		a.marks.set(id, true)
	}
}

// manyLines tell of a write that takes long.
func (a *App) manyLines(w int) []string {
	doing := a.writes.Doing()
	if doing == "" {
		return nil
	}
	return []string{draw.Fit(" "+a.Ink.Text.On(doing)+a.Ink.Muted.On(" "+a.G.Dot+" keys go on"), w, a.G.More)}
}
