package review

import (
	"context"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// marks are the segments that a curator marked, by id, for what is done to
// several at once. They stay marked wherever the list goes.
type marks struct {
	ids  map[string]bool
	span *span // the range that is being marked
	// away are those that the filter does not let through, of the filter with
	// the key.
	away    map[string]bool
	awayKey string
	asked   int // number of the last question about them
}

// span is a range of rows from one that was selected to the one that is.
type span struct {
	from, to string          // ids of the rows at its ends
	added    map[string]bool // those that it marked
	list     string          // the list that it is of; see listKey
	asking   bool            // for its rows
	closed   bool            // it ends with the answer,
	end      string          // at this row
}

// MarkKeys are the keys that mark segments.
func MarkKeys() []roomRow {
	return []roomRow{
		keys.Key("space", "mark", "mark or unmark the segment; in the list, also go down", "", keys.InJudged, keys.Do((*Room).toggleMark), (*Room).NoVerdict),
		keys.Key("v", "mark-range", "mark from here to where you go; again ends the range", "", keys.InSegment, keys.Do((*Room).markRange), (*Room).NoSegment),
		keys.Key("", "unmark", "remove all marks", "", keys.InSegment, keys.Do((*Room).unmark), (*Room).noMarks),
	}
}

func (r *Room) noMarks() string { return keys.Reason(len(r.marks.ids) == 0, "nothing is marked") }

// set marks a segment, or takes its mark away.
func (m *marks) set(id string, on bool) {
	if !on {
		delete(m.ids, id)
		delete(m.away, id)
		return
	}
	if m.ids == nil {
		m.ids = map[string]bool{}
	}
	m.ids[id] = true
}

// list returns the ids of what is marked, in a fixed order.
func (m *marks) list() []string { return slices.Sorted(maps.Keys(m.ids)) }

// toggleMark marks the selected segment, or not, and goes on. It ends a range.
func (r *Room) toggleMark() {
	m := &r.marks
	if m.span != nil {
		r.endSpan()
		return
	}
	s := r.List.Selected()
	m.set(s.ID, !m.ids[s.ID])
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
	if m.span != nil || r.Focus != OnList {
		r.toggleMark()
		return
	}
	id := r.List.Selected().ID
	m.span = &span{from: id, to: id, added: map[string]bool{}, list: r.listKey()}
	m.extend([]string{id})
	r.Say("marking from here to where you go: " + r.keyFor("mark-range") + " or " + r.keyFor("mark") + " ends it")
}

// listKey tells apart what a list shows, and in which order.
func (r *Room) listKey() string {
	return r.Filter.Key + "\n" + string(r.Order) + "\n" + draw.Grouped(int(r.seed))
}

// endSpan ends the range: what it marked stays marked.
func (r *Room) endSpan() {
	if s := r.marks.span; s.asking {
		s.closed, s.end = true, s.to // with its answer
		if row := r.List.Selected(); row != nil {
			s.end = row.ID
		}
	} else {
		r.marks.span = nil
	}
	r.sayMarks()
}

// rangeEnds ends the range if one is under way; it is false while its rows are
// still to come: what is done to the marked ones has to wait for them.
func (r *Room) rangeEnds() bool {
	if r.marks.span == nil {
		return true
	}
	r.endSpan()
	if r.marks.span != nil {
		r.Say("the range is still being marked: try again")
		return false
	}
	return true
}

func (r *Room) sayMarks() {
	n := len(r.marks.ids)
	r.sayWhether(n > 0, draw.Grouped(n)+" marked", "nothing is marked")
}

// extend makes a range what it is now.
func (m *marks) extend(ids []string) {
	s := m.span
	now := make(map[string]bool, len(ids))
	for _, id := range ids {
		now[id] = true
		if !m.ids[id] {
			m.set(id, true)
			s.added[id] = true
		}
	}
	for id := range s.added {
		if !now[id] {
			m.set(id, false)
			delete(s.added, id)
		}
	}
}

// followMarks lets the range follow the selection, and finds out which marked
// segments another filter does not let through.
func (r *Room) followMarks() tea.Cmd { return tea.Batch(r.followSpan(), r.askAway()) }

func (r *Room) followSpan() tea.Cmd {
	s, row := r.marks.span, r.List.Selected()
	switch {
	case s == nil || row == nil:
		return nil
	case s.list != r.listKey() || r.List.Key != r.Filter.Key:
		r.marks.span = nil // another list has other rows between
		return nil
	}
	end := row.ID
	if s.closed {
		end = s.end
	}
	if s.to == end || s.asking {
		return nil
	}
	s.to = end
	if from, to := r.List.Index(s.from), r.List.Index(end); from >= 0 && to >= 0 {
		var ids []string
		for i := min(from, to); i <= max(from, to); i++ {
			ids = append(ids, r.List.Rows[i].ID)
		}
		r.marks.extend(ids)
		r.closeSpan()
		return nil
	}
	s.asking = true
	q := review.Query{Filter: r.Filter.Node, Order: r.Order, Seed: r.seed, Threshold: r.List.Doubt, Quotas: r.orders.quotas}
	r.clusters.into(&q)
	from, to := s.from, s.to
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		ids, err := lib.IDs(ctx, q)
		ids = between(ids, from, to)
		return Showing(func() {
			if s == r.marks.span {
				r.markFound(s, ids, err)
			}
		})
	})
}

// between returns the ids of a list from one row to another, whichever comes first;
// nil if one of them is not in it.
func between(ids []string, from, to string) []string {
	first, last := slices.Index(ids, from), slices.Index(ids, to)
	if first < 0 || last < 0 {
		return nil
	}
	return ids[min(first, last) : max(first, last)+1]
}

// markFound marks the rows of a range whose beginning is not in memory.
func (r *Room) markFound(s *span, ids []string, err error) {
	s.asking = false
	switch {
	case err != nil:
		r.Fail("the range was not marked", err)
	case ids == nil:
		r.Say("the range was not marked: its start is no longer in the list")
	default:
		r.marks.extend(ids)
	}
	r.closeSpan()
}

// closeSpan ends a range whose end was waited for.
func (r *Room) closeSpan() {
	if s := r.marks.span; s.closed && s.to == s.end {
		r.marks.span = nil
		r.sayMarks()
	}
}

// askAway finds out which of the marked segments do not pass a filter that was
// set since.
func (r *Room) askAway() tea.Cmd {
	m := &r.marks
	if len(m.ids) == 0 || m.awayKey == r.Filter.Key || r.List.Key != r.Filter.Key {
		return nil
	}
	m.awayKey, m.away = r.Filter.Key, nil
	m.asked++
	if r.Filter.Node == nil {
		return nil
	}
	number := m.asked
	q, away := review.Query{Filter: r.Filter.Node}, maps.Clone(m.ids)
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		passing, err := lib.IDs(ctx, q)
		for _, id := range passing {
			delete(away, id)
		}
		return Showing(func() {
			if err == nil && number == m.asked { // else it is not worth a word
				maps.DeleteFunc(away, func(id string, _ bool) bool { return !m.ids[id] })
				m.away = away
			}
		})
	})
}

// unmark takes all marks away; a range that is being marked is given up first,
// with what it marked.
func (r *Room) unmark() {
	if r.marks.span != nil {
		r.marks.extend(nil)
		r.marks.span = nil
		r.Say("range dropped, with its marks")
		return
	}
	r.Say(draw.Grouped(len(r.marks.ids)) + " unmarked")
	r.marks.clear()
}

// clear takes all marks away.
func (m *marks) clear() { *m = marks{asked: m.asked + 1} }

// marksText says how many are marked, "" for none.
func (r *Room) marksText() string {
	n := len(r.marks.ids)
	if n == 0 {
		return ""
	}
	text := draw.Grouped(n) + " marked"
	if away := len(r.marks.away); away > 0 && r.marks.awayKey == r.Filter.Key {
		text += ", " + draw.Grouped(away) + " not in the filter"
	}
	return text
}
