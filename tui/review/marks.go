package review

import (
	"context"
	"maps"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/marks"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// MarkKeys are the keys that mark segments.
func MarkKeys() []roomRow {
	return []roomRow{
		keys.Key("space", "mark", "mark or unmark the segment; in the list, also go down", "", keys.InJudged, keys.Do((*Room).toggleMark), (*Room).NoVerdict),
		keys.Key("v", "mark-range", "mark from here to where you go; again ends the range", "", keys.InSegment, keys.Do((*Room).markRange), (*Room).NoSegment),
		keys.Key("", "unmark", "remove all marks", "", keys.InSegment, keys.Do((*Room).unmark), (*Room).noMarks),
	}
}

func (r *Room) noMarks() string { return keys.Reason(len(r.marks.IDs) == 0, "nothing is marked") }

// toggleMark marks the selected segment, or not, and goes on. It ends a range.
func (r *Room) toggleMark() {
	m := &r.marks
	if m.Span != nil {
		r.endSpan()
		return
	}
	s := r.List.Selected()
	m.Put(s.ID, !m.IDs[s.ID])
	if r.Focus == OnList {
		r.List.MoveBy(1)
	} else {
		r.sayMarks()
	}
}

// markRange begins a range at the selected row, or ends it there. In the reader
// there is one segment to be marked.
func (r *Room) markRange() {
	m := &r.marks
	if m.Span != nil || r.Focus != OnList {
		r.toggleMark()
		return
	}
	id := r.List.Selected().ID
	m.Begin(id, r.listKey())
	r.Say("marking from here to where you go: " + r.keyFor("mark-range") + " or " + r.keyFor("mark") + " ends it")
}

// listKey tells apart what a list shows, and in which order.
func (r *Room) listKey() string {
	return r.Filter.Key + "\n" + string(r.Order) + "\n" + draw.Grouped(int(r.seed))
}

// endSpan ends the range: what it marked stays marked.
func (r *Room) endSpan() {
	if s := r.marks.Span; s.Asking {
		s.Closed, s.End = true, s.To // with its answer
		if row := r.List.Selected(); row != nil {
			s.End = row.ID
		}
	} else {
		r.marks.Span = nil
	}
	r.sayMarks()
}

// rangeEnds ends the range if one is under way; it is false while its rows are
// still to come: what is done to the marked ones has to wait for them.
func (r *Room) rangeEnds() bool {
	if r.marks.Span == nil {
		return true
	}
	r.endSpan()
	if r.marks.Span != nil {
		r.Say("the range is still being marked: try again")
		return false
	}
	return true
}

func (r *Room) sayMarks() {
	n := len(r.marks.IDs)
	r.sayWhether(n > 0, draw.Grouped(n)+" marked", "nothing is marked")
}

// followMarks lets the range follow the selection, and finds out which marked
// segments another filter does not let through.
func (r *Room) followMarks() tea.Cmd { return tea.Batch(r.followSpan(), r.askAway()) }

func (r *Room) followSpan() tea.Cmd {
	s, row := r.marks.Span, r.List.Selected()
	switch {
	case s == nil || row == nil:
		return nil
	case s.List != r.listKey() || r.List.Key != r.Filter.Key:
		r.marks.Span = nil // another list has other rows between
		return nil
	}
	end := row.ID
	if s.Closed {
		end = s.End
	}
	if s.To == end || s.Asking {
		return nil
	}
	s.To = end
	if ids := marks.Between(r.List.IDs(), s.From, end); ids != nil {
		r.marks.Extend(ids)
		r.closeSpan()
		return nil
	}
	s.Asking = true
	q := review.Query{Filter: r.Filter.Node, Order: r.Order, Seed: r.seed, Threshold: r.List.Doubt, Quotas: r.orders.quotas}
	r.clusters.into(&q)
	from, to := s.From, s.To
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		ids, err := lib.IDs(ctx, q)
		ids = marks.Between(ids, from, to)
		return Showing(func() {
			if s == r.marks.Span {
				r.markFound(s, ids, err)
			}
		})
	})
}

// markFound marks the rows of a range whose beginning is not in memory.
func (r *Room) markFound(s *marks.Span, ids []string, err error) {
	s.Asking = false
	switch {
	case err != nil:
		r.Fail("the range was not marked", err)
	case ids == nil:
		r.Say("the range was not marked: its start is no longer in the list")
	default:
		r.marks.Extend(ids)
	}
	r.closeSpan()
}

// closeSpan ends a range whose end was waited for.
func (r *Room) closeSpan() {
	if s := r.marks.Span; s.Closed && s.To == s.End {
		r.marks.Span = nil
		r.sayMarks()
	}
}

// askAway finds out which of the marked segments do not pass a filter that was
// set since.
func (r *Room) askAway() tea.Cmd {
	m := &r.marks
	if len(m.IDs) == 0 || m.AwayKey == r.Filter.Key || r.List.Key != r.Filter.Key {
		return nil
	}
	m.AwayKey, m.Away = r.Filter.Key, nil
	m.Asked++
	if r.Filter.Node == nil {
		return nil
	}
	number := m.Asked
	q, away := review.Query{Filter: r.Filter.Node}, maps.Clone(m.IDs)
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		passing, err := lib.IDs(ctx, q)
		for _, id := range passing {
			delete(away, id)
		}
		return Showing(func() {
			if err == nil && number == m.Asked { // else it is not worth a word
				maps.DeleteFunc(away, func(id string, _ bool) bool { return !m.IDs[id] })
				m.Away = away
			}
		})
	})
}

// unmark takes all marks away; a range that is being marked is given up first,
// with what it marked.
func (r *Room) unmark() {
	if r.marks.Span != nil {
		r.marks.Extend(nil)
		r.marks.Span = nil
		r.Say("range dropped, with its marks")
		return
	}
	r.Say(draw.Grouped(len(r.marks.IDs)) + " unmarked")
	r.marks.Clear()
}

// marksText says how many are marked, "" for none.
func (r *Room) marksText() string {
	n := len(r.marks.IDs)
	if n == 0 {
		return ""
	}
	text := draw.Grouped(n) + " marked"
	if away := len(r.marks.Away); away > 0 && r.marks.AwayKey == r.Filter.Key {
		text += ", " + draw.Grouped(away) + " not in the filter"
	}
	return text
}
