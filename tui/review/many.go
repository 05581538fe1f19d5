package review

import (
	"context"
	"maps"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/work"
)

// ProgressFrom is the number of segments from which a write takes so long that
// a line tells of it.
const ProgressFrom = 1000

// many is a judgement on several segments.
type many struct {
	before []review.Segment // the rows in memory
	marks  map[string]bool  // that it was for
	doing  string           // "approving 12 segments"
	done   string
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
func (r *Room) applyMany(j review.Judgement, of *standings, marked bool, doing, done string) tea.Cmd {
	n := draw.Plural(len(j.IDs), "segment")
	m := many{doing: doing + " " + n, done: done + " " + n}
	from := map[review.Verdict]int{} // of those that are not in memory
	maps.Copy(from, of.from)
	for i := range r.List.Rows {
		row := &r.List.Rows[i]
		if !of.in[row.ID] {
			continue
		}
		m.before = append(m.before, *row)
		if len(j.IDs) <= KeptMost {
			r.keepRow(row.ID)
		}
		after := judgedAs(*row, &j, r.now())
		r.recountRow(row, after.Verdict)
		from[row.Verdict]--
		*row = after
	}
	if j.Judges() {
		for v, n := range from {
			r.recount(n, v, j.Verdict)
		}
	}
	if marked {
		m.marks = r.marks.IDs
		r.marks.Clear()
	}
	lib := r.Lib
	write := work.Write{Run: func(ctx context.Context) (work.Show, error) {
		_, err := lib.Judge(ctx, j)
		return Showing(func() { r.wroteMany(m, err) }), err
	}}
	if len(j.IDs) >= ProgressFrom {
		write.Doing = m.doing
		r.Say(m.doing)
	} else {
		r.SayUndo(m.done, r.keyFor("undo")+" undo")
	}
	return r.writes.Put(r.Ctx, write)
}

// wroteMany says that it is written, or takes it back from the screen.
func (r *Room) wroteMany(m many, err error) {
	r.counts.want = true
	if err == nil {
		if r.Message.Text == m.doing {
			r.SayUndo(m.done, r.keyFor("undo")+" undo")
		}
		return
	}
	r.app.Reread() // everything
	r.reload = true
	r.Fail(m.doing+": not saved", err)
	for _, s := range m.before {
		if !r.writes.Changes(s.ID) {
			r.show(s)
		}
	}
	for id := range m.marks {
		r.marks.Put(id, true)
	}
}

// ManyLines tell of a write that takes long.
func (r *Room) ManyLines(w int) []string {
	doing := r.writes.Doing()
	if doing == "" {
		return nil
	}
	return []string{draw.Fit(" "+r.Ink.Text.On(doing)+r.Ink.Muted.On(" "+r.G.Dot+" keys still work"), w, r.G.More)}
}
